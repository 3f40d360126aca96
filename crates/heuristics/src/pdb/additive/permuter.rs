//! One step of a build for one layout: what flows into it from others.

use super::permutations::{Block, Permutation, PermutationTables};
use crate::pdb::levels::meet;

/// Finds the new states of whole layouts: in [`Plain`] code, or with the instructions of some machine.
pub trait Permuter: Sync {
    /// Gets ready for permutations of as many tiles as `tables` are about.
    fn new(tables: &PermutationTables) -> Self;

    /// Asks for a layout that will soon be read, if the machine can be asked.
    #[inline]
    fn fetch(&self, _layout: &[Block]) {}

    /// Adds to `layout` what flows into it and was not in it before; returns how many states that are.
    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64;
}

/// What flows into a layout.
#[derive(Clone, Debug, Default)]
pub struct Inflow<'a> {
    /// Layouts that come as they are, by moves along a row of the board.
    pub straight: Vec<&'a [Block]>,
    /// Layouts that come permuted, by vertical moves.
    pub permuted: Vec<(&'a Permutation, &'a [Block])>,
}

/// All permutations of a layout: the states that were met, by bit 1 of their distance.
#[derive(Debug)]
pub struct LayoutMut<'a> {
    /// Those whose bit is that of this level.
    pub same: &'a mut [Block],
    /// Those with the other bit.
    pub other: &'a [Block],
    /// As long as the layout, for what is on the way.
    pub reached: &'a mut [Block],
}

/// [`Permuter::advance`] where `permute` adds the blocks of a layout, permuted, to another. It is inlined, to
/// be compiled for the machine that `permute` is meant for.
#[inline(always)]
pub fn advance(
    inflow: &Inflow<'_>,
    layout: LayoutMut<'_>,
    permute: impl Fn(&Permutation, &[Block], &mut [Block]),
) -> u64 {
    let LayoutMut { same, other, reached } = layout;
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
    for &(permutation, from) in &inflow.permuted {
        permute(permutation, from, reached);
    }
    let reached = reached.as_flattened();
    meet(same.as_flattened_mut(), other.as_flattened(), reached).into()
}

/// Permutes layouts in plain code: an inner permutation is at most four exchanges of neighbouring labels, and an exchange
/// moves the bits of each smaller label up or down by half its weight, and to the other word.
#[derive(Debug)]
pub struct Plain {
    permutations: Vec<Vec<Exchange>>,
}

/// For each label but the last: half its weight, and the permutations in which it is the smaller one of two
/// neighbours and on the left.
type Exchange = Vec<(u32, Block)>;

impl Permuter for Plain {
    fn new(tables: &PermutationTables) -> Self {
        let exchange = |left| tables.smaller_on_left(left);
        let exchanges = tables.inner().iter().map(|permutation| permutation.exchanges());
        Self {
            permutations: exchanges
                .map(|places| places.into_iter().map(exchange).collect())
                .collect(),
        }
    }

    fn advance(&self, inflow: &Inflow<'_>, layout: LayoutMut<'_>) -> u64 {
        advance(inflow, layout, |permutation, from, into| {
            for (into, &(source, inner)) in into.iter_mut().zip(&permutation.blocks) {
                let exchanges = &self.permutations[usize::from(inner)];
                let [even, odd] = exchanges.iter().fold(from[usize::from(source)], exchanged);
                *into = [into[0] | even, into[1] | odd];
            }
        })
    }
}

fn exchanged(block: Block, exchange: &Exchange) -> Block {
    let mut exchanged = [0; 2];
    for &(weight, mask) in exchange {
        for word in 0..2 {
            let (other, up, down) = (block[word ^ 1], mask[word ^ 1], mask[word]);
            exchanged[word] |= (other & up) << weight | (other >> weight) & down;
        }
    }
    exchanged
}
