//! What a table is about.

use loyd_tiles::{Cell, Size, Symmetry};

use super::MAX_WIDE_CELLS;
use super::grid::{Grid, bits};

/// The goal cells of some tiles, and where the blank may be when these are there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WidePattern {
    size: Size,
    /// Ascending; the tile that belongs on the l-th of them has the label l.
    cells: Vec<u8>,
    /// Whole regions, a bit a cell.
    blanks: u64,
}

impl WidePattern {
    /// The most bits of a table: places are numbers of 32 bits.
    pub const MAX_BITS: u64 = u32::MAX as u64;

    /// The pattern of the tiles that belong on `cells` of boards whose blank may end on `blanks`, a bit a
    /// cell.
    ///
    /// # Panics
    /// If the board has more than [`MAX_WIDE_CELLS`] cells, the cells are not cells of the board and
    /// different from each other, the blank is left no cell, or the table would be too large.
    pub fn new(size: Size, cells: Vec<u8>, blanks: u64) -> Self {
        Self::checked(size, cells, blanks)
            .unwrap_or_else(|wrong| panic!("a pattern of {size} boards: {wrong}"))
    }

    /// The same, for cells of any origin.
    ///
    /// # Errors
    /// What [`new`](Self::new) would panic at.
    pub fn checked(size: Size, mut cells: Vec<u8>, blanks: u64) -> Result<Self, &'static str> {
        if size.cells() > MAX_WIDE_CELLS {
            return Err("the board has too many cells");
        }
        cells.sort_unstable();
        let on_board = cells.iter().all(|&cell| usize::from(cell) < size.cells());
        if !on_board || !cells.is_sorted_by(|a, b| a < b) {
            return Err("the cells of a pattern");
        }
        let tiles = cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let blanks = Grid::new(size).region(blanks, tiles);
        let pattern = Self { size, cells, blanks };
        match (blanks, pattern.bits()) {
            (0, _) => Err("the blank has no cell to end on"),
            (_, ..=Self::MAX_BITS) => Ok(pattern),
            _ => Err("the table would be too large"),
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The goal cells, ascending.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The cells on which the blank may end, a bit a cell.
    pub fn blanks(&self) -> u64 {
        self.blanks
    }

    /// The first cell of each region in which the blank may end.
    pub fn first_blanks(&self) -> Vec<u8> {
        let grid = Grid::new(self.size);
        let tiles = self.cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let (mut left, mut first) = (self.blanks, Vec::new());
        while left != 0 {
            first.push(left.trailing_zeros() as u8);
            left &= !grid.region(left & left.wrapping_neg(), tiles);
        }
        first
    }

    /// The bits of its table, or [`u64::MAX`] if there are more.
    pub fn bits(&self) -> u64 {
        (self.size.cells() as u64).saturating_pow(self.cells.len() as u32 + 1)
    }

    /// The bytes of its table.
    pub fn table_bytes(&self) -> u64 {
        self.bits().div_ceil(64) * 8
    }

    /// This pattern on a board that is turned or mirrored.
    fn turned(&self, symmetry: Symmetry) -> Self {
        let image = |cell: u8| symmetry.cell(self.size, Cell::new(cell.into())).index() as u8;
        let mut cells: Vec<u8> = self.cells.iter().map(|&cell| image(cell)).collect();
        cells.sort_unstable();
        let blanks = bits(self.blanks).fold(0, |set, cell| set | 1 << image(cell));
        Self { size: symmetry.size(self.size), cells, blanks }
    }

    /// The first of all patterns that are this one turned or mirrored, and how it is turned: those that
    /// have it in common share a table.
    pub fn upright(&self) -> (Self, Symmetry) {
        let ways = Symmetry::all().map(|symmetry| (self.turned(symmetry), symmetry));
        ways.min_by(|a, b| a.0.cmp(&b.0)).expect("there are eight ways")
    }
}
