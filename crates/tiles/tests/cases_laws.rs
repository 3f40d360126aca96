//! Files of boards: every format round-trips, and any bytes are read or rejected.

use std::io::{self, BufRead, BufReader};

use loyd_tiles::notation::{Case, Cases, FORMATS, Format, NotationError, grid, slashes};
use loyd_tiles::{Board, Size};
use proptest::prelude::*;

fn all<R: BufRead>(reader: R, format: Format, size: Option<Size>) -> Vec<Case> {
    Cases::new(reader, format, size).collect::<io::Result<_>>().unwrap()
}

fn any_boards() -> impl Strategy<Value = Vec<Board>> {
    let sizes = (1..=5_u32, 1..=5_u32).prop_filter_map("no board", |(w, h)| Size::new(w, h).ok());
    sizes.prop_flat_map(|size| {
        let numbers: Vec<u32> = (0..size.cells() as u32).collect();
        let board = Just(numbers).prop_shuffle();
        prop::collection::vec(board.prop_map(move |n| Board::new(size, &n).unwrap()), 1..5)
    })
}

/// Returns the rows of the drawn grid, without its frame.
fn rows(board: &Board) -> String {
    let shown = grid(board).to_string().replace('·', "x");
    let rows = shown.lines().filter_map(|line| line.strip_prefix('│')?.strip_suffix('│'));
    rows.map(|row| format!("{row}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn files_round_trip(boards in any_boards(), breaks in prop::collection::vec(0..4_usize, 100)) {
        let size = Some(boards[0].size());
        let join = |form: &dyn Fn(&Board) -> String| boards.iter().map(form).collect::<String>();
        let mut separators = breaks.iter().map(|&at: &usize| [" ", "\n", ", ", " \r\n\n"][at]);
        let mut tokens = join(&|board| format!("{board} "));
        for index in (0..tokens.len()).rev().filter(|&at| tokens.as_bytes()[at] == b' ').collect::<Vec<_>>() {
            tokens.replace_range(index..=index, separators.next().unwrap_or(" "));
        }
        let blank = |board: &Board| board.blank().index();
        for (format, text, size) in [
            (Format::Lines, join(&|board| format!("{board}\n")), size),
            (Format::Lines, join(&|board| format!("{}\r\n\n", slashes(board))), None),
            (Format::Grid, join(&rows), size),
            (Format::Grid, join(&|board| grid(board).to_string()), size),
            (Format::Auto, join(&|board| grid(board).to_string()), size),
            (Format::Grid, join(&|board| slashes(board).to_string().replace('/', "/\r\n") + "\n\n"), None),
            (Format::Tokens, tokens, size),
            (Format::ThreeLines, join(&|board| format!("{board}\n{}\n{board}\n", blank(board))), size),
            (Format::Korf, join(&|board| format!("{} 7 {board}\n", blank(board))), size),
        ] {
            let cases = all(text.as_bytes(), format, size);
            let read: Vec<_> = cases.into_iter().map(|case| case.board).collect();
            // An instance may fit two orders of its words.
            let refused = |read: &Result<Board, NotationError>| {
                let of_two_orders = |error: &NotationError| error.message.contains("or the last one");
                format == Format::Korf && read.as_ref().is_err_and(of_two_orders)
            };
            prop_assert_eq!(read.len(), boards.len());
            for (read, board) in read.iter().zip(&boards) {
                prop_assert!(refused(read) || read.as_ref() == Ok(board), "{:?}: {:?}", text, read);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_rejected(bytes in prop::collection::vec(prop::sample::select(
        &b"0123456789xx_.q,/[](){}--    \n\n\n\r\0\xFF\xC3\xA9"[..]), 0..300)) {
        let lines = bytes.split(|&byte| byte == b'\n').count();
        for row in FORMATS {
            for size in [None, Some(Size::EIGHT), Size::new(2, 1).ok()] {
                let cases = all(&bytes[..], row.format, size);
                prop_assert_eq!(&all(BufReader::with_capacity(1, &bytes[..]), row.format, size), &cases);
                let mut last = 1;
                for case in cases {
                    prop_assert!(last <= case.line && case.line <= lines);
                    last = case.line;
                    if let Err(error) = case.board {
                        prop_assert!(error.source.get(error.span.clone()).is_some());
                        prop_assert!(error.line >= last && error.line <= lines);
                    }
                }
            }
        }
    }
}
