//! The pipeline loop: a stack of nodes to expand, and a queue of children that wait for their table bits.
//!
//! | container | holds | order |
//! |---|---|---|
//! | `stack` | nodes within the bound, each with its own parent link | last in, first out |
//! | `waiting` | generated children with their bit indices, cache lines requested | first in, first out |
//! | `links` | parent-link entries of all nodes ever on the stack, until compacted | append-only |
//! | `pruned` | children beyond the bound, while there are few enough | order of generation |

use std::ops::Range;

use super::node::{MARGIN, Nodes, depth, entry, link, linked, raised};
use super::steps::MAX_CHILDREN;
use crate::pattern_search::engine::Pause;
use crate::pattern_search::links::ParentLinks;
use crate::pattern_search::seeds::{Queue, Seeds};
use crate::pattern_search::tables::Tables;

/// A search that can be interrupted and resumed: the work of one thread.
#[derive(Debug)]
pub struct VectorEngine {
    /// Nodes within the bound, to be expanded from the top.
    pub stack: Nodes,
    /// Children whose table bits have been prefetched.
    pub waiting: LookaheadQueue,
    /// Parent links of all nodes on the stack.
    pub links: ParentLinks,
    /// Children beyond the bound, if `keeps_pruned`.
    pub pruned: Nodes,
    /// Whether children beyond the bound are kept.
    pub keeps_pruned: bool,
    /// Number of children generated since the last [`take_generated`](crate::pattern_search::engine::Engine::take_generated).
    pub generated: u64,
    /// Parent link and depth of the goal, once found.
    pub goal: Option<(u32, u32)>,
    /// Seeds claimed from the shared queue but not yet on the stack.
    pub claimed: Range<usize>,
}

/// Children in the order in which they were generated.
#[derive(Debug)]
pub struct LookaheadQueue {
    /// The nodes. Those before `first` have been tested.
    pub nodes: Nodes,
    /// The two bit indices of each node: for the board in the low half, for the transpose in the high half.
    pub bit_indices: Vec<u64>,
    /// Index of the oldest child that waits.
    pub first: usize,
}

/// Initial room on the stack, in nodes.
pub const STACK: usize = 1 << 12;
/// Maximum number of nodes added between two checks for room: one vector of seeds, and the children of one vector of
/// parents.
const RESERVE: usize = (MAX_CHILDREN + 1) * MARGIN;
/// Room in the queue, including tested children. Small enough for the queue to stay in L1.
pub const WAITING: usize = 512;

/// The stages of the pipeline on one instruction level.
pub trait Stages {
    /// Number of nodes processed at once.
    const LANES: usize;
    /// Number of children that wait before the oldest are tested: large enough to hide a cache miss.
    const LOOKAHEAD: usize;
    /// Nodes taken from the stack.
    type Parents;
    /// Takes `nodes` nodes from the stack.
    fn pop(&self, engine: &mut VectorEngine, nodes: usize) -> Self::Parents;
    /// Appends the children of `parents` to the queue.
    fn expand(&self, engine: &mut VectorEngine, parents: Self::Parents);
    /// Reads the bits of the oldest waiting children, at most `LANES`, and pushes those within the bound.
    fn test(&self, engine: &mut VectorEngine);
}

impl VectorEngine {
    /// Searches below the nodes on the stack and the seeds of `queue` until `left` nodes have been expanded, and
    /// decrements `left` accordingly.
    ///
    /// The oldest children are tested once [`Stages::LOOKAHEAD`] wait, when their bits have arrived. Parents are popped
    /// before tested children are pushed: loading words that overlapping vector stores have just written would stall.
    ///
    /// Compaction happens before the pop: nodes that are neither on the stack nor in the queue would lose their parent
    /// links.
    #[inline(always)]
    pub fn run_stages<S: Stages>(
        &mut self,
        stages: &S,
        queue: &Queue<'_, Nodes>,
        left: &mut u64,
    ) -> Pause {
        const { assert!(S::LANES <= MARGIN) };
        loop {
            if self.needs_room() && !self.make_room() {
                return Pause::Full;
            }
            if self.stack.len < S::LANES {
                self.load(queue, S::LANES - self.stack.len);
                if self.goal.is_some() {
                    return Pause::Goal;
                }
            }
            let nodes = S::LANES.min(self.stack.len);
            let waits = if nodes < S::LANES { self.waiting.len() } else { 0 };
            if nodes == 0 && waits == 0 {
                return Pause::Empty;
            }
            if nodes == 0 || waits >= S::LOOKAHEAD {
                // The stack cannot fill a vector, and enough children wait: testing some of them first may fill it.
                if let Some(pause) = self.test(stages) {
                    return pause;
                }
                continue;
            }
            let nodes = nodes.min(*left as usize);
            if nodes == 0 {
                return Pause::Spent;
            }
            let parents = stages.pop(self, nodes);
            while self.waiting.len() >= S::LOOKAHEAD {
                if let Some(pause) = self.test(stages) {
                    return pause;
                }
            }
            *left -= nodes as u64;
            stages.expand(self, parents);
        }
    }

