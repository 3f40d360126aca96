//! Expands the trees below some roots breadth first, all nodes of one kind in one loop.
//!
//! Whether a child is within the bound is as good as random, so a depth-first search mispredicts that branch again and
//! again. Here nothing branches on it: a loop over the nodes of one kind writes every child to the end of a bucket and
//! moves the end only if the child is within the bound; otherwise the next child overwrites it.
//!
//! # Data
//!
//! | field     | content                                                                                      |
//! |-----------|----------------------------------------------------------------------------------------------|
//! | `this`    | the layer being expanded: for each kind a bucket of `(state, memo)`                           |
//! | `next`    | its children: for each kind a bucket                                                          |
//! | `pending` | a stack of nodes with kind and `left`: roots not yet in a layer, and nodes that found no room |
//!
//! All nodes of a layer have the same `left` (`bound - g`), because every action costs 1 in a space of several kinds.
//! Everything else about a node follows from its kind, so a bucket holds nothing else. All memory is allocated once.
//!
//! # Stages
//! 1. [`take_pending`](Layers::take_pending) moves up to [`MAX_ROOTS`] pending nodes of equal `left` into `this`.
//! 2. For each kind, [`Expand::prepare`] tests the nodes for goals and counts them. Nodes whose children might not fit
//!    the buckets of `next` go back to `pending`.
//! 3. [`Expand::make_children`] writes the children, one action at a time. The code is compiled for each kind, so the
//!    legal actions and the kind of the child are constants.
//! 4. `this` and `next` are swapped and `left` falls by 1, until the layer is empty or `left` is 0. Then stage 1 again,
//!    until nothing is pending.

use std::mem::{swap, take};

use crate::heuristic::IncrementalHeuristic;
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, SpecializedCode, StateSpace};

/// Capacity of a bucket. The last place is scratch space: a child above the bound is written before it is discarded.
const BUCKET_SIZE: usize = 1024;
/// Maximum number of roots, of a batch and of a first layer; fits one bucket, since all may be of one kind.
pub(super) const MAX_ROOTS: usize = 255;
/// Maximum number of pending nodes.
const MAX_PENDING: usize = 1 << 13;
/// Maximum number of nodes expanded per batch, and so between two limit checks (a few milliseconds).
const MAX_EXPANSIONS: u64 = 1 << 20;

/// Two layers of nodes, and the nodes that wait for a place in one.
pub(super) struct Layers<S: StateSpace, M> {
    this: Vec<Bucket<S, M>>,
    next: Vec<Bucket<S, M>>,
    pending: Vec<PendingNode<S, M>>,
}

/// Nodes of one kind in one layer. Places from `len` on hold arbitrary nodes.
struct Bucket<S: StateSpace, M> {
    nodes: Vec<(S::State, M)>,
    len: usize,
}

/// A node that is not in a layer yet.
struct PendingNode<S: StateSpace, M> {
    state: S::State,
    memo: M,
    kind: usize,
    /// The part of the bound that the path to the node leaves.
    left: Cost,
}

/// Nodes expanded and generated below the roots, and the reason to abort, if any.
#[derive(Default)]
pub(super) struct Counters {
    pub expanded: u64,
    pub generated: u64,
    abort: Option<Abort>,
}

/// Why a search in layers is given up. The layers are left in an arbitrary state: [`Layers::clear`] empties them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Abort {
    /// A goal was met, so the order of expansion matters.
    Goal,
    /// There are too many nodes for the layers or the limits.
    TooLarge,
}

impl<S: StateSpace, M: Copy> Layers<S, M> {
    /// Returns empty layers with all their memory allocated.
    pub fn new() -> Self {
        let layer = || {
            let bucket = || Bucket { nodes: Vec::with_capacity(BUCKET_SIZE), len: 0 };
            std::iter::repeat_with(bucket).take(S::KINDS).collect()
        };
        Self { this: layer(), next: layer(), pending: Vec::with_capacity(MAX_PENDING) }
    }

    /// Returns the number of bytes that the layers allocate.
    pub fn bytes() -> u64 {
        let bucket = size_of::<Bucket<S, M>>() + BUCKET_SIZE * size_of::<(S::State, M)>();
        (2 * S::KINDS * bucket + MAX_PENDING * size_of::<PendingNode<S, M>>()) as u64
    }

    /// Adds a root, at most [`MAX_ROOTS`] in all.
    pub fn add(&mut self, state: S::State, memo: M, kind: usize, left: Cost) {
        self.pending.push(PendingNode { state, memo, kind, left });
    }

