//! A place on the board.

use std::fmt;

/// A place on the board, numbered from 0 in reading order. Not a [`Tile`](crate::Tile).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell with this index.
    ///
    /// # Panics
    /// If `index` is above 255: no board has that many cells.
    #[inline]
    pub fn new(index: usize) -> Self {
        Self(u8::try_from(index).expect("a board has at most 256 cells"))
    }

    /// The index, from 0 in reading order.
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// Written as people count, from 1.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index() + 1)
    }
}
