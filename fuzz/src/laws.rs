//! What several targets need.

use std::io::{self, Read};

use loyd::Size;
use loyd::notation::NotationError;

/// The first line without its end, and what follows it.
pub fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    (&bytes[..end], bytes.get(end + 1..).unwrap_or_default())
}

/// The size on the first line, if there is one on it, and the text that follows.
pub fn sized(bytes: &[u8]) -> (Option<Size>, String) {
    let (size, text) = first_line(bytes);
    (String::from_utf8_lossy(size).parse().ok(), String::from_utf8_lossy(text).into_owned())
}

/// A fault has a place in its own line, and is no longer than people read.
pub fn is_shown(error: &NotationError) {
    assert!(error.source.get(error.span.clone()).is_some(), "{error:?}");
    assert!(error.line >= 1 && error.column() >= 1, "{error:?}");
    assert!(!error.message.is_empty() && error.message.len() < 1000, "{error:?}");
    assert!(error.source.len() < 400, "{error:?}");
}

/// The place of a fault in `text` is that of what it shows.
pub fn is_in(error: &NotationError, text: &str) {
    const WHOLE: usize = 160;
    is_shown(error);
    let line = text.split('\n').nth(error.line - 1).expect("the text has this line");
    let line = line.trim_end_matches('\r');
    if line.len() <= WHOLE {
        assert_eq!(error.source, line, "{error:?}");
        let before = error.source[..error.span.start].chars().count();
        assert_eq!(error.column(), before + 1, "{error:?}");
    } else {
        let from = line.char_indices().nth(error.column() - 1).map_or(line.len(), |(at, _)| at);
        let shown = &error.source[error.span.clone()];
        assert!(line[from..].starts_with(shown.trim_end_matches('…')), "{error:?}");
    }
}

/// Gives out so many bytes a call.
pub struct Pieces<'a>(pub &'a [u8], pub usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read(&mut buffer[..length])
    }
}
