//! So many tiles a board, wherever lines break.
//!
//! A faulty case ends with the line that its fault stands on, as judges have it: the rest of that
//! line is skipped, and the next line begins a new case.

use std::io::{self, BufRead};
use std::ops::Range;

use super::board;
use super::cases::Case;
use super::error::{Flaw, NotationError};
use super::input::{Line, Lines};
use crate::board::{Board, BoardError, Fault};
use crate::size::Size;

pub(super) fn next<R: BufRead>(
    lines: &mut Lines<R>,
    size: Option<Size>,
) -> io::Result<Option<Case>> {
    let mut gathered = Gathered::new(size.unwrap_or(Size::EIGHT));
    while let Some(line) = lines.next_filled()? {
        if let Some((board, rest)) = gathered.add(line) {
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
    first_line: usize,
    /// The lines that the tokens stand on.
    lines: Vec<Line>,
    numbers: Vec<u32>,
    /// For each token its line, as an index of `lines`, and its bytes there.
    places: Vec<(usize, Range<usize>)>,
}

impl Gathered {
    fn new(size: Size) -> Self {
        let (lines, numbers, places) = (Vec::new(), Vec::new(), Vec::new());
        Self { size, first_line: 0, lines, numbers, places }
    }

    /// Adds the tokens of `line`. If that finishes the case: the board, and the rest of the line.
    fn add(&mut self, line: Line) -> Option<Finished> {
        if self.lines.is_empty() {
            self.first_line = line.number;
        }
        if let Err(fault) = line.checked() {
            return Some((Err(fault), None));
        }
        let mut at = line.from;
        while self.numbers.len() < self.size.cells() {
            let Some(token) = token(&line.text, at) else { break };
            at = token.end;
            match board::number(&line.text, &token) {
                Ok(number) => self.numbers.push(number),
                Err(flaw) => return Some((Err(flaw.locate(&line.text, line.number)), None)),
            }
            self.places.push((self.lines.len(), token));
        }
        self.lines.push(line);
        self.check(at)
    }

    /// The case, if it is complete or faulty already.
    fn check(&mut self, read: usize) -> Option<Finished> {
        match Board::new(self.size, &self.numbers) {
            Ok(board) => {
                let rest = self.lines.pop().map(|line| Line { from: read, ..line });
                Some((Ok(board), rest.filter(|line| !line.is_blank())))
            }
            Err(mut error) => {
                error.faults.retain(|fault| !matches!(fault, Fault::Count { .. }));
                (!error.faults.is_empty()).then(|| (Err(self.locate(&error)), None))
            }
        }
    }

    fn locate(&self, error: &BoardError) -> NotationError {
        let spans: Vec<_> = self.places.iter().map(|(_, span)| span.clone()).collect();
        let span = board::span(error, &spans);
        // Lines before the last were found to be free of faults.
        let Some(line) = self.lines.last() else {
            return Flaw::new(span, error.to_string()).locate("", self.first_line);
        };
        Flaw::new(span, error.to_string()).locate(&line.text, line.number)
    }

    /// The fault of an input that ends within this case.
    fn cut_short(&self) -> Option<NotationError> {
        let (line, span) = self.places.last()?;
        let (found, cells) = (self.numbers.len(), self.size.cells());
        let message = format!("the input ends after {found} of {cells} tokens");
        let line = &self.lines[*line];
        Some(Flaw::new(span.end..span.end, message).locate(&line.text, line.number))
    }
}

/// The next token of `text` at or behind the byte `from`.
fn token(text: &str, from: usize) -> Option<Range<usize>> {
    let separates = |letter: char| letter.is_whitespace() || letter == ',';
    let start = from + text[from..].find(|letter| !separates(letter))?;
    let length = text[start..].find(separates);
    Some(start..length.map_or(text.len(), |length| start + length))
}
