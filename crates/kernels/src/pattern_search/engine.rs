//! The pipeline: a stack of nodes to expand, and children that wait for their bits.

use std::ops::Range;

use super::node::{MARGIN, Nodes, depth, entry, linked};
use super::parent_links::{MAX_SEED_LINKS, ParentLinks};
use super::seeds::Queue;
use super::steps::PLACES;
use super::tables::Tables;

/// A search that can be interrupted and resumed: the work of one thread.
#[derive(Debug)]
pub struct Engine {
    /// Nodes within the bound, to be expanded from the top.
    pub stack: Nodes,
    /// Children whose bits have been asked for.
    pub waiting: LookaheadQueue,
    /// The parent links of all nodes on the stack.
    pub links: ParentLinks,
    /// Nodes beyond the bound, while they are kept.
    pub cut: Nodes,
    /// Whether nodes beyond the bound are kept.
    pub keeps_cut: bool,
    /// Children made since [`Engine::take_generated`].
    pub generated: u64,
    /// The parent link and the depth of a goal that was found.
    pub goal: Option<(u32, u32)>,
    /// Seeds that were claimed and are still to come.
    claimed: Range<usize>,
}

/// Children in the order in which they were made.
#[derive(Debug)]
pub struct LookaheadQueue {
    /// The nodes; those before `first` are done with.
    pub nodes: Nodes,
    /// For each node the numbers of its bits, for the board in the low half.
    pub bits: Vec<u64>,
    /// The first node that waits.
    pub first: usize,
}

/// Nodes that the stack has room for at first.
const STACK: usize = 1 << 12;
/// Nodes that may come between two checks of the room for them: a vector of seeds, and as many children
/// as there are places for.
const RESERVE: usize = (PLACES + 1) * MARGIN;
/// Children that may wait, those done with included: few, so that they stay in the nearest cache.
const WAITING: usize = 512;

/// Why an engine pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// A goal was found.
    Goal,
    /// It has expanded as many nodes as it was allowed, and there are more.
    Spent,
    /// Nothing is left within the bound.
    Empty,
    /// There is no room for parent links.
    Full,
}

/// The steps of the pipeline on some machine.
pub trait Stages {
    /// Nodes that are dealt with at once.
    const LANES: usize;
    /// Children that wait before the oldest are looked at.
    const AHEAD: usize;
    /// Nodes taken from the stack.
    type Parents;
    /// Takes `nodes` nodes from the stack.
    fn pop(&self, engine: &mut Engine, nodes: usize) -> Self::Parents;
    /// Puts the children of nodes in the queue.
    fn expand(&self, engine: &mut Engine, parents: Self::Parents);
    /// Looks at the bits of the oldest waiting children, and puts those within the bound on the stack.
    fn test(&self, engine: &mut Engine);
}

impl Engine {
    /// An idle engine.
    pub fn new() -> Self {
        Self {
            stack: Nodes::with_room(STACK),
            waiting: LookaheadQueue {
                nodes: Nodes::with_room(WAITING),
                bits: vec![0; WAITING + MARGIN],
                first: 0,
            },
            links: ParentLinks::new(),
            cut: Nodes::default(),
            keeps_cut: false,
            generated: 0,
            goal: None,
            claimed: 0..0,
        }
    }

    /// Bytes that an engine holds which does not keep nodes beyond the bound.
    pub fn bytes() -> u64 {
        let links = (ParentLinks::LIMIT + MARGIN) * size_of::<u32>();
        Nodes::bytes(STACK) + Nodes::bytes(WAITING) + links as u64
    }

    /// Gets ready for a round whose seeds have so many parent links.
    pub fn begin(&mut self, seed_links: usize) {
        self.stack.len = 0;
        (self.waiting.first, self.waiting.nodes.len) = (0, 0);
        self.links.clear(seed_links);
        self.cut.len = 0;
        self.keeps_cut = false;
        self.goal = None;
        self.claimed = 0..0;
    }

    /// Keeps nodes beyond the bound, up to so many.
    pub fn keep_cut(&mut self, nodes: usize) {
        if self.cut.room() < nodes {
            self.cut = Nodes::with_room(nodes);
        }
        self.keeps_cut = true;
    }

