//! Faults of texts, with their positions.

use std::fmt;
use std::ops::Range;

/// A fault of a text: a message, its position, and a suggestion.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::parse_board;
/// let error = parse_board("2 3 4\n1 5 0\n7 6 7", None).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 3, column 5: tile 7 appears twice (cells 7 and 9); tile 8 is missing"
/// );
/// assert_eq!(&error.source[error.span], "7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Describes the fault.
    pub message: String,
    /// The line of the fault, from 1.
    pub line: usize,
    /// The text of that line. A long line is cut around the fault, with `…` for the omitted parts.
    pub source: String,
    /// The byte range of the first offending token in `source`, on character boundaries; empty if something is
    /// missing there.
    pub span: Range<usize>,
    /// Suggests a remedy.
    pub help: Option<String>,
    column: usize,
}

impl NotationError {
    /// Returns the column of the fault in characters, from 1, counted in the whole line.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Shifts the fault if its text is only a piece of its line, with `before` characters before it. `ends` is whether
    /// the line ends with the piece.
    pub(super) fn within_line(mut self, before: usize, ends: bool) -> Self {
        self.column += before;
        if before > 0 && !self.source.starts_with(MARK) {
            self.source.insert_str(0, MARK);
            self.span = self.span.start + MARK.len()..self.span.end + MARK.len();
        }
        if !ends && !self.source.ends_with(MARK) {
            self.source.push_str(MARK);
        }
        self
    }
}

/// Replaces the omitted parts of a line.
const MARK: &str = "…";

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for NotationError {}

/// A fault that is not yet located: only its byte range is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Flaw {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Locates the fault in `text`, whose first line is line `first_line` of the input.
    pub(super) fn locate(self, text: &str, first_line: usize) -> NotationError {
        let start = floor(text, self.span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let start = (start - line_start).min(line.len());
        let end = floor(line, self.span.end.saturating_sub(line_start)).max(start);
        let (source, span) = clip(line, start..end);
        NotationError {
            message: self.message,
            line: first_line + text[..line_start].matches('\n').count(),
            source,
            span,
            help: self.help,
            column: line[..start].chars().count() + 1,
        }
    }
}

/// Returns the last character boundary of `text` that is not after `at`.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn clip(line: &str, span: Range<usize>) -> (String, Range<usize>) {
    const BEFORE: usize = 60;
    const AFTER: usize = 100;
    if line.len() <= BEFORE + AFTER {
        return (line.to_owned(), span);
    }
    let from = floor(line, span.start.saturating_sub(BEFORE));
    let to = floor(line, span.start + AFTER);
    let before = if from > 0 { MARK } else { "" };
    let after = if to < line.len() { MARK } else { "" };
    let shift = |at: usize| at.min(to) - from + before.len();
    let span = shift(span.start)..shift(span.end);
    (format!("{before}{}{after}", &line[from..to]), span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_fault() {
        let line = format!("{}q{}", "é".repeat(100), "ü".repeat(100));
        let error = Flaw::new(200..201, "no").locate(&line, 7);
        assert_eq!(error.to_string(), "line 7, column 101: no");
        assert_eq!(&error.source[error.span.clone()], "q");
        assert_eq!(error.source, format!("…{}q{}…", "é".repeat(30), "ü".repeat(49)));
    }

    #[test]
    fn spans_are_kept_inside_their_line() {
        let error = Flaw::new(3..99, "no").locate("ab\ncd\r\nef", 1);
        assert_eq!((error.line, error.source.as_str(), error.span), (2, "cd", 0..2));
        let error = Flaw::new(99..99, "no").locate("ab\nä", 1);
        assert_eq!((error.line, error.column, error.span), (2, 2, 2..2));
    }
}
