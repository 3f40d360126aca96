//! Numbers for the states of a pattern.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use loyd_tiles::{CellGraph, CellSet, Size};

use super::layouts::{Layout, Layouts};
use super::pattern::Pattern;
use super::permutations::factorial;

/// Numbers the states of any pattern of so many tiles on boards of a size.
///
/// A state is a set of cells, the region of the blank, and the permutation of the tiles. Set and region
/// together are a [`Layout`], numbered by *q*; the permutation by the *rank* of its inversion table: the
/// sum over the labels l, 0 to k − 1, of the number of larger labels before l in reading order, times
/// (k − 1 − l)!. So a tile that moves past another changes the rank by ± the weight of the smaller label
/// of the two, and a move along a row changes nothing.
///
/// Cost: on up to 16 cells 8 bytes for each of the 2ⁿ sets of n cells, and 16 for each q; on larger boards
/// 8 bytes for each set of k cells, 4 for each set of half of the cells, and 16 for each q: 6 MB for six
/// tiles on 5x5.
#[derive(Clone, Debug)]
pub struct Coordinates {
    size: Size,
    tiles: usize,
    layouts: Layouts,
    weights: [u32; Pattern::MAX_TILES],
}

impl Coordinates {
    /// The numbers for patterns of `tiles` tiles, made once in a program: a millisecond for 16 cells, some
    /// ten for six tiles on 25.
    ///
    /// # Panics
    /// If `tiles` is 0, above [`Pattern::most_tiles`], or leaves no cell to the blank.
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
        let fits = (1..size.cells()).contains(&tiles) && tiles <= Pattern::most_tiles(size);
        assert!(fits, "no patterns of {tiles} tiles on {size} boards");
        let weight = |label| if label < tiles { factorial(tiles - 1 - label) as u32 } else { 0 };
        let layouts = Layouts::new(&CellGraph::new(size), tiles);
        Self { size, tiles, layouts, weights: std::array::from_fn(weight) }
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
        self.layouts.all()
    }

    /// On boards of at most 16 cells, for each set of cells: in bits 0 to 15 its first q, in bits 16 + 3c to
    /// 18 + 3c the number of the region of cell c, which is to be added; 0 for sets of another number of
    /// cells. `None` on larger boards.
    pub fn dense(&self) -> Option<&[u64]> {
        self.layouts.dense()
    }

    /// The number of the layout with tiles on these cells and the blank on `blank`.
    #[inline]
    pub fn q(&self, tiles: CellSet, blank: u8) -> u32 {
        self.layouts.q(tiles, blank)
    }

    /// The places of a table for the states of one permutation: one for each q, and up to the next
    /// multiple of 512, so that each permutation begins a cache line.
    #[inline]
    pub fn stride(&self) -> u64 {
        (self.layouts().len() as u64).next_multiple_of(512)
    }

    /// The number of permutations, k!.
    pub fn permutations(&self) -> u64 {
        factorial(self.tiles)
    }

    /// The number of states.
    pub fn states(&self) -> u64 {
        self.permutations() * self.layouts().len() as u64
    }

    /// The bits of a table.
    pub fn table_bits(&self) -> u64 {
        self.permutations() * self.stride()
    }

    /// What a larger label before `label` adds to the rank of a permutation: (k − 1 − label)!.
    #[inline]
    pub fn weight(&self, label: usize) -> u32 {
        self.weights[label]
    }

    /// The rank of a permutation: the labels in reading order.
    pub fn rank(&self, labels: &[u8]) -> u32 {
        let mut rank = 0;
        for (place, &label) in labels.iter().enumerate() {
            let before = labels[..place].iter().filter(|&&other| other > label).count() as u32;
            rank += before * self.weight(label.into());
        }
        rank
    }

    /// The permutation with this rank; the inverse of [`rank`](Self::rank).
    pub fn unrank(&self, mut rank: u32) -> Vec<u8> {
        let mut larger_before = vec![0; self.tiles];
        for (label, count) in larger_before.iter_mut().enumerate() {
            *count = (rank / self.weight(label)) as usize;
            rank %= self.weight(label);
        }
        // From the largest label down, each goes behind as many as are larger and come before it.
        let mut labels = Vec::with_capacity(self.tiles);
        for label in (0..self.tiles).rev() {
            labels.insert(larger_before[label], label as u8);
        }
        labels
    }

    /// What the rank gains, modulo 2³², when the tile `label` goes from one cell to another, where `tiles`
    /// are the cells of the pattern's tiles and `at` tells the label on each of them.
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
        for other in tiles.before(last).without(CellSet::from_bits((2 << first) - 1)).iter().map(at)
        {
            let weight = self.weight(label.min(other).into());
            // The larger of the two comes before the smaller one, or no longer does.
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
