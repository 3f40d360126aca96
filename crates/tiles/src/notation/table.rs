//! Tables of cells, and the ways to split joined words.

use std::ops::Range;

/// Cells in rows, each with its byte range in the text; an empty range is an empty cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    cells: Vec<Range<usize>>,
    /// The index of the first cell of each row.
    starts: Vec<usize>,
    /// Whether the text marks rows even if there is only one.
    explicit: bool,
    /// Whether each row, including the last, is closed by a slash or in its own brackets.
    pub(super) closed: bool,
}

impl Table {
    pub(super) fn new(rows: Vec<Vec<Range<usize>>>, explicit: bool) -> Self {
        let mut table = Self { cells: Vec::new(), starts: Vec::new(), explicit, closed: false };
        for row in rows {
            table.starts.push(table.cells.len());
            table.cells.extend(row);
        }
        table
    }

    /// Returns the cells in reading order.
    pub(super) fn cells(&self) -> &[Range<usize>] {
        &self.cells
    }

    /// Returns the cells of each row.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[Range<usize>]> {
        self.starts.iter().enumerate().map(|(row, &start)| {
            &self.cells[start..self.starts.get(row + 1).copied().unwrap_or(self.cells.len())]
        })
    }

    /// Returns whether the text marks the ends of the rows.
    pub(super) fn has_rows(&self) -> bool {
        self.explicit || self.starts.len() > 1
    }

    /// Returns whether there are several rows of one cell each.
    pub(super) fn is_column(&self) -> bool {
        self.starts.len() > 1 && self.starts.len() == self.cells.len()
    }

    /// Returns the same cells without rows.
    pub(super) fn flat(&self) -> Self {
        Self { cells: self.cells.clone(), starts: vec![0], explicit: false, closed: false }
    }

    /// Returns the number of cells in a row: its words, or the letters of its only word.
    pub(super) fn width(row: &[Range<usize>], text: &str) -> usize {
        match row {
            [word] => text[word.clone()].chars().count().max(1),
            words => words.len(),
        }
    }

    /// Splits joined tiles, if each row is one word of several letters.
    pub(super) fn split_rows(&self, text: &str) -> Option<Self> {
        let together = |row: &[Range<usize>]| {
            row.len() == 1 && Self::width(row, text) > 1 && !is_negative_number(text, &row[0])
        };
        let all = !self.cells.is_empty() && self.rows().all(together);
        all.then(|| {
            let rows = self.cells.iter().map(|word| letters(text, word)).collect();
            Self::new(rows, self.explicit)
        })
    }

    /// Returns the other ways to split the words of a single row: one row per word, as in `123 456 708`, and parts
    /// joined by hyphens that are rows or cells, as in `123-456-708`.
    pub(super) fn split_words(&self, text: &str) -> Vec<Self> {
        if self.starts.len() != 1 {
            return Vec::new();
        }
        let mut tables = Vec::new();
        let cells = match self.cells.as_slice() {
            [word] if text[word.clone()].contains('-') => {
                let parts = parts(text, word);
                tables.push(Self::new(vec![parts.clone()], false));
                parts
            }
            words => words.to_vec(),
        };
        let width = |word: &Range<usize>| text[word.clone()].chars().count();
        let first = cells.first().map_or(0, width);
        if cells.len() > 1 && first > 1 && cells.iter().all(|word| width(word) == first) {
            tables.push(Self::new(cells.iter().map(|word| letters(text, word)).collect(), true));
        }
        tables
    }
}

/// Returns whether a word is a negative number of a list, as in `[-1]`, where `-` is no blank before the tile 1.
fn is_negative_number(text: &str, word: &Range<usize>) -> bool {
    let digits = text[word.clone()].strip_prefix('-');
    digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        && text[..word.start].trim_end().ends_with(['[', '(', '{', ','])
}

/// Returns the letters of a word.
fn letters(text: &str, word: &Range<usize>) -> Vec<Range<usize>> {
    let letters = text[word.clone()].char_indices();
    letters.map(|(at, letter)| word.start + at..word.start + at + letter.len_utf8()).collect()
}

/// Returns the parts of a word between its hyphens.
fn parts(text: &str, word: &Range<usize>) -> Vec<Range<usize>> {
    let mut at = word.start;
    let part = |part: &str| {
        let from = at;
        at += part.len() + 1;
        from..from + part.len()
    };
    text[word.clone()].split('-').map(part).collect()
}
