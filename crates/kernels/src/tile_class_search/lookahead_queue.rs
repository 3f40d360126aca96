//! Children whose words are on their way from memory.

use super::node::Node;

/// Children whose words have been asked for, in the order in which they were made.
pub struct LookaheadQueue {
    children: [(Node, u32); CAPACITY],
    first: usize,
    pub len: usize,
}

/// Room in the queue, and the children that wait before the oldest is looked at.
const CAPACITY: usize = 64;
pub const AHEAD: usize = 48;

impl Default for LookaheadQueue {
    fn default() -> Self {
        Self { children: [Default::default(); CAPACITY], first: 0, len: 0 }
    }
}

impl LookaheadQueue {
    pub fn clear(&mut self) {
        (self.first, self.len) = (0, 0);
    }

    #[inline(always)]
    pub fn put(&mut self, child: Node, number: u32) {
        self.children[(self.first + self.len) % CAPACITY] = (child, number);
        self.len += 1;
    }

    /// The oldest child.
    #[inline(always)]
    pub fn take(&mut self) -> Option<(Node, u32)> {
        self.len = self.len.checked_sub(1)?;
        let child = self.children[self.first];
        self.first = (self.first + 1) % CAPACITY;
        Some(child)
    }
}
