//! Numbering of the states of a pattern.
//!
//! # Data layout
//! A state of a pattern of k tiles has two coordinates:
//!
//! | coordinate | range | contents |
//! |---|---|---|
//! | *q* | 0 to number of layouts − 1 | which cells have tiles of the pattern (any of them), and the region of the blank: see [`Layout`] |
//! | *rank* | 0 to k! − 1 | order of the labels when the cells are read in row-major order |
//!
//! The bit of a state in a table is `rank · stride + q`, where `stride` is the number of layouts rounded up to a
//! multiple of 512 bits, a cache line.
//!
//! # Rank
//! The rank is the inversion table of the permutation, read as a number in the factorial number system. Let c(l) be the
//! number of labels larger than l that come before l in reading order. Then
//!
//! ```text
//! rank = c(0) · (k−1)! + c(1) · (k−2)! + … + c(k−2) · 1!        weight(l) = (k−1−l)!
//! ```
//!
//! If a tile moves past another one, only c of the smaller of the two labels changes, by ±1. So the rank changes by ±
//! the weight of the smaller label. A move along a row passes no tile and keeps the rank; a vertical move passes the
//! tiles of the pattern on the cells between, of which there are at most width − 1.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use loyd_tiles::{CellGraph, CellSet, Size};

use super::layouts::{Layout, Layouts};
use super::pattern::Pattern;
use super::permutations::factorial;

/// Numbers the states of all patterns of a given number of tiles on boards of a given size.
///
/// A state is a set of cells, the region of the blank, and the permutation of the tiles. Set and region
/// together are a [`Layout`], numbered by *q*. The permutation is numbered by the *rank* of its inversion table: the
/// sum over the labels l, 0 to k − 1, of the number of larger labels before l in reading order, times
/// (k − 1 − l)!. So a tile that moves past another changes the rank by ± the weight of the smaller label
/// of the two, and a move along a row changes nothing.
///
/// Memory: on boards of n ≤ 16 cells, 8 bytes for each of the 2ⁿ sets of cells and 16 for each q. On larger boards,
/// 8 bytes for each set of k cells, 4 for each subset of half of the cells, and 16 for each q: 6 MB for six
/// tiles on 5x5.
#[derive(Clone, Debug)]
pub struct Coordinates {
    size: Size,
    tiles: usize,
    layouts: Layouts,
    weights: [u32; Pattern::MAX_TILES],
}

impl Coordinates {
    /// Returns the numbering for patterns of `tiles` tiles. It is computed once per process: in about 1 ms for 16
    /// cells, and 10 ms for six tiles on 25 cells.
    ///
    /// # Panics
    /// Panics if `tiles` is 0, exceeds [`Pattern::max_tiles`], or leaves no cell for the blank.
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
        let fits = (1..size.cells()).contains(&tiles) && tiles <= Pattern::max_tiles(size);
        assert!(fits, "no patterns of {tiles} tiles on {size} boards");
        let weight = |label| if label < tiles { factorial(tiles - 1 - label) as u32 } else { 0 };
        let layouts = Layouts::new(&CellGraph::new(size), tiles);
        Self { size, tiles, layouts, weights: std::array::from_fn(weight) }
    }

    /// Returns the size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of tiles, k.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Returns the layouts, indexed by q.
    pub fn layouts(&self) -> &[Layout] {
        self.layouts.all()
    }

    /// Returns the table that maps a set of cells (as a 16-bit number) to q, or `None` for boards of more than 16
    /// cells.
    ///
    /// | bits of an entry | contents |
    /// |---|---|
    /// | 0 to 15 | q of the first region of the set |
    /// | 16 + 3c to 18 + 3c | index of the region of cell c, to be added to it |
    ///
    /// Entries of sets of another number of cells are 0.
    pub fn dense(&self) -> Option<&[u64]> {
        self.layouts.dense()
    }

    /// Returns q of the layout with tiles on these cells and the blank on `blank`.
    #[inline]
    pub fn q(&self, tiles: CellSet, blank: u8) -> u32 {
        self.layouts.q(tiles, blank)
    }

    /// Returns the number of bits in a table for the states of one permutation: the number of layouts, rounded up to a
    /// multiple of 512, so that each permutation starts on a cache line.
    #[inline]
    pub fn stride(&self) -> u64 {
        (self.layouts().len() as u64).next_multiple_of(512)
    }

    /// Returns the number of permutations, k!.
    pub fn permutations(&self) -> u64 {
        factorial(self.tiles)
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> u64 {
        self.permutations() * self.layouts().len() as u64
    }

    /// Returns the size of a table in bits.
    pub fn table_bits(&self) -> u64 {
        self.permutations() * self.stride()
    }

    /// Returns the weight of `label`, (k − 1 − label)!: each larger label before it adds this to the rank.
    #[inline]
    pub fn weight(&self, label: usize) -> u32 {
        self.weights[label]
    }

    /// Returns the rank of a permutation, given as the labels in reading order.
    pub fn rank(&self, labels: &[u8]) -> u32 {
        let mut rank = 0;
        for (place, &label) in labels.iter().enumerate() {
            let before = labels[..place].iter().filter(|&&other| other > label).count() as u32;
            rank += before * self.weight(label.into());
        }
        rank
    }

    /// Returns the permutation with this rank; the inverse of [`rank`](Self::rank).
    pub fn unrank(&self, mut rank: u32) -> Vec<u8> {
        // Digits of the factorial number system, the most significant one first.
        let mut larger_before = vec![0; self.tiles];
        for (label, count) in larger_before.iter_mut().enumerate() {
            *count = (rank / self.weight(label)) as usize;
            rank %= self.weight(label);
        }
        // Insert the labels in descending order: those inserted so far are all larger, and `larger_before[label]` of
        // them must precede `label`.
        let mut labels = Vec::with_capacity(self.tiles);
        for label in (0..self.tiles).rev() {
            labels.insert(larger_before[label], label as u8);
        }
        labels
    }

    /// Returns the change of the rank, modulo 2³², when the tile `label` moves from cell `from` to cell `to`. `tiles`
    /// are the cells of the pattern's tiles, and `at` returns the label on each of them.
    #[inline]
    pub fn jump(
        &self,
        label: u8,
        (from, to): (u8, u8),
        tiles: CellSet,
        at: impl Fn(u8) -> u8,
    ) -> u32 {
        let (first, last) = (from.min(to), from.max(to));
        let mut gain = 0_u32;
        // The tiles passed are those strictly between the two cells; (2 << first) - 1 has bits 0 to `first` set.
        for other in tiles.before(last).without(CellSet::from_bits((2 << first) - 1)).iter().map(at)
        {
            let weight = self.weight(label.min(other).into());
            // Moving forward puts `other` before `label`: an inversion (larger before smaller) appears if `other` is
            // larger, and disappears if it is smaller. Moving backward is the reverse.
            let before = (other > label) == (from < to);
            gain = if before { gain.wrapping_add(weight) } else { gain.wrapping_sub(weight) };
        }
        gain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_are_ranked_without_gaps() {
        let coordinates = Coordinates::new(Size::EIGHT, 6);
        for rank in 0..720 {
            assert_eq!(coordinates.rank(&coordinates.unrank(rank)), rank);
        }
        assert_eq!(coordinates.rank(&[0, 1, 2, 3, 4, 5]), 0);
        assert_eq!(coordinates.rank(&[5, 4, 3, 2, 1, 0]), 719);
    }
}
