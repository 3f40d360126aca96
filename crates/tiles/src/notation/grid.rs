//! Reads one row per line.
//!
//! A board ends at a blank line, or as soon as it is complete: when it has as many rows as `size`
//! requires or, without a size, when its rows make a square and no taller board that extends to the
//! next blank line. The width is that of most rows, so that one row with a tile too
//! many or too few does not affect other boards.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, BufRead};
use std::ops::Range;

use super::error::{Flaw, NotationError};
use super::input::{LONGEST, Line, Lines};
use super::reading::{BoardText, Case, Hints};
use super::scan::Scanner;
use super::table::Table;
use super::{board, symbols};
use crate::size::Size;

/// Reads the next board; `last` is the size and the first line of the previous board, if there is one.
pub(super) fn next<R: BufRead>(
    lines: &mut Lines<R>,
    hints: Hints<'_>,
    last: Option<(Size, usize)>,
) -> io::Result<Option<Case>> {
    let Some(block) = Block::take(lines, hints.size)? else { return Ok(None) };
    let mut board = block.board(hints);
    if hints.size.is_none()
        && continues(lines, &board)?
        && let Some(taller) = taller(lines, &block, hints)?
    {
        return Ok(Some(Case::new(block.first_line, Ok(taller))));
    }
    if board.is_ok()
        && let Some((last, line)) = last
        && block.lines < last.height()
        && block.usual_width() == last.width()
    {
        // A blank line ends boards that are no squares.
        let follows_at_once = block.first_line == line + last.height();
        let message = match block.lines {
            1 => Some(format!("this may be a leftover row: the previous board is {last}")),
            rows if follows_at_once => {
                Some(format!("this board has {rows} rows, and the previous one is {last}"))
            }
            _ => None,
        };
        if let Some(message) = message {
            board = Err(block.at_start(message));
        }
    }
    Ok(Some(Case::new(block.first_line, board)))
}

/// Returns whether a square may be the top of a taller board: it is not a board itself, or the next line has a tile
/// that is too large for it, as every further row of a taller board has.
fn continues<R: BufRead>(
    lines: &mut Lines<R>,
    square: &Result<BoardText, NotationError>,
) -> io::Result<bool> {
    let Ok(square) = square else { return Ok(true) };
    let Some(line) = lines.peek(0)? else { return Ok(false) };
    let mut row = Block::default();
    row.add(line);
    Ok(row.numbers_from(square.board.size().cells()).1 > 0)
}

/// Returns the board of `square` and all lines up to the next blank one, if they make one.
fn taller<R: BufRead>(
    lines: &mut Lines<R>,
    square: &Block,
    hints: Hints<'_>,
) -> io::Result<Option<BoardText>> {
    let mut block = square.clone();
    let mut added = 0;
    let mut words = HashSet::new();
    while let Some(line) = lines.peek(added)?.filter(|line| !line.is_blank()) {
        // No word appears twice on a board, so the search ends soon if the lines are not a board.
        let new = block.words_from(words.len()).all(|word| words.insert(word));
        if block.fault.is_some() || block.is_too_large() || !new {
            return Ok(None);
        }
        block.add(line);
        added += 1;
    }
    let board = block.board(hints).ok();
    for _ in 0..board.as_ref().map_or(0, |_| added) {
        lines.next()?;
    }
    Ok(board)
}

/// Lines that are assumed to be one board.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    first_line: usize,
    lines: usize,
    text: String,
    scanner: Scanner,
    unreadable: usize,
    too_long: bool,
    fault: Option<NotationError>,
}

impl Block {
    /// Takes the lines of the next board.
    pub(super) fn take<R: BufRead>(
        lines: &mut Lines<R>,
        size: Option<Size>,
    ) -> io::Result<Option<Self>> {
        let mut block = Self::default();
        while let Some(line) = lines.next()? {
            if line.is_rule() {
                if block.lines > 0 && line.begins_frame() {
                    lines.put_back(line);
                    break;
                }
                continue;
            }
            if line.heading.is_some() && block.lines > 0 {
                lines.put_back(line);
                break;
            }
            match (line.is_blank(), block.lines) {
                (true, 0) => continue,
                (true, _) => break,
                (false, _) => block.add(&line),
            }
            if block.is_too_large() {
                while lines.next()?.is_some_and(|line| !line.is_blank()) {}
                break;
            }
            if block.is_complete(size) {
                break;
            }
        }
        Ok((block.lines > 0).then_some(block))
    }

    pub(super) fn add(&mut self, line: &Line) {
        if self.lines == 0 {
            self.first_line = line.number;
        } else {
            self.text.push('\n');
        }
        self.lines += 1;
        match line.checked() {
            Err(fault) => {
                self.unreadable += 1;
                self.fault.get_or_insert(fault);
            }
            Ok((text, _)) if self.text.len() + text.len() > LONGEST => {
                let flaw = Flaw::new(0..0, format!("a board on more than {} KiB", LONGEST / 1024));
                self.fault.get_or_insert(flaw.locate(text, line.number));
                self.too_long = true;
            }
            Ok((text, from)) => {
                let start = self.text.len().saturating_sub(1);
                self.text.push_str(&text[from..]);
                self.scanner.scan(&self.text, if self.lines > 1 { start } else { 0 });
            }
        }
    }

