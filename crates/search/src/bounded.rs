//! Depth-first search within a bound on f = g + h: one round of the iterative searches.

mod batches;
mod layers;
mod recursion;
mod shared;
mod traced;

use std::ops::ControlFlow::{self, Break, Continue};

pub(crate) use shared::Batches;
use shared::Frame;
pub(crate) use traced::traced_round;

use crate::budget::Budget;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::{Path, replay};
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, StateSpace};
use crate::stop::Stop;

/// With so much of the bound left, recursion begins. It is no deeper than that, because every action
/// costs at least 1: some tens of kilobytes of the machine's stack. Nodes above wait on a stack of
/// the search's own.
const RECURSION: Cost = 128;

/// How a depth-first search within a bound ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Round<A> {
    /// A path to a goal.
    Solved {
        /// The actions from the start to the goal.
        path: Path<A>,
        /// The sum of their costs.
        cost: Cost,
    },
    /// No goal within the bound.
    Failed {
        /// The least f that was cut off, if any was.
        least_overrun: Option<Cost>,
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
) -> Result<Round<S::Action>, Stop>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    let mut batches = Batches::new();
    BoundedSearch::new((space, heuristic, pruner), meter, &mut batches).round(start, bound)
}

/// How many children of the nodes along `path` come after the one that the path takes: a depth-first
/// search that ends with this path never looked at them.
pub fn later_siblings<S, P>(space: &S, pruner: &P, start: &S::State, path: &[S::Action]) -> u64
where
    S: StateSpace,
    P: PathPruner<S>,
{
    let (mut state, mut memory, mut last, mut later) =
        (start.clone(), pruner.start(space, start), None, 0);
    for &action in path {
        let allowed = pruner.allowed(space, memory, last, space.actions(&state));
        later += allowed.into_iter().rev().take_while(|&sibling| sibling != action).count() as u64;
        memory =
            pruner.after(space, memory, action).expect("a search goes where its pruner allows");
        last = Some(action);
        space.apply(&mut state, action);
    }
    later
}

/// A round of the search, and what it shares with other rounds. Its methods break off when the round ends
/// early, and `end` then says why.
pub(crate) struct BoundedSearch<'a, 'o, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>>
{
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    meter: &'a mut Meter<'o>,
    /// Nodes with at most so much of the bound left are searched by recursion.
    recursion: Cost,
    /// Nodes high above the bound that wait to be searched.
    stack: Vec<Frame<S, H::Memo, P::Memory>>,
    /// The actions to the last node that was taken from the stack; once a goal is found, also those
    /// from there to the goal, the last one first.
    path: Path<S::Action>,
    /// By how much f exceeds the bound where a path was cut off, at least.
    least_over: Cost,
    /// What that can be at least.
    least_possible: Cost,
    /// Kept in memory: handed from node to node in a register, it makes the search slower.
    budget: Budget,
    end: End,
    batches: &'a mut Batches<S, H::Memo, P::Memory>,
}

/// What ends a round early.
#[derive(Clone, Copy)]
enum End {
    Goal,
    /// The budgets that [`Batches`] allows for a beginning are spent.
    Long,
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

    /// Searches all paths from `start` whose f stays within `bound`.
    pub fn round(mut self, start: &S::State, bound: Cost) -> Result<Round<S::Action>, Stop> {
        let memo = self.heuristic.memo(self.space, start);
        let pruned = self.pruner.start(self.space, start);
        let h = self.heuristic.value(&memo);
        let granularity = self.heuristic.granularity();
        self.least_possible = granularity - bound.saturating_sub(h) % granularity;
        let walk = match h <= bound {
            true => {
                let state = start.clone();
                self.below_root(Frame { state, memo, pruned, last: None, depth: 0, left: bound })
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
                let least_overrun = least_over.map(|over| bound.saturating_add(over));
                Ok(Round::Failed { least_overrun })
            }
            (Break(()), End::Stopped(stop)) => Err(stop),
            // A beginning is followed by the rest, so it ends no round.
            (Break(()), End::Goal | End::Long) => {
                let path = self.path;
                self.meter.not_generated(later_siblings(self.space, self.pruner, start, &path));
                let cost = replay(self.space, start, &path).expect("the path leads to a goal");
                Ok(Round::Solved { path, cost })
            }
        }
    }

    /// Searches `root` and what is below it.
    fn below_root(&mut self, root: Frame<S, H::Memo, P::Memory>) -> ControlFlow<()> {
        self.make_room(1, root.left)?;
        self.stack.push(root);
        if Self::MAY_BATCH { self.walk_in_batches() } else { self.walk() }
    }

    /// Searches what waits, with a stack of its own down to where recursion begins.
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

    /// Takes the path to a node; whether nothing can be below it.
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

    /// Puts the children of a node within the bound on the stack, the first one on top.
    fn expand(&mut self, node: &Frame<S, H::Memo, P::Memory>) -> ControlFlow<()> {
        let &Frame { ref state, memo, pruned, last, depth, left } = node;
        let actions = self.pruner.allowed(self.space, pruned, last, self.space.actions(state));
        while !self.budget.spend(actions.count()) {
            self.renew()?;
        }
        self.make_room(actions.count() as usize, 1)?;
        for action in actions.into_iter().rev() {
            let Some(pruned) = self.pruner.after(self.space, pruned, action) else { continue };
            let child = self.space.successor(state, action);
            if let Some((memo, left)) = self.within(state, memo, left - 1, action, &child) {
                let (state, last, depth) = (child, Some(action), depth + 1);
                self.stack.push(Frame { state, memo, pruned, last, depth, left });
            }
        }
        Continue(())
    }

    /// The memo of `child` and what is left of the bound there, if it is within.
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

    /// Notes that a path was cut off where f exceeds the bound by `over`.
    #[inline(always)]
    fn cut(&mut self, over: Cost) {
        if over < self.least_over {
            self.least_over = over;
        }
    }

    /// Asks the meter for the next budget.
    #[cold]
    fn renew(&mut self) -> ControlFlow<()> {
        if self.batches.ends_beginning() {
            return self.stop(End::Long);
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

    /// Notes that `action` is on the path to where the round ends.
    #[cold]
    #[inline(never)]
    fn back(&mut self, action: S::Action) -> ControlFlow<()> {
        self.path.push(action);
        Break(())
    }

    /// Makes room for so many more waiting nodes, and for so many more actions that the path may grow by.
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
