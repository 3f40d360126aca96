//! Nodes and their numbers.
//!
//! # Nodes
//! All nodes lie in a [`Pool`] of cache lines and stay where they are from creation to expansion. The stack, the queues
//! and the list of pruned nodes hold their numbers. A number is the byte offset in the pool, 64 × index.
//!
//! | word | bits | meaning |
//! |---|---|---|
//! | `board` | 4c to 4c + 3 | goal cell of the tile (or blank) on cell c |
//! | `planes`, each half | 0 to 15, 16 to 31 | the two bits of the pattern number of the tile on each cell |
//! | `ranks`, each half | 0 to 28 | permutation rank of each pattern |
//! | `meta`, each half | 0 to 7 | D mod 4 of pattern n (from 1) at bits 2n and 2n + 1, where D is its distance; bits 0 and 1 are not used |
//! | | 25 to 31 | slack: (bound − f) / 2, signed |
//! | `path` | 0 to 31 | parent link: the node's own on the stack, else its parent's |
//! | | 32 to 63 | depth: number of moves from the start |
//! | `last` | 5 to 10 | the step to this node; bits 5 and 6 are its move |
//! | | 12 | [`HALF`]: the half to look up next is that of the transpose |
//! | | 13 | [`TESTED`]: both halves have been looked up |
//! | | 21 to 24 | the tile that moved |
//! | | 32 to 47 | state of the automaton |
//!
//! The low half belongs to the board, the high half to its transpose.

use super::tables::MOVES;

/// A node. The [module documentation](self) has its layout.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub struct Node {
    pub board: u64,
    pub planes: u64,
    pub ranks: u64,
    pub meta: u64,
    pub path: u64,
    pub last: u64,
}

/// Bit of `last`: the half to look up next is that of the transpose. The bit is 8 × 512, where 512 is the byte offset of
/// the transpose in [`PortableTables::tiles`](super::tables::PortableTables).
pub const HALF: u64 = 1 << 12;
/// Bit of `last`: both halves have been looked up.
pub const TESTED: u64 = 1 << 13;
/// First bit of the tile in `last`: a right shift by 16 instead of 21 gives tile × 32, the byte offset in
/// [`PortableTables::tiles`](super::tables::PortableTables).
pub const TILE: u32 = 21;
/// Mask of the step in `last`: the byte offset in
/// [`PortableTables::steps`](super::tables::PortableTables).
pub const STEP: u64 = 0x7e0;

/// Number of nodes that a stage handles at once.
pub const BATCH: usize = 8;
/// Total number of children in both queues from which on no node is expanded: enough to hide a cache miss.
pub const LOOKAHEAD: usize = 16;
/// Number of children in the second queue from which on the second test comes first.
pub const SECOND_LOOKAHEAD: usize = 8;
/// Room of a queue, including tested children.
pub const QUEUE: usize = 1024;
/// Maximum number of nodes that a stage adds to a list.
pub const ADDED: usize = BATCH * MOVES;
/// Initial number of nodes of a pool.
pub const NODES: usize = 1 << 12;

/// All nodes of an engine, and the numbers of the free ones.
#[derive(Debug)]
pub struct Pool {
    pub nodes: Vec<Node>,
    /// Number of nodes that were ever used.
    pub used: usize,
    pub free: List,
}

/// A list of numbers of nodes, with spare room, so that stages add to it without a check.
#[derive(Debug)]
pub struct List {
    pub numbers: Vec<u32>,
    pub len: usize,
}

/// Children that wait for their table word, first in, first out.
#[derive(Debug)]
pub struct Children {
    /// Number of the child in the upper half, number of the bit in the lower half.
    pub entries: Vec<u64>,
    pub first: usize,
    pub len: usize,
}

impl List {
    pub fn with_room(len: usize) -> Self {
        Self { numbers: vec![0; len + ADDED], len: 0 }
    }

    /// Ensures room for `2 * ADDED` numbers.
    pub fn reserve(&mut self) {
        if self.len + 2 * ADDED > self.numbers.len() {
            self.numbers.resize(2 * self.numbers.len(), 0);
        }
    }
}

impl Children {
    pub fn new() -> Self {
        Self { entries: vec![0; QUEUE], first: 0, len: 0 }
    }

    pub fn clear(&mut self) {
        (self.first, self.len) = (0, 0);
    }

    #[inline(always)]
    pub fn waiting(&self) -> usize {
        self.len - self.first
    }

    /// Removes the oldest `tested` children, and moves the others to the front if there is little room.
    #[inline(always)]
    pub fn remove(&mut self, tested: usize) {
        self.first += tested;
        if self.first == self.len {
            self.clear();
        } else if self.len + 2 * ADDED > QUEUE {
            self.entries.copy_within(self.first..self.len, 0);
            (self.first, self.len) = (0, self.len - self.first);
        }
    }

    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries[self.first..self.len].iter().map(|&entry| (entry >> 32) as u32)
    }
}

impl Pool {
    pub fn new() -> Self {
        Self { nodes: vec![Node::default(); NODES], used: 0, free: List::with_room(NODES) }
    }

    pub fn clear(&mut self) {
        (self.used, self.free.len) = (0, 0);
    }

    /// Frees the nodes with these numbers.
    pub fn release(&mut self, numbers: &[u32]) {
        let end = self.free.len + numbers.len();
        self.free.numbers[self.free.len..end].copy_from_slice(numbers);
        self.free.len = end;
    }

    /// Ensures that there are [`ADDED`] free nodes.
    #[inline(always)]
    pub fn reserve(&mut self) {
        if self.free.len < ADDED {
            self.extend();
        }
    }

    /// Adds new nodes to the free ones. Nodes used before are taken first.
    #[cold]
    #[inline(never)]
    pub fn extend(&mut self) {
        const NEW: usize = 512;
        if self.used + NEW > self.nodes.len() {
            // By a quarter: doubling could take twice the memory that is reserved.
            let more = NODES.max(self.nodes.len() / 4);
            self.nodes.reserve_exact(more);
            self.nodes.resize(self.nodes.len() + more, Node::default());
            // All nodes may become free.
            self.free.numbers.resize(self.nodes.len() + ADDED, 0);
        }
        self.free.numbers.copy_within(0..self.free.len, NEW);
        for (number, index) in self.free.numbers[..NEW].iter_mut().zip((0..NEW).rev()) {
            *number = ((self.used + index) * size_of::<Node>()) as u32;
        }
        self.used += NEW;
        self.free.len += NEW;
    }

    #[inline(always)]
    pub fn get(&self, number: u32) -> &Node {
        &self.nodes[number as usize / size_of::<Node>()]
    }

    #[inline(always)]
    pub fn get_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize / size_of::<Node>()]
    }
}
