//! Checks shared by several targets.

use std::io::{self, Read};

use loyd::notation::NotationError;
use loyd::{Board, Size};

/// Returns the first line without its line break, and the rest.
pub fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    (&bytes[..end], bytes.get(end + 1..).unwrap_or_default())
}

/// Returns the size on the first line, if it has a valid one, and the remaining text.
pub fn sized(bytes: &[u8]) -> (Option<Size>, String) {
    let (size, text) = first_line(bytes);
    (String::from_utf8_lossy(size).parse().ok(), String::from_utf8_lossy(text).into_owned())
}

/// Checks that an error has a location in the line it quotes and that its texts are of readable length.
pub fn is_shown(error: &NotationError) {
    assert!(error.source.get(error.span.clone()).is_some(), "{error:?}");
    assert!(error.line >= 1 && error.column() >= 1, "{error:?}");
    assert!(!error.message.is_empty() && error.message.len() < 1000, "{error:?}");
    assert!(error.source.len() < 400, "{error:?}");
}

/// Checks that the location of an error in `text` is where the quoted words are. The quoted line may leave out a byte
/// order mark.
pub fn is_in(error: &NotationError, text: &str) {
    const WHOLE: usize = 160;
    is_shown(error);
    let line = text.split('\n').nth(error.line - 1).expect("the text has this line");
    let line = line.trim_end_matches('\r');
    if line.len() <= WHOLE {
        let bare = line.strip_prefix('\u{feff}').unwrap_or(line);
        assert!([line, bare].contains(&error.source.as_str()), "{error:?}");
        let before = error.source[..error.span.start].chars().count();
        assert_eq!(error.column(), before + 1, "{error:?}");
    } else {
        let from = line.char_indices().nth(error.column() - 1).map_or(line.len(), |(at, _)| at);
        let shown = &error.source[error.span.clone()];
        assert!(line[from..].starts_with(shown.trim_end_matches('…')), "{error:?}");
    }
}

/// Reader that returns at most the given number of bytes per call.
pub struct Pieces<'a>(pub &'a [u8], pub usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}

/// Checks that the tiles of a board that was read without assumptions occur in the text in the same order.
pub fn tiles_occur_in_order(board: &Board, text: &str) {
    let mut at = 0;
    for number in board.numbers().filter(|&number| number != 0) {
        let number = number.to_string();
        match text[at..].find(&number) {
            Some(length) => at += length + number.len(),
            None => panic!("tile {number} of {board} is not in its place in {text:?}"),
        }
    }
}
