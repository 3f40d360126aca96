//! Cells, tiles and dimensions of boards, and lookup tables for the moves of the blank.

use std::fmt;
use std::str::FromStr;

use crate::moves::{Move, MoveSet};
use crate::quote::quote;

/// A cell of the board, numbered from 0 in reading order. Not a [`Tile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u16);

impl Cell {
    /// Creates the cell with this index.
    ///
    /// # Panics
    /// If `index` is above 65,535; boards have at most [`Size::MAX_CELLS`] cells.
    #[inline]
    pub fn new(index: usize) -> Self {
        Self(u16::try_from(index).expect("a board has at most 10,000 cells"))
    }

    /// Returns the index, from 0 in reading order.
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// Writes the number of the cell counted from 1.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index() + 1)
    }
}

/// The content of a cell: the blank (0) or a tile, numbered from 1. Not a [`Cell`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile(u16);

impl Tile {
    /// The blank.
    pub const BLANK: Self = Self(0);

    /// Creates the tile with this number; 0 is the blank.
    pub const fn new(number: u16) -> Self {
        Self(number)
    }

    /// Returns the number, 0 for the blank.
    pub fn number(self) -> u16 {
        self.0
    }

    /// Returns the number as an index into a table.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Returns the name used in messages: `the blank` or `tile 7`.
    pub fn name(self) -> String {
        if self.is_blank() { "the blank".to_owned() } else { format!("tile {self}") }
    }

    /// Returns whether this is the blank.
    pub fn is_blank(self) -> bool {
        self == Self::BLANK
    }
}

/// Writes the number, or `x` for the blank as judges' files do. Honours width and alignment.
impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_blank() { f.pad("x") } else { fmt::Display::fmt(&self.0, f) }
    }
}

/// The dimensions of a board, 2 to 10,000 cells, written `WxH` (width first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size {
    width: u16,
    height: u16,
}

/// An invalid board size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// The number of cells is 0, 1 or more than 10,000.
    #[error("a {width}x{height} board has {}; boards have 2 to 10,000 cells", cells(*.width, *.height))]
    OutOfRange {
        /// The requested width.
        width: u32,
        /// The requested height.
        height: u32,
    },
    /// The text is not of the form `WxH`.
    #[error("{} is not a size; write WIDTHxHEIGHT, as in 3x3 or 4x3", quote(.0))]
    Syntax(String),
}

fn cells(width: u32, height: u32) -> String {
    count(u64::from(width) * u64::from(height), "cell")
}

/// Formats a count with its noun in the singular or plural: `1 cell`, `2 cells`.
pub(crate) fn count<N: Copy + fmt::Display + PartialEq + From<u8>>(
    number: N,
    thing: &str,
) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

impl Size {
    /// The size of the 8-puzzle, 3x3.
    pub const EIGHT: Self = Self { width: 3, height: 3 };
    /// The size of the 15-puzzle, 4x4.
    pub const FIFTEEN: Self = Self { width: 4, height: 4 };
    /// Maximum number of cells of a board.
    pub const MAX_CELLS: usize = 10_000;
    /// Maximum number of cells for exact searches and heuristics, which store one byte per cell.
    pub const MAX_SEARCH_CELLS: usize = 256;

