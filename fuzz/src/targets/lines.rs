//! Lines of text, compared with those of simple code that has the whole file in memory.

use std::io::{BufRead, BufReader};

use loyd::notation::{MAX_MOVES, NotationError, TextLines};

use crate::laws;

/// Maximum length of a line in bytes: a solution in coordinates, preceded by a board.
const MAX_LINE: usize = MAX_MOVES * "100,100 ".len() + 256 * 1024;

type Line = (usize, Result<String, NotationError>);

pub fn check(bytes: &[u8]) {
    let lines = read(bytes);
    assert_eq!(read(BufReader::with_capacity(1, bytes)), lines);
    let expected = plain(bytes);
    assert_eq!(lines.len(), expected.len());
    for ((at, line), (number, expected)) in lines.into_iter().zip(expected) {
        assert_eq!(at, number);
        assert_eq!(line.as_deref().ok(), expected.as_deref());
        if let Err(error) = line {
            laws::is_shown(&error);
            assert_eq!(error.line, number);
        }
    }
}

fn read(reader: impl BufRead) -> Vec<Line> {
    TextLines::new(reader).collect::<Result<_, _>>().expect("memory can be read")
}

/// Returns the lines that are not comments with their numbers, and `None` for lines that are too long or not UTF-8.
fn plain(bytes: &[u8]) -> Vec<(usize, Option<String>)> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    let text = |(index, line): (usize, &&[u8])| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = str::from_utf8(line).ok().filter(|_| line.len() <= MAX_LINE)?;
        let text = if index == 0 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
        Some(text.to_owned())
    };
    let comment = |(index, line): (usize, &[u8])| {
        let mark = "\u{feff}".as_bytes();
        let line = if index == 0 { line.strip_prefix(mark).unwrap_or(line) } else { line };
        line.trim_ascii_start().starts_with(b"#")
    };
    let lines = lines.iter().enumerate().filter(|&(index, line)| !comment((index, line)));
    lines.map(|line| (line.0 + 1, text(line))).collect()
}
