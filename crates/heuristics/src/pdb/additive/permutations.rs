//! What a vertical move does to the permutation of a pattern's tiles, for all permutations at once.
//!
//! The ranks of the permutations of k tiles are cut into [`Block`]s: the outer index says where the first
//! k − 5 labels stand, the inner one how the last five, the *inner labels*, are arranged on the places
//! that are left. A block is a set of inner permutations, 120 bits in two words: the even ones and the
//! odd ones. A tile that jumps from the i-th place to the j-th sends each block to one other,
//! and permutes the bits within it in one of only 17 ways: an inner label that passes inner labels, or
//! nothing at all. A label that passes an odd number of others makes even permutations odd, so each word of
//! the new block comes from one word of the old.

/// The labels whose permutation is kept within a block.
const INNER: usize = 5;

/// A set of inner permutations, bit ⌊rank / 2⌋ for each: in the first word those with an even number of
/// inversions, in the second the others.
pub type Block = [u64; 2];

/// What a tile does to all permutations by jumping from one place to another.
#[derive(Clone, Debug)]
pub struct Permutation {
    /// For each block: the block that it comes from, and the number of the inner permutation of its bits.
    pub blocks: Vec<(u16, u8)>,
}

/// What every jump does to the permutations of k tiles.
#[derive(Clone, Debug)]
pub struct PermutationTables {
    tiles: usize,
    /// By place from which and to which a tile jumps.
    jumps: Vec<Permutation>,
    /// Inner permutation 0 leaves everything as it is.
    inner: Vec<InnerPermutation>,
}

/// An inner label goes from one place among the inner labels to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InnerPermutation {
    from: usize,
    to: usize,
}

impl InnerPermutation {
    /// Whether even permutations become odd.
    pub fn is_odd(self) -> bool {
        self.from.abs_diff(self.to) % 2 == 1
    }

    /// The exchanges of neighbouring labels that bring it about, one after the other: the left place
    /// of each.
    pub(super) fn exchanges(self) -> Vec<usize> {
        match self.from < self.to {
            true => (self.from..self.to).collect(),
            false => (self.to..self.from).rev().collect(),
        }
    }
}

