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
//! | `meta`, each half | 8n − 8 to 8n − 1 | distance of pattern n (from 1) plus a multiple of 4; see [`DISTANCE`] |
//! | | 24 to 31 | slack: (bound − f) / 2, signed |
//! | `path` | 0 to 31 | parent link: the node's own on the stack, else its parent's |
//! | | 32 to 63 | depth: number of moves from the start |
//! | `last` | 5 to 10 | the step to this node; bits 5 and 6 are its move |
//! | | 15 | [`TESTED`]: both halves have been looked up |
//! | | 16 to 31 | state of the automaton |
//! | `tile` | 5 to 8 | the tile that moved |
//! | | 9 | [`HALF`]: the half to look up next is that of the transpose |
//!
//! The first half belongs to the board, the second to its transpose. The other bits of `last` are those of the
//! [row](super::tables::PortableTables::rows) that the node comes from.

/// A word for the board and one for its transpose.
///
/// Both are written together, as one word of 64 bits, and one of them is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Halves([u32; 2]);

impl Halves {
    /// Splits a word whose lower half is for the board.
    #[inline(always)]
    pub const fn of(word: u64) -> Self {
        Self([word as u32, (word >> 32) as u32])
    }

    #[inline(always)]
    pub const fn word(self) -> u64 {
        self.0[0] as u64 | (self.0[1] as u64) << 32
    }

    /// Changes both words.
    #[inline(always)]
    pub fn map(self, change: impl Fn(u32) -> u32) -> Self {
        Self(self.0.map(change))
    }

    /// Returns the word for the board (0) or its transpose (1).
    ///
    /// # Safety
    /// `half` is at most 1.
    #[inline(always)]
    pub unsafe fn get(&self, half: usize) -> u32 {
        // SAFETY: see above.
        unsafe { *self.0.get_unchecked(half) }
    }

    /// Replaces the word for the board (0) or its transpose (1).
    ///
    /// # Safety
    /// `half` is at most 1.
    #[inline(always)]
    pub unsafe fn set(&mut self, half: usize, word: u32) {
        // SAFETY: see above.
        unsafe { *self.0.get_unchecked_mut(half) = word };
    }
}

/// A node. The [module documentation](self) has its layout.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub struct Node {
    pub board: u64,
    pub planes: Halves,
    pub ranks: Halves,
    pub meta: Halves,
    pub path: u64,
    pub last: u32,
    /// Byte offset of the tile, for the half to look up next, in [`PortableTables::tiles`](super::tables::PortableTables).
    pub tile: u32,
}

impl Node {
    /// Returns the half to look up next: 0 for the board, 1 for the transpose.
    #[inline(always)]
    pub fn half(tile: u32) -> usize {
        (tile >> HALF_BIT) as usize
    }
}

const HALF_BIT: u32 = 9;
/// Bit of `tile`: the half to look up next is that of the transpose.
pub const HALF: u32 = 1 << HALF_BIT;
/// Bit of `last`: both halves have been looked up.
pub const TESTED: u32 = 1 << 15;
/// First bit of the state in `last`.
pub const STATE: u32 = 16;
/// Mask of the step in `last`: the byte offset in [`PortableTables::steps`](super::tables::PortableTables).
pub const STEP: u32 = 0x7e0;
/// First bit of the slack in each half of `meta`.
pub const SLACK: u32 = 24;
/// What a distance has added in `meta`, so that it stays between 0 and 255 although only its value modulo 4 is known at
/// first: no distance of a pattern changes by more than 64.
pub const DISTANCE: u32 = 64;

/// Maximum number of moves from a cell.
pub const MOVES: usize = 4;
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
