//! A layer of a beam: the boards of one depth with the highest scores, each once.
//!
//! # Hash table
//! Boards are found again by a hash table with linear probing, `places`. An entry has 32 bits:
//!
//! | bits | meaning |
//! |---|---|
//! | 0 to 21 | number of the node, from 1; 0 for an empty place |
//! | 22 to 31 | the same bits of the hash of its board |
//!
//! The ten bits of the hash avoid most comparisons of boards, each of which is a cache miss. Other bits, 32 and up,
//! select the first place to probe.
//!
//! Nodes are inserted in two steps to overlap those misses: [`add`](Layer::add) prefetches the place, and
//! [`flush`](Layer::flush) the node found there, before it inserts all nodes.
//!
//! # Layout of a packed node
//! A layer stores nodes in half of the memory. A packed node (160 bytes, 32-byte aligned) lacks the 128 bytes of
//! `masks`, which are recomputed from the board, and half of the path. The other fields are as in [`Node`]:
//!
//! | offset | field | bytes |
//! |---|---|---|
//! | 0 | `board` | 32 |
//! | 32 | `ranks` | 64 |
//! | 96 | `slack` | 16 |
//! | 112 | `path` | 32: up to 128 moves |
//! | 144 | `bits`, `parities`, `automaton` | 4 each |
//! | 156 | `blank`, `depth` | 1 each |
//! | 158 | `score` | 2 |

use super::node::{LANES, MAX_MOVES, Node, SUMS};
use super::steps::{Steps, Unpack};
use super::tables::Tables;
use crate::cpu::prefetch;

/// A [`Node`] without redundant fields; see the [module](self) for the layout.
#[derive(Clone, Debug)]
#[repr(C, align(32))]
pub struct PackedNode {
    /// Per cell: goal cell of the tile or blank on it.
    pub board: [u8; 32],
    /// Per lane: rank of the permutation.
    ranks: [u16; LANES],
    slack: [i8; SUMS],
    path: [u64; PATH],
    bits: u32,
    parities: u32,
    /// State of the move automaton.
    pub automaton: u32,
    blank: u8,
    depth: u8,
    /// See [`score`](Self::score).
    pub score: u16,
}

/// Number of words of the path.
const PATH: usize = PackedNode::MAX_MOVES as usize / 32;

impl PackedNode {
    /// Maximum number of moves of a path.
    pub const MAX_MOVES: u32 = MAX_MOVES / 2;
    /// Exclusive upper bound of scores: 4 + [`SUMS`] terms of at most 127.
    pub const SCORES: usize = (SUMS + 4) * 128;

    /// Packs `node`, whose path has at most [`MAX_MOVES`](Self::MAX_MOVES) moves.
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
            score: Self::score(&node.slack),
        }
    }

    /// Returns the score of a node, below [`SCORES`](Self::SCORES): the total slack plus four times the least, which
    /// belongs to the largest sum. The higher the score, the smaller the sums and the more promising the node. Unused
    /// sums add the same to every score. No slack of a beam node is negative.
    #[inline]
    pub fn score(slack: &[i8; SUMS]) -> u16 {
        let least = slack.iter().copied().min().unwrap_or(0);
        let all: u16 = slack.iter().map(|&slack| u16::from(slack.unsigned_abs())).sum();
        4 * u16::from(least.unsigned_abs()) + all
    }
}

impl Unpack for PackedNode {
    #[inline(always)]
    fn unpack(&self, steps: impl Steps, tables: &Tables, node: &mut Node) {
        node.ranks = self.ranks;
        node.board = self.board;
        steps.rebuild_masks(tables, node);
        node.slack = self.slack;
        node.path = [0; MAX_MOVES as usize / 32];
        node.path[..PATH].copy_from_slice(&self.path);
        (node.bits, node.parities) = (self.bits, self.parities);
        (node.automaton, node.blank, node.depth) = (self.automaton, self.blank, self.depth);
    }
}

