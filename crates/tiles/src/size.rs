//! How wide and how high a board is.

use std::fmt;
use std::str::FromStr;

use crate::cell::Cell;
use crate::moves::{Move, MoveSet};

/// The shape of a board: at least 2 and at most 256 cells, written `WxH` (width first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    width: u16,
    height: u16,
}

/// Why two numbers are not the size of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// Zero, one or more than 256 cells.
    #[error("a {width}x{height} board has {}; 2 to 256 are allowed", cells(*.width, *.height))]
    OutOfRange {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
    /// The text is not of the form `WxH`.
    #[error("`{0}` is not a size; write WIDTHxHEIGHT, as in 3x3 or 4x3")]
    Syntax(String),
}

fn cells(width: u32, height: u32) -> String {
    count(u64::from(width) * u64::from(height), "cell")
}

/// `1 cell`, `2 cells`.
pub(crate) fn count<N: Copy + fmt::Display + PartialEq + From<u8>>(
    number: N,
    thing: &str,
) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

impl Size {
    /// The classic 8-puzzle.
    pub const EIGHT: Self = Self { width: 3, height: 3 };
    /// The classic 15-puzzle.
    pub const FIFTEEN: Self = Self { width: 4, height: 4 };
    /// The largest number of cells of a board.
    pub const MAX_CELLS: usize = 256;

    /// A board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// When there would be fewer than 2 or more than 256 cells.
    pub fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        match u64::from(width) * u64::from(height) {
            2..=256 => Ok(Self { width: width as u16, height: height as u16 }),
            _ => Err(SizeError::OutOfRange { width, height }),
        }
    }

    /// The number of columns.
    #[inline]
    pub fn width(self) -> usize {
        self.width.into()
    }

    /// The number of rows.
    #[inline]
    pub fn height(self) -> usize {
        self.height.into()
    }

    /// The number of cells, 2 to 256.
    #[inline]
    pub fn cells(self) -> usize {
        self.width() * self.height()
    }

    /// The number of tiles, the blank not counted.
    #[inline]
    pub fn tiles(self) -> usize {
        self.cells() - 1
    }

    /// Whether the board is a single row or column, where tiles can never pass each other.
    pub fn is_line(self) -> bool {
        self.width == 1 || self.height == 1
    }

    /// The size with width and height exchanged.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self { width: self.height, height: self.width }
    }

    /// The row (from 0) of `cell`.
    #[inline]
    pub fn row(self, cell: Cell) -> usize {
        cell.index() / self.width()
    }

    /// The column (from 0) of `cell`.
    #[inline]
    pub fn column(self, cell: Cell) -> usize {
        cell.index() % self.width()
    }

    /// The cell in `row` and `column`, both from 0.
    #[inline]
    pub fn cell(self, row: usize, column: usize) -> Cell {
        Cell::new(row * self.width() + column)
    }

    /// All cells in reading order.
    pub fn iter_cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..self.cells()).map(Cell::new)
    }

    /// The number of moves a single tile needs from one cell to the other on an otherwise empty
    /// board: the sum of the row and column differences.
    #[inline]
    pub fn distance(self, from: Cell, to: Cell) -> u32 {
        let rows = self.row(from).abs_diff(self.row(to));
        let columns = self.column(from).abs_diff(self.column(to));
        (rows + columns) as u32
    }

    /// The moves of a blank that stands on `blank`.
    #[inline]
    pub fn moves(self, blank: Cell) -> MoveSet {
        Move::ALL.into_iter().filter(|&m| self.neighbour(blank, m).is_some()).collect()
    }

    /// The cell next to `cell` in the direction of `m`, if there is one.
    pub fn neighbour(self, cell: Cell, m: Move) -> Option<Cell> {
        let (row, column) = (self.row(cell), self.column(cell));
        match m {
            Move::Up if row > 0 => Some(self.cell(row - 1, column)),
            Move::Left if column > 0 => Some(self.cell(row, column - 1)),
            Move::Right if column + 1 < self.width() => Some(self.cell(row, column + 1)),
            Move::Down if row + 1 < self.height() => Some(self.cell(row + 1, column)),
            _ => None,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let syntax = || SizeError::Syntax(text.to_owned());
        let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(syntax)?;
        let number = |digits: &str| digits.trim().parse::<u32>().map_err(|_| syntax());
        Self::new(number(width)?, number(height)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_refuses_the_rest() {
        for text in ["3x3", "4x3", "1x2", "256x1", "16x16"] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), text);
        }
        for text in
            ["", "3", "x3", "3x", "3x3x3", "0x5", "1x1", "17x16", "-3x3", "4294967295x4294967295"]
        {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn cells_are_counted_in_words() {
        let message = |w, h| Size::new(w, h).unwrap_err().to_string();
        assert_eq!(message(1, 1), "a 1x1 board has 1 cell; 2 to 256 are allowed");
        assert_eq!(message(0, 5), "a 0x5 board has 0 cells; 2 to 256 are allowed");
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        let size = Size::new(3, 2).unwrap();
        let letters =
            |cell| size.moves(Cell::new(cell)).into_iter().map(Move::letter).collect::<String>();
        assert_eq!((0..6).map(letters).collect::<Vec<_>>(), ["rd", "lrd", "ld", "ur", "ulr", "ul"]);
    }
}
