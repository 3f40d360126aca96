//! Words and rows: what any form of a board is made of.

use std::ops::Range;

use super::error::{Flaw, quote};
use super::input::is_space;
use crate::size::Size;

/// Finds the words of a text and the rows that they stand in.
///
/// It is fed piece by piece, so that a grid is measured while it is read. It goes on after a fault,
/// of which it keeps the first, so that the rows behind a fault are still counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Scanner {
    words: Vec<Range<usize>>,
    /// The first word of each row.
    starts: Vec<usize>,
    open: Vec<(char, usize)>,
    previous: Previous,
    row_ended: bool,
    word_depth: Option<usize>,
    explicit: bool,
    overfull: bool,
    flaw: Option<Flaw>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Previous {
    #[default]
    Nothing,
    Word,
    Comma,
    Slash,
    Open,
    Close,
}

fn is_mark(letter: char) -> bool {
    matches!(letter, ',' | '/' | '[' | ']' | '(' | ')' | '{' | '}')
}

fn closing(opening: char) -> char {
    match opening {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

impl Scanner {
    /// The scanner of the whole of `text` behind the byte `from`.
    pub(super) fn of(text: &str, from: usize) -> Self {
        let mut scanner = Self::default();
        scanner.scan(text, from);
        scanner
    }

    /// Reads `text` from the byte `from` on; spans are bytes of `text`.
    pub(super) fn scan(&mut self, text: &str, from: usize) {
        let mut at = from;
        while let Some(letter) = text[at..].chars().next() {
            let start = at;
            at += letter.len_utf8();
            match letter {
                '\n' => self.row_ended |= self.open.is_empty(),
                ',' => self.comma(start),
                '/' => self.slash(start),
                '[' | '(' | '{' => self.open(letter, start),
                ']' | ')' | '}' => self.close(letter, start),
                _ if is_space(letter) => {}
                _ => {
                    let ends = |letter: char| is_space(letter) || is_mark(letter);
                    at = text[at..].find(ends).map_or(text.len(), |length| at + length);
                    self.word(start..at, text);
                }
            }
        }
    }

    fn fault(&mut self, span: Range<usize>, message: impl FnOnce() -> String) {
        self.flaw.get_or_insert_with(|| Flaw::new(span, message()));
    }

    fn word(&mut self, span: Range<usize>, text: &str) {
        let depth = self.open.len();
        if *self.word_depth.get_or_insert(depth) != depth {
            let place = if depth == 0 {
                "stands outside the brackets"
            } else {
                "is nested unlike the tiles before it"
            };
            self.fault(span.clone(), || format!("{} {place}", quote(&text[span.clone()])));
        }
        if self.words.len() >= Size::MAX_CELLS {
            self.overfull = true;
            self.fault(span, || {
                format!("more than {} cells, the most of a board", Size::MAX_CELLS)
            });
            return;
        }
        if self.row_ended || self.starts.is_empty() {
            self.starts.push(self.words.len());
        }
        self.row_ended = false;
        self.previous = Previous::Word;
        if self.words.is_empty() {
            // As many as most boards have, at once.
            self.words.reserve(16);
        }
        self.words.push(span);
    }

    fn comma(&mut self, at: usize) {
        if !matches!(self.previous, Previous::Word | Previous::Close) {
            self.fault(at..at + 1, || "a tile is missing before the comma".to_owned());
        }
        self.previous = Previous::Comma;
    }

    fn slash(&mut self, at: usize) {
        self.refuse_empty_row(at, &[Previous::Nothing, Previous::Slash, Previous::Open]);
        self.previous = Previous::Slash;
        self.row_ended = true;
        self.explicit = true;
    }

    fn open(&mut self, bracket: char, at: usize) {
        const DEEPEST: usize = 2;
        if self.open.len() >= DEEPEST {
            self.fault(at..at + 1, || {
                "brackets nest too deep: a list of rows is allowed".to_owned()
            });
        } else {
            self.open.push((bracket, at));
        }
        self.explicit |= self.open.len() == DEEPEST;
        self.previous = Previous::Open;
        self.row_ended = true;
    }

    fn close(&mut self, bracket: char, at: usize) {
        self.refuse_empty_row(at, &[Previous::Open]);
        match self.open.pop() {
            None => self.fault(at..at + 1, || format!("`{bracket}` closes nothing")),
            Some((opening, _)) if closing(opening) != bracket => self.fault(at..at + 1, || {
                format!("`{bracket}` closes a `{opening}`; `{}` is needed", closing(opening))
            }),
            Some(_) => {}
        }
        self.previous = Previous::Close;
        self.row_ended = true;
    }

    fn refuse_empty_row(&mut self, at: usize, without_tiles: &[Previous]) {
        if without_tiles.contains(&self.previous) {
            let row = self.starts.len() + 1;
            self.fault(at..at + 1, || format!("row {row} is empty"));
        }
    }

    /// Whether a bracket is still open.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether there are more words than any board has cells.
    pub(super) fn is_overfull(&self) -> bool {
        self.overfull
    }

    /// The words in reading order.
    pub(super) fn words(&self) -> &[Range<usize>] {
        &self.words
    }

    /// The words of each row.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[Range<usize>]> {
        self.starts.iter().enumerate().map(|(row, &start)| {
            &self.words[start..self.starts.get(row + 1).copied().unwrap_or(self.words.len())]
        })
    }

    /// Whether the text says itself where its rows end.
    pub(super) fn has_rows(&self) -> bool {
        self.explicit || self.starts.len() > 1
    }

    /// The cells of a row: its words, or the letters of its only word.
    pub(super) fn width(row: &[Range<usize>], text: &str) -> usize {
        match row {
            [word] => text[word.clone()].chars().count(),
            words => words.len(),
        }
    }

    /// The first fault, if any; to be asked when the text is complete.
    pub(super) fn check(&self) -> Result<(), Flaw> {
        match (&self.flaw, self.open.last()) {
            (Some(flaw), _) => Err(flaw.clone()),
            (None, Some(&(bracket, at))) => {
                Err(Flaw::new(at..at + 1, format!("`{bracket}` is never closed")))
            }
            (None, None) => Ok(()),
        }
    }

    /// With tiles that are run together taken apart: one word a cell.
    ///
    /// Rows of one word of several letters each cannot be anything else, since every board has a
    /// blank, and a blank is one letter.
    pub(super) fn split_compact(mut self, text: &str) -> Result<Self, Flaw> {
        const MOST: usize = 10;
        let together = |row: &[Range<usize>]| row.len() == 1 && Self::width(row, text) > 1;
        if self.words.is_empty() || !self.rows().all(together) {
            return Ok(self);
        }
        let (mut letters, mut starts) = (Vec::new(), Vec::new());
        for word in &self.words {
            starts.push(letters.len());
            for (at, letter) in text[word.clone()].char_indices() {
                if letters.len() == MOST {
                    let shown = quote(&text[word.clone()]);
                    return Err(Flaw::new(
                        word.clone(),
                        format!("{shown} runs on: at most {MOST} tiles may be run together"),
                    )
                    .with_help("separate the tiles by spaces"));
                }
                letters.push(word.start + at..word.start + at + letter.len_utf8());
            }
        }
        (self.words, self.starts) = (letters, starts);
        Ok(self)
    }
}
