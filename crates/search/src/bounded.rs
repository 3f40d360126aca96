//! One iteration of IDA*: depth-first search of all paths whose f = g + h stays within a bound.
//!
//! # Invariant
//! Costs are kept relative to the bound. `left` is `bound - g`, the part of the bound that a node has not spent; a node
//! is within the bound if and only if `h <= left`. Only nodes within the bound are stored. For a pruned child, `over`
//! is `f - bound`; the least `over` of an iteration gives the next bound.
//!
//! # Stages
//! A node passes from one stage to the next as `left` shrinks on the way down:
//!
//! | module        | nodes                                    | stored in              | order                        |
//! |---------------|------------------------------------------|------------------------|------------------------------|
//! | this one      | far above the bound                      | explicit stack         | depth first                  |
//! | [`recursion`] | `left <= RECURSION`                      | the thread's stack     | depth first                  |
//! | [`batches`]   | `left <= Batches::left`, long iterations | [`layers`], see there  | breadth first within a batch |
//!
//! The explicit stack makes paths of any length possible. Recursion is faster, and can be compiled once per kind of
//! node, but the thread's stack limits its depth. Batches replace recursion where the heuristic allows it
//! ([`IncrementalHeuristic::LAYERED`]): they expand many nodes of one kind in one loop without unpredictable
//! branches.
//!
//! A batch changes the order of expansion, which is visible only if the iteration ends early. So when a batch meets a
//! goal or a limit, the search rewinds to the start of the batch and repeats it depth first. Solutions and node counts
//! are therefore those of plain depth-first search in every case.
//!
//! [`traced`] is a second, simple implementation that reports each node to a tracer; tests compare the two.

mod batches;
mod layers;
mod recursion;
mod traced;

use std::ops::ControlFlow::{self, Break, Continue};

use layers::Layers;
pub(crate) use traced::traced_iteration;

use crate::budget::Budget;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::{Path, Stop, replay};
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, StateSpace};

/// Nodes with at most this much of the bound left are searched by recursion.
///
/// Every action costs at least 1, so this also limits the recursion depth, and its use of the thread's stack to a few tens
/// of kilobytes. Nodes with more of the bound left wait on [`BoundedSearch::stack`].
const RECURSION: Cost = 128;

/// The result of one iteration: a depth-first search within a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IterationEnd<A> {
    /// A path to a goal was found.
    Solved {
        /// The actions from the start to the goal.
        path: Path<A>,
        /// The sum of their costs.
        cost: Cost,
    },
    /// No goal is within the bound.
    Unsolved {
        /// The least f of a pruned node; `None` if the bound pruned nothing.
        next_bound: Option<Cost>,
    },
}

/// Searches all paths from `start` whose f stays within `bound`, depth first.
///
/// # Errors
/// The limit that was reached.
pub fn bounded_search<S, H, P>(
    space: &S,
    heuristic: &H,
    pruner: &P,
    start: &S::State,
    bound: Cost,
    meter: &mut Meter<'_>,
) -> Result<IterationEnd<S::Action>, Stop>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    let mut batches = Batches::new();
    BoundedSearch::new((space, heuristic, pruner), meter, &mut batches).run(start, bound)
}

/// Returns the number of children of the nodes along `path` that come after the child on the path: a depth-first
/// search that ends with this path never generated them.
pub fn count_later_siblings<S, P>(
    space: &S,
    pruner: &P,
    start: &S::State,
    path: &[S::Action],
) -> u64
where
    S: StateSpace,
    P: PathPruner<S>,
{
    let (mut state, mut memory, mut last, mut later) =
        (start.clone(), pruner.start(space, start), None, 0);
    for &action in path {
        let allowed = pruner.allowed(space, memory, last, space.actions(&state));
        later += allowed.into_iter().rev().take_while(|&sibling| sibling != action).count() as u64;
        memory = pruner
            .extend(space, memory, action)
            .expect("the pruner allows every action of the path");
        last = Some(action);
        space.apply(&mut state, action);
    }
    later
}

/// A node within the bound that waits to be expanded.
struct Frame<S: StateSpace, M, P> {
    state: S::State,
    memo: M,
    pruned: P,
    last: Option<S::Action>,
    /// Number of actions from the start.
    depth: usize,
    /// The remaining bound, `bound - g`; never less than h.
    left: Cost,
}

impl<S: StateSpace, M: Copy, P: Copy> Clone for Frame<S, M, P> {
    fn clone(&self) -> Self {
        let &Self { ref state, memo, pruned, last, depth, left } = self;
        Self { state: state.clone(), memo, pruned, last, depth, left }
    }
}

/// State that the iterations of one search share.
pub(crate) struct Batches<S: StateSpace, M, P> {
    /// `None` until an iteration is long enough for batches.
    layers: Option<Box<Layers<S, M>>>,
    /// Nodes with at most this much of the bound left become roots of a batch. Adapted after each batch.
    left: Cost,
    /// Number of budgets that the current depth-first trial may still spend; `u32::MAX` outside of trials.
    trial_budgets: u32,
    start: BatchStart<S, M, P>,
}

