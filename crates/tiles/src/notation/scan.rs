//! Splits a text into words, rows and frames, before the words are decoded.
//!
//! Separators of cells are white space, commas, `|`, `&` and the vertical lines of drawn frames; rows end at line
//! ends outside brackets, at `/`, `;` and `\\`, and at brackets. Rules of tables, LaTeX commands, quotes and the
//! name of a variable before a list are skipped.

use std::ops::Range;

use super::error::Flaw;
use super::signs::{is_blank_glyph, is_mark, is_quote, is_rule, is_space, is_vertical};
use super::surroundings::{CommentFinder, ends_line, is_constructor, line_end, list_start};
use super::table::Table;
use crate::quote::quote;
use crate::size::Size;

/// Finds the words and the rows of a text.
///
/// The text is scanned piece by piece, so that a grid is measured while it is read. Scanning continues after a fault,
/// so that the rows after it are still counted; only the first fault is kept. An empty word is an empty cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Scanner {
    words: Vec<Range<usize>>,
    rows: Vec<Row>,
    open: Vec<(char, usize)>,
    /// Number of opening brackets of calls, as in `array(`, that were skipped and whose closing brackets may follow.
    calls: usize,
    previous: Previous,
    row_ended: bool,
    word_depth: Option<usize>,
    explicit: bool,
    /// Whether the rows were in separate brackets.
    nested: bool,
    /// Number of brackets so far.
    lists: usize,
    overfull: bool,
    /// The current line, counted from 0.
    line: usize,
    semicolons: bool,
    comments: CommentFinder,
    flaw: Option<Flaw>,
}

/// A row: its first word, and the words preceded by a bar.
#[derive(Clone, Debug, Default)]
struct Row {
    start: usize,
    bars: Vec<usize>,
    /// The line of its first word, counted from 0.
    line: usize,
    /// The number of the inner brackets that it is in, or 0.
    list: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Previous {
    #[default]
    Nothing,
    Word,
    Comma,
    RowEnd,
    Open,
    Close,
}

/// Returns whether `letter` has no width, such as the characters that turn a digit into a keycap emoji.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{fe0f}' | '\u{20e3}' | '\u{200b}' | '\u{2060}')
}

