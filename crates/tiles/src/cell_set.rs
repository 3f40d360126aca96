//! Sets of cells.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor};

use crate::moves::Move;
use crate::size::{Cell, Size};

/// A set of cells of a board with at most 64 cells: bit c for the cell with index c.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellSet(u64);

impl CellSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Maximum number of cells of a board whose cells fit a set.
    pub const MAX_CELLS: usize = 64;

    /// Creates a set from its bits, bit c for the cell with index c.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the bits of the set, one per cell.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Creates the set of one cell.
    #[inline]
    pub const fn of(cell: u8) -> Self {
        Self(1 << cell)
    }

    /// Creates the set of all cells of a board.
    ///
    /// # Panics
    /// If the board has more than 64 cells.
    pub fn all(size: Size) -> Self {
        size.iter_cells().collect()
    }

    /// Returns whether the cell is in the set.
    #[inline]
    pub const fn contains(self, cell: u8) -> bool {
        self.0 >> cell & 1 == 1
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of cells in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the first cell in reading order, or `None` if the set is empty.
    #[inline]
    pub fn first(self) -> Option<u8> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as u8)
    }

    /// Returns the cells of the set that are not in `others`.
    #[inline]
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns the cells of the set that precede `cell` in reading order.
    #[inline]
    #[must_use]
    pub const fn before(self, cell: u8) -> Self {
        Self(self.0 & ((1 << cell) - 1))
    }

    /// Iterates over the cells in reading order.
    #[inline]
    pub fn iter(self) -> CellIndices {
        CellIndices(self.0)
    }
}

/// Iterator over the cell indices of a [`CellSet`], ascending.
#[derive(Clone, Debug)]
pub struct CellIndices(u64);

impl Iterator for CellIndices {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let first = (self.0 != 0).then(|| self.0.trailing_zeros() as u8);
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

impl IntoIterator for CellSet {
    type Item = u8;
    type IntoIter = CellIndices;

    #[inline]
    fn into_iter(self) -> CellIndices {
        self.iter()
    }
}

impl FromIterator<u8> for CellSet {
    fn from_iter<I: IntoIterator<Item = u8>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, |set, cell| set | Self::of(cell))
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().map(|cell| cell.index() as u8).collect()
    }
}

impl BitAnd for CellSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for CellSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for CellSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXor for CellSet {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// The adjacency of a board's cells, and the regions that a blank can reach.
#[derive(Clone, Debug)]
pub struct CellGraph {
    all: CellSet,
    /// All cells outside the first column, and all cells outside the last column.
    not_first: u64,
    not_last: u64,
    width: usize,
    row_neighbours: Vec<CellSet>,
    column_neighbours: Vec<CellSet>,
}

impl CellGraph {
    /// Creates the graph for boards of `size`.
    ///
    /// # Panics
    /// If the boards have more than 64 cells.
    pub fn new(size: Size) -> Self {
        let neighbours = |moves: [Move; 2]| {
            let of = |cell| moves.into_iter().filter_map(move |m| size.neighbour(cell, m));
            size.iter_cells().map(|cell| of(cell).collect()).collect()
        };
        let all_but = |column| -> CellSet {
            size.iter_cells().filter(|&cell| size.column(cell) != column).collect()
        };
        Self {
            all: CellSet::all(size),
            not_first: all_but(0).bits(),
            not_last: all_but(size.width() - 1).bits(),
            width: size.width(),
            row_neighbours: neighbours([Move::Left, Move::Right]),
            column_neighbours: neighbours([Move::Up, Move::Down]),
        }
    }

    /// Returns all cells.
    pub fn all(&self) -> CellSet {
        self.all
    }

    /// Returns the neighbours of a cell in its row.
    #[inline]
    pub fn row_neighbours(&self, cell: u8) -> CellSet {
        self.row_neighbours[usize::from(cell)]
    }

    /// Returns the neighbours of a cell in its column.
    #[inline]
    pub fn column_neighbours(&self, cell: u8) -> CellSet {
        self.column_neighbours[usize::from(cell)]
    }

