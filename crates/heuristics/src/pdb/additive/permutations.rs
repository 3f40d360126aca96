//! The effect of a vertical move on the permutation of a pattern's tiles, for all permutations at once.
//!
//! # Data layout
//! The set of permutations of a layout (one bit for each of the k! ranks) is stored in k! / 120 [`Block`]s (a single
//! block if k ≤ 5). A rank is cut in two:
//!
//! ```text
//! rank = block index · 120 + inner rank
//! ```
//!
//! | part | contents |
//! |---|---|
//! | block index | the places of the *outer labels* 0 to k − 6 |
//! | inner rank, 0 to 119 | the order of the last five labels, the *inner labels*, on the remaining places |
//!
//! Each block is two words:
//!
//! | word | bit | inner permutation |
//! |---|---|---|
//! | 0 | ⌊inner rank / 2⌋, 0 to 59 | even number of inversions |
//! | 1 | ⌊inner rank / 2⌋, 0 to 59 | odd number of inversions |
//!
//! The ranks 2i and 2i + 1 differ only in their last digit in the factorial number system, and so in the
//! parity of the inversions. So exactly one of them is in each word.
//!
//! # Moves
//! A tile that jumps from the i-th to the j-th place in reading order permutes all ranks. Since the outer labels keep
//! their places or are shifted in the same way for all permutations of a block, each block is mapped to one other
//! block. Within it, the bits are permuted in one of 17 ways:
//!
//! * If the tile has an outer label, or has an inner one but passes only outer ones, the inner permutation stays: 1
//!   way.
//! * Otherwise an inner label moves from one place to another among the five inner ones: 20 ordered pairs of places, of
//!   which the 4 swaps of neighbours occur in both directions, which leaves 16.
//!
//! An inner label that passes an odd number of inner labels makes even permutations odd, so each word of the new block
//! comes from one word of the old one.

/// Maximum number of inner labels: 5! / 2 = 60 permutations fit in a word.
const INNER: usize = 5;

/// A set of inner permutations. The bit of a permutation is ⌊rank / 2⌋, in the first word if its number of inversions
/// is even, in the second if it is odd.
pub type Block = [u64; 2];

/// The effect on all permutations of a tile jumping from one place to another.
#[derive(Clone, Debug)]
pub struct Permutation {
    /// For each block: the source block, and the index in [`PermutationTables::inner`] of the permutation of its bits.
    pub blocks: Vec<(u16, u8)>,
}

/// The effects of all jumps on the permutations of k tiles.
#[derive(Clone, Debug)]
pub struct PermutationTables {
    tiles: usize,
    /// The effect of a jump from place i to place j, at index i · k + j.
    jumps: Vec<Permutation>,
    /// The ways in which the bits of a block are permuted; index 0 is the identity.
    inner: Vec<InnerPermutation>,
}

/// The move of an inner label from one place among the inner labels to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerPermutation {
    from: usize,
    to: usize,
}

impl InnerPermutation {
    /// Returns whether even permutations become odd.
    pub fn is_odd(self) -> bool {
        self.from.abs_diff(self.to) % 2 == 1
    }

    /// Decomposes the move into swaps of neighbouring labels. Returns the left place of each swap, in order.
    pub(super) fn swaps(self) -> Vec<usize> {
        match self.from < self.to {
            true => (self.from..self.to).collect(),
            false => (self.to..self.from).rev().collect(),
        }
    }
}

impl PermutationTables {
    /// Creates the tables for `tiles` tiles.
    pub fn new(tiles: usize) -> Self {
        let mut inner = vec![InnerPermutation { from: 0, to: 0 }];
        for from in 0..tiles.min(INNER) {
            for to in 0..tiles.min(INNER) {
                let jump = to.abs_diff(from);
                // A swap of neighbours is the same move in both directions; it is listed once.
                if jump > 1 || jump == 1 && from < to {
                    inner.push(InnerPermutation { from, to });
                }
            }
        }
        let mut tables = Self { tiles, jumps: Vec::new(), inner };
        let outer: Vec<Vec<u8>> = (0..tables.blocks()).map(|i| tables.outer_places(i)).collect();
        let jumps = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let jumps =
            jumps.map(|jump| Permutation { blocks: tables.blocks_after_jump(&outer, jump) });
        tables.jumps = jumps.collect();
        tables
    }

    /// Returns the number of blocks for all permutations.
    pub fn blocks(&self) -> usize {
        blocks(self.tiles)
    }