/// The search at the start of a batch: its stack, its path, and the numbers of nodes expanded and generated.
struct BatchStart<S: StateSpace, M, P> {
    stack: Vec<Frame<S, M, P>>,
    path: Path<S::Action>,
    counts: (u64, u64),
}

impl<S: StateSpace, M: Copy, P: Copy> Batches<S, M, P> {
    pub fn new() -> Self {
        let start = BatchStart { stack: Vec::new(), path: Path::new(), counts: (0, 0) };
        Self { layers: None, left: 8, trial_budgets: u32::MAX, start }
    }

    /// Counts one spent budget and returns whether this ends the trial.
    fn spend_trial_budget(&mut self) -> bool {
        self.trial_budgets -= u32::from(self.trial_budgets < u32::MAX);
        self.trial_budgets == 0
    }

    /// Returns the memory of the batches in bytes. `held` is that of the stack and the path, which batches copy.
    fn bytes(&self, held: u64) -> u64 {
        if self.layers.is_some() { held + Layers::<S, M>::bytes() } else { 0 }
    }
}

/// The state of one iteration, with references to the data that all iterations of the search share.
///
/// Methods return [`Break`] when the iteration ends early; `end` then holds the reason.
pub(crate) struct BoundedSearch<'a, 'o, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>>
{
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    meter: &'a mut Meter<'o>,
    /// Largest remaining bound of a node that is searched by recursion: [`RECURSION`], except in tests.
    recursion: Cost,
    /// Nodes above the recursion that wait to be expanded, the next one last.
    stack: Vec<Frame<S, H::Memo, P::Memory>>,
    /// The actions to the node last popped from the stack. Once the recursion has found a goal, also the actions from
    /// there to the goal, in reverse.
    path: Path<S::Action>,
    /// The least `f - bound` of all pruned nodes so far; [`Cost::MAX`] if none was pruned.
    least_over: Cost,
    /// The least `f - bound` that a pruned node can have, given the granularity of the heuristic.
    least_possible: Cost,
    /// Kept in memory: passing it from node to node in a register makes the search slower.
    budget: Budget,
    end: End,
    batches: &'a mut Batches<S, H::Memo, P::Memory>,
}

/// Why an iteration ended early.
#[derive(Clone, Copy)]
enum End {
    Goal,
    /// The budgets of a depth-first trial are spent: see [`Batches::trial_budgets`].
    TrialOver,
    Stopped(Stop),
}

