//! Nodes.
//!
//! # Layout of a node
//! A node has five 64-bit words.
//!
//! The low half of `planes`, `ranks` and `meta` describes the board, the high half its transpose. The halves have
//! the same layout, so that vector code can treat a node as one 64-bit lane or as two 32-bit lanes. Patterns are
//! numbered 1 to 3; number 0 stands for the blank.
//!
//! | word | bits | meaning |
//! |---|---|---|
//! | `board` | 4c to 4c + 3 | goal cell of the tile (or blank) on cell c |
//! | `planes`, each half | 0 to 15 | bit c: bit 0 of the pattern number of the tile on cell c |
//! | | 16 to 31 | bit 16 + c: bit 1 of that pattern number |
//! | `ranks`, each half | 0 to 28 | permutation rank of each pattern, at `Tables::shift` |
//! | | 29 | 0 |
//! | | 30 and 31 | number of the pattern whose tile moved last |
//! | `meta`, low half | 0 to 7 | D mod 4 of pattern n at bits 2n and 2n + 1 (bits 0 and 1 unused) |
//! | | 8 to 24 | parent link: the node's own on the stack, its parent's in the queue and among the seeds |
//! | | 25 to 31 | slack of the board: (bound − f) / 2, signed |
//! | `meta`, high half | 32 to 39 | D mod 4 of the patterns for the transpose |
//! | | 40 to 47 | depth: number of moves from the start |
//! | | 48 to 54 | [`key`]: last move in bits 48 to 50, cell of the blank in bits 51 to 54 |
//! | | 55 and 56 | 0 |
//! | | 57 to 63 | slack of the transpose |
//! | `state` | 0 to 15 | state of the move-pruning automaton: index of its [row](super::rows::Rows) |
//!
//! The slack is at the top of each half so that its sign is the sign of a 32-bit lane and a carry out of it is lost.
//! `planes` gives the cell set of pattern n with two instructions: the cells where both planes equal the bits of n.

use crate::pattern_search::links;
use crate::pattern_search::tables::SLACK;

/// A node. The [module documentation](self) has its layout.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Goal cell of the tile on each cell, four bits per cell.
    pub board: u64,
    /// Pattern number of the tile on each cell, as two bit planes per half.
    pub planes: u64,
    /// Permutation ranks of the patterns, and the pattern that moved last.
    pub ranks: u64,
    /// Distances modulo 4, slack, parent link, depth and key.
    pub meta: u64,
    /// State of the move-pruning automaton.
    pub state: u64,
}

/// The bits of a meta word that prune a node: the signs of the two slacks (31 and 63) and the top bit of the depth
/// (47). A depth of 128 is possible only with corrupt tables; pruning there keeps the depth within its field.
pub const SIGNS: u64 = 1 << 31 | 1 << 63 | 1 << 47;
/// First bit of the parent link in a meta word.
pub const LINK: u32 = 8;
/// Mask of the parent link in a meta word.
pub const LINK_MASK: u64 = ((1 << links::LINK_BITS) - 1) << LINK;
/// First bit of the depth in a meta word.
pub const DEPTH: u32 = 40;
/// First bit of the key in a meta word.
pub const KEY: u32 = 48;
/// Mask of the key in a meta word: 7 bits.
pub const KEY_MASK: u64 = 0x7f << KEY;
/// Mask of the ranks in both halves of `ranks`: all bits below [`TAG`](crate::pattern_search::tables::TAG).
pub const RANKS: u64 = 0x3fff_ffff_3fff_ffff;

/// Stands for the last move in the key of the root, which has none.
pub const ROOT_MOVE: usize = 4;

/// Combines the cell of the blank and the last move into a number below 128.
pub const fn key(blank: usize, last: usize) -> usize {
    blank << 3 | last
}

/// Returns the parent link of a meta word.
pub fn link(meta: u64) -> u32 {
    ((meta & LINK_MASK) >> LINK) as u32
}

/// Returns the meta word with its parent link replaced.
pub fn linked(meta: u64, link: u32) -> u64 {
    meta & !LINK_MASK | u64::from(link) << LINK
}

/// Returns the entry for the parent links of a node whose link is still its parent's.
pub fn entry(meta: u64) -> u32 {
    links::entry(link(meta), (meta >> KEY) as u32 & 3)
}

/// Returns the number of moves from the start.
pub fn depth(meta: u64) -> u32 {
    (meta >> DEPTH) as u32 & 0xff
}

/// Returns the meta word for a bound raised by `2 * steps`.
pub fn raised(meta: u64, steps: u32) -> u64 {
    // Each half separately: a negative slack in the low half would carry into the high half.
    let [low, high] = [meta as u32, (meta >> 32) as u32].map(|h| h.wrapping_add(steps << SLACK));
    u64::from(high) << 32 | u64::from(low)
}

/// Nodes as a structure of arrays: one column per word, so that eight nodes load as one vector. Each column has
/// [`MARGIN`] spare words, because vectors are stored whole.
#[derive(Debug, Default)]
pub struct Nodes {
    pub boards: Vec<u64>,
    pub planes: Vec<u64>,
    pub ranks: Vec<u64>,
    pub metas: Vec<u64>,
    pub states: Vec<u64>,
    /// Number of nodes.
    pub len: usize,
}

/// Number of words that may be written past the last node: one vector.
pub const MARGIN: usize = 8;

impl Nodes {
    /// Allocates room for `nodes` nodes.
    pub fn with_room(nodes: usize) -> Self {
        let column = || vec![0; nodes + MARGIN];
        Self {
            boards: column(),
            planes: column(),
            ranks: column(),
            metas: column(),
            states: column(),
            len: 0,
        }
    }

    /// Returns the number of nodes that fit.
    pub fn room(&self) -> usize {
        self.metas.len().saturating_sub(MARGIN)
    }

    /// Returns the memory that room for `nodes` nodes takes, in bytes.
    pub fn bytes(nodes: usize) -> u64 {
        (nodes + MARGIN) as u64 * size_of::<Node>() as u64
    }

    /// Doubles the room.
    pub fn grow(&mut self) {
        for column in self.columns() {
            column.resize(2 * column.len(), 0);
        }
    }

    /// Appends a node. The caller ensures that there is room.
    pub fn push(&mut self, node: Node) {
        self.boards[self.len] = node.board;
        self.planes[self.len] = node.planes;
        self.ranks[self.len] = node.ranks;
        self.metas[self.len] = node.meta;
        self.states[self.len] = node.state;
        self.len += 1;
    }

    /// Discards the nodes before `first` and moves the others to the front.
    pub fn slide(&mut self, first: usize) {
        let moved = first..self.len;
        for column in self.columns() {
            column.copy_within(moved.clone(), 0);
        }
        self.len -= first;
    }

    fn columns(&mut self) -> [&mut Vec<u64>; 5] {
        let Self { boards, planes, ranks, metas, states, len: _ } = self;
        [boards, planes, ranks, metas, states]
    }
}
