//! One level of a build for one layout.
//!
//! A layout is an array of [`Block`]s, one bit per permutation. The new states of a layout are computed in three
//! stages:
//!
//! 1. `reached` = union of the source layouts whose moves keep the permutation ([`Inflow::straight`]).
//! 2. For each vertical move ([`Inflow::permuted`]): permute the blocks of the source layout and add them to `reached`.
//!    This stage takes most of the time, and is what implementations of [`Permuter`] differ in.
//! 3. [`add_new_states`]: remove the known states from `reached`, add the others to the layout, and count them.

use super::permutations::{Block, Permutation, PermutationTables};
use crate::pdb::levels::add_new_states;

/// Finds the new states of whole layouts, in portable code ([`Plain`]) or with instructions of a specific CPU.
pub trait Permuter: Sync {
    /// Prepares for permutations of the number of tiles of `tables`.
    fn new(tables: &PermutationTables) -> Self;

    /// Prefetches a layout that will soon be read, if the implementation can.
    #[inline]
    fn prefetch(&self, _layout: &[Block]) {}

    /// Adds the states of `inflow` to `layout` unless they are known, and returns the number of new states.
    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64;
}

/// The source layouts of the moves into a layout.
#[derive(Clone, Debug, Default)]
pub struct Inflow<'a> {
    /// Source layouts of moves that keep the permutation.
    pub straight: Vec<&'a [Block]>,
    /// Source layouts of vertical moves, with the permutation of each move.
    pub permuted: Vec<(&'a Permutation, &'a [Block])>,
}

/// The states of a layout found so far, by bit 1 of their distance.
#[derive(Debug)]
pub struct LayoutMut<'a> {
    /// States with the bit of this level.
    pub same: &'a mut [Block],
    /// States with the other bit.
    pub other: &'a [Block],
    /// Scratch memory of the same length, for the states reached by this level.
    pub reached: &'a mut [Block],
}

/// Implements [`Permuter::advance`]. `permute` must permute the blocks of its second argument and add them to its
/// third. Always inlined, so that it is compiled with the target features of the caller.
#[inline(always)]
pub fn advance(
    inflow: &Inflow<'_>,
    layout: LayoutMut<'_>,
    permute: impl Fn(&Permutation, &[Block], &mut [Block]),
) -> u64 {
    let LayoutMut { same, other, reached } = layout;
    // Stage 1. Copying the first layout saves clearing `reached`.
    match inflow.straight.split_first() {
        None => reached.fill([0; 2]),
        Some((first, others)) => {
            reached.copy_from_slice(first);
            for from in others {
                for (into, from) in reached.iter_mut().zip(*from) {
                    *into = [into[0] | from[0], into[1] | from[1]];
                }
            }
        }
    }
    // Stage 2.
    for &(permutation, from) in &inflow.permuted {
        permute(permutation, from, reached);
    }
    // Stage 3.
    let reached = reached.as_flattened();
    add_new_states(same.as_flattened_mut(), other.as_flattened(), reached).into()
}

/// Permutes layouts in portable code. An inner permutation is decomposed into at most four swaps of neighbouring
/// labels. A swap moves each bit up or down by half the weight of the smaller label, and to the other word.
#[derive(Debug)]
pub struct Plain {
    /// The swaps of each inner permutation.
    permutations: Vec<Vec<Swap>>,
}

/// A swap of two neighbouring places. For each label but the last: half its weight, and the set of permutations in
/// which it is on the left place and smaller than the label on the right one.
type Swap = Vec<(u32, Block)>;

impl Permuter for Plain {
    fn new(tables: &PermutationTables) -> Self {
        let swap = |left| tables.smaller_on_left(left);
        let swaps = tables.inner().iter().map(|permutation| permutation.swaps());
        Self { permutations: swaps.map(|places| places.into_iter().map(swap).collect()).collect() }
    }

    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        advance(inflow, layout, |permutation, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&permutation.blocks) {
                let swaps = &self.permutations[usize::from(inner)];
                let [even, odd] = swaps.iter().fold(from[usize::from(source)], swapped);
                *into = [into[0] | even, into[1] | odd];
            }
        })
    }
}

/// Swaps the labels on two neighbouring places in all permutations of a block.
///
/// For each smaller label, `mask` has the permutations with that label on the left. The swap exchanges them with
/// the ones with the label on the right, whose bits are higher by the shift. A swap changes the number of
/// inversions by one, so all bits of a word come from the other word.
fn swapped(block: Block, swap: &Swap) -> Block {
    let mut swapped = [0; 2];
    for &(shift, mask) in swap {
        for word in 0..2 {
            // `up`: sources with the label on the left. `down`: destinations with the label on the left.
            let (other, up, down) = (block[word ^ 1], mask[word ^ 1], mask[word]);
            swapped[word] |= (other & up) << shift | (other >> shift) & down;
        }
    }
    swapped
}
