//! So many tiles a board, wherever lines break.
//!
//! A faulty case ends with the line that its fault stands on, as judges have it: the rest of that
//! line is skipped, and the next line begins a new case. What stands between tiles is never kept, so
//! that a line may be as long as it likes.

use std::io::{self, BufRead};
use std::ops::Range;

use super::board;
use super::case::Case;
use super::error::{Flaw, NotationError, quote};
use super::input::{Line, Lines, separates};
use crate::board::{Board, BoardError, Fault};
use crate::size::Size;

/// The longest token that may be a tile, in bytes: far below the pieces that long lines are read in,
/// so that none is taken for two.
const LONGEST_TOKEN: usize = 1024;

pub(super) fn next<R: BufRead>(
    lines: &mut Lines<R>,
    size: Option<Size>,
) -> io::Result<Option<Case>> {
    let mut gathered = Gathered::new(size.unwrap_or(Size::EIGHT));
    while let Some(line) = lines.next_piece()? {
        let ends = line.ends;
        if let Some((board, rest)) = gathered.add(line) {
            if board.is_err() && !ends {
                lines.skip_rest()?;
            }
            if let Some(rest) = rest {
                lines.put_back(rest);
            }
            return Ok(Some(Case::new(gathered.first_line, board)));
        }
    }
    Ok(gathered.cut_short().map(|error| Case::new(gathered.first_line, Err(error))))
}

type Finished = (Result<Board, NotationError>, Option<Line>);

/// The tokens of a case so far.
struct Gathered {
    size: Size,
    /// The line of the first token or, if that is unreadable, of the fault.
    first_line: usize,
    numbers: Vec<u32>,
    /// For each token its bytes in its line.
    places: Vec<Range<usize>>,
    /// The line of the last token: those before it were found to be free of faults.
    last: Option<Line>,
}

impl Gathered {
    fn new(size: Size) -> Self {
        Self { size, first_line: 0, numbers: Vec::new(), places: Vec::new(), last: None }
    }

    /// Adds the tokens of `line`. If that finishes the case: the board, and the rest of the line.
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
            match number(&line.text, &token) {
                Ok(number) => self.numbers.push(number),
                Err(flaw) => return Some((Err(line.locate(flaw)), None)),
            }
            self.places.push(token);
        }
        self.check(line, at)
    }

    /// The case, if it is complete or faulty already, `line` having been read up to the byte `read`.
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

    /// The fault of an input that ends within this case.
    fn cut_short(&self) -> Option<NotationError> {
        let (line, span) = (self.last.as_ref()?, self.places.last()?);
        let (found, cells) = (self.numbers.len(), self.size.cells());
        let message = format!("the input ends after {found} of {cells} tokens");
        Some(line.locate(Flaw::new(span.end..span.end, message)))
    }
}

/// The next token of `text` at or behind the byte `from`.
fn token(text: &str, from: usize) -> Option<Range<usize>> {
    let start = from + text[from..].find(|letter| !separates(letter))?;
    let length = text[start..].find(separates);
    Some(start..length.map_or(text.len(), |length| start + length))
}

fn number(text: &str, token: &Range<usize>) -> Result<u32, Flaw> {
    if token.len() > LONGEST_TOKEN {
        let (shown, most) = (quote(&text[token.clone()]), LONGEST_TOKEN / 1024);
        let message = format!("{shown} is not a tile: it is longer than {most} KiB");
        return Err(Flaw::new(token.clone(), message));
    }
    board::number(text, token)
}