impl<'a, 'o, S, H, P> BoundedSearch<'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    pub fn new(
        (space, heuristic, pruner): (&'a S, &'a H, &'a P),
        meter: &'a mut Meter<'o>,
        batches: &'a mut Batches<S, H::Memo, P::Memory>,
    ) -> Self {
        Self {
            space,
            heuristic,
            pruner,
            recursion: RECURSION,
            stack: Vec::new(),
            path: Path::new(),
            least_over: Cost::MAX,
            least_possible: 1,
            budget: meter.lend(),
            end: End::Goal,
            meter,
            batches,
        }
    }

    /// Runs the iteration: searches all paths from `start` whose f stays within `bound`.
    pub fn run(mut self, start: &S::State, bound: Cost) -> Result<IterationEnd<S::Action>, Stop> {
        let memo = self.heuristic.memo(self.space, start);
        let pruned = self.pruner.start(self.space, start);
        let h = self.heuristic.value(&memo);
        let granularity = self.heuristic.granularity();
        // Every f differs from h of the start by a multiple of the granularity.
        self.least_possible = granularity - bound.saturating_sub(h) % granularity;
        let walk = match h <= bound {
            true => {
                let state = start.clone();
                self.search_root(Frame { state, memo, pruned, last: None, depth: 0, left: bound })
            }
            false => {
                self.cut(h - bound);
                Continue(())
            }
        };
        self.meter.take_back(self.budget);
        match (walk, self.end) {
            (Continue(()), _) => {
                let least_over = (self.least_over != Cost::MAX).then_some(self.least_over);
                let next_bound = least_over.map(|over| bound.saturating_add(over));
                Ok(IterationEnd::Unsolved { next_bound })
            }
            (Break(()), End::Stopped(stop)) => Err(stop),
            // `TrialOver` never gets here: a trial is always followed by the rest of the iteration.
            (Break(()), End::Goal | End::TrialOver) => {
                let path = self.path;
                self.meter.subtract_generated(count_later_siblings(
                    self.space,
                    self.pruner,
                    start,
                    &path,
                ));
                let cost = replay(self.space, start, &path).expect("the path leads to a goal");
                Ok(IterationEnd::Solved { path, cost })
            }
        }
    }

    /// Searches the tree below `root`.
    fn search_root(&mut self, root: Frame<S, H::Memo, P::Memory>) -> ControlFlow<()> {
        self.make_room(1, root.left)?;
        self.stack.push(root);
        if Self::MAY_BATCH { self.walk_in_batches() } else { self.walk() }
    }

    /// Searches the nodes on the stack depth first, switching to recursion near the bound.
    fn walk(&mut self) -> ControlFlow<()> {
        while let Some(node) = self.stack.pop() {
            if self.arrive(&node)? {
                continue;
            }
            let Frame { left, depth, .. } = node;
            if depth > 0 && left <= self.recursion {
                self.make_room(0, left)?;
                let Frame { state, memo, pruned, last, .. } = node;
                let last = last.expect("a node below the root has been reached by an action");
                if self.enter(state, memo, pruned, last, left - 1).is_break() {
                    self.path[depth..].reverse();
                    return Break(());
                }
            } else {
                self.expand(&node)?;
            }
        }
        Continue(())
    }

    /// Sets `path` to the path of `node` and tests it for a goal; returns whether nothing below it can be within the
    /// bound.
    fn arrive(&mut self, node: &Frame<S, H::Memo, P::Memory>) -> ControlFlow<(), bool> {
        let &Frame { ref state, last, depth, left, .. } = node;
        self.path.truncate(depth.saturating_sub(1));
        self.path.extend(last);
        if self.space.is_goal(state) {
            self.stop(End::Goal)?;
        }
        if left == 0 {
            self.cut(1);
        }
        Continue(left == 0)
    }

    /// Expands a node: pushes its children within the bound onto the stack, the first one on top.
    fn expand(&mut self, node: &Frame<S, H::Memo, P::Memory>) -> ControlFlow<()> {
        let &Frame { ref state, memo, pruned, last, depth, left } = node;
        let actions = self.pruner.allowed(self.space, pruned, last, self.space.actions(state));
        while !self.budget.spend(actions.count()) {
            self.renew()?;
        }
        self.make_room(actions.count() as usize, 1)?;
        for action in actions.into_iter().rev() {
            let Some(pruned) = self.pruner.extend(self.space, pruned, action) else { continue };
            let child = self.space.successor(state, action);
            if let Some((memo, left)) = self.within(state, memo, left - 1, action, &child) {
                let (state, last, depth) = (child, Some(action), depth + 1);
                self.stack.push(Frame { state, memo, pruned, last, depth, left });
            }
        }
        Continue(())
    }

    /// Returns the memo of `child` and what it leaves of the bound, or `None` if it is above the bound.
    ///
    /// `spare` is what an action of cost 1 leaves of the bound.
    #[inline(always)]
    fn within(
        &mut self,
        parent: &S::State,
        memo: H::Memo,
        spare: Cost,
        action: S::Action,
        child: &S::State,
    ) -> Option<(H::Memo, Cost)> {
        let memo = self.heuristic.update(self.space, memo, parent, action, child);
        let beyond_least = self.space.action_cost(parent, action) - 1;
        let f = i64::from(beyond_least) + i64::from(self.heuristic.value(&memo));
        let over = f - i64::from(spare);
        if over > 0 {
            self.cut(Cost::try_from(over).unwrap_or(Cost::MAX));
            return None;
        }
        Some((memo, spare.wrapping_sub(beyond_least)))
    }

    /// Records that a node was pruned whose f exceeds the bound by `over`.
    #[inline(always)]
    fn cut(&mut self, over: Cost) {
        if over < self.least_over {
            self.least_over = over;
        }
    }

    /// Checks the limits and takes the next budget from the meter.
    #[cold]
    fn renew(&mut self) -> ControlFlow<()> {
        if self.batches.spend_trial_budget() {
            return self.stop(End::TrialOver);
        }
        match self.meter.renew(std::mem::take(&mut self.budget)) {
            Ok(budget) => {
                self.budget = budget;
                Continue(())
            }
            Err(stop) => self.stop(End::Stopped(stop)),
        }
    }

    #[cold]
    #[inline(never)]
    fn stop(&mut self, end: End) -> ControlFlow<()> {
        self.end = end;
        Break(())
    }

    /// Adds `action` to the path to the goal, as the recursion unwinds from it.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, action: S::Action) -> ControlFlow<()> {
        self.path.push(action);
        Break(())
    }

    /// Reserves space for `nodes` more nodes on the stack and `actions` more actions on the path.
    fn make_room(&mut self, nodes: usize, actions: Cost) -> ControlFlow<()> {
        let actions = actions.min(self.recursion.max(1)) as usize;
        let held = vec_bytes(&self.stack, nodes) + vec_bytes(&self.path, actions);
        let held = held + self.batches.bytes(held);
        if let Err(stop) = self.meter.reserve(held) {
            return self.stop(End::Stopped(stop));
        }
        self.stack.reserve(nodes);
        self.path.reserve(actions);
        Continue(())
    }
}

#[cfg(test)]
mod tests;