    /// Returns the number of permutations in a block: k! for k up to 5, else 120.
    pub fn block_permutations(&self) -> usize {
        factorial(self.tiles.min(INNER)) as usize
    }

    /// Returns the effect of a tile jumping from place `from` to place `to`.
    pub fn jump(&self, from: usize, to: usize) -> &Permutation {
        &self.jumps[from * self.tiles + to]
    }

    /// Returns the ways in which the bits of a block are permuted.
    pub fn inner(&self) -> &[InnerPermutation] {
        &self.inner
    }

    /// Returns, for each bit of the two words of a block, the source bit under an inner permutation. It is in the
    /// same word, or in the other one if the permutation is odd. Unused bits are their own source.
    pub fn sources(&self, permutation: InnerPermutation) -> [[u8; 64]; 2] {
        let tiles = self.tiles.min(INNER);
        let mut sources = [std::array::from_fn(|bit| bit as u8); 2];
        for index in 0..self.block_permutations() {
            // Apply the move to the permutation `index`; its bit goes to that of the result.
            let mut labels = inner_labels(tiles, index);
            let label = labels.remove(permutation.from);
            labels.insert(permutation.to, label);
            let (word, bit) = word_and_bit(rank(&labels));
            sources[word][bit] = word_and_bit(index).1 as u8;
        }
        sources
    }

    /// Returns the effect of swapping the labels on places `left` and `left + 1`, split by the smaller of the two
    /// labels.
    ///
    /// If that label is on the left, the swap adds an inversion to it: the rank increases by its weight (24, 6, 2 or 1
    /// for five labels), and the bit by half of that, rounded down (12, 3, 1 or 0). For each label but the last, the
    /// result has this shift, and the set of permutations with the label on `left` and a larger one on `left + 1`.
    pub(super) fn smaller_on_left(&self, left: usize) -> Vec<(u32, Block)> {
        let tiles = self.tiles.min(INNER);
        let mask = |label: usize| {
            let mut mask = [0; 2];
            for index in 0..self.block_permutations() {
                let labels = inner_labels(tiles, index);
                if usize::from(labels[left]) == label && usize::from(labels[left + 1]) > label {
                    let (word, bit) = word_and_bit(index);
                    mask[word] |= 1 << bit;
                }
            }
            mask
        };
        let weight = |label| factorial(tiles - 1 - label) as u32;
        (0..tiles - 1).map(|label| (weight(label) / 2, mask(label))).collect()
    }

    /// Returns the source block and the inner permutation of each block for a jump. `outer` has the places of the outer
    /// labels of each block.
    fn blocks_after_jump(&self, outer: &[Vec<u8>], (from, to): (usize, usize)) -> Vec<(u16, u8)> {
        if to == from {
            return Vec::new();
        }
        let outer_labels = self.tiles - self.tiles.min(INNER);
        let mut before = vec![0; self.tiles];
        let block = |after: &Vec<u8>| {
            // Undo the jump: the tile on `to` returns to `from`, and the tiles between shift by one.
            before.copy_from_slice(after);
            match from < to {
                true => before[from..=to].rotate_right(1),
                false => before[to..=from].rotate_left(1),
            }
            let inner_before = |places: &[u8], place: usize| {
                places[..place].iter().filter(|&&label| label == INNER_LABEL).count()
            };
            // The place of the tile among the inner labels, before and after the jump.
            let (start, end) = (inner_before(&before, from), inner_before(after, to));
            let moved = after[to] == INNER_LABEL && start != end;
            let permutation = if moved { self.inner_permutation(start, end) } else { 0 };
            (outer_rank(&before, outer_labels), permutation)
        };
        outer.iter().map(block).collect()
    }

    /// Returns the index of an inner permutation.
    fn inner_permutation(&self, from: usize, to: usize) -> u8 {
        let (from, to) = if to + 1 == from { (to, from) } else { (from, to) };
        let place =
            self.inner.iter().position(|&permutation| permutation == InnerPermutation { from, to });
        place.expect("all jumps are listed") as u8
    }

    /// Returns the outer label on each place in the block with this index, or [`INNER_LABEL`] for an inner label.
    fn outer_places(&self, mut index: usize) -> Vec<u8> {
        let inner = self.tiles.min(INNER);
        let mut places = vec![INNER_LABEL; inner];
        // Insert outer labels in descending order, as in `Coordinates::unrank`: all labels inserted so far are larger.
        for label in (0..self.tiles - inner).rev() {
            let choices = places.len() + 1;
            places.insert(index % choices, label as u8);
            index /= choices;
        }
        places
    }
}

