//! Boards in every form.

use loyd_tiles::notation::{
    Cases, FORMS, Form, Format, NotationError, UnwritableBoard, parse_board,
};
use loyd_tiles::{Board, Goal, Random, Size, random_board};
use proptest::prelude::*;

fn any_board() -> impl Strategy<Value = Board> {
    let sizes = prop_oneof![(1..=5_u32, 1..=5_u32), Just((16, 16)), Just((1, 256)), Just((256, 1))];
    let sizes = sizes.prop_filter_map("no board", |(w, h)| Size::new(w, h).ok());
    sizes.prop_flat_map(|size| {
        let numbers: Vec<u32> = (0..size.cells() as u32).collect();
        Just(numbers).prop_shuffle().prop_map(move |numbers| Board::new(size, &numbers).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_form_round_trips(board in any_board()) {
        for row in FORMS {
            match row.form.write(&board) {
                Ok(text) if row.form == Form::Korf => {
                    let mut cases = Cases::new(text.as_bytes(), Format::Korf, Some(board.size()));
                    let case = cases.next().unwrap().unwrap();
                    let refused = |error: &NotationError| error.message.contains("or the last one");
                    let read = case.board.as_ref().map_or_else(refused, |read| *read == board);
                    prop_assert!(board.size().cells() < 4 || read, "{}", text);
                }
                Ok(text) => {
                    prop_assert_eq!(parse_board(&text, Some(board.size())), Ok(board.clone()), "{}", text);
                    prop_assert_eq!(row.several_lines && board.size().height() > 1 || row.form == Form::Grid,
                        text.contains('\n'));
                    // A list with one row may be a square board.
                    let is_row = board.size().height() == 1 && row.form == Form::List;
                    if !(matches!(row.form, Form::Tokens | Form::Rows | Form::Grid) || is_row) {
                        prop_assert_eq!(parse_board(&text, None), Ok(board.clone()), "{}", text);
                    }
                }
                Err(UnwritableBoard::TooManyCells { form, cells, most }) => {
                    prop_assert!(form == row.form && cells == board.size().cells() && cells > most);
                }
                Err(UnwritableBoard::NotSquare { form, size }) => {
                    prop_assert!(form == row.form && size.width() != size.height());
                }
            }
        }
    }
}

fn sample() -> Board {
    parse_board("2 3 4/1 5 x/7 6 8", None).unwrap()
}

#[test]
fn unknown_forms_and_too_large_boards_are_rejected() {
    assert_eq!(
        "csv".parse::<Form>().unwrap_err().to_string(),
        "`csv` is not a form of boards; there are slashes, tokens, compact, list, rows, grid, hex, \
         letters, princeton, 42, tatham, korf"
    );
    let fifteen = parse_board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x", None).unwrap();
    assert_eq!(
        Form::Compact.write(&fifteen).unwrap_err().to_string(),
        "a board of 16 cells cannot be written as compact: at most 10 tiles have one sign each"
    );
    let wide = parse_board("1 2 3/4 5 0", None).unwrap();
    assert_eq!(
        Form::FortyTwo.write(&wide).unwrap_err().to_string(),
        "a 3x2 board cannot be written as 42: these boards are square"
    );
}

#[test]
fn forms_of_other_programs_are_written() {
    let spiral = Goal::Spiral.board(Size::FIFTEEN).unwrap();
    let wide = parse_board("1 2 3/4 5 0", None).unwrap();
    for (form, board, text) in [
        (Form::Hex, &spiral, "1234CDE5B0F6A987"),
        (Form::Hex, &wide, "123/450"),
        (Form::Letters, &spiral, "ABCDLMNEK_OFJIHG"),
        (Form::Letters, &wide, "ABC/DE_"),
        (Form::Princeton, &sample(), "3\n 2  3  4\n 1  5  0\n 7  6  8"),
        (
            Form::FortyTwo,
            &spiral,
            "# This puzzle is solvable\n4\n 1  2  3  4\n12 13 14  5\n11  0 15  6\n10  9  8  7",
        ),
        (Form::FortyTwo, &sample(), "# This puzzle is unsolvable\n3\n 2  3  4\n 1  5  0\n 7  6  8"),
        (Form::Tatham, &wide, "3x2:1,2,3,4,5,0"),
        (Form::Korf, &sample(), "1 2 3 4 1 5 0 7 6 8"),
    ] {
        assert_eq!(form.write(board).as_deref(), Ok(text));
    }
}

/// Returns the numbers of the cells in a text in a form of another program, read without the library.
fn plain_numbers(form: Form, text: &str) -> Vec<u32> {
    let words =
        |text: &str| text.split([' ', ',', '\n']).filter_map(|word| word.parse().ok()).collect();
    let signs =
        |value: fn(char) -> u32| text.chars().filter(|&sign| sign != '/').map(value).collect();
    match form {
        Form::Hex => signs(|sign| sign.to_digit(16).unwrap()),
        Form::Letters => {
            signs(|sign| if sign == '_' { 0 } else { u32::from(sign) - u32::from('@') })
        }
        Form::Princeton => words(text.split_once('\n').unwrap().1),
        Form::FortyTwo => words(text.splitn(3, '\n').nth(2).unwrap()),
        Form::Tatham => words(text.split_once(':').unwrap().1),
        _ => words(text.split_once(' ').unwrap().1),
    }
}

#[test]
fn forms_of_other_programs_place_every_tile_correctly() {
    for (width, height) in [(4, 4), (3, 3), (2, 2), (5, 5), (3, 5), (1, 7), (9, 3), (16, 16)] {
        let size = Size::new(width, height).unwrap();
        let board = random_board(&Goal::BlankLast.board(size).unwrap(), &mut Random::new(3));
        for form in
            [Form::Hex, Form::Letters, Form::Princeton, Form::FortyTwo, Form::Tatham, Form::Korf]
        {
            match form.write(&board) {
                Ok(text) => {
                    let numbers = plain_numbers(form, &text);
                    assert!(
                        numbers.iter().eq(board
                            .numbers()
                            .map(u32::from)
                            .collect::<Vec<_>>()
                            .iter()),
                        "{text}"
                    );
                }
                Err(_) if matches!(form, Form::Hex | Form::Letters) => assert!(size.cells() > 16),
                Err(_) => assert!(width != height),
            }
        }
    }
}
