//! The permutations of a placement, and the bits that stand for them.

use crate::placement;

/// The permutations that share a word, half of them even.
const WORD_PERMUTATIONS: usize = 120;

/// The permutations of some tiles.
#[derive(Debug)]
pub struct Orders {
    tiles: usize,
    words: usize,
    /// By parity, label and place: the permutations that have the label there.
    having: Vec<u64>,
}

impl Orders {
    /// The permutations of `tiles` tiles.
    pub fn new(tiles: usize) -> Self {
        let words = placement::words(tiles);
        let mut orders = Self { tiles, words, having: vec![0; 2 * tiles * tiles * words] };
        for rank in 0..(1..=tiles).product() {
            let (labels, is_odd) = unrank(tiles, rank);
            for (place, &label) in labels.iter().enumerate() {
                let first = orders.first(is_odd, label.into(), place);
                orders.having[first + rank / WORD_PERMUTATIONS] |=
                    1 << (rank % WORD_PERMUTATIONS / 2);
            }
        }
        orders
    }

    fn first(&self, is_odd: bool, label: usize, place: usize) -> usize {
        ((usize::from(is_odd) * self.tiles + label) * self.tiles + place) * self.words
    }

    fn having(&self, is_odd: bool, label: usize, place: usize) -> &[u64] {
        &self.having[self.first(is_odd, label, place)..][..self.words]
    }

    /// The permutations of a parity.
    pub fn all(&self, is_odd: bool) -> Vec<u64> {
        let mut all = vec![0; self.words];
        for place in 0..self.tiles {
            let having = self.having(is_odd, 0, place);
            all.iter_mut().zip(having).for_each(|(word, having)| *word |= having);
        }
        all
    }

    /// Leaves those permutations of a parity in `set` that have `label` at `place`.
    pub fn keep(&self, set: &mut [u64], is_odd: bool, label: usize, place: usize) {
        let having = self.having(is_odd, label, place);
        set.iter_mut().zip(having).for_each(|(word, having)| *word &= having);
    }

    /// The labels, place by place, in the permutation of a parity that a bit stands for.
    pub fn labels(&self, is_odd: bool, word: usize, bit: usize) -> Vec<u8> {
        let rank = word * WORD_PERMUTATIONS + 2 * bit;
        let (labels, parity) = unrank(self.tiles, rank);
        if parity == is_odd { labels } else { unrank(self.tiles, rank + 1).0 }
    }
}

/// The labels in the permutation with a rank, and whether it is odd.
fn unrank(tiles: usize, mut rank: usize) -> (Vec<u8>, bool) {
    let (mut labels, mut inversions) = (Vec::with_capacity(tiles), 0);
    for label in (0..tiles).rev() {
        // As many larger labels come before it.
        let larger = rank % (tiles - label);
        rank /= tiles - label;
        inversions += larger;
        labels.insert(larger, label as u8);
    }
    (labels, inversions % 2 == 1)
}
