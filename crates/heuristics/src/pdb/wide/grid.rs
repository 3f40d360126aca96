//! Sets of cells of a board, a bit a cell.

use loyd_tiles::{Cell, Move, Size};

/// A board as sets of cells.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// All cells.
    all: u64,
    /// All but the first, and all but the last column.
    not_first: u64,
    not_last: u64,
    width: usize,
    /// The cells beside each cell.
    beside: Vec<u64>,
}

impl Grid {
    pub fn new(size: Size) -> Self {
        let set = |has: &dyn Fn(Cell) -> bool| {
            size.iter_cells().filter(|&c| has(c)).fold(0, |set, c| set | 1_u64 << c.index())
        };
        let neighbours = |cell| Move::ALL.into_iter().filter_map(move |m| size.neighbour(cell, m));
        let beside = |cell| neighbours(cell).fold(0, |set, c| set | 1_u64 << c.index());
        Self {
            all: set(&|_| true),
            not_first: set(&|cell| size.column(cell) > 0),
            not_last: set(&|cell| size.column(cell) + 1 < size.width()),
            width: size.width(),
            beside: size.iter_cells().map(beside).collect(),
        }
    }

    /// The cells beside `cell`.
    pub fn beside(&self, cell: u8) -> u64 {
        self.beside[usize::from(cell)]
    }

    /// The cells that a blank on one of `from` reaches without a tile of `tiles` moving.
    pub fn region(&self, from: u64, tiles: u64) -> u64 {
        let open = self.all & !tiles;
        let mut region = from & open;
        loop {
            let across = (region & self.not_last) << 1 | (region & self.not_first) >> 1;
            let along = region << self.width | region >> self.width;
            let next = (region | across | along) & open;
            if next == region {
                return region;
            }
            region = next;
        }
    }

    /// How many regions the cells beside `tiles` make up.
    pub fn regions(&self, tiles: u64) -> u64 {
        let (mut left, mut count) = (self.all & !tiles, 0);
        while left != 0 {
            left &= !self.region(left & left.wrapping_neg(), tiles);
            count += 1;
        }
        count
    }

    /// All sets of so many cells.
    pub fn sets(&self, cells: usize) -> impl Iterator<Item = u64> + use<> {
        let (all, first) = (self.all, (1 << cells) - 1);
        std::iter::successors(Some(first), |&set: &u64| {
            // The next larger number with as many bits, by Gosper.
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            Some(ripple | (((ripple ^ set) / lowest) >> 2))
        })
        .take_while(move |&set| set <= all)
    }
}

/// The elements of a set of cells.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        first
    })
}
