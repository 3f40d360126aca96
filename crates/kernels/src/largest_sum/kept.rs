//! The nodes of a beam, in half of the memory.

use super::node::{LANES, LONGEST, Node, SUMS};
use super::steps::Steps;
use super::tables::Tables;

/// What a node can be made of.
pub trait Unfold {
    /// Makes `node` of it.
    fn unfold(&self, on: impl Steps, tables: &Tables, node: &mut Node);
}

impl Unfold for Node {
    #[inline]
    fn unfold(&self, _: impl Steps, _: &Tables, node: &mut Node) {
        node.clone_from(self);
    }
}

/// What it takes to make a [`Node`] again.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub struct Kept {
    /// As in the node.
    pub board: [u8; 32],
    /// For each pattern the rank of its permutation.
    ranks: [u16; LANES],
    slack: [i8; SUMS],
    path: [u64; PATH],
    bits: u32,
    parities: u32,
    pub automaton: u32,
    blank: u8,
    depth: u8,
    /// See [`promise`](Self::promise).
    pub promise: u16,
}

/// What a node keeps of its path.
const PATH: usize = Kept::LONGEST as usize / 32;

impl Kept {
    /// The most moves of a path.
    pub const LONGEST: u32 = LONGEST / 2;
    /// Promises are below this.
    pub const PROMISES: usize = (SUMS + 4) * 128;

    /// What is kept of `node`, whose path may have [`LONGEST`](Self::LONGEST) moves.
    #[inline]
    pub fn of(node: &Node) -> Self {
        Self {
            ranks: node.ranks,
            board: node.board,
            slack: node.slack,
            path: std::array::from_fn(|place| node.path[place]),
            bits: node.bits,
            parities: node.parities,
            automaton: node.automaton,
            blank: node.blank,
            depth: node.depth,
            promise: Self::promise(&node.slack),
        }
    }

    /// How promising a node is: the larger, the smaller its sums are, the largest of them most of all; less than
    /// [`PROMISES`](Self::PROMISES).
    #[inline]
    pub fn promise(slack: &[i8; SUMS]) -> u16 {
        let least = slack.iter().copied().min().unwrap_or(0);
        let all: u16 = slack.iter().map(|&slack| u16::from(slack.unsigned_abs())).sum();
        4 * u16::from(least.unsigned_abs()) + all
    }
}

impl Unfold for Kept {
    #[inline(always)]
    fn unfold(&self, on: impl Steps, tables: &Tables, node: &mut Node) {
        node.ranks = self.ranks;
        node.board = self.board;
        on.masks(tables, node);
        node.slack = self.slack;
        node.path = [0; LONGEST as usize / 32];
        node.path[..PATH].copy_from_slice(&self.path);
        (node.bits, node.parities) = (self.bits, self.parities);
        (node.automaton, node.blank, node.depth) = (self.automaton, self.blank, self.depth);
    }
}
