//! What a round begins with: children that the one before has cut off.

use super::node::Node;

/// Children that a round has cut off, each with the number of its word.
#[derive(Default)]
pub struct Seeds {
    /// By depth.
    pub children: Vec<Vec<(Node, u32)>>,
    pub len: usize,
    /// The bound of that round, and by how much that of the next one is larger.
    pub left: u8,
    pub raise: u8,
    /// The depth above the next seed, and its place among those of a depth.
    pub next: (usize, usize),
    /// Nodes expanded and generated in rounds up to that one.
    pub above: (u64, u64),
}

/// Children that are kept at most: 2 MB.
pub const KEPT: usize = 1 << 15;

impl Seeds {
    pub fn clear(&mut self) {
        self.children.iter_mut().for_each(Vec::clear);
        self.len = 0;
    }

    /// Adds a child; returns whether there was room.
    pub fn keep(&mut self, child: &Node, number: u32) -> bool {
        let depth = usize::from(child.depth);
        if self.children.len() <= depth {
            self.children.resize_with(depth + 1, Vec::new);
        }
        self.children[depth].push((*child, number));
        self.len += 1;
        self.len <= KEPT
    }

    /// The next one, the deepest first.
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

    pub fn bytes(&self) -> usize {
        let capacity: usize = self.children.iter().map(Vec::capacity).sum();
        capacity * size_of::<(Node, u32)>()
    }
}