    /// The children made since the last call.
    pub fn take_generated(&mut self) -> u64 {
        std::mem::take(&mut self.generated)
    }

    /// Searches below the nodes on the stack and the seeds of `queue` until `left` nodes have been
    /// expanded, and counts `left` down.
    ///
    /// Children wait until [`Stages::AHEAD`] of them do, so that their bits are there when they are
    /// looked at. Parents are taken from the stack before others are put there: reading what has just
    /// been written would stall.
    ///
    /// Room is made before that, too: nodes that are neither on the stack nor in the queue would lose
    /// their parent links.
    #[inline(always)]
    pub fn run<S: Stages>(&mut self, stages: &S, queue: &Queue<'_>, left: &mut u64) -> Pause {
        const { assert!(S::LANES <= MARGIN) };
        loop {
            if self.is_tight() && !self.make_room() {
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
            if nodes == 0 || waits >= S::AHEAD {
                // Better a full vector later than a part of one now.
                if let Some(rest) = self.test(stages) {
                    return rest;
                }
                continue;
            }
            let nodes = nodes.min(*left as usize);
            if nodes == 0 {
                return Pause::Spent;
            }
            let parents = stages.pop(self, nodes);
            while self.waiting.len() >= S::AHEAD {
                if let Some(rest) = self.test(stages) {
                    return rest;
                }
            }
            *left -= nodes as u64;
            stages.expand(self, parents);
        }
    }

    /// Looks at some waiting children; returns the reason to pause, if there is one.
    #[inline(always)]
    fn test<S: Stages>(&mut self, stages: &S) -> Option<Pause> {
        stages.test(self);
        self.waiting.slide(S::AHEAD + PLACES * S::LANES);
        self.goal.is_some().then_some(Pause::Goal)
    }

    /// Puts up to `nodes` seeds on the stack.
    fn load(&mut self, queue: &Queue<'_>, nodes: usize) {
        if self.claimed.is_empty() {
            self.claimed = queue.claim();
        }
        let first = self.claimed.start;
        self.claimed.start = (first + nodes).min(self.claimed.end);
        let (before, goal) = (self.stack.len, Tables::GOAL);
        queue.load(first..self.claimed.start, &mut self.stack);
        for index in before..self.stack.len {
            let meta = &mut self.stack.metas[index];
            let link = self.links.push(entry(*meta));
            *meta = linked(*meta, link);
            if self.stack.boards[index] == goal {
                self.goal = Some((link, depth(*meta)));
            }
        }
    }

    /// Whether there may be too little room for what comes until the next check.
    fn is_tight(&self) -> bool {
        self.stack.len + RESERVE > self.stack.room()
            || self.links.len + RESERVE > self.links.limit
            || self.keeps_cut && self.cut.len + RESERVE > self.cut.room()
    }

    /// Makes room for nodes, and gives up keeping those beyond the bound if they are too many.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.stack.len + RESERVE > self.stack.room() {
            self.stack.grow();
        }
        if self.keeps_cut && self.cut.len + RESERVE > self.cut.room() {
            self.keeps_cut = false;
        }
        if self.links.len + RESERVE > self.links.limit {
            // The paths of these nodes would take more parent links than a round may have.
            self.keeps_cut = false;
            self.compact();
            return self.links.len <= self.links.limit / 2;
        }
        true
    }

    /// Drops the parent links of nodes that are finished.
    fn compact(&mut self) {
        let (stack, waiting) = (&mut self.stack, &mut self.waiting);
        let waiting = &mut waiting.nodes.metas[waiting.first..waiting.nodes.len];
        self.links.compact([&mut stack.metas[..stack.len], waiting]);
    }

    /// Whether the nodes beyond the bound are all there and their parent links are few enough for seeds.
    pub fn has_all_cut(&self) -> bool {
        self.keeps_cut && self.links.base as usize + self.links.len <= MAX_SEED_LINKS
    }
}

impl LookaheadQueue {
    /// How many children wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len - self.first
    }

    /// Makes room for so many children to wait.
    #[inline]
    fn slide(&mut self, children: usize) {
        if self.first + children > self.nodes.room() {
            self.bits.copy_within(self.first..self.nodes.len, 0);
            self.nodes.slide(self.first);
            self.first = 0;
        }
    }
}