fn closing(opening: char) -> char {
    match opening {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

/// Number of brackets that may be open: a list of rows.
const DEEPEST: usize = 2;

impl Scanner {
    /// Scans all of `text` from the byte `from`.
    pub(super) fn of(text: &str, from: usize) -> Self {
        let mut scanner = Self::default();
        scanner.scan(text, from);
        scanner
    }

    /// Scans `text` from the byte `from`, the start of a line; spans are byte ranges of `text`.
    pub(super) fn scan(&mut self, text: &str, from: usize) {
        let mut at = from;
        self.comments = CommentFinder::default();
        if self.words.is_empty() && self.open.is_empty() && self.calls == 0 {
            let first = text.len() - text[from..].trim_start().len();
            let (start, calls) = list_start(text, first);
            if start > first {
                (at, self.calls) = (start, calls);
            }
        }
        let mut line_begins = at == from;
        while let Some(letter) = text[at..].chars().next() {
            if std::mem::take(&mut line_begins) {
                let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
                if is_rule(&text[at..end]) {
                    self.row_ended |= self.open.is_empty();
                    at = end;
                    continue;
                }
            }
            line_begins = letter == '\n';
            at = self.sign(text, at, letter);
        }
    }

    /// Reads the sign or the word at `start`, whose first letter is `letter`; returns its end.
    fn sign(&mut self, text: &str, start: usize, letter: char) -> usize {
        let end = start + letter.len_utf8();
        match letter {
            '\n' => {
                self.row_ended |= self.open.is_empty();
                self.line += 1;
            }
            ',' => return self.comma(text, start),
            '/' | '%' | '-' | '#' if self.comments.is_comment(text, start) => {
                return line_end(text, start);
            }
            '/' => self.slash(start),
            ';' => {
                self.end_row();
                self.semicolons = true;
            }
            // The brackets of an array in OCaml: `[|1; 2|]`.
            '|' if text[..start].ends_with('[') || text[end..].starts_with(']') => {}
            '|' | '&' => self.bar(),
            '\\' => return self.backslash(text, start),
            '[' | '(' | '{' => self.open(letter, start),
            ']' | ')' | '}' => self.close(letter, start),
            '.' if self.previous == Previous::Close && ends_line(text, end) => {}
            _ if is_vertical(letter) => self.bar(),
            _ if is_space(letter) || is_invisible(letter) => {}
            _ if is_blank_glyph(letter) => self.word(start..end, text),
            _ if is_quote(letter) => return self.quoted(text, start, letter),
            _ => {
                let ends =
                    |letter: char| is_space(letter) || is_mark(letter) || is_invisible(letter);
                let end = text[end..].find(ends).map_or(text.len(), |length| end + length);
                if !is_constructor(&text[start..end], &text[end..]) {
                    self.word(start..end, text);
                }
                return end;
            }
        }
        end
    }

    fn fault(&mut self, span: Range<usize>, message: impl FnOnce() -> String) {
        self.flaw.get_or_insert_with(|| Flaw::new(span, message()));
    }

    /// Starts a row if the last one has ended.
    fn begin_row(&mut self) {
        if self.row_ended || self.rows.is_empty() {
            if self.rows.last().is_some_and(|row| row.start == self.words.len()) {
                self.rows.pop();
            }
            let list = if self.open.len() == DEEPEST { self.lists } else { 0 };
            let (start, line) = (self.words.len(), self.line);
            self.rows.push(Row { start, bars: Vec::new(), line, list });
        }
        self.row_ended = false;
    }

    fn word(&mut self, span: Range<usize>, text: &str) {
        let depth = self.open.len();
        if *self.word_depth.get_or_insert(depth) != depth {
            let place = if depth == 0 {
                "is outside the brackets"
            } else {
                "is nested unlike the tiles before it"
            };
            self.fault(span.clone(), || format!("{} {place}", quote(&text[span.clone()])));
        }
        if self.words.len() >= Size::MAX_CELLS {
            self.overfull = true;
            self.fault(span, || "more than 10,000 cells: a board has 2 to 10,000".to_owned());
            return;
        }
        self.begin_row();
        self.previous = Previous::Word;
        if self.words.is_empty() {
            // Reserves the cells of most boards in one allocation.
            self.words.reserve(16);
        }
        self.words.push(span);
    }

    /// Reads a comma; a comma without a cell before it follows an empty cell. Returns the end of the comma.
    fn comma(&mut self, text: &str, at: usize) -> usize {
        if self.calls > 0 && self.previous == Previous::Close {
            // A named argument after the list: `, dtype=int)`.
            let rest = text[at + 1..].trim_start();
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            if let Some(end) = end.filter(|&end| rest[end..].trim_start().starts_with('=')) {
                let name = &rest[..end];
                if !["dtype", "copy", "ndmin"].contains(&name) {
                    let start = text.len() - rest.len();
                    let message = || format!("the argument {} is not understood", quote(name));
                    self.fault(start..start + end, message);
                }
                return text[at..].find(')').map_or(text.len(), |length| at + length);
            }
        }
        let begins_row = self.row_ended && self.open.is_empty() && self.previous != Previous::Close;
        if begins_row || !matches!(self.previous, Previous::Word | Previous::Close) {
            self.word(at..at, text);
        }
        self.previous = Previous::Comma;
        at + 1
    }

    fn bar(&mut self) {
        self.begin_row();
        let before = self.words.len();
        if let Some(row) = self.rows.last_mut() {
            row.bars.push(before);
        }
    }

    fn slash(&mut self, at: usize) {
        self.refuse_empty_row(at, &[Previous::Nothing, Previous::RowEnd, Previous::Open]);
        self.end_row();
        self.explicit = true;
    }

    fn end_row(&mut self) {
        self.previous = Previous::RowEnd;
        self.row_ended = true;
    }

    /// Reads `\\`, which ends a row, or skips a LaTeX command with its arguments. Returns the end.
    fn backslash(&mut self, text: &str, start: usize) -> usize {
        let rest = &text[start + 1..];
        if rest.starts_with('\\') {
            self.end_row();
            return start + 2;
        }
        let name = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        if name == 0 {
            self.word(start..start + 1, text);
            return start + 1;
        }
        let mut end = start + 1 + name;
        while let Some(group) = text[end..].strip_prefix('{')
            && let Some(length) = group.find('}')
        {
            end += length + 2;
        }
        end
    }

    /// Reads a cell in quotes, or several cells if there are separators inside. Returns the end.
    fn quoted(&mut self, text: &str, start: usize, quotes: char) -> usize {
        let from = start + quotes.len_utf8();
        let length =
            text[from..].find(quotes).filter(|&length| !text[from..from + length].contains('\n'));
        let Some(length) = length else {
            // A quoted Lisp list: `'((1 2) (3 0))`.
            if text[from..].starts_with('(') {
                return from;
            }
            let end = text[from..].find(is_space).map_or(text.len(), |length| from + length);
            self.word(start..end, text);
            return end;
        };
        let (inner, end) = (&text[from..from + length], from + length + quotes.len_utf8());
        let trimmed = inner.trim();
        let begin = from + inner.len() - inner.trim_start().len();
        if trimmed.contains(|letter| is_space(letter) || is_mark(letter) && !is_blank_glyph(letter))
        {
            self.row_ended = true;
            let mut at = from;
            while let Some(letter) = text[at..from + length].chars().next() {
                at = self.sign(&text[..from + length], at, letter);
            }
            self.row_ended = true;
        } else {
            self.word(
                if trimmed.is_empty() { from..from } else { begin..begin + trimmed.len() },
                text,
            );
        }
        end
    }

    fn open(&mut self, bracket: char, at: usize) {
        if self.open.len() >= DEEPEST {
            self.fault(at..at + 1, || {
                "brackets nest too deep: a list of rows is allowed".to_owned()
            });
        } else {
            self.open.push((bracket, at));
        }
        self.lists += 1;
        self.nested |= self.open.len() == DEEPEST;
        self.explicit |= self.nested;
        self.previous = Previous::Open;
        self.row_ended = true;
    }

    fn close(&mut self, bracket: char, at: usize) {
        self.refuse_empty_row(at, &[Previous::Open]);
        match self.open.pop() {
            None if self.calls > 0 && bracket == ')' => self.calls -= 1,
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
            let row = self.rows.len() + 1;
            self.fault(at..at + 1, || format!("row {row} is empty"));
        }
    }

    /// Returns whether brackets show where the board ends: one pair is around all rows.
    pub(super) fn is_one_list(&self) -> bool {
        self.nested || self.lists == 1
    }

    /// Returns whether a bracket is still open.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Returns whether there are more words than any board has cells.
    pub(super) fn is_overfull(&self) -> bool {
        self.overfull
    }

    /// Returns the number of rows so far, with rows that have no words.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the words in reading order.
    pub(super) fn words(&self) -> &[Range<usize>] {
        &self.words
    }

    /// Returns whether the text marks the ends of its rows.
    pub(super) fn has_rows(&self) -> bool {
        self.explicit || self.filled_rows().count() > 1
    }

    /// Returns the rows with at least one word: their words and the bars among them.
    fn filled_rows(&self) -> impl Iterator<Item = (Range<usize>, &[usize])> {
        let end = |row: usize| self.rows.get(row + 1).map_or(self.words.len(), |next| next.start);
        let rows = self.rows.iter().enumerate();
        rows.map(move |(index, row)| (row.start..end(index), row.bars.as_slice()))
            .filter(|(words, _)| !words.is_empty())
    }

    /// Returns the first fault, if any. Call this when the text is complete.
    pub(super) fn check(&self) -> Result<(), Flaw> {
        match (&self.flaw, self.open.last()) {
            (Some(flaw), _) => Err(flaw.clone()),
            (None, Some(&(bracket, at))) => {
                Err(Flaw::new(at..at + 1, format!("`{bracket}` is never closed")))
            }
            (None, None) => Ok(()),
        }
    }

    /// Returns the possible tables of the text, the most likely first; at least one.
    ///
    /// Bars may separate cells, some of them empty, or frame rows of several cells; in a text of one line, bars may
    /// separate rows.
    pub(super) fn tables(&self) -> Vec<Table> {
        if let Some(table) = self.fields() {
            return vec![table];
        }
        let rows: Vec<(Range<usize>, &[usize])> = self.filled_rows().collect();
        let segments: Vec<Vec<Range<usize>>> =
            rows.iter().map(|(words, bars)| segments(words, bars)).collect();
        let cells = |row: &Vec<Range<usize>>| row.iter().all(|segment| segment.len() <= 1);
        let has_bars = rows.iter().any(|(_, bars)| !bars.is_empty());
        let plain = |rows: &mut dyn Iterator<Item = Range<usize>>, explicit: bool| {
            Table::new(rows.map(|words| self.words[words].to_vec()).collect(), explicit)
        };
        let mut tables = Vec::new();
        if has_bars && segments.iter().all(cells) && segments.iter().any(|row| row.len() > 1) {
            let cell = |segment: &Range<usize>| self.cell(segment);
            let filled = segments.iter().map(|row| row.iter().map(cell).collect()).collect();
            tables.push(Table::new(filled, self.explicit));
        }
        tables.push(plain(&mut rows.iter().map(|(words, _)| words.clone()), self.explicit));
        let closed = match self.previous {
            Previous::Close => self.lists > 1,
            Previous::RowEnd => self.explicit,
            _ => self.nested,
        };
        tables.iter_mut().for_each(|table| table.closed = closed);
        if let ([row], true) = (segments.as_slice(), has_bars)
            && row.len() > 1
        {
            tables.push(plain(&mut row.iter().cloned(), true));
        }
        tables
    }

    /// Returns the table of a text whose fields are separated by semicolons: several lines or lists, with one word between
    /// two semicolons. On a single line, or between several words, semicolons end rows.
    fn fields(&self) -> Option<Table> {
        let mut rows: Vec<Vec<Range<usize>>> = Vec::new();
        let mut last = None;
        for (index, row) in self.rows.iter().enumerate().filter(|_| self.semicolons) {
            let end = self.rows.get(index + 1).map_or(self.words.len(), |next| next.start);
            let word = self.words.get(row.start).filter(|_| end == row.start + 1)?.clone();
            let place = if row.list > 0 { (0, row.list) } else { (row.line, 0) };
            match rows.last_mut().filter(|_| last == Some(place)) {
                Some(cells) => cells.push(word),
                None => rows.push(vec![word]),
            }
            last = Some(place);
        }
        let is_table = rows.len() > 1 && rows.iter().any(|cells| cells.len() > 1);
        is_table.then(|| Table::new(rows, true))
    }

    /// Returns the only word of a segment, or the empty span between its bars.
    fn cell(&self, segment: &Range<usize>) -> Range<usize> {
        if segment.is_empty() {
            let before = segment.start.checked_sub(1).map_or(0, |word| self.words[word].end);
            before..before
        } else {
            self.words[segment.start].clone()
        }
    }
}

/// Returns the words between the bars of a row, without empty segments before the first bar and after the last.
fn segments(words: &Range<usize>, bars: &[usize]) -> Vec<Range<usize>> {
    let starts = std::iter::once(words.start).chain(bars.iter().copied());
    let ends = bars.iter().copied().chain([words.end]);
    let mut segments: Vec<Range<usize>> = starts.zip(ends).map(|(from, to)| from..to).collect();
    if bars.len() > 1 && segments.last().is_some_and(Range::is_empty) {
        segments.pop();
    }
    if bars.len() > 1 && segments.first().is_some_and(Range::is_empty) {
        segments.remove(0);
    }
    segments
}
