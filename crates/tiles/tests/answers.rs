//! Answers in every notation and boards in every form: laws, and every fault with its exact words.

use loyd_tiles::notation::{
    FORMS, Form, MOST_MOVES, NOTATIONS, Notation, NotationError, Style, TextLines, UnwritableMoves,
    moves_to_string, parse_board, parse_moves, read_moves,
};
use loyd_tiles::{Board, Goal, Move, Random, Size, invert, random_walk, runs, simplify};
use proptest::prelude::*;

fn any_board() -> impl Strategy<Value = Board> {
    let sizes = prop_oneof![(1..=5_u32, 1..=5_u32), Just((16, 16)), Just((1, 256)), Just((256, 1))];
    let sizes = sizes.prop_filter_map("no board", |(w, h)| Size::new(w, h).ok());
    sizes.prop_flat_map(|size| {
        let numbers: Vec<u32> = (0..size.cells() as u32).collect();
        Just(numbers).prop_shuffle().prop_map(move |numbers| Board::new(size, &numbers).unwrap())
    })
}

/// A board and moves that stay on it.
fn any_walk() -> impl Strategy<Value = (Board, Vec<Move>)> {
    let steps = prop::collection::vec((0..4_usize, 1..9_usize), 0..30);
    (any_board(), steps).prop_map(|(start, steps)| {
        let (mut board, mut moves) = (start.clone(), Vec::new());
        for m in steps.into_iter().flat_map(|(m, times)| vec![Move::ALL[m]; times]) {
            if board.apply(m).is_ok() {
                moves.push(m);
            }
        }
        (start, moves)
    })
}

fn any_moves() -> impl Strategy<Value = Vec<Move>> {
    let run = (prop::sample::select(&Move::ALL[..]), prop_oneof![Just(1), Just(2), Just(300)]);
    prop::collection::vec(run, 0..20)
        .prop_map(|runs| runs.into_iter().flat_map(|(m, times)| vec![m; times]).collect())
}

fn styles() -> impl Iterator<Item = Style> {
    NOTATIONS
        .iter()
        .flat_map(|row| [false, true].map(|runs| Style { notation: row.notation, runs }))
}

/// A walk of as many moves as an answer may have, and the board that it begins on.
fn longest_walk(width: u32, height: u32) -> (Board, Vec<Move>) {
    let board = Goal::BlankLast.board(Size::new(width, height).unwrap()).unwrap();
    let walk = random_walk(&board, MOST_MOVES, &mut Random::new(1)).unwrap();
    (board, walk)
}

#[test]
fn the_longest_answers_that_are_written_are_read() {
    for (width, height) in [(2, 128), (128, 2), (16, 16), (10, 25)] {
        let (board, walk) = longest_walk(width, height);
        let write = |style: Style| style.write(&walk, Some(&board)).unwrap();
        // All words as long as they come, though no walk has only such.
        let longest = format!("{board}\t{}", "16,16 ".repeat(MOST_MOVES));
        let lines = styles().map(|style| format!("{board}\t{}", write(style)));
        let text = lines.chain([longest]).collect::<Vec<_>>().join("\r\n");
        let lines: Result<Vec<_>, _> =
            TextLines::new(text.as_bytes()).map(|line| line.unwrap().1).collect();
        for (style, line) in styles().zip(lines.unwrap()) {
            let (_, moves) = line.split_once('\t').unwrap();
            let answer = read_moves(moves, Some(style.notation), Some(&board)).unwrap();
            assert!(answer.moves == walk, "{style:?} on {width}x{height}");
        }
    }
}

