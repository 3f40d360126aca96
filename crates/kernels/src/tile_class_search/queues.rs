//! The two stores of children: a ring buffer of those whose table words are being loaded, and the seeds from which an
//! iteration starts, pruned by an earlier iteration.

use super::node::Node;

/// Children whose words have been prefetched, in the order in which they were generated.
pub struct LookaheadQueue {
    /// Each child with the number of its word across.
    children: [(Node, u32); CAPACITY],
    /// Index of the oldest child.
    first: usize,
    /// Number of children in the queue.
    pub len: usize,
}

/// Room in the queue: at least [`LOOKAHEAD`] and the six children of a root.
const CAPACITY: usize = 64;
/// Number of children that wait before the oldest is tested: enough to hide a cache miss.
pub const LOOKAHEAD: usize = 48;

impl Default for LookaheadQueue {
    fn default() -> Self {
        Self { children: [Default::default(); CAPACITY], first: 0, len: 0 }
    }
}

impl LookaheadQueue {
    /// Removes all children.
    pub fn clear(&mut self) {
        (self.first, self.len) = (0, 0);
    }

    /// Appends a child. The caller ensures that there is room.
    #[inline(always)]
    pub fn put(&mut self, child: Node, number: u32) {
        self.children[(self.first + self.len) % CAPACITY] = (child, number);
        self.len += 1;
    }

    /// Removes and returns the oldest child.
    #[inline(always)]
    pub fn take(&mut self) -> Option<(Node, u32)> {
        self.len = self.len.checked_sub(1)?;
        let child = self.children[self.first];
        self.first = (self.first + 1) % CAPACITY;
        Some(child)
    }
}

/// Children that an iteration pruned, each with the number of its word.
#[derive(Default)]
pub struct Seeds {
    /// The children by depth.
    pub children: Vec<Vec<(Node, u32)>>,
    /// Number of children.
    pub len: usize,
    /// The bound of that iteration.
    pub bound: u8,
    /// By how much the current bound is higher.
    pub raise: u8,
    /// Position of the next seed: its depth + 1, and its index among the children of that depth.
    pub next: (usize, usize),
    /// Numbers of nodes expanded and generated up to that iteration, which later iterations skip but count.
    pub skipped: (u64, u64),
}

/// Maximum number of children kept: 2 MB.
pub const MAX_SEEDS: usize = 1 << 15;

impl Seeds {
    /// Removes all children but keeps the memory.
    pub fn clear(&mut self) {
        self.children.iter_mut().for_each(Vec::clear);
        self.len = 0;
    }

    /// Adds a child. Returns whether the number of children is still within the limit.
    pub fn push(&mut self, child: &Node, number: u32) -> bool {
        let depth = usize::from(child.depth);
        if self.children.len() <= depth {
            self.children.resize_with(depth + 1, Vec::new);
        }
        self.children[depth].push((*child, number));
        self.len += 1;
        self.len <= MAX_SEEDS
    }

    /// Returns the next seed, the deepest first.
    pub fn take(&mut self) -> Option<(Node, u32)> {
        let (above, at) = &mut self.next;
        while *above > 0 {
            if let Some(&seed) = self.children[*above - 1].get(*at) {
                *at += 1;
                return Some(seed);
            }
            (*above, *at) = (*above - 1, 0);
        }
        None
    }

    /// Returns the memory used, in bytes.
    pub fn bytes(&self) -> usize {
        let capacity: usize = self.children.iter().map(Vec::capacity).sum();
        capacity * size_of::<(Node, u32)>()
    }
}
