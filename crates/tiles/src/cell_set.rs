//! Sets of cells.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor};

use crate::cell::Cell;
use crate::moves::Move;
use crate::size::Size;

/// A set of the cells of a board with at most 64 cells, by index: a bit a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellSet(u64);

impl CellSet {
    /// The set without cells.
    pub const EMPTY: Self = Self(0);

    /// The most cells of a board whose cells make a set.
    pub const MAX_CELLS: usize = 64;

    /// The set of these bits, bit c for the cell with index c.
    #[inline]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// A bit a cell.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one cell.
    #[inline]
    pub const fn of(cell: u8) -> Self {
        Self(1 << cell)
    }

    /// All cells of a board.
    ///
    /// # Panics
    /// If it has more than 64.
    pub fn all(size: Size) -> Self {
        size.iter_cells().collect()
    }

    /// Whether the cell is in the set.
    #[inline]
    pub const fn contains(self, cell: u8) -> bool {
        self.0 >> cell & 1 == 1
    }

    /// Whether there is no cell in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of cells.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The first cell in reading order.
    #[inline]
    pub fn first(self) -> Option<u8> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as u8)
    }

    /// The cells that are not in `others`.
    #[inline]
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The cells of the set before `cell` in reading order.
    #[inline]
    #[must_use]
    pub const fn before(self, cell: u8) -> Self {
        Self(self.0 & ((1 << cell) - 1))
    }

    /// The cells in reading order.
    #[inline]
    pub fn iter(self) -> CellIndices {
        CellIndices(self.0)
    }
}

/// The indices of the cells of a [`CellSet`], ascending.
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

/// A board as sets of cells: which cells lie beside which, and what a blank reaches.
#[derive(Clone, Debug)]
pub struct CellGraph {
    all: CellSet,
    /// All cells but those of the first column, and of the last.
    not_first: u64,
    not_last: u64,
    width: usize,
    across: Vec<CellSet>,
    along: Vec<CellSet>,
}

impl CellGraph {
    /// The cells of boards of `size`.
    ///
    /// # Panics
    /// If there are more than 64.
    pub fn new(size: Size) -> Self {
        let beside = |moves: [Move; 2]| {
            let beside = |cell| moves.into_iter().filter_map(move |m| size.neighbour(cell, m));
            size.iter_cells().map(|cell| beside(cell).collect()).collect()
        };
        let all_but = |column| -> CellSet {
            size.iter_cells().filter(|&cell| size.column(cell) != column).collect()
        };
        Self {
            all: CellSet::all(size),
            not_first: all_but(0).bits(),
            not_last: all_but(size.width() - 1).bits(),
            width: size.width(),
            across: beside([Move::Left, Move::Right]),
            along: beside([Move::Up, Move::Down]),
        }
    }

    /// All cells.
    pub fn all(&self) -> CellSet {
        self.all
    }

    /// The neighbours of a cell in its row.
    #[inline]
    pub fn across(&self, cell: u8) -> CellSet {
        self.across[usize::from(cell)]
    }

    /// The neighbours of a cell in its column.
    #[inline]
    pub fn along(&self, cell: u8) -> CellSet {
        self.along[usize::from(cell)]
    }

    /// The neighbours of a cell.
    #[inline]
    pub fn beside(&self, cell: u8) -> CellSet {
        self.across(cell) | self.along(cell)
    }

    /// The cells that a blank on one of `from` reaches if the `tiles` do not move.
    pub fn region(&self, from: CellSet, tiles: CellSet) -> CellSet {
        let open = self.all.without(tiles).0;
        let mut region = from.0 & open;
        let grow = |region: u64| {
            let across = (region & self.not_last) << 1 | (region & self.not_first) >> 1;
            let along = region << self.width | region >> self.width;
            (region | across | along) & open
        };
        loop {
            // Twice, because few regions are so small.
            let grown = grow(grow(region));
            if grown == region {
                return CellSet(region);
            }
            region = grown;
        }
    }

    /// The regions into which the `tiles` divide the other cells, in the order of their first cells.
    pub fn regions(&self, tiles: CellSet) -> impl Iterator<Item = CellSet> {
        let mut left = self.all.without(tiles);
        std::iter::from_fn(move || {
            let region = self.region(CellSet::of(left.first()?), tiles);
            left = left.without(region);
            Some(region)
        })
    }

    /// All sets of so many cells, in the order of their bits as numbers.
    pub fn sets(&self, cells: usize) -> impl Iterator<Item = CellSet> + use<> {
        let (all, first) = (self.all.0, u64::MAX.checked_shr(64 - cells as u32).unwrap_or(0));
        let next = |&set: &u64| {
            // The next larger number with as many bits, by Gosper.
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
    fn sets_hold_what_is_put_in() {
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
        assert_eq!(graph.beside(3), set(&[2, 7]));
        assert_eq!((graph.across(5), graph.along(5)), (set(&[4, 6]), set(&[1, 9])));
    }

    #[test]
    fn all_sets_of_some_cells_are_there_once() {
        let graph = CellGraph::new(Size::new(3, 3).unwrap());
        let sets: Vec<_> = graph.sets(4).collect();
        assert_eq!(sets.len(), 126);
        assert!(sets.is_sorted_by(|a, b| a < b) && sets.iter().all(|set| set.len() == 4));
        let whole = CellGraph::new(Size::new(8, 8).unwrap());
        assert_eq!((whole.sets(63).count(), whole.sets(64).count()), (64, 1));
    }
}
