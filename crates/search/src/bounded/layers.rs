//! The nodes below some roots, layer by layer and kind by kind.
//!
//! Whether a child is within the bound is as good as random, and a search that goes down to it or not waits
//! for the answer each time. Where the order does not matter, nobody has to wait: all nodes of a kind are
//! expanded by one short loop, in which each child is written down and the next one overwrites it if it is
//! beyond the bound.

use std::mem::{swap, take};

use crate::heuristic::IncrementalHeuristic;
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, Specialized, StateSpace};

/// The places for nodes of a kind in a layer. The last one is never taken for good: a child that is beyond
/// the bound has to be written somewhere too.
const ROOM: usize = 1024;
/// So many roots are taken at once, at most: all may be of one kind.
pub(super) const ROOTS: usize = 255;
/// So many nodes may wait for room.
const WAITING: usize = 1 << 13;
/// Nodes that may be expanded before somebody has to look at the limits: some milliseconds.
const EXPANSIONS: u64 = 1 << 20;

/// Room for the nodes of two layers.
pub(super) struct Layers<S: StateSpace, M> {
    this: Vec<Bucket<S, M>>,
    next: Vec<Bucket<S, M>>,
    waiting: Vec<Waiting<S, M>>,
}

/// Nodes of a kind, with the same rest of the bound. What is past `len` is of no use.
struct Bucket<S: StateSpace, M> {
    nodes: Vec<(S::State, M)>,
    len: usize,
}

/// A node for which there is no room yet.
struct Waiting<S: StateSpace, M> {
    state: S::State,
    memo: M,
    kind: usize,
    /// What is left of the bound.
    left: Cost,
}

/// What is below some roots.
#[derive(Default)]
pub(super) struct Tally {
    pub expanded: u64,
    pub generated: u64,
    refused: Option<Refused>,
}

/// Why nothing can be said about what is below the roots.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// There is a goal, so the order matters.
    Goal,
    /// It is too much.
    Large,
}

impl<S: StateSpace, M: Copy> Layers<S, M> {
    /// Empty layers, with all the room that they need.
    pub fn new() -> Self {
        let layer = || {
            let bucket = || Bucket { nodes: Vec::with_capacity(ROOM), len: 0 };
            std::iter::repeat_with(bucket).take(S::KINDS).collect()
        };
        Self { this: layer(), next: layer(), waiting: Vec::with_capacity(WAITING) }
    }

    /// How much memory the layers take.
    pub fn bytes() -> u64 {
        let bucket = size_of::<Bucket<S, M>>() + ROOM * size_of::<(S::State, M)>();
        (2 * S::KINDS * bucket + WAITING * size_of::<Waiting<S, M>>()) as u64
    }

    /// Adds a root; there may be [`ROOTS`] of them.
    pub fn add(&mut self, state: S::State, memo: M, kind: usize, left: Cost) {
        self.waiting.push(Waiting { state, memo, kind, left });
    }

    /// Whether there are as many roots as there may be.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= ROOTS
    }

    /// Forgets all nodes.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.this.iter_mut().chain(&mut self.next).for_each(|bucket| bucket.len = 0);
    }

    /// Expands everything within the bound below the roots, if no goal is there and it is not too much; the
    /// roots are gone afterwards.
    pub fn search<H, P>(
        &mut self,
        space: &S,
        heuristic: &H,
        pruner: &P,
        left_to_expand: u64,
    ) -> Result<Tally, Refused>
    where
        H: IncrementalHeuristic<S, Memo = M>,
        P: PathPruner<S>,
    {
        let mut tally = Tally::default();
        while let Some(mut left) = self.take_waiting() {
            loop {
                for kind in 0..S::KINDS {
                    if self.this[kind].len > 0 {
                        let bucket = &mut self.this[kind];
                        let (nodes, len) = (take(&mut bucket.nodes), take(&mut bucket.len));
                        let (layers, tally) = (&mut *self, &mut tally);
                        let all = &nodes[..len];
                        let code = Expand {
                            space,
                            heuristic,
                            pruner,
                            layers,
                            nodes: all,
                            kind,
                            left,
                            tally,
                        };
                        space.specialize(kind, code);
                        self.this[kind].nodes = nodes;
                    }
                }
                if let Some(refused) = tally.refused {
                    return Err(refused);
                }
                if tally.expanded > EXPANSIONS.min(left_to_expand) {
                    return Err(Refused::Large);
                }
                swap(&mut self.this, &mut self.next);
                if left == 0 || self.this.iter().all(|bucket| bucket.len == 0) {
                    break;
                }
                left -= 1;
            }
        }
        Ok(tally)
    }

    /// Puts nodes that wait into the layer, as many as surely fit, with the rest of the bound that they
    /// have in common.
    fn take_waiting(&mut self) -> Option<Cost> {
        let left = self.waiting.last()?.left;
        for _ in 0..ROOTS {
            let Some(node) = self.waiting.pop_if(|node| node.left == left) else { break };
            let bucket = &mut self.this[node.kind];
            bucket.make_room(&node.state, node.memo);
            bucket.nodes[bucket.len] = (node.state, node.memo);
            bucket.len += 1;
        }
        Some(left)
    }
}