    /// Creates the size of boards with `width` columns and `height` rows.
    ///
    /// # Errors
    /// Returns an error for fewer than 2 or more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        match u64::from(width) * u64::from(height) {
            2..=10_000 => Ok(Self { width: width as u16, height: height as u16 }),
            _ => Err(SizeError::OutOfRange { width, height }),
        }
    }

    /// Returns the number of columns.
    #[inline]
    pub fn width(self) -> usize {
        self.width.into()
    }

    /// Returns the number of rows.
    #[inline]
    pub fn height(self) -> usize {
        self.height.into()
    }

    /// Returns the number of cells, 2 to [`MAX_CELLS`](Self::MAX_CELLS).
    #[inline]
    pub fn cells(self) -> usize {
        self.width() * self.height()
    }

    /// Returns the number of tiles, excluding the blank.
    #[inline]
    pub fn tiles(self) -> usize {
        self.cells() - 1
    }

    /// Returns whether the board is a single row or column, where tiles can never pass each other.
    pub fn is_line(self) -> bool {
        self.width == 1 || self.height == 1
    }

    /// Returns whether exact searches and heuristics support boards of this size: at most
    /// [`MAX_SEARCH_CELLS`](Self::MAX_SEARCH_CELLS) cells.
    #[inline]
    pub fn is_searchable(self) -> bool {
        self.cells() <= Self::MAX_SEARCH_CELLS
    }

    /// Returns the size with width and height exchanged.
    #[must_use]
    pub fn transposed(self) -> Self {
        Self { width: self.height, height: self.width }
    }

    /// Returns the row (from 0) of `cell`.
    #[inline]
    pub fn row(self, cell: Cell) -> usize {
        cell.index() / self.width()
    }

    /// Returns the column (from 0) of `cell`.
    #[inline]
    pub fn column(self, cell: Cell) -> usize {
        cell.index() % self.width()
    }

    /// Returns the cell in `row` and `column`, both from 0.
    #[inline]
    pub fn cell(self, row: usize, column: usize) -> Cell {
        Cell::new(row * self.width() + column)
    }

    /// Iterates over all cells in reading order.
    pub fn iter_cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..self.cells()).map(Cell::new)
    }

    /// Returns the Manhattan distance between two cells: the number of moves that a single tile needs on an
    /// otherwise empty board.
    #[inline]
    pub fn distance(self, from: Cell, to: Cell) -> u32 {
        let rows = self.row(from).abs_diff(self.row(to));
        let columns = self.column(from).abs_diff(self.column(to));
        (rows + columns) as u32
    }

    /// Returns the legal moves of a blank on cell `blank`.
    #[inline]
    pub fn moves(self, blank: Cell) -> MoveSet {
        Move::ALL.into_iter().filter(|&m| self.neighbour(blank, m).is_some()).collect()
    }

    /// Returns the neighbour of `cell` in the direction of `m`, or `None` at the edge of the board.
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

/// Tables of the legal moves of a blank on each cell and of their targets: the results of
/// [`Size::moves`] and [`Size::neighbour`] without divisions. Cells are given by index.
#[derive(Clone, Debug)]
pub struct MoveTable {
    moves: Vec<MoveSet>,
    targets: Vec<[u8; 4]>,
}

impl MoveTable {
    /// Builds the tables for boards of `size`. Cost: five bytes per cell.
    ///
    /// # Panics
    /// If the boards have more than [`Size::MAX_SEARCH_CELLS`] cells.
    pub fn new(size: Size) -> Self {
        assert!(size.is_searchable(), "a {size} board has cells that a byte cannot number");
        let targets =
            |cell| Move::ALL.map(|m| size.neighbour(cell, m).unwrap_or(cell).index() as u8);
        Self {
            moves: size.iter_cells().map(|cell| size.moves(cell)).collect(),
            targets: size.iter_cells().map(targets).collect(),
        }
    }

    /// Returns the legal moves of a blank on `cell`.
    #[inline]
    pub fn moves(&self, cell: u8) -> MoveSet {
        self.moves[usize::from(cell)]
    }

    /// Returns the target of each move from `cell`, by [`Move::index`]: `cell` itself if the move is illegal.
    #[inline]
    pub fn targets(&self, cell: u8) -> &[u8; 4] {
        &self.targets[usize::from(cell)]
    }

    /// Returns the target of the move `m` from `cell`: `cell` itself if the move is illegal.
    #[inline]
    pub fn target(&self, cell: u8, m: Move) -> u8 {
        self.targets(cell)[m.index()]
    }

    /// Iterates over the legal moves from `cell` and their targets.
    #[inline]
    pub fn neighbours(&self, cell: u8) -> impl Iterator<Item = (Move, u8)> + '_ {
        self.moves(cell).into_iter().map(move |m| (m, self.target(cell, m)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_round_trip_and_invalid_text_is_rejected() {
        for text in ["3x3", "4x3", "1x2", "256x1", "16x16", "100x100", "1x10000", "2500x4"] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "3",
            "x3",
            "3x",
            "3x3x3",
            "0x5",
            "1x1",
            "101x100",
            "10001x1",
            "-3x3",
            "4294967295x4294967295",
        ] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        let long = "3".repeat(1_000_000).parse::<Size>().unwrap_err().to_string();
        assert!(long.len() < 100, "{} bytes", long.len());
    }

    #[test]
    fn error_names_the_number_of_cells() {
        let message = |w, h| Size::new(w, h).unwrap_err().to_string();
        assert_eq!(message(1, 1), "a 1x1 board has 1 cell; boards have 2 to 10,000 cells");
        assert_eq!(message(0, 5), "a 0x5 board has 0 cells; boards have 2 to 10,000 cells");
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        let size = Size::new(3, 2).unwrap();
        let letters =
            |cell| size.moves(Cell::new(cell)).into_iter().map(Move::letter).collect::<String>();
        assert_eq!((0..6).map(letters).collect::<Vec<_>>(), ["rd", "lrd", "ld", "ur", "ulr", "ul"]);
    }
}
