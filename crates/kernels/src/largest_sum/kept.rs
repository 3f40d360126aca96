//! The nodes of a beam, in less than half of the memory.

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
    /// For each pattern the rank of its permutation.
    ranks: [u16; LANES],
    /// As in the node.
    pub board: [u8; 32],
    slack: [i8; SUMS],
    path: [u64; PATH],
    bits: u32,
    parities: u32,
    pub automaton: u32,
    blank: u8,
    depth: u8,
}

/// What a node keeps of its path.
const PATH: usize = Kept::LONGEST as usize / 32;

impl Kept {
    /// The most moves of a path.
    pub const LONGEST: u32 = LONGEST / 2;

    /// What is kept of `node`, whose path may have [`LONGEST`](Self::LONGEST) moves.
    #[inline]
    pub fn of(tables: &Tables, node: &Node) -> Self {
        let rank = |lane: usize| {
            let places = &tables.ranks[lane];
            // As exact as division, which takes long, because ranks are small: see `Tables::has_short_ranks`.
            let words = (node.bases[lane] - places.first) as i32 as f32;
            (words / places.stride as i32 as f32 + 0.5) as i32 as u16
        };
        Self {
            ranks: std::array::from_fn(
                |lane| if lane < tables.lanes.len() { rank(lane) } else { 0 },
            ),
            board: node.board,
            slack: node.slack,
            path: std::array::from_fn(|place| node.path[place]),
            bits: node.bits,
            parities: node.parities,
            automaton: node.automaton,
            blank: node.blank,
            depth: node.depth,
        }
    }

    /// How promising it is: the smaller the largest sum, the better, and among equals the smaller all sums are.
    pub fn promise(slack: &[i8; SUMS]) -> u32 {
        let least = slack.iter().copied().min().unwrap_or(0);
        let all: u32 = slack.iter().map(|&slack| u32::from(slack.unsigned_abs())).sum();
        u32::from(least.unsigned_abs()) << 16 | all
    }

    /// The same of this one.
    pub fn own_promise(&self) -> u32 {
        Self::promise(&self.slack)
    }
}

impl Unfold for Kept {
    #[inline(always)]
    fn unfold(&self, on: impl Steps, tables: &Tables, node: &mut Node) {
        for ((base, &rank), places) in node.bases.iter_mut().zip(&self.ranks).zip(&tables.ranks) {
            *base = places.first + u32::from(rank) * places.stride;
        }
        node.board = self.board;
        on.masks(tables, node);
        node.slack = self.slack;
        node.path = [0; LONGEST as usize / 32];
        node.path[..PATH].copy_from_slice(&self.path);
        (node.bits, node.parities) = (self.bits, self.parities);
        (node.automaton, node.blank, node.depth) = (self.automaton, self.blank, self.depth);
    }
}