    /// Returns whether there are [`MAX_ROOTS`] roots.
    pub fn is_full(&self) -> bool {
        self.pending.len() >= MAX_ROOTS
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.pending.clear();
        self.this.iter_mut().chain(&mut self.next).for_each(|bucket| bucket.len = 0);
    }

    /// Expands everything within the bound below the roots, and removes the roots.
    ///
    /// # Errors
    /// [`Abort::Goal`] if a goal is within the bound; [`Abort::TooLarge`] if there are more than [`MAX_EXPANSIONS`] or
    /// `remaining_expansions` nodes to expand, or too many pending ones.
    pub fn search<H, P>(
        &mut self,
        space: &S,
        heuristic: &H,
        pruner: &P,
        remaining_expansions: u64,
    ) -> Result<Counters, Abort>
    where
        H: IncrementalHeuristic<S, Memo = M>,
        P: PathPruner<S>,
    {
        let mut counters = Counters::default();
        while let Some(mut left) = self.take_pending() {
            loop {
                for kind in 0..S::KINDS {
                    if self.this[kind].len > 0 {
                        let bucket = &mut self.this[kind];
                        let (nodes, len) = (take(&mut bucket.nodes), take(&mut bucket.len));
                        let (layers, counters) = (&mut *self, &mut counters);
                        let all = &nodes[..len];
                        let code = Expand {
                            space,
                            heuristic,
                            pruner,
                            layers,
                            nodes: all,
                            kind,
                            left,
                            counters,
                        };
                        space.specialize(kind, code);
                        self.this[kind].nodes = nodes;
                    }
                }
                if let Some(abort) = counters.abort {
                    return Err(abort);
                }
                if counters.expanded > MAX_EXPANSIONS.min(remaining_expansions) {
                    return Err(Abort::TooLarge);
                }
                swap(&mut self.this, &mut self.next);
                if left == 0 || self.this.iter().all(|bucket| bucket.len == 0) {
                    break;
                }
                left -= 1;
            }
        }
        Ok(counters)
    }

    /// Moves pending nodes of equal `left` into the layer, at most [`MAX_ROOTS`] so that one bucket can hold them all;
    /// returns their `left`, or `None` if no node is pending.
    fn take_pending(&mut self) -> Option<Cost> {
        let left = self.pending.last()?.left;
        for _ in 0..MAX_ROOTS {
            let Some(node) = self.pending.pop_if(|node| node.left == left) else { break };
            let bucket = &mut self.this[node.kind];
            bucket.make_room(&node.state, node.memo);
            bucket.nodes[bucket.len] = (node.state, node.memo);
            bucket.len += 1;
        }
        Some(left)
    }
}

impl<S: StateSpace, M: Copy> Bucket<S, M> {
    /// Fills the bucket to its full length with an arbitrary node, so that places can be written by index.
    fn make_room(&mut self, state: &S::State, memo: M) {
        if self.nodes.is_empty() {
            self.nodes.resize(BUCKET_SIZE, (state.clone(), memo));
        }
    }
}

/// The expansion of the nodes of one kind in a layer.
struct Expand<'a, S: StateSpace, H: IncrementalHeuristic<S>, P> {
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    layers: &'a mut Layers<S, H::Memo>,
    nodes: &'a [(S::State, H::Memo)],
    kind: usize,
    left: Cost,
    counters: &'a mut Counters,
}

impl<S, H, P> SpecializedCode for Expand<'_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    type Output = ();

    #[inline(always)]
    fn run<const KIND: usize>(self) {
        self.expand::<KIND>();
    }
}

