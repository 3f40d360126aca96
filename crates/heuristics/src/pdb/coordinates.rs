//! Numbers for the states of a pattern.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use loyd_tiles::Size;

use super::graph::bits;

/// Numbers the states of any pattern of so many tiles on boards of a size.
///
/// A state is a set of cells (a mask, bit c for cell c), the region of the blank, and the order of the
/// tiles. Set and region together are numbered by *q*; the order by the *rank* of its inversion table:
/// the sum over the labels l, 0 to k − 1, of the number of larger labels before l in reading order,
/// times (k − 1 − l)!. So a tile that moves past another changes the rank by ± the weight of the
/// smaller label of the two, and a move along a row changes nothing.
///
/// Cost: 8 bytes for each of the 2ⁿ sets of n cells, and 4 for each q.
#[derive(Clone, Debug)]
pub struct Coordinates {
    size: Size,
    tiles: usize,
    info: Vec<u64>,
    rows: Vec<Layout>,
}

/// What one q stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The cells of the pattern's tiles.
    pub mask: u16,
    /// The cells that the blank may be on.
    pub region: u16,
}

/// Bits of [`Coordinates::info`] before those of the regions.
const BASE_BITS: usize = 16;

impl Coordinates {
    /// The numbers for patterns of `tiles` tiles, made once in a program: a millisecond for 16 cells.
    ///
    /// # Panics
    /// If the board has more than 16 cells, or `tiles` is 0 or leaves no cell to the blank.
    pub fn of(size: Size, tiles: usize) -> Arc<Self> {
        static MADE: Mutex<BTreeMap<(usize, usize, usize), Arc<Coordinates>>> =
            Mutex::new(BTreeMap::new());
        let made = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (size.width(), size.height(), tiles);
        let known = made().get(&key).map(Arc::clone);
        known.unwrap_or_else(|| {
            let new = Arc::new(Self::new(size, tiles));
            Arc::clone(made().entry(key).or_insert(new))
        })
    }

    fn new(size: Size, tiles: usize) -> Self {
        let cells = size.cells();
        assert!(cells <= super::MAX_CELLS && (1..cells).contains(&tiles), "no such pattern");
        let mut info = vec![0; 1 << cells];
        let mut rows = Vec::new();
        let neighbours = Neighbours::new(size);
        let masks = (0..info.len()).filter(|mask| mask.count_ones() as usize == tiles);
        for mask in masks {
            let base = rows.len() as u64;
            let mut regions = 0;
            let mut left = !(mask as u16) & (info.len() - 1) as u16;
            for number in 0_u64.. {
                let region = neighbours.region(left, left & left.wrapping_neg());
                for cell in bits(region) {
                    regions |= number << (3 * cell);
                }
                rows.push(Layout { mask: mask as u16, region });
                left &= !region;
                if left == 0 {
                    debug_assert!(number < 8, "no board of 16 cells has nine regions");
                    break;
                }
            }
            info[mask] = base | regions << BASE_BITS;
        }
        Self { size, tiles, info, rows }
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The number of tiles, k.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// What each q stands for.
    pub fn layouts(&self) -> &[Layout] {
        &self.rows
    }

    /// For each set of cells: in bits 0 to 15 its first q, in bits 16 + 3c to 18 + 3c the number of the
    /// region of cell c, which is to be added. 0 for sets of another number of cells.
    pub fn info(&self) -> &[u64] {
        &self.info
    }

    /// The number of a set of cells with the blank on `blank`.
    #[inline]
    pub fn q(&self, mask: u16, blank: u8) -> u32 {
        let info = self.info[usize::from(mask)];
        ((info & 0xffff) + (info >> (BASE_BITS as u32 + 3 * u32::from(blank)) & 7)) as u32
    }

    /// The places of a table for the states of one order: one for each q, and up to the next multiple
    /// of 512, so that each order begins a cache line.
    pub fn stride(&self) -> u64 {
        (self.rows.len() as u64).next_multiple_of(512)
    }

    /// The number of orders, k!.
    pub fn permutations(&self) -> u64 {
        factorial(self.tiles)
    }

    /// The number of states.
    pub fn states(&self) -> u64 {
        self.permutations() * self.rows.len() as u64
    }

    /// What a larger label before `label` adds to the rank of an order: (k − 1 − label)!.
    pub fn weight(&self, label: usize) -> u32 {
        factorial(self.tiles - 1 - label) as u32
    }

    /// The rank of an order: the labels in reading order.
    pub fn rank(&self, order: &[u8]) -> u32 {
        let mut rank = 0;
        for (place, &label) in order.iter().enumerate() {
            let before = order[..place].iter().filter(|&&other| other > label).count() as u32;
            rank += before * self.weight(label.into());
        }
        rank
    }

    /// The order with this rank; the inverse of [`rank`](Self::rank).
    pub fn unrank(&self, mut rank: u32) -> Vec<u8> {
        let mut larger_before = vec![0; self.tiles];
        for (label, count) in larger_before.iter_mut().enumerate() {
            *count = (rank / self.weight(label)) as usize;
            rank %= self.weight(label);
        }
        // From the largest label down, each goes behind as many as are larger and come before it.
        let mut order = Vec::with_capacity(self.tiles);
        for label in (0..self.tiles).rev() {
            order.insert(larger_before[label], label as u8);
        }
        order
    }
}

pub(super) fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// Which cells lie beside which, a bit a cell.
struct Neighbours {
    width: usize,
    /// The cells that are not in the first column, and not in the last.
    not_first: u16,
    not_last: u16,
}

impl Neighbours {
    fn new(size: Size) -> Self {
        let all_but = |column| {
            let cells = size.iter_cells().filter(|&cell| size.column(cell) != column);
            cells.fold(0, |mask, cell| mask | 1 << cell.index())
        };
        let width = size.width();
        Self { width, not_first: all_but(0), not_last: all_but(width - 1) }
    }

    /// The cells of `free` that can be reached from `seed` within `free`.
    fn region(&self, free: u16, seed: u16) -> u16 {
        let mut region = seed;
        loop {
            let across = (region & self.not_last) << 1 | (region & self.not_first) >> 1;
            let along = u32::from(region) << self.width | u32::from(region) >> self.width;
            let grown = (region | across | along as u16) & free;
            if grown == region {
                return region;
            }
            region = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_of_sets_and_regions() {
        let rows = |tiles| Coordinates::new(Size::new(4, 4).unwrap(), tiles).layouts().len();
        assert_eq!((rows(7), rows(8)), (27_748, 35_347));
    }

    #[test]
    fn q_tells_sets_and_regions_apart() {
        let size = Size::new(3, 4).unwrap();
        for tiles in 1..size.cells() {
            let coordinates = Coordinates::new(size, tiles);
            for (q, row) in coordinates.layouts().iter().enumerate() {
                assert_eq!(row.mask & row.region, 0);
                for cell in (0..12).filter(|cell| row.region >> cell & 1 == 1) {
                    assert_eq!(coordinates.q(row.mask, cell), q as u32);
                }
            }
        }
    }

    #[test]
    fn orders_are_ranked_without_gaps() {
        let coordinates = Coordinates::new(Size::EIGHT, 6);
        for rank in 0..720 {
            assert_eq!(coordinates.rank(&coordinates.unrank(rank)), rank);
        }
        assert_eq!(coordinates.rank(&[0, 1, 2, 3, 4, 5]), 0);
        assert_eq!(coordinates.rank(&[5, 4, 3, 2, 1, 0]), 719);
    }
}
