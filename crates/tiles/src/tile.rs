//! What lies on a cell.

use std::fmt;

/// What lies on a cell: the blank (0) or a tile, numbered from 1. Not a [`Cell`](crate::Cell).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile(u8);

impl Tile {
    /// The empty place.
    pub const BLANK: Self = Self(0);

    /// The tile with this number; 0 is the blank.
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The number, 0 for the blank.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The number as an index into a table.
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// What messages call it: `the blank` or `tile 7`.
    pub fn name(self) -> String {
        if self.is_blank() { "the blank".to_owned() } else { format!("tile {self}") }
    }

    /// Whether this is the blank.
    pub fn is_blank(self) -> bool {
        self == Self::BLANK
    }
}

/// The number; the blank as `x`, as judges write it. Honours width and alignment.
impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_blank() { f.pad("x") } else { fmt::Display::fmt(&self.0, f) }
    }
}