impl PermutationTables {
    /// The tables for `tiles` tiles.
    pub fn new(tiles: usize) -> Self {
        let mut inner = vec![InnerPermutation { from: 0, to: 0 }];
        for from in 0..tiles.min(INNER) {
            for to in 0..tiles.min(INNER) {
                let jump = to.abs_diff(from);
                // Neighbours that change places do the same from either side.
                if jump > 1 || jump == 1 && from < to {
                    inner.push(InnerPermutation { from, to });
                }
            }
        }
        let mut tables = Self { tiles, jumps: Vec::new(), inner };
        let outer: Vec<Vec<u8>> = (0..tables.blocks()).map(|i| tables.outer_places(i)).collect();
        let jumps = (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to)));
        let jumps = jumps.map(|jump| Permutation { blocks: tables.after_jump(&outer, jump) });
        tables.jumps = jumps.collect();
        tables
    }

    /// The number of blocks that hold all permutations.
    pub fn blocks(&self) -> usize {
        blocks(self.tiles)
    }

    /// The permutations in a block: k! for k up to 5, then 120.
    pub fn block_permutations(&self) -> usize {
        factorial(self.tiles.min(INNER)) as usize
    }

    /// What the jump of a tile from the place `from` to the place `to` does.
    pub fn jump(&self, from: usize, to: usize) -> &Permutation {
        &self.jumps[from * self.tiles + to]
    }

    /// The ways in which the bits of a block are permuted.
    pub fn inner(&self) -> &[InnerPermutation] {
        &self.inner
    }

    /// For each bit of the two words of a block, the bit that an inner permutation brings there: from the
    /// same word, or from the other one if the permutation is odd. Bits that stand for no permutation stay.
    pub fn sources(&self, permutation: InnerPermutation) -> [[u8; 64]; 2] {
        let tiles = self.tiles.min(INNER);
        let mut sources = [std::array::from_fn(|bit| bit as u8); 2];
        for index in 0..self.block_permutations() {
            let mut labels = inner_labels(tiles, index);
            let label = labels.remove(permutation.from);
            labels.insert(permutation.to, label);
            let (word, bit) = place(rank(&labels));
            sources[word][bit] = place(index).1 as u8;
        }
        sources
    }

    /// For each label but the last: what is added to the bit of a permutation, half its weight, when it
    /// passes from the place `left` to the next a larger label, and the permutations in which it stands on
    /// `left` with a larger label behind it.
    pub(super) fn smaller_on_left(&self, left: usize) -> Vec<(u32, Block)> {
        let tiles = self.tiles.min(INNER);
        let mask = |label: usize| {
            let mut mask = [0; 2];
            for index in 0..self.block_permutations() {
                let labels = inner_labels(tiles, index);
                if usize::from(labels[left]) == label && usize::from(labels[left + 1]) > label {
                    let (word, bit) = place(index);
                    mask[word] |= 1 << bit;
                }
            }
            mask
        };
        let weight = |label| factorial(tiles - 1 - label) as u32;
        (0..tiles - 1).map(|label| (weight(label) / 2, mask(label))).collect()
    }

    /// Where each block comes from, and how its bits are permuted, if a tile jumps; `outer` has the labels on
    /// the places of each.
    fn after_jump(&self, outer: &[Vec<u8>], (from, to): (usize, usize)) -> Vec<(u16, u8)> {
        if to == from {
            return Vec::new();
        }
        let outer_labels = self.tiles - self.tiles.min(INNER);
        let mut before = vec![0; self.tiles];
        let block = |after: &Vec<u8>| {
            before.copy_from_slice(after);
            match from < to {
                true => before[from..=to].rotate_right(1),
                false => before[to..=from].rotate_left(1),
            }
            let inner_before = |places: &[u8], place: usize| {
                places[..place].iter().filter(|&&label| label == INNER_LABEL).count()
            };
            let (start, end) = (inner_before(&before, from), inner_before(after, to));
            let moved = after[to] == INNER_LABEL && start != end;
            let permutation = if moved { self.inner_permutation(start, end) } else { 0 };
            (outer_rank(&before, outer_labels), permutation)
        };
        outer.iter().map(block).collect()
    }

    fn inner_permutation(&self, from: usize, to: usize) -> u8 {
        let (from, to) = if to + 1 == from { (to, from) } else { (from, to) };
        let place =
            self.inner.iter().position(|&permutation| permutation == InnerPermutation { from, to });
        place.expect("all jumps are listed") as u8
    }

    /// Which outer label stands on each place in the block with this index, [`INNER_LABEL`] where an
    /// inner one does.
    fn outer_places(&self, mut index: usize) -> Vec<u8> {
        let inner = self.tiles.min(INNER);
        let mut places = vec![INNER_LABEL; inner];
        // The last outer label counts only inner ones before it, and so on backwards.
        for label in (0..self.tiles - inner).rev() {
            let choices = places.len() + 1;
            places.insert(index % choices, label as u8);
            index /= choices;
        }
        places
    }
}

/// Stands for any inner label, and is larger than outer ones.
const INNER_LABEL: u8 = u8::MAX;

/// n!.
pub(super) fn factorial(n: usize) -> u64 {
    (1..=n as u64).product()
}

/// The number of blocks that hold all permutations of `tiles` tiles.
pub(super) fn blocks(tiles: usize) -> usize {
    (factorial(tiles) / factorial(tiles.min(INNER))) as usize
}

/// The word and the bit of a block that the inner permutation with this rank has.
pub(super) fn place(rank: usize) -> (usize, usize) {
    // The inversions of a permutation add up to the digits of its rank in the number system of factorials.
    let (mut inversions, mut rest) = (0, rank);
    for choices in 2..=INNER {
        inversions += rest % choices;
        rest /= choices;
    }
    (inversions % 2, rank / 2)
}

/// The index of the block with these outer labels on their places.
fn outer_rank(places: &[u8], outer_labels: usize) -> u16 {
    let rank = (0..outer_labels).fold(0, |rank, label| {
        let before = places.iter().take_while(|&&other| usize::from(other) != label);
        let larger = before.filter(|&&other| usize::from(other) > label).count();
        rank * (places.len() - label) + larger
    });
    rank as u16
}

/// The inner labels, from 0, in the permutation of this rank.
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

/// The rank of an inner permutation.
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
    fn five_labels_are_permuted_in_seventeen_ways() {
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
                let (word, bit) = place(rank);
                block[word] |= 1 << bit;
            }
            assert_eq!(block, [all - all / 2, all / 2].map(|count| (1 << count) - 1));
        }
    }

    #[test]
    fn a_jump_is_that_of_a_tile_in_every_permutation() {
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
                        let (word, bit) = place(order);
                        let source = usize::from(sources[usize::from(inner)][word][bit]);
                        let expected = (word ^ usize::from(is_odd), source);
                        assert_eq!(place(before % permutations.block_permutations()), expected);
                    }
                }
            }
        }
    }
}
