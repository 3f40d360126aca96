//! The pipeline in plain code, for every machine: batches of eight nodes, each stage a short loop without
//! unpredictable branches.
//!
//! # Why batches
//! A processor overlaps the cache misses of one loop as long as no branch inside is mispredicted. So each stage runs over
//! eight nodes, computes what is data-dependent with arithmetic (each tested node is written to two lists, and only the
//! right one grows), and prefetches what the next stage reads.
//!
//! # Stages
//! | stage | does | reads | writes |
//! |---|---|---|---|
//! | expand | makes the children of up to eight nodes; prefetches the word for the half that is likelier to prune | stack | first queue |
//! | test first | reads that bit; prefetches the word of the other half for the survivors | first queue | second queue or pruned |
//! | test second | reads that bit | second queue | stack or pruned |
//!
//! Half of the children die in the first test, so a child costs one and a half lookups on average instead of two.

mod engine;
mod lookups;
mod node;
mod stages;
mod tables;

use super::engine::{Engine, Pause, Root};
use super::links::{MAX_SEED_LINKS, ParentLinks};
use super::seeds::{Queue, Seeds, sort};
use engine::SeedNodes;
use lookups::Candidates;
use node::{
    ADDED, BATCH, Children, DISTANCE, Halves, LOOKAHEAD, List, NODES, Node, Pool, QUEUE,
    SECOND_LOOKAHEAD, SLACK, STATE, TESTED,
};

pub use engine::BatchEngine;
pub use tables::PortableTables;

impl Engine for BatchEngine {
    type Tables = PortableTables;
    type Nodes = SeedNodes;

    const MAX_FRONTIER: usize = 1 << 15;

    fn new() -> Self {
        Self {
            pool: Pool::new(),
            stack: List::with_room(NODES),
            first: Children::new(),
            second: Children::new(),
            pruned: vec![0; ADDED],
            pruned_len: 0,
            max_pruned: 0,
            keeps_pruned: false,
            links: ParentLinks::new(),
            generated: 0,
            goal: None,
            claimed: 0..0,
            candidates: Candidates::new(),
        }
    }

    fn table_bytes(tables: &PortableTables) -> u64 {
        tables.bytes()
    }

    fn bytes() -> u64 {
        let nodes = NODES * (size_of::<Node>() + 2 * size_of::<u32>());
        (nodes + ParentLinks::BYTES + 2 * QUEUE * size_of::<u64>() + size_of::<Self>()) as u64
    }

    fn pruned_bytes(nodes: usize) -> u64 {
        // The pool may be larger by a quarter than the number of nodes in use.
        let node = size_of::<Node>() * 5 / 4 + size_of::<u64>() + 2 * size_of::<u32>();
        (nodes * node) as u64
    }

    fn set_root(seeds: &mut Seeds<SeedNodes>, tables: &PortableTables, root: Root) {
        let last = TESTED | tables.starts[root.blank] << STATE;
        seeds.nodes.nodes.clear();
        seeds.nodes.nodes.push(Node {
            board: root.board,
            planes: Halves::of(root.planes),
            ranks: Halves::of(root.ranks),
            meta: meta_of(root.meta),
            path: 0,
            last,
            tile: 0,
        });
        seeds.nodes.in_pool = false;
        seeds.order.clear();
        seeds.order.push(0);
        seeds.raised = 0;
    }

    fn start_iteration(&mut self, seeds: &Seeds<SeedNodes>, seed_links: usize) {
        if !seeds.nodes.in_pool {
            self.pool.clear();
        }
        self.stack.len = 0;
        self.first.clear();
        self.second.clear();
        self.links.clear(seed_links);
        self.pruned_len = 0;
        self.keeps_pruned = false;
        self.goal = None;
        self.claimed = 0..0;
    }

    fn keep_pruned(&mut self, nodes: usize) {
        if self.pruned.len() < nodes + ADDED {
            self.pruned.resize(nodes + ADDED, 0);
        }
        self.max_pruned = nodes;
        self.keeps_pruned = true;
    }

    /// Expands nodes while fewer than [`LOOKAHEAD`] children wait. Otherwise tests children: those in the second queue if
    /// there are at least [`SECOND_LOOKAHEAD`] or the first is empty, else those in the first.
    fn run(
        &mut self,
        tables: &PortableTables,
        queue: &Queue<'_, SeedNodes>,
        left: &mut u64,
    ) -> Pause {
        let words = tables.words();
        loop {
            // Before making room, which may renumber the links.
            if self.goal.is_some() {
                return Pause::Goal;
            }
            if self.needs_room() && !self.make_room() {
                return Pause::Full;
            }
            let (first, second) = (self.first.waiting(), self.second.waiting());
            if first + second < LOOKAHEAD {
                if self.stack.len < BATCH && self.load(tables, queue) {
                    continue;
                }
                let count = self.stack.len.min(BATCH).min(*left as usize);
                if count > 0 {
                    *left -= count as u64;
                    // SAFETY: all nodes belong to the search with these tables. The queue has room: fewer than `LOOKAHEAD`
                    // children wait, and `Children::remove` leaves `2 * ADDED` entries free.
                    unsafe { self.expand(tables, words, count) };
                    continue;
                }
                if first + second == 0 {
                    return if self.stack.len > 0 { Pause::Spent } else { Pause::Empty };
                }
            }
            // SAFETY: as above.
            unsafe {
                match second >= SECOND_LOOKAHEAD || first == 0 {
                    true => self.test_second(tables, words),
                    false => self.test_first(tables, words),
                }
            }
        }
    }

    fn take_generated(&mut self) -> u64 {
        std::mem::take(&mut self.generated)
    }

    fn goal(&self) -> Option<(u32, u32)> {
        self.goal
    }

    fn links(&mut self) -> &mut ParentLinks {
        &mut self.links
    }

    fn replace_seeds(&mut self, seeds: &mut Seeds<SeedNodes>) -> bool {
        let all = self.keeps_pruned && self.links.base as usize + self.links.len <= MAX_SEED_LINKS;
        if all {
            if seeds.nodes.in_pool {
                self.pool.release(&seeds.order);
            }
            let pruned = &self.pruned[..self.pruned_len];
            sort(&mut seeds.order, pruned.iter().map(|&node| ((node >> 32) as u32, node as u32)));
            seeds.raised = 0;
        } else if seeds.nodes.in_pool {
            // Copied in the order of the search: the following iterations start with an empty pool.
            seeds.nodes.nodes.clear();
            seeds.nodes.nodes.extend(seeds.order.iter().map(|&number| *self.pool.get(number)));
            (0..).zip(&mut seeds.order).for_each(|(number, place)| *place = number);
        }
        seeds.nodes.in_pool = all;
        all
    }
}

/// Returns `meta` of a node from that of a [`Root`], which has each distance modulo 4.
fn meta_of(root: u64) -> Halves {
    Halves::of(root).map(|meta| {
        let distance = |n: u32| (DISTANCE | meta >> (2 * n) & 3) << (8 * (n - 1));
        meta >> super::tables::SLACK << SLACK | (1..=3).map(distance).sum::<u32>()
    })
}

#[cfg(test)]
mod tests;