#[test]
fn answers_that_are_too_long_are_refused() {
    let (board, mut walk) = longest_walk(2, 128);
    let back = walk.last().unwrap().inverse();
    walk.push(back);
    for style in styles() {
        let text = style.write(&walk, Some(&board)).unwrap();
        let error = read_moves(&text, None, Some(&board)).unwrap_err();
        assert_eq!(
            error.message, "more than 1,000,000 moves, the most that a solution may have",
            "{style:?}"
        );
        assert!(error.source.starts_with('…') && error.source.len() < 200, "{style:?}");
    }
    let runs = "R255".repeat(MOST_MOVES / 255 + 1);
    assert!(
        read_moves(&runs, None, None).unwrap_err().message.contains("more than 1,000,000 moves")
    );
    let long = "u".repeat(7 << 20);
    let text = format!("{long}\nul\n");
    let mut lines = TextLines::new(text.as_bytes()).map(|line| line.unwrap());
    let (number, error) = lines.next().unwrap();
    assert_eq!(
        (number, error.unwrap_err().message),
        (1, "the line is longer than 1,000,000 moves and a board can be".to_owned())
    );
    assert_eq!(lines.next(), Some((2, Ok("ul".to_owned()))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_notation_is_read_back((board, moves) in any_walk()) {
        for style in styles() {
            let text = style.write(&moves, Some(&board)).unwrap();
            let read = read_moves(&text, Some(style.notation), Some(&board)).unwrap();
            prop_assert_eq!(&read.moves, &moves, "{:?} {}", style, text);
            let mut end = board.clone();
            end.walk(&moves).unwrap();
            prop_assert_eq!(read.apply_to(&board), Ok(end));
            match read_moves(&text, None, Some(&board)) {
                Ok(read) => prop_assert_eq!(&read.moves, &moves, "{:?} {}", style, text),
                Err(error) => {
                    prop_assert!(style.notation.row().needs_board);
                    prop_assert!(error.message.contains("two ways"), "{}", error);
                }
            }
        }
    }

    #[test]
    fn letters_need_no_board(moves in any_moves()) {
        for style in styles().filter(|style| !style.notation.row().needs_board) {
            let text = style.write(&moves, None).unwrap();
            let read = read_moves(&text, None, None).unwrap();
            prop_assert_eq!(&read.moves, &moves);
            prop_assert!(moves.is_empty() || read.notation == style.notation);
        }
    }

    #[test]
    fn blank_and_tile_go_opposite_ways(moves in any_moves(), runs: bool) {
        let text = |notation, moves: &[Move]| Style { notation, runs }.write(moves, None).unwrap();
        let opposite: Vec<Move> = moves.iter().map(|m| m.inverse()).collect();
        prop_assert_eq!(
            text(Notation::Tile, &moves),
            text(Notation::Blank, &opposite).to_ascii_uppercase()
        );
    }

    #[test]
    fn every_form_is_read_back(board in any_board()) {
        for row in FORMS {
            match row.form.write(&board) {
                Ok(text) => {
                    prop_assert_eq!(parse_board(&text, Some(board.size())), Ok(board.clone()), "{}", text);
                    prop_assert_eq!(row.several_lines && board.size().height() > 1 || row.form == Form::Grid,
                        text.contains('\n'));
                    if !matches!(row.form, Form::Tokens | Form::Rows | Form::Grid) {
                        prop_assert_eq!(parse_board(&text, None), Ok(board.clone()), "{}", text);
                    }
                }
                Err(error) => prop_assert!(row.form == Form::Compact && error.0 > 10),
            }
        }
    }

    #[test]
    fn the_way_back_leads_back((start, moves) in any_walk()) {
        let mut board = start.clone();
        board.walk(&moves).unwrap();
        board.walk(&invert(&moves)).unwrap();
        prop_assert_eq!(&board, &start);
        prop_assert_eq!(invert(&invert(&moves)), moves);
    }

    #[test]
    fn nothing_undoes_itself_once_simplified((start, moves) in any_walk()) {
        let less = simplify(&moves);
        let (mut board, mut end) = (start.clone(), start);
        end.walk(&moves).unwrap();
        board.walk(&less).unwrap();
        prop_assert_eq!(board, end);
        prop_assert!(less.windows(2).all(|two| two[0] != two[1].inverse()));
        prop_assert_eq!(moves.len() % 2, less.len() % 2);
        prop_assert_eq!(simplify(&[moves.clone(), invert(&moves)].concat()), Vec::new());
        prop_assert_eq!(runs(&moves).flatten().copied().collect::<Vec<_>>(), moves);
    }

    #[test]
    fn any_text_is_answered(text in r"([udlrUDLR]|[0-9]{1,3}|[ ,;()\n]|\PC|[\x00é…│·]){0,40}", board in any_board()) {
        for board in [None, Some(&board)] {
            for notation in NOTATIONS.iter().map(|row| Some(row.notation)).chain([None]) {
                let error = match read_moves(&text, notation, board) {
                    Ok(answer) => board.and_then(|board| answer.apply_to(board).err()),
                    Err(error) => Some(error),
                };
                if let Some(error) = error {
                    prop_assert!(error.source.get(error.span.clone()).is_some(), "{:?}", error);
                    prop_assert!(!error.message.is_empty() && error.column() >= 1);
                }
            }
        }
    }
}

/// The fault with its place underlined and what helps.
fn shown(error: NotationError) -> String {
    let before = error.source[..error.span.start].chars().count();
    let marks = error.source[error.span.clone()].chars().count().max(1);
    let help = error.help.unwrap_or_default();
    format!(
        "{}\n{}{}\n{}\n{help}",
        error.source,
        " ".repeat(before),
        "~".repeat(marks),
        error.message
    )
}

fn sample() -> Board {
    parse_board("2 3 4/1 5 x/7 6 8", None).unwrap()
}

/// What is wrong with `text` as moves of the sample.
fn fault(text: &str, notation: Option<Notation>) -> String {
    let read = read_moves(text, notation, Some(&sample()));
    shown(read.and_then(|answer| answer.apply_to(&sample())).unwrap_err())
}

#[test]
fn the_examples_of_the_registry_say_the_same() {
    for row in NOTATIONS {
        assert_eq!(row.name.parse(), Ok(row.notation));
        for (runs, example) in [false, true].into_iter().zip(row.examples) {
            let read = read_moves(example, None, Some(&sample())).unwrap();
            assert_eq!(
                (moves_to_string(&read.moves).as_str(), read.notation),
                ("ull", row.notation)
            );
            let style = Style { notation: row.notation, runs };
            assert_eq!(style.write(&read.moves, Some(&sample())).unwrap(), example);
        }
    }
    assert_eq!(
        "moves".parse::<Notation>().unwrap_err().to_string(),
        "`moves` is not a notation; there are blank, tile, numbers, coordinates"
    );
    assert_eq!(
        "csv".parse::<Form>().unwrap_err().to_string(),
        "`csv` is not a form of boards; there are slashes, tokens, compact, list, rows, grid"
    );
}

#[test]
fn leniencies() {
    for text in [" u, l\tl ", "u l2", "u1L2", "4, 3 2", "4,3,2", "1,3; 1,1", "(1,3)( 1 , 1 )"] {
        let read = read_moves(text, None, Some(&sample()));
        match text {
            "u1L2" => assert!(read.is_err()),
            _ => assert_eq!(moves_to_string(&read.unwrap().moves), "ull", "{text}"),
        }
    }
    assert_eq!(read_moves(" \n", None, None).unwrap().moves, []);
}

#[test]
fn words_that_say_nothing() {
    assert_eq!(
        fault("DRu", None),
        "DRu\n  ~\n`u` is not a move: U, D, L and R are, the direction in which the tile travels\n\
         write U if the tile goes there; write D if the blank does"
    );
    assert_eq!(
        fault("ul0", None),
        "ul0\n  ~\n`0` is not a number of moves\n1 to 255 are, as in R3"
    );
    assert_eq!(
        fault("ul256", None),
        "ul256\n  ~~~\n`256` is not a number of moves\n1 to 255 are, as in R3"
    );
    assert_eq!(
        fault("4 0", None),
        "4 0\n  ~\n`0` is not the number of a tile\nname the tile that moves, not the blank"
    );
    assert_eq!(
        fault("1,3 1,x", Some(Notation::Coordinates)),
        "1,3 1,x\n    ~~~\n`1,x` is not a row and a column\nwrite 2,3 or (2, 3) for row 2 and column 3"
    );
    assert_eq!(
        shown(read_moves("4 3", None, None).unwrap_err()),
        "4 3\n~\nnumbers and coordinates say nothing without the board on which the moves begin: name it \
         with --board, or put it and a tab in front of the moves\n"
    );
    for text in ["432", "[4,3]", "4-3"] {
        assert!(fault(text, None).ends_with(
            "is a move in no notation\n\
             write numbers of tiles, from 1, and spaces between them, as in 4 3 2"
        ));
    }
    let notations = "the notations are blank as in ull, tile as in DRR, numbers as in 4 3 2, coordinates as in \
                     1,3 1,2 1,1";
    assert!(fault("2L", None).ends_with(&format!("`2L` is a move in no notation\n{notations}")));
    assert!(fault("ulq", None).ends_with(notations));
}

#[test]
fn moves_that_cannot_be_made() {
    assert_eq!(
        fault("uu", None),
        "uu\n ~\nthe blank, on row 1 and column 3, cannot go up\nthe board is then 2 3 0/1 5 4/7 6 8"
    );
    assert_eq!(
        fault("DRD", None),
        "DRD\n  ~\nno tile can move down here: there is none above the blank, on row 1 and column 2\n\
         the board is then 2 0 3/1 5 4/7 6 8"
    );
    assert_eq!(
        fault("ULLD", None),
        "ULLD\n ~\nno tile can move left here: there is none right of the blank, on row 3 and column 3\n\
         as moves of the blank these could be made: those are written in small letters"
    );
    assert_eq!(
        fault("rr", None),
        "rr\n~\nthe blank, on row 2 and column 3, cannot go right\n\
         as moves of tiles these could be made: those are written in capitals"
    );
    assert_eq!(
        fault("3", None),
        "3\n~\ntile 3 is not in line with the blank, on row 2 and column 3\n"
    );
    assert_eq!(
        fault("3,2 3,1", None),
        "3,2 3,1\n~\ntile 3 is not in line with the blank, on row 2 and column 3\n\
         as coordinates: row 3 and column 2 is not in line with the blank, on row 2 and column 3"
    );
    assert_eq!(fault("9", None), "9\n~\na 3x3 board has no tile 9\n");
    assert_eq!(
        fault("2,3", Some(Notation::Coordinates)),
        "2,3\n~~~\nrow 2 and column 3 has the blank, not a tile\n"
    );
    assert_eq!(
        fault("4,1", Some(Notation::Coordinates)),
        "4,1\n~~~\na 3x3 board has no row 4 and column 1\n"
    );
}

#[test]
fn what_can_be_read_in_two_ways_is_not_guessed_at() {
    let board = parse_board("2 1/x 3", None).unwrap();
    // Tiles 2 and 1, or the tile on row 2 and column 1, which is the blank: one reading is left.
    assert_eq!(read_moves("2,1", None, Some(&board)).unwrap().notation, Notation::Numbers);
    let board = parse_board("1 2/3 x", None).unwrap();
    let error = read_moves(" 2,1 ", None, Some(&board)).unwrap_err();
    assert_eq!(
        shown(error),
        " 2,1 \n ~~~\nthis can be read in two ways: as numbers the blank goes ul, as coordinates the \
         blank goes l\nname the notation, numbers or coordinates: --notation, or --from of convert"
    );
    for (notation, moves) in [(Notation::Numbers, "ul"), (Notation::Coordinates, "l")] {
        let read = read_moves("2,1", Some(notation), Some(&board)).unwrap();
        assert_eq!(moves_to_string(&read.moves), moves);
    }
}

#[test]
fn what_cannot_be_written() {
    let style = Style { notation: Notation::Numbers, runs: false };
    let moves = parse_moves("ur").unwrap();
    assert_eq!(style.write(&moves, None), Err(UnwritableMoves::NoBoard(Notation::Numbers)));
    assert_eq!(
        style.write(&moves, Some(&sample())).unwrap_err().to_string(),
        "the blank on cell 3 cannot go Right"
    );
    let fifteen = parse_board("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 x", None).unwrap();
    assert_eq!(
        Form::Compact.write(&fifteen).unwrap_err().to_string(),
        "a board of 16 cells cannot be run together: at most 10 tiles have one digit"
    );
}
