//! Reads a fixed number of tiles per board, regardless of line breaks.
//!
//! A faulty case ends with the line of its fault, as in judges' programs: the rest of that line is skipped,
//! and the next line starts a new case. Separators are not stored, so lines may have any length.

use std::io::{self, BufRead};
use std::ops::Range;

use super::error::{Flaw, NotationError};
use super::input::{Line, Lines};
use super::reading::{BoardText, Case, Hints};
use super::signs::separates;
use super::{board, symbols};
use crate::board::{Board, BoardError, Fault};
use crate::quote::quote;
use crate::size::Size;

/// Maximum length of a tile, in bytes: far below the length of the pieces in which long lines are read,
/// so that no valid token is split in two.
const LONGEST_TOKEN: usize = 1024;

/// Reads the next board; with `within_line`, a board must not extend beyond the end of its line.
pub(super) fn next<R: BufRead>(
    lines: &mut Lines<R>,
    hints: Hints<'_>,
    within_line: bool,
) -> io::Result<Option<Case>> {
    let mut gathered = Gathered { within_line, ..Gathered::new(hints) };
    while let Some(line) = lines.next_piece()? {
        let ends = line.ends;
        if let Some((board, rest)) = gathered.add(line) {
            if board.is_err() && !ends {
                lines.skip_rest()?;
            }
            if let Some(rest) = rest {
                lines.put_back(rest);
            }
            let read = board.map(|board| BoardText { board, notes: Vec::new() });
            return Ok(Some(Case::new(gathered.first_line, read)));
        }
        if within_line && ends && !gathered.numbers.is_empty() {
            break;
        }
    }
    Ok(gathered.cut_short().map(|error| Case::new(gathered.first_line, Err(error))))
}

type Finished = (Result<Board, NotationError>, Option<Line>);

/// The tokens of a case read so far.
struct Gathered<'a> {
    size: Size,
    /// Whether the board must not extend beyond the end of its line.
    within_line: bool,
    /// The word declared as the blank by the caller.
    blank: Option<&'a str>,
    /// The line of the first token or, if that is unreadable, of the fault.
    first_line: usize,
    numbers: Vec<u32>,
    /// The byte range of each token in its line.
    places: Vec<Range<usize>>,
    /// The line of the last token. Earlier lines are known to be free of faults.
    last: Option<Line>,
}

impl<'a> Gathered<'a> {
    fn new(hints: Hints<'a>) -> Self {
        let size = hints.size.unwrap_or(Size::EIGHT);
        let blank = hints.blank;
        Self {
            size,
            within_line: false,
            blank,
            first_line: 0,
            numbers: Vec::new(),
            places: Vec::new(),
            last: None,
        }
    }

    /// Adds the tokens of `line`. Returns the case and the rest of the line if that finishes the case.
    fn add(&mut self, line: Line) -> Option<Finished> {
        let checked = line.checked_piece().map(|(text, from)| token(text, from));
        if checked == Ok(None) {
            return None;
        }
        if self.numbers.is_empty() {
            self.first_line = line.number;
        }
        if let Err(fault) = checked {
            return Some((Err(fault), None));
        }
        let mut at = line.from;
        while self.numbers.len() < self.size.cells() {
            let Some(token) = token(&line.text, at) else { break };
            at = token.end;
            match number(&line.text, &token, self.blank) {
                Ok(number) => self.numbers.push(number),
                Err(flaw) => return Some((Err(line.locate(flaw)), None)),
            }
            self.places.push(token);
        }
        self.check(line, at)
    }

    /// Returns the case if it is complete or already faulty, where `line` has been read up to the byte `read`.
    fn check(&mut self, mut line: Line, read: usize) -> Option<Finished> {
        match Board::new(self.size, &self.numbers) {
            Ok(board) => {
                line.from = read;
                let rest = token(&line.text, read).is_some().then_some(line);
                Some((Ok(board), rest))
            }
            Err(mut error) => {
                error.faults.retain(|fault| !matches!(fault, Fault::Count { .. }));
                if !error.faults.is_empty() {
                    return Some((Err(self.locate(&line, &error)), None));
                }
                self.last = Some(line);
                None
            }
        }
    }

    fn locate(&self, line: &Line, error: &BoardError) -> NotationError {
        line.locate(Flaw::new(board::span(error, &self.places), error.to_string()))
    }

    /// Returns the fault of an input that ends within this case.
    fn cut_short(&self) -> Option<NotationError> {
        let (line, span) = (self.last.as_ref()?, self.places.last()?);
        let (found, cells) = (self.numbers.len(), self.size.cells());
        let end = if self.within_line { "line" } else { "input" };
        let message = format!("the {end} ends after {found} of {cells} tokens");
        Some(line.locate(Flaw::new(span.end..span.end, message)))
    }
}

/// Returns the next token of `text` at or after the byte `from`.
fn token(text: &str, from: usize) -> Option<Range<usize>> {
    let start = from + text[from..].find(|letter| !separates(letter))?;
    let length = text[start..].find(separates);
    Some(start..length.map_or(text.len(), |length| start + length))
}

fn number(text: &str, token: &Range<usize>, blank: Option<&str>) -> Result<u32, Flaw> {
    if token.len() > LONGEST_TOKEN {
        let (shown, most) = (quote(&text[token.clone()]), LONGEST_TOKEN / 1024);
        let message = format!("{shown} is not a tile: it is longer than {most} KiB");
        return Err(Flaw::new(token.clone(), message));
    }
    symbols::number(text, token, blank)
}