/// Stands for any inner label; compares larger than outer labels.
const INNER_LABEL: u8 = u8::MAX;

/// Returns n!.
pub(super) fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// Returns the number of blocks for all permutations of `tiles` tiles.
pub(super) fn blocks(tiles: usize) -> usize {
    (factorial(tiles) / factorial(tiles.min(INNER))) as usize
}

/// Returns the word and the bit of the inner permutation with this rank.
pub(super) fn word_and_bit(rank: usize) -> (usize, usize) {
    // The digits of the rank in the factorial number system are the inversions of each label; their sum is the number
    // of inversions of the permutation.
    let (mut inversions, mut rest) = (0, rank);
    for choices in 2..=INNER {
        inversions += rest % choices;
        rest /= choices;
    }
    (inversions % 2, rank / 2)
}

/// Returns the index of the block with these outer labels on their places.
fn outer_rank(places: &[u8], outer_labels: usize) -> u16 {
    let rank = (0..outer_labels).fold(0, |rank, label| {
        let before = places.iter().take_while(|&&other| usize::from(other) != label);
        let larger = before.filter(|&&other| usize::from(other) > label).count();
        rank * (places.len() - label) + larger
    });
    rank as u16
}

/// Returns the inner permutation with this rank, with labels from 0.
fn inner_labels(tiles: usize, rank: usize) -> Vec<u8> {
    let mut labels = Vec::with_capacity(tiles);
    let mut rest = rank;
    for label in (0..tiles).rev() {
        let choices = tiles - label;
        labels.insert(rest % choices, label as u8);
        rest /= choices;
    }
    labels
}

/// Returns the rank of an inner permutation, with labels from 0.
fn rank(labels: &[u8]) -> usize {
    let larger_before = |label: u8| {
        labels.iter().take_while(|&&other| other != label).filter(|&&other| other > label).count()
    };
    (0..labels.len() as u8)
        .fold(0, |rank, label| rank * (labels.len() - usize::from(label)) + larger_before(label))
}

#[cfg(test)]
mod tests {
    use loyd_tiles::Size;

    use super::super::coordinates::Coordinates;
    use super::*;

    #[test]
    fn blocks_of_five_labels_have_17_inner_permutations() {
        assert_eq!(PermutationTables::new(7).inner().len(), 17);
        assert_eq!(
            (PermutationTables::new(7).blocks(), PermutationTables::new(8).blocks()),
            (42, 336)
        );
        assert_eq!(
            (PermutationTables::new(3).blocks(), PermutationTables::new(3).block_permutations()),
            (1, 6)
        );
    }

    #[test]
    fn every_permutation_has_a_bit() {
        for tiles in 1..=7 {
            let permutations = PermutationTables::new(tiles);
            let mut block = [0_u64; 2];
            let all = permutations.block_permutations();
            for rank in 0..all {
                let (word, bit) = word_and_bit(rank);
                block[word] |= 1 << bit;
            }
            assert_eq!(block, [all - all / 2, all / 2].map(|count| (1 << count) - 1));
        }
    }

    #[test]
    fn jumps_agree_with_ranks_for_every_permutation() {
        for tiles in 1..=7 {
            let coordinates = Coordinates::of(Size::new(4, 4).unwrap(), tiles);
            let permutations = PermutationTables::new(tiles);
            let sources: Vec<_> = permutations
                .inner()
                .iter()
                .map(|&permutation| permutations.sources(permutation))
                .collect();
            for (from, to) in (0..tiles).flat_map(|i| (0..tiles).map(move |j| (i, j))) {
                for (block, &(source, inner)) in
                    permutations.jump(from, to).blocks.iter().enumerate()
                {
                    let is_odd = permutations.inner()[usize::from(inner)].is_odd();
                    for order in 0..permutations.block_permutations() {
                        let rank = |block, order| {
                            (block * permutations.block_permutations() + order) as u32
                        };
                        let mut labels = coordinates.unrank(rank(block, order));
                        let label = labels.remove(to);
                        labels.insert(from, label);
                        let before = coordinates.rank(&labels) as usize;
                        assert_eq!(before / permutations.block_permutations(), usize::from(source));
                        let (word, bit) = word_and_bit(order);
                        let source = usize::from(sources[usize::from(inner)][word][bit]);
                        let expected = (word ^ usize::from(is_odd), source);
                        let found = word_and_bit(before % permutations.block_permutations());
                        assert_eq!(found, expected);
                    }
                }
            }
        }
    }
}
