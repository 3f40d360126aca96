//! Files of boards. The first line has the format and the size, which are optional.

use std::io::{BufRead, BufReader};

use loyd::notation::{Case, Cases, Format, slashes};
use loyd::{Board, Size};

use crate::laws;

pub fn check(bytes: &[u8]) {
    let (options, file) = laws::first_line(bytes);
    let options = String::from_utf8_lossy(options);
    let mut options = options.split_whitespace();
    let format = options.next().and_then(|name| name.parse().ok()).unwrap_or_default();
    let size = options.next().and_then(|size| size.parse().ok());
    let cases = read(file, format, size);
    for capacity in [1, 7] {
        assert_eq!(read(BufReader::with_capacity(capacity, file), format, size), cases);
    }
    let found = Cases::new(file, format, size).format().expect("memory can be read");
    // For the other formats, and for files with headings or drawn boards, the reader may use the whole file to determine
    // the layout.
    if [Format::Lines, Format::ThreeLines, Format::Korf].contains(&found) {
        let again = read(file, found, size);
        let boards =
            |cases: &[Case]| cases.iter().map(|case| case.board.clone()).collect::<Vec<_>>();
        let text = String::from_utf8_lossy(file);
        let headed =
            text.contains(|letter: char| letter.is_alphabetic() || "┌╔┏╭".contains(letter));
        assert!(headed || boards(&again) == boards(&cases), "read as {found} and as {format}");
    }
    are_in_order(&cases, file, size);
    are_read_back(&cases);
}

fn read(reader: impl BufRead, format: Format, size: Option<Size>) -> Vec<Case> {
    Cases::new(reader, format, size).collect::<Result<_, _>>().expect("memory can be read")
}

fn are_in_order(cases: &[Case], file: &[u8], size: Option<Size>) {
    let lines = file.split(|&byte| byte == b'\n').count();
    assert!(cases.len() <= file.len());
    let mut last = 1;
    for case in cases {
        assert!((last..=lines).contains(&case.line), "{case:?}");
        last = case.line;
        match &case.board {
            Ok(board) => {
                assert!(size.is_none_or(|size| size == board.size()));
                assert!(case.goal.as_ref().is_none_or(|goal| goal.size() == board.size()));
                if case.notes.is_empty() {
                    let rest = file.split(|&byte| byte == b'\n').skip(case.line - 1);
                    let rest = rest.collect::<Vec<_>>().join(&b'\n');
                    laws::tiles_occur_in_order(board, &String::from_utf8_lossy(&rest));
                }
            }
            Err(error) => {
                laws::is_shown(error);
                assert!((1..=lines).contains(&error.line), "{error:?}");
            }
        }
    }
}

/// Checks that the boards can be read back from a file.
fn are_read_back(cases: &[Case]) {
    let boards: Vec<&Board> = cases.iter().filter_map(|case| case.board.as_ref().ok()).collect();
    let text: String = boards.iter().map(|board| format!("{}\n", slashes(board))).collect();
    for format in [Format::Lines, Format::Auto] {
        let again = read(text.as_bytes(), format, None);
        assert!(again.iter().map(|case| case.board.as_ref()).eq(boards.iter().map(|b| Ok(*b))));
    }
}