impl<S, H, P> Expand<'_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    /// Expands the nodes. Compiled once per kind; [`prepare`](Self::prepare), which gains nothing from that, is not.
    #[inline(always)]
    fn expand<const KIND: usize>(mut self) {
        let (state, last) = self.space.assume::<KIND>(self.nodes[0].0.clone(), None);
        let actions = self.space.actions(&state);
        let pruned = self.pruner.start(self.space, &state);
        let actions = self.pruner.allowed(self.space, pruned, last, actions);
        if !self.prepare(actions) {
            return;
        }
        let mut actions = actions.into_iter();
        macro_rules! next {
            () => {
                let Some(action) = actions.next() else { return };
                self.make_children::<KIND>(action);
            };
        }
        // Unrolled by hand: outside a loop, each action of the kind is a constant.
        next!();
        next!();
        next!();
        next!();
        loop {
            next!();
        }
    }

    /// Tests for goals, makes room for the children and counts them; returns whether children have to be made.
    #[inline(never)]
    fn prepare(&mut self, actions: S::Actions) -> bool {
        let Self { space, heuristic, nodes, left, .. } = *self;
        let may_be_goal = |memo: &H::Memo| heuristic.value(memo) == 0;
        let is_goal = |(state, memo): &(S::State, _)| may_be_goal(memo) & space.is_goal(state);
        if nodes.iter().any(|(_, memo)| may_be_goal(memo)) && any(nodes, is_goal) {
            self.counters.abort = Some(Abort::Goal);
        }
        if left == 0 || self.counters.abort.is_some() {
            return false;
        }
        // Without memos, all children have the same value: they are all within the bound, or none is.
        let has_memos = size_of::<H::Memo>() > 0;
        let has_children = has_memos || (left > 1 && self.value_of_children(actions) < left);
        if has_children {
            self.make_room(actions);
        } else if self.value_of_children(actions) < left {
            // The children exhaust the bound: test them for goals without storing them.
            let leads_to_goal =
                |action| any(nodes, |(state, _)| space.leads_to_goal(state, action));
            if actions.into_iter().any(leads_to_goal) {
                self.counters.abort = Some(Abort::Goal);
            }
        }
        self.counters.expanded += self.nodes.len() as u64;
        self.counters.generated += self.nodes.len() as u64 * actions.count();
        has_children && !self.nodes.is_empty()
    }

    /// Returns the value of the first child, which is that of all children if there are no memos.
    fn value_of_children(&self, actions: S::Actions) -> Cost {
        let (state, memo) = &self.nodes[0];
        actions.into_iter().next().map_or(0, |action| {
            let child = self.space.successor(state, action);
            let memo = self.heuristic.update(self.space, *memo, state, action, &child);
            self.heuristic.value(&memo)
        })
    }

    /// Makes room for the children of all nodes in `next`. Nodes whose children might not fit become pending.
    fn make_room(&mut self, actions: S::Actions) {
        let (state, memo) = &self.nodes[0];
        let mut fit = self.nodes.len();
        for action in actions {
            let kind = self.space.kind(&self.space.successor(state, action), action);
            let bucket = &mut self.layers.next[kind];
            bucket.make_room(state, *memo);
            fit = fit.min(BUCKET_SIZE - 1 - bucket.len);
        }
        let (nodes, rest) = self.nodes.split_at(fit);
        self.nodes = nodes;
        let pending = &mut self.layers.pending;
        if pending.len() + rest.len() > MAX_PENDING {
            self.counters.abort = Some(Abort::TooLarge);
            return;
        }
        let (kind, left) = (self.kind, self.left);
        pending.extend(rest.iter().map(|(state, memo)| {
            let (state, memo) = (state.clone(), *memo);
            PendingNode { state, memo, kind, left }
        }));
    }

    /// Makes the children by `action` of all nodes, and keeps those within the bound.
    #[inline(always)]
    fn make_children<const KIND: usize>(&mut self, action: S::Action) {
        let Self { space, heuristic, left, .. } = *self;
        let child = |state: &S::State, memo| {
            let (state, _) = space.assume::<KIND>(state.clone(), None);
            let child = space.successor(&state, action);
            let memo = heuristic.update(space, memo, &state, action, &child);
            (child, memo)
        };
        let kind = space.kind(&child(&self.nodes[0].0, self.nodes[0].1).0, action);
        let bucket = &mut self.layers.next[kind];
        if size_of::<H::Memo>() == 0 {
            let to = &mut bucket.nodes[bucket.len..][..self.nodes.len()];
            for (to, &(ref state, memo)) in to.iter_mut().zip(self.nodes) {
                *to = child(state, memo);
            }
            bucket.len += self.nodes.len();
            return;
        }
        // Branchless: `len` moves past a child only if it is within the bound, else the next child overwrites it.
        let (to, mut len) = (&mut bucket.nodes[..BUCKET_SIZE], bucket.len);
        for &(ref state, memo) in self.nodes {
            let (child, memo) = child(state, memo);
            let is_within = heuristic.value(&memo) < left;
            to[len] = (child, memo);
            len += usize::from(is_within);
        }
        bucket.len = len;
    }
}

/// Returns whether `test` holds for any node. Tests all of them without branching, so that the loop vectorises.
#[inline(always)]
fn any<T>(nodes: &[T], test: impl Fn(&T) -> bool) -> bool {
    nodes.iter().fold(false, |any, node| any | test(node))
}