    /// Returns the neighbours of a cell.
    #[inline]
    pub fn neighbours(&self, cell: u8) -> CellSet {
        self.row_neighbours(cell) | self.column_neighbours(cell)
    }

    /// Returns the cells that a blank on one of the cells `from` can reach while the `tiles` stay in place.
    pub fn region(&self, from: CellSet, tiles: CellSet) -> CellSet {
        let open = self.all.without(tiles).0;
        let mut region = from.0 & open;
        let grow = |region: u64| {
            let across = (region & self.not_last) << 1 | (region & self.not_first) >> 1;
            let along = region << self.width | region >> self.width;
            (region | across | along) & open
        };
        loop {
            // Grows twice per test, because few regions are complete after one step.
            let grown = grow(grow(region));
            if grown == region {
                return CellSet(region);
            }
            region = grown;
        }
    }

    /// Iterates over the regions into which the `tiles` divide the other cells, in the order of their first cells.
    pub fn regions(&self, tiles: CellSet) -> impl Iterator<Item = CellSet> {
        let mut left = self.all.without(tiles);
        std::iter::from_fn(move || {
            let region = self.region(CellSet::of(left.first()?), tiles);
            left = left.without(region);
            Some(region)
        })
    }

    /// Iterates over all sets of `cells` cells, in ascending order of their bits.
    pub fn sets(&self, cells: usize) -> impl Iterator<Item = CellSet> + use<> {
        let (all, first) = (self.all.0, u64::MAX.checked_shr(64 - cells as u32).unwrap_or(0));
        let next = |&set: &u64| {
            // Gosper's hack: the next larger number with the same number of bits set.
            let lowest = set & set.wrapping_neg();
            let ripple = set.checked_add(lowest)?;
            Some(ripple | ((ripple ^ set) / lowest) >> 2)
        };
        std::iter::successors(Some(first).filter(|&set| set != 0), next)
            .take_while(move |&set| set <= all)
            .map(CellSet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(cells: &[u8]) -> CellSet {
        cells.iter().copied().collect()
    }

    #[test]
    fn set_operations_agree_with_bits() {
        let some = set(&[0, 5, 35, 63]);
        assert!(some.iter().eq([0, 5, 35, 63]) && some.len() == 4 && some.first() == Some(0));
        assert!(some.contains(35) && !some.contains(34) && !some.is_empty());
        assert_eq!((some | set(&[1])).without(set(&[0, 63])), set(&[1, 5, 35]));
        assert_eq!((some ^ set(&[0, 1]), some.before(35)), (set(&[1, 5, 35, 63]), set(&[0, 5])));
        assert_eq!((CellSet::EMPTY.first(), CellSet::EMPTY.iter().next()), (None, None));
    }

    #[test]
    fn regions_end_at_tiles_and_edges() {
        let graph = CellGraph::new(Size::new(4, 4).unwrap());
        let wall = set(&[2, 6, 8, 9, 10]);
        let regions: Vec<_> = graph.regions(wall).collect();
        assert_eq!(regions, [set(&[0, 1, 4, 5]), set(&[3, 7, 11, 12, 13, 14, 15])]);
        assert_eq!(graph.region(set(&[15]), wall), regions[1]);
        assert_eq!(graph.neighbours(3), set(&[2, 7]));
        assert_eq!(
            (graph.row_neighbours(5), graph.column_neighbours(5)),
            (set(&[4, 6]), set(&[1, 9]))
        );
    }

    #[test]
    fn sets_yields_each_set_once() {
        let graph = CellGraph::new(Size::new(3, 3).unwrap());
        let sets: Vec<_> = graph.sets(4).collect();
        assert_eq!(sets.len(), 126);
        assert!(sets.is_sorted_by(|a, b| a < b) && sets.iter().all(|set| set.len() == 4));
        let whole = CellGraph::new(Size::new(8, 8).unwrap());
        assert_eq!((whole.sets(63).count(), whole.sets(64).count()), (64, 1));
    }
}
