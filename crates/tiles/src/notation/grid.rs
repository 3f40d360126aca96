//! A row a line.
//!
//! A board ends at a blank line, or as soon as it is complete: when it has as many rows as `size`
//! asks for, or, without a size, when its rows make a square and no taller board that goes on to the
//! next blank line. How wide the rows are is decided by most of them, so that one row with a tile too
//! many or too few spoils no other board.

use std::io::{self, BufRead};

use super::board;
use super::case::Case;
use super::error::{Flaw, NotationError};
use super::input::{LONGEST, Line, Lines};
use super::scan::Scanner;
use crate::board::Board;
use crate::size::Size;

pub(super) fn next<R: BufRead>(
    lines: &mut Lines<R>,
    size: Option<Size>,
) -> io::Result<Option<Case>> {
    let Some(block) = Block::take(lines, size)? else { return Ok(None) };
    let mut board = block.board(size);
    if size.is_none()
        && goes_on(lines, &board)?
        && let Some(taller) = taller(lines, &block)?
    {
        board = Ok(taller);
    }
    Ok(Some(Case::new(block.first_line, board)))
}

/// Whether a square may be the top of a taller board: it is no board, or the next line has a tile
/// that is too large for it, as every further row of such a board has.
fn goes_on<R: BufRead>(
    lines: &mut Lines<R>,
    square: &Result<Board, NotationError>,
) -> io::Result<bool> {
    let Ok(square) = square else { return Ok(true) };
    let Some(line) = lines.peek(0)? else { return Ok(false) };
    let mut row = Block::default();
    row.add(line);
    Ok(row.numbers_from(square.size().cells()).1 > 0)
}

/// The board that `square` and all lines up to the next blank one make, if they do.
fn taller<R: BufRead>(lines: &mut Lines<R>, square: &Block) -> io::Result<Option<Board>> {
    let mut block = square.clone();
    let mut added = 0;
    while let Some(line) = lines.peek(added)?.filter(|line| !line.is_blank()) {
        block.add(line);
        if block.fault.is_some() || block.is_too_large() {
            return Ok(None);
        }
        added += 1;
    }
    let board = block.board(None).ok();
    for _ in 0..board.as_ref().map_or(0, |_| added) {
        lines.next()?;
    }
    Ok(board)
}

/// Lines that are taken to be one board.
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

    fn add(&mut self, line: &Line) {
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

    fn is_too_large(&self) -> bool {
        // The most spacious board has every number and every bracket on a line of its own.
        const MOST_LINES: usize = 4 * Size::MAX_CELLS;
        self.too_long || self.scanner.is_overfull() || self.lines > MOST_LINES
    }

    fn is_complete(&self, size: Option<Size>) -> bool {
        !self.scanner.is_open() && self.height() >= self.wanted_height(size)
    }

    /// The number of rows so far.
    fn height(&self) -> usize {
        self.scanner.rows().len() + self.unreadable
    }

    fn wanted_height(&self, size: Option<Size>) -> usize {
        match size.map_or_else(|| self.usual_width(), Size::height) {
            // There is no 1x1 board, so nothing but a blank line can end a column.
            0 | 1 if size.is_none() => usize::MAX,
            height => height,
        }
    }

    fn widths(&self) -> impl Iterator<Item = usize> {
        self.scanner.rows().map(|row| Scanner::width(row, &self.text))
    }

    /// The width of most rows, the greater one in doubt.
    pub(super) fn usual_width(&self) -> usize {
        let first = self.widths().next().unwrap_or(0);
        if self.widths().all(|width| width == first) {
            return first;
        }
        let mut rows = [0_u16; Size::MAX_CELLS + 1];
        self.widths().for_each(|width| rows[width.min(Size::MAX_CELLS)] += 1);
        (0..rows.len())
            .filter(|&width| rows[width] > 0)
            .max_by_key(|&width| (rows[width], width))
            .unwrap_or(0)
    }

    /// Whether the lines look like a grid, be it a faulty one: several rows, of which most are as
    /// wide as they should be.
    pub(super) fn resembles_grid(&self, size: Option<Size>) -> bool {
        let width = self.usual_width();
        let usual = self.widths().filter(|&other| other == width).count();
        self.lines > 1
            && usual > 1
            && self.height() == self.wanted_height(size)
            && size.is_none_or(|size| size.width() == width)
    }

    /// The number of lines.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// How many words there are, and how many of them are numbers of at least `limit`.
    pub(super) fn numbers_from(&self, limit: usize) -> (usize, usize) {
        let words = self.scanner.words();
        let large = |number| number as usize >= limit;
        let count = words.iter().filter(|word| board::number(&self.text, word).is_ok_and(large));
        (words.len(), count.count())
    }

    pub(super) fn board(&self, size: Option<Size>) -> Result<Board, NotationError> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => board::finish(self.scanner.clone(), &self.text, self.first_line, size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_lines_are_kept_than_a_board_may_have() {
        let text = format!("1 1\n1 1\n{}", "1 1\n".repeat(9999));
        let mut lines = Lines::new(text.as_bytes());
        assert!(next(&mut lines, None).unwrap().unwrap().board.is_err());
        assert!(lines.ahead().len() <= Size::MAX_CELLS);
    }
}