impl<S: StateSpace, M: Copy> Bucket<S, M> {
    /// Makes sure that there is [`ROOM`], filled with something.
    fn make_room(&mut self, state: &S::State, memo: M) {
        if self.nodes.is_empty() {
            self.nodes.resize(ROOM, (state.clone(), memo));
        }
    }
}

/// The nodes of a kind in a layer, to be expanded.
struct Expand<'a, S: StateSpace, H: IncrementalHeuristic<S>, P> {
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    layers: &'a mut Layers<S, H::Memo>,
    nodes: &'a [(S::State, H::Memo)],
    kind: usize,
    left: Cost,
    tally: &'a mut Tally,
}

impl<S, H, P> Specialized for Expand<'_, S, H, P>
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
    /// Only what gains by the knowledge of the kind is compiled for each.
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
                self.make::<KIND>(action);
            };
        }
        // Each is a constant if no loop hides it.
        next!();
        next!();
        next!();
        next!();
        loop {
            next!();
        }
    }

    /// Looks for goals, sees to the room for the children, and counts; whether any children have to be made.
    #[inline(never)]
    fn prepare(&mut self, actions: S::Actions) -> bool {
        let Self { space, heuristic, nodes, left, .. } = *self;
        let may_be_goal = |memo: &H::Memo| heuristic.value(memo) == 0;
        let is_goal = |(state, memo): &(S::State, _)| may_be_goal(memo) & space.is_goal(state);
        if nodes.iter().any(|(_, memo)| may_be_goal(memo)) && any(nodes, is_goal) {
            self.tally.refused = Some(Refused::Goal);
        }
        if left == 0 || self.tally.refused.is_some() {
            return false;
        }
        // Nodes without memos all have the same value.
        let has_memos = size_of::<H::Memo>() > 0;
        let goes_on = has_memos || (left > 1 && self.value_of_children(actions) < left);
        if goes_on {
            self.make_room(actions);
        } else if self.value_of_children(actions) < left {
            let leads_to_goal =
                |action| any(nodes, |(state, _)| space.leads_to_goal(state, action));
            if actions.into_iter().any(leads_to_goal) {
                self.tally.refused = Some(Refused::Goal);
            }
        }
        self.tally.expanded += self.nodes.len() as u64;
        self.tally.generated += self.nodes.len() as u64 * actions.count();
        goes_on && !self.nodes.is_empty()
    }

    /// The value of a child.
    fn value_of_children(&self, actions: S::Actions) -> Cost {
        let (state, memo) = &self.nodes[0];
        actions.into_iter().next().map_or(0, |action| {
            let child = self.space.successor(state, action);
            let memo = self.heuristic.update(self.space, *memo, state, action, &child);
            self.heuristic.value(&memo)
        })
    }

    /// Sees to it that there is room for the children of all nodes: some nodes have to wait if there is not.
    fn make_room(&mut self, actions: S::Actions) {
        let (state, memo) = &self.nodes[0];
        let mut fit = self.nodes.len();
        for action in actions {
            let kind = self.space.kind(&self.space.successor(state, action), action);
            let bucket = &mut self.layers.next[kind];
            bucket.make_room(state, *memo);
            fit = fit.min(ROOM - 1 - bucket.len);
        }
        let (nodes, rest) = self.nodes.split_at(fit);
        self.nodes = nodes;
        let waiting = &mut self.layers.waiting;
        if waiting.len() + rest.len() > WAITING {
            self.tally.refused = Some(Refused::Large);
            return;
        }
        let (kind, left) = (self.kind, self.left);
        waiting.extend(rest.iter().map(|(state, memo)| {
            let (state, memo) = (state.clone(), *memo);
            Waiting { state, memo, kind, left }
        }));
    }

    /// Makes the children by `action` of all nodes.
    #[inline(always)]
    fn make<const KIND: usize>(&mut self, action: S::Action) {
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
        let (to, mut len) = (&mut bucket.nodes[..ROOM], bucket.len);
        for &(ref state, memo) in self.nodes {
            let (child, memo) = child(state, memo);
            let is_within = heuristic.value(&memo) < left;
            to[len] = (child, memo);
            len += usize::from(is_within);
        }
        bucket.len = len;
    }
}

/// Whether any of the nodes is so. All are looked at, so that several are at once.
#[inline(always)]
fn any<T>(nodes: &[T], is_so: impl Fn(&T) -> bool) -> bool {
    nodes.iter().fold(false, |any, node| any | is_so(node))
}
