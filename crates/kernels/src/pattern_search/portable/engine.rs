//! The state of one thread's search, and its memory management.

use std::ops::Range;

use super::lookups::{Candidates, bit_of};
use super::node::{ADDED, BATCH, Children, List, Node, Pool, SLACK, TESTED};
use super::tables::PortableTables;
use crate::cpu::prefetch;
use crate::pattern_search::links::{ParentLinks, entry};
use crate::pattern_search::seeds::Queue;
use crate::pattern_search::tables::Tables;

/// The state of one thread's search.
#[derive(Debug)]
pub struct BatchEngine {
    pub pool: Pool,
    /// Nodes within the bound, to be expanded from the top.
    pub stack: List,
    /// Children of which no half has been looked up.
    pub first: Children,
    /// Children of which the second half is to be looked up.
    pub second: Children,
    /// Pruned nodes: number in the lower half, depth in the upper half.
    pub pruned: Vec<u64>,
    pub pruned_len: usize,
    /// Maximum number of pruned nodes to keep.
    pub max_pruned: usize,
    pub keeps_pruned: bool,
    pub links: ParentLinks,
    /// Number of children generated since the count was last taken.
    pub generated: u64,
    /// Parent link and depth of the goal, once found.
    pub goal: Option<(u32, u32)>,
    /// Seeds claimed from the shared queue but not yet loaded.
    pub claimed: Range<usize>,
    pub candidates: Candidates,
}

/// The seeds: in the pool of the first engine while each iteration replaces them, then in a separate list.
#[derive(Debug, Default)]
pub struct SeedNodes {
    pub nodes: Vec<Node>,
    pub in_pool: bool,
}

impl BatchEngine {
    /// Counts the pruned nodes that were just written, or frees them if they are not kept.
    #[inline(always)]
    pub fn add_pruned(&mut self, count: usize) {
        if self.keeps_pruned {
            self.pruned_len += count;
            return;
        }
        for index in 0..count {
            let number = self.pruned[self.pruned_len + index] as u32;
            self.pool.free.numbers[self.pool.free.len + index] = number;
        }
        self.pool.free.len += count;
    }

    /// Loads up to [`BATCH`] seeds. Returns whether there were any.
    pub fn load(&mut self, tables: &PortableTables, queue: &Queue<'_, SeedNodes>) -> bool {
        if self.claimed.is_empty() {
            self.claimed = queue.claim();
        }
        let first = self.claimed.start;
        self.claimed.start = (first + BATCH).min(self.claimed.end);
        let raised = queue.seeds.raised;
        self.pool.reserve();
        let next = self.claimed.start..(self.claimed.start + BATCH).min(self.claimed.end);
        for &seed in &queue.seeds.order[next] {
            match queue.seeds.nodes.in_pool {
                true => prefetch(&self.pool.nodes, seed as usize / size_of::<Node>()),
                false => prefetch(&queue.seeds.nodes.nodes, seed as usize),
            }
        }
        for &seed in &queue.seeds.order[first..self.claimed.start] {
            let mut node = match queue.seeds.nodes.in_pool {
                true => *self.pool.get(seed),
                false => queue.seeds.nodes.nodes[seed as usize],
            };
            // A seed may be needed again, so it is copied.
            self.pool.free.len -= 1;
            let number = self.pool.free.numbers[self.pool.free.len];
            node.meta = node.meta.map(|meta| meta.wrapping_add(raised << SLACK));
            if node.last & TESTED == 0 {
                // SAFETY: the seed is a node of this search.
                let bit = unsafe { bit_of(tables, &node) };
                prefetch(tables.words(), bit as usize >> 6);
                self.second.entries[self.second.len] = u64::from(number) << 32 | u64::from(bit);
                self.second.len += 1;
            } else {
                let link = self.links.push(entry(node.path as u32, node.last >> 5 & 3));
                node.path = node.path & !0xffff_ffff | u64::from(link);
                self.stack.numbers[self.stack.len] = number;
                self.stack.len += 1;
                if node.board == Tables::GOAL {
                    self.goal = Some((link, (node.path >> 32) as u32));
                }
            }
            *self.pool.get_mut(number) = node;
        }
        first < self.claimed.start
    }

    /// Returns whether there may be too little room for what is added until the next check.
    #[inline(always)]
    pub fn needs_room(&self) -> bool {
        self.stack.len + 2 * ADDED > self.stack.numbers.len()
            || self.links.len + ADDED > self.links.limit
            || self.keeps_pruned && self.pruned_len + ADDED > self.max_pruned
    }

    /// Makes room, and stops keeping pruned nodes if there are too many. Returns `false` if more than half of the parent
    /// links are still in use after compaction.
    #[cold]
    pub fn make_room(&mut self) -> bool {
        self.stack.reserve();
        if self.keeps_pruned && self.pruned_len + ADDED > self.max_pruned {
            self.drop_pruned();
        }
        if self.links.len + ADDED > self.links.limit {
            // Compaction drops the links of pruned nodes, so they cannot become seeds.
            self.drop_pruned();
            self.compact();
            return self.links.len <= self.links.limit / 2;
        }
        true
    }

    /// Frees the pruned nodes, and keeps no more of them.
    pub fn drop_pruned(&mut self) {
        if self.keeps_pruned {
            self.keeps_pruned = false;
            let count = std::mem::take(&mut self.pruned_len);
            self.add_pruned(count);
        }
    }

    /// Drops the parent links that no node on the stack or in a queue needs.
    pub fn compact(&mut self) {
        let numbers: Vec<u32> = self.stack.numbers[..self.stack.len]
            .iter()
            .copied()
            .chain(self.first.numbers())
            .chain(self.second.numbers())
            .collect();
        let link = |&number: &u32| self.pool.get(number).path as u32;
        let mut used: Vec<u32> = numbers.iter().map(link).collect();
        self.links.compact(&mut used);
        for (number, link) in numbers.into_iter().zip(used) {
            let path = &mut self.pool.get_mut(number).path;
            *path = *path & !0xffff_ffff | u64::from(link);
        }
    }
}