/// Collects the nodes of a layer and keeps those with the highest scores.
///
/// It holds up to 1¼ times its width, and is cut to its width each time it is full.
#[derive(Debug, Default)]
pub struct Layer {
    /// Number of nodes that the layer keeps.
    width: usize,
    /// The nodes, in order of insertion.
    nodes: Vec<PackedNode>,
    /// Hash table of the nodes; the length is a power of 2.
    places: Vec<u32>,
    /// By score: number of nodes inserted, for scores above `least`.
    counts: Vec<u32>,
    /// Nodes with this score or less are dropped: `width` nodes have a higher one. 0 until the layer has that many
    /// nodes.
    least: u16,
    /// Number of nodes with a score above `least`.
    above: usize,
    /// Nodes to be inserted, with the hashes of their boards.
    waiting: Vec<(PackedNode, u64)>,
}

/// Number of bits of a place that hold the number of a node.
const NUMBER_BITS: u32 = 22;

impl Layer {
    /// Upper bound of [`bytes`](Self::bytes) per node of the width, apart from tiny widths: 1¼ nodes in each of two
    /// layers, and at most four places for each of those nodes.
    pub const MAX_BYTES_PER_NODE: usize =
        5 * (2 * size_of::<PackedNode>() + 4 * size_of::<u32>()) / 4;
    /// Maximum width, so that 1¼ times as many nodes have numbers.
    pub const MAX_WIDTH: usize = 1 << (NUMBER_BITS - 1);

    /// Returns the memory in bytes of a layer of this width and of the layer of its parents.
    pub fn bytes(width: usize) -> u64 {
        (2 * Self::max_nodes(width) * size_of::<PackedNode>()
            + Self::places(width) * size_of::<u32>()) as u64
    }

    /// Returns the allocated memory in bytes.
    pub fn held_bytes(&self) -> u64 {
        let few = self.waiting.capacity() * size_of::<(PackedNode, u64)>()
            + (self.places.capacity() + self.counts.capacity()) * size_of::<u32>();
        (self.nodes.capacity() * size_of::<PackedNode>() + few) as u64
    }

    /// Returns the number of nodes at which a layer is cut to its width.
    fn max_nodes(width: usize) -> usize {
        width + width.div_ceil(4)
    }

    /// Returns the number of places for a layer of this width: a power of 2, at least twice the number of nodes.
    fn places(width: usize) -> usize {
        (2 * Self::max_nodes(width)).next_power_of_two().max(1 << 10)
    }

    /// Removes all nodes and reserves memory for the children of `parents` nodes, at most for `width` nodes. On average
    /// a node has about two children.
    pub fn clear(&mut self, parents: usize, width: usize) {
        let room = width.min(2 * parents);
        self.width = width.max(1);
        self.nodes.clear();
        self.nodes.reserve_exact(Self::max_nodes(room));
        self.places.clear();
        self.places.resize(Self::places(room), 0);
        self.counts.clear();
        self.counts.resize(PackedNode::SCORES, 0);
        (self.least, self.above) = (0, 0);
        self.waiting.clear();
    }

    /// Adds a node, unless enough nodes have a higher score. It is inserted by the next [`flush`](Self::flush).
    #[inline]
    pub fn add(&mut self, node: &Node) {
        if PackedNode::score(&node.slack) > self.least {
            let hash = hash(&node.board);
            prefetch(&self.places, self.first_place(hash));
            self.waiting.push((PackedNode::of(node), hash));
        }
    }