    pub(super) fn is_too_large(&self) -> bool {
        // The board with the most lines has each number and each bracket on a separate line.
        const MOST_LINES: usize = 4 * Size::MAX_CELLS;
        self.too_long || self.scanner.is_overfull() || self.lines > MOST_LINES
    }

    fn is_complete(&self, size: Option<Size>) -> bool {
        /// The most tiles that a row may have run together.
        const MOST_TOGETHER: usize = 36;
        let rows = self.scanner.row_count() + self.unreadable;
        let is_column =
            size.is_none() && rows > MOST_TOGETHER && self.scanner.words().len() < 2 * rows;
        // The time to measure the rows grows with their number, so it is done only where they may be enough.
        if self.scanner.is_open() || is_column || size.is_some_and(|size| rows < size.height()) {
            return false;
        }
        self.height() >= self.wanted_height(size)
    }

    /// Returns the number of rows so far.
    fn height(&self) -> usize {
        self.table().rows().len() + self.unreadable
    }

    /// Returns whether there are at least as many cells as on a board of `size`.
    ///
    /// Usually a word is a cell. A word may also be a row without separators; the first word decides that: it is as
    /// long as a row, a column or the whole board.
    pub(super) fn has_cells(&self, size: Size) -> bool {
        let words = self.scanner.words().len();
        if words >= size.cells() {
            return true;
        }
        let runs_together = |row: &[Range<usize>]| {
            let width = Table::width(row, &self.text);
            row.len() == 1
                && width > 1
                && [size.width(), size.height(), size.cells()].contains(&width)
        };
        // Each line adds a row, so a large board would otherwise be measured once for each of its rows.
        words <= size.width().max(size.height())
            && self.table().rows().next().is_some_and(runs_together)
            && self.widths().iter().sum::<usize>() >= size.cells()
    }

    /// Returns whether a bracket is still open.
    pub(super) fn is_open(&self) -> bool {
        self.scanner.is_open()
    }

    /// Returns the number of the first line.
    pub(super) fn first_line(&self) -> usize {
        self.first_line
    }

    /// Returns the rows so far.
    fn table(&self) -> Table {
        self.scanner.tables().swap_remove(0)
    }

    fn wanted_height(&self, size: Option<Size>) -> usize {
        match size.map_or_else(|| self.usual_width(), Size::height) {
            // There is no 1x1 board, so only a blank line can end a column.
            0 | 1 if size.is_none() => usize::MAX,
            height => height,
        }
    }

    fn widths(&self) -> Vec<usize> {
        self.table().rows().map(|row| Table::width(row, &self.text)).collect()
    }

    /// Returns the most frequent row width, the greatest one if there are several.
    pub(super) fn usual_width(&self) -> usize {
        let widths = self.widths();
        let count = |&width: &usize| widths.iter().filter(|&&other| other == width).count();
        let distinct: BTreeSet<usize> = widths.iter().copied().collect();
        distinct.into_iter().max_by_key(|width| (count(width), *width)).unwrap_or(0)
    }

    /// Returns whether the lines look like a grid, even a faulty one: several rows, most of which are as
    /// wide as they should be.
    pub(super) fn resembles_grid(&self, size: Option<Size>) -> bool {
        let width = self.usual_width();
        let usual = self.widths().iter().filter(|&&other| other == width).count();
        self.lines > 1
            && usual > 1
            && self.height() == self.wanted_height(size)
            && size.is_none_or(|size| size.width() == width)
    }

    /// Returns the number of lines.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Returns the number of words, and the number of those that are numbers of at least `limit`.
    pub(super) fn numbers_from(&self, limit: usize) -> (usize, usize) {
        let words = self.scanner.words();
        let large = |number| number as usize >= limit;
        let count =
            words.iter().filter(|word| symbols::number(&self.text, word, None).is_ok_and(large));
        (words.len(), count.count())
    }

    /// Returns the words from index `index` on.
    fn words_from(&self, index: usize) -> impl Iterator<Item = String> {
        self.scanner.words()[index..].iter().map(|word| self.text[word.clone()].to_owned())
    }

    /// Returns a fault of the block as a whole, at its start.
    pub(super) fn at_start(&self, message: String) -> NotationError {
        let end = self.text.find('\n').unwrap_or(self.text.len());
        let flaw = Flaw::new(0..end, message).with_help("give --size WxH");
        flaw.locate(&self.text, self.first_line)
    }

    /// Reads the board from all lines.
    pub(super) fn board(&self, hints: Hints<'_>) -> Result<BoardText, NotationError> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => board::finish(&self.scanner, &self.text, self.first_line, hints),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_lines_are_bounded() {
        let text = format!("1 1\n1 1\n{}", "1 1\n".repeat(9999));
        let mut lines = Lines::new(text.as_bytes());
        assert!(next(&mut lines, Hints::default(), None).unwrap().unwrap().board.is_err());
        assert!(lines.ahead().len() <= Size::MAX_CELLS);
    }

    #[test]
    fn faulty_rows_are_not_joined_to_all_later_lines() {
        let text = "hello world foo\n".repeat(1000);
        let mut lines = Lines::new(text.as_bytes());
        assert!(next(&mut lines, Hints::default(), None).unwrap().unwrap().board.is_err());
        assert!(lines.ahead().len() <= 3, "{}", lines.ahead().len());
    }
}