    /// Tests the oldest waiting children. Returns [`Pause::Goal`] if one of them is the goal.
    #[inline(always)]
    fn test<S: Stages>(&mut self, stages: &S) -> Option<Pause> {
        stages.test(self);
        self.waiting.slide(S::LOOKAHEAD + MAX_CHILDREN * S::LANES);
        self.goal.is_some().then_some(Pause::Goal)
    }

    /// Pushes up to `nodes` seeds, and notes if one of them is the goal.
    fn load(&mut self, queue: &Queue<'_, Nodes>, nodes: usize) {
        if self.claimed.is_empty() {
            self.claimed = queue.claim();
        }
        let first = self.claimed.start;
        self.claimed.start = (first + nodes).min(self.claimed.end);
        let (before, goal) = (self.stack.len, Tables::GOAL);
        load_seeds(queue.seeds, first..self.claimed.start, &mut self.stack);
        for index in before..self.stack.len {
            let meta = &mut self.stack.metas[index];
            let link = self.links.push(entry(*meta));
            *meta = linked(*meta, link);
            if self.stack.boards[index] == goal {
                self.goal = Some((link, depth(*meta)));
            }
        }
    }

    /// Returns whether there may be too little room for the nodes added until the next check.
    fn needs_room(&self) -> bool {
        self.stack.len + RESERVE > self.stack.room()
            || self.links.len + RESERVE > self.links.limit
            || self.keeps_pruned && self.pruned.len + RESERVE > self.pruned.room()
    }

    /// Makes room for nodes and parent links, and stops keeping pruned nodes if there are too many. Returns `false` if
    /// more than half of the parent links are still in use after compaction.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.stack.len + RESERVE > self.stack.room() {
            self.stack.grow();
        }
        if self.keeps_pruned && self.pruned.len + RESERVE > self.pruned.room() {
            self.keeps_pruned = false;
        }
        if self.links.len + RESERVE > self.links.limit {
            // Compaction drops the links of pruned nodes, so they cannot become seeds.
            self.keeps_pruned = false;
            self.compact();
            return self.links.len <= self.links.limit / 2;
        }
        true
    }

    /// Drops the parent links that no node on the stack or in the queue needs.
    fn compact(&mut self) {
        let (stack, waiting) = (&mut self.stack, &mut self.waiting);
        let waiting = &mut waiting.nodes.metas[waiting.first..waiting.nodes.len];
        let metas = || stack.metas[..stack.len].iter().chain(waiting.iter());
        let mut used: Vec<u32> = metas().map(|&meta| link(meta)).collect();
        self.links.compact(&mut used);
        let metas = stack.metas[..stack.len].iter_mut().chain(waiting);
        metas.zip(used).for_each(|(meta, link)| *meta = linked(*meta, link));
    }
}

/// Pushes the seeds at `places` of the search order onto `stack`, with their slack for the current bound. The caller
/// ensures that there is room.
fn load_seeds(seeds: &Seeds<Nodes>, places: Range<usize>, stack: &mut Nodes) {
    let (nodes, order) = (&seeds.nodes, &seeds.order[places]);
    let range = stack.len..stack.len + order.len();
    let columns = [
        (&nodes.boards, &mut stack.boards),
        (&nodes.planes, &mut stack.planes),
        (&nodes.ranks, &mut stack.ranks),
        (&nodes.states, &mut stack.states),
    ];
    for (from, to) in columns {
        for (word, &index) in to[range.clone()].iter_mut().zip(order) {
            *word = from[index as usize];
        }
    }
    for (meta, &index) in stack.metas[range.clone()].iter_mut().zip(order) {
        *meta = raised(nodes.metas[index as usize], seeds.raised);
    }
    stack.len = range.end;
}

impl LookaheadQueue {
    /// Returns the number of children that wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len - self.first
    }

    /// Ensures room for `children` waiting children, by moving them to the front of the columns if necessary.
    #[inline]
    fn slide(&mut self, children: usize) {
        if self.first + children > self.nodes.room() {
            self.bit_indices.copy_within(self.first..self.nodes.len, 0);
            self.nodes.slide(self.first);
            self.first = 0;
        }
    }
}