    /// Inserts all nodes that were added.
    pub fn flush(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        for &(_, hash) in &waiting {
            if let Some(known) = self.number(self.first_place(hash), hash) {
                prefetch(&self.nodes, known);
            }
        }
        for (node, hash) in &waiting {
            self.insert(node, *hash);
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    /// Inserts a node, unless the layer has its board already; then the moves back to both parents are forbidden to the
    /// node with that board.
    fn insert(&mut self, node: &PackedNode, hash: u64) {
        if node.score <= self.least {
            return;
        }
        let place = match self.find(&node.board, hash) {
            Ok(known) => {
                // A state of a beam's automaton is 16 times the cell of the blank plus a bit per forbidden move.
                self.nodes[known].automaton |= node.automaton;
                return;
            }
            Err(place) => place,
        };
        self.nodes.push(node.clone());
        self.places[place] = entry(self.nodes.len(), hash);
        self.count(node.score);
        if self.nodes.len() == Self::max_nodes(self.width) {
            self.cut();
            self.rebuild_places();
        }
    }

    /// Counts a node with a score above `least`, and raises `least` while `width` nodes remain above it.
    fn count(&mut self, score: u16) {
        self.counts[usize::from(score)] += 1;
        self.above += 1;
        loop {
            let next = self.counts[usize::from(self.least) + 1] as usize;
            if self.above - next < self.width {
                break;
            }
            self.above -= next;
            self.least += 1;
        }
    }

    /// Returns the index of the node with this board, or the free place for it as an error.
    #[inline]
    fn find(&self, board: &[u8; 32], hash: u64) -> Result<usize, usize> {
        let mut place = self.first_place(hash);
        while self.places[place] != 0 {
            if let Some(known) = self.number(place, hash)
                && self.nodes[known].board == *board
            {
                return Ok(known);
            }
            place = (place + 1) & (self.places.len() - 1);
        }
        Err(place)
    }

    /// Returns the first place to probe for a board with this hash.
    #[inline]
    fn first_place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.places.len() - 1)
    }

    /// Returns the index of the node at a place if its board may have this hash.
    #[inline]
    fn number(&self, place: usize, hash: u64) -> Option<usize> {
        let entry = self.places[place];
        let number = (entry & ((1 << NUMBER_BITS) - 1)).checked_sub(1)?;
        ((entry ^ hash as u32) >> NUMBER_BITS == 0).then_some(number as usize)
    }

    /// Removes all but the `width` nodes with the highest scores. Of several nodes with the lowest score that is kept,
    /// the first ones stay.
    fn cut(&mut self) {
        let (least, last) = (self.least, self.least + 1);
        let too_many = self.above.saturating_sub(self.width);
        self.above -= too_many;
        self.counts[usize::from(last)] -= too_many as u32;
        let mut equal = self.counts[usize::from(last)];
        self.nodes.retain(|node| {
            if node.score != last {
                return node.score > least;
            }
            let stays = equal > 0;
            equal -= u32::from(stays);
            stays
        });
    }

    /// Rebuilds the hash table after a cut, which changes the indices of nodes.
    fn rebuild_places(&mut self) {
        self.places.fill(0);
        for number in 0..self.nodes.len() {
            let board = &self.nodes[number].board;
            let hash = hash(board);
            let place = self.find(board, hash).expect_err("no board occurs twice");
            self.places[place] = entry(number + 1, hash);
        }
    }

    /// Moves the `width` nodes with the highest scores to `layer`, and takes over the memory of `layer`.
    pub fn finish(&mut self, layer: &mut Vec<PackedNode>) {
        self.cut();
        std::mem::swap(&mut self.nodes, layer);
    }
}

/// Returns the entry of the hash table for a node.
fn entry(number: usize, hash: u64) -> u32 {
    number as u32 | (hash as u32 >> NUMBER_BITS) << NUMBER_BITS
}

/// Hashes a board. Every cell affects bits 22 and up, which are the ones in use. The multiplier is 2⁶⁴ divided by the
/// golden ratio, rounded to an odd number (Knuth's multiplicative hashing).
#[inline]
fn hash(board: &[u8; 32]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let words: [u64; 4] = bytemuck::cast(*board);
    let mix = |hash: u64, word: u64| (hash.rotate_left(27) ^ word).wrapping_mul(ODD);
    let hash = words.into_iter().fold(0, mix);
    hash ^ hash >> 29
}
