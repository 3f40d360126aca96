//! Symmetries of the rectangle: boards that are the same puzzle up to rotation and reflection.

use crate::moves::Move;
use crate::size::{Cell, Size};

/// One of the eight rotations and reflections of a board: optionally reverses the rows and the columns, then
/// optionally transposes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry {
    reverse_rows: bool,
    reverse_columns: bool,
    transpose: bool,
}

impl Symmetry {
    /// Exchanges rows and columns.
    pub const TRANSPOSE: Self =
        Self { reverse_rows: false, reverse_columns: false, transpose: true };

    /// Iterates over all eight symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self {
            reverse_rows: bits & 1 != 0,
            reverse_columns: bits & 2 != 0,
            transpose: bits & 4 != 0,
        })
    }

    /// Returns the first symmetry of [`all`](Self::all) that makes a board of `size` at most as wide as high and
    /// maps `cell` to the earliest cell in reading order.
    ///
    /// Boards that differ only by a symmetry are mapped to the same representative.
    pub fn to_front(size: Size, cell: Cell) -> Self {
        let upright = |symmetry: &Self| {
            let size = symmetry.size(size);
            size.width() <= size.height()
        };
        let upright = Self::all().filter(upright);
        upright
            .min_by_key(|symmetry| symmetry.cell(size, cell))
            .expect("a board or its transpose is upright")
    }

    /// Returns the size of the image of a board of `size`.
    pub fn size(self, size: Size) -> Size {
        match self.transpose {
            true => size.transposed(),
            false => size,
        }
    }

    /// Returns the image of `cell` of a board of `size`.
    pub fn cell(self, size: Size, cell: Cell) -> Cell {
        let reversed = |place, places, reverse| if reverse { places - 1 - place } else { place };
        let row = reversed(size.row(cell), size.height(), self.reverse_rows);
        let column = reversed(size.column(cell), size.width(), self.reverse_columns);
        match self.transpose {
            true => self.size(size).cell(column, row),
            false => size.cell(row, column),
        }
    }

    /// Returns the image of the move `m`.
    pub fn apply(self, m: Move) -> Move {
        let reversed = match m {
            Move::Up | Move::Down if self.reverse_rows => m.inverse(),
            Move::Left | Move::Right if self.reverse_columns => m.inverse(),
            _ => m,
        };
        match (self.transpose, reversed) {
            (false, m) => m,
            (true, Move::Up) => Move::Left,
            (true, Move::Left) => Move::Up,
            (true, Move::Right) => Move::Down,
            (true, Move::Down) => Move::Right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_cells_transform_consistently() {
        for (width, height) in [(3, 3), (4, 2), (2, 5)] {
            let size = Size::new(width, height).unwrap();
            for symmetry in Symmetry::all() {
                let images: std::collections::BTreeSet<Cell> =
                    size.iter_cells().map(|cell| symmetry.cell(size, cell)).collect();
                assert!(images.into_iter().eq(symmetry.size(size).iter_cells()));
                for cell in size.iter_cells() {
                    for m in Move::ALL {
                        let there = size.neighbour(cell, m).map(|to| symmetry.cell(size, to));
                        let image = symmetry.cell(size, cell);
                        let turned = symmetry.size(size).neighbour(image, symmetry.apply(m));
                        assert_eq!(there, turned);
                    }
                }
            }
        }
    }

    #[test]
    fn equivalent_cells_have_one_representative() {
        let front = |width, height, cell| {
            let size = Size::new(width, height).unwrap();
            let symmetry = Symmetry::to_front(size, Cell::new(cell));
            (symmetry.size(size).to_string(), symmetry.cell(size, Cell::new(cell)).index())
        };
        for corner in [0, 3, 12, 15] {
            assert_eq!(front(4, 4, corner), ("4x4".to_owned(), 0));
        }
        for (cell, class) in [(1, 1), (7, 1), (14, 1), (4, 1), (5, 5), (10, 5), (6, 5)] {
            assert_eq!(front(4, 4, cell), ("4x4".to_owned(), class));
        }
        assert_eq!(front(4, 3, 11), ("3x4".to_owned(), 0));
        assert_eq!(front(4, 3, 1), ("3x4".to_owned(), 3));
        assert_eq!(front(3, 4, 3), ("3x4".to_owned(), 3));
        assert_eq!(Symmetry::to_front(Size::EIGHT, Cell::new(0)), Symmetry::default());
    }
}
