//! The way down: a recursion in the reach of the bound, a stack of its own high above it.

use std::ops::ControlFlow::{self, Break, Continue};

use super::{Bounded, End, Waiting};
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::{Budget, Meter};
use crate::prune::PathPruner;
use crate::space::{ActionSet, ByKind, Cost, EachAction, StateSpace};

/// With so much of the bound left, recursion begins. It is no deeper than that, because every action
/// costs at least 1: some tens of kilobytes of the machine's stack. Nodes above wait in a stack of our
/// own.
pub(super) const RECURSION: Cost = 128;

/// Searches what a round has to search.
///
/// All methods return `None` when the round ends early, and `end` then says why. Otherwise they return
/// what is left of the budget that they were given.
pub(super) struct Descent<'s, 'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    recursion: Cost,
    stack: &'s mut Vec<Waiting<S, H::Memo, P::Memory>>,
    path: &'s mut Vec<S::Action>,
    meter: &'s mut Meter<'o>,
    pub generated: u64,
    /// By how much the bound was overrun where something was cut off, at least.
    pub least_over: Cost,
    pub end: Option<End>,
}

impl<'s, 'a, 'o, S, H, P> Descent<'s, 'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    pub fn new(bounded: &'s mut Bounded<'a, S, H, P>, meter: &'s mut Meter<'o>) -> Self {
        let &mut Bounded { space, heuristic, pruner, recursion, ref mut stack, ref mut path } =
            bounded;
        stack.clear();
        path.clear();
        let (generated, least_over, end) = (0, Cost::MAX, None);
        Self { space, heuristic, pruner, recursion, stack, path, meter, generated, least_over, end }
    }

    /// Searches below `root`; leaves the actions to the goal in the path.
    pub fn walk(
        &mut self,
        root: Waiting<S, H::Memo, P::Memory>,
        mut budget: Budget,
    ) -> Option<Budget> {
        self.make_room(1, root.left, budget)?;
        self.stack.push(root);
        while let Some(Waiting { state, memo, pruned, last, depth, left }) = self.stack.pop() {
            self.path.truncate(depth.saturating_sub(1));
            self.path.extend(last);
            if left <= self.recursion {
                self.make_room(0, left, budget)?;
                let Some(rest) = self.descend(state, memo, pruned, last, left, budget) else {
                    self.path[depth..].reverse();
                    return None;
                };
                budget = rest;
                continue;
            }
            if self.space.is_goal(&state) {
                return self.goal(left, budget);
            }
            budget = self.expand(budget)?;
            let actions = self.pruner.allowed(self.space, pruned, last, self.space.actions(&state));
            self.generated += actions.count();
            self.make_room(actions.count() as usize, 1, budget)?;
            for action in actions.into_iter().rev() {
                if let Some((state, memo, left)) = self.child(&state, memo, left, action) {
                    let (last, depth) = (Some(action), depth + 1);
                    let pruned = self.pruner.after(self.space, pruned, action);
                    self.stack.push(Waiting { state, memo, pruned, last, depth, left });
                }
            }
        }
        Some(budget)
    }

    /// Searches below a node by recursion.
    #[inline(always)]
    fn descend(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: Option<S::Action>,
        left: Cost,
        budget: Budget,
    ) -> Option<Budget> {
        if H::BY_KIND {
            let space = self.space;
            let seen = state.clone();
            space.by_kind(
                &seen,
                last,
                Descend { descent: self, state, memo, pruned, last, left, budget },
            )
        } else {
            self.node::<0>(state, memo, pruned, last, left, budget)
        }
    }

    fn node<const KIND: usize>(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: Option<S::Action>,
        left: Cost,
        budget: Budget,
    ) -> Option<Budget> {
        let (state, last) =
            if H::BY_KIND { self.space.assume::<KIND>(state, last) } else { (state, last) };
        if self.space.is_goal(&state) {
            return self.goal(left, budget);
        }
        // Every action costs at least 1, so nothing below is within the bound.
        if left == 0 {
            self.cut(1);
            return Some(budget);
        }
        let budget = self.expand(budget)?;
        let actions = self.pruner.allowed(self.space, pruned, last, self.space.actions(&state));
        self.generated += actions.count();
        let mut children = Children { descent: self, state: &state, memo, pruned, left, budget };
        match actions.visit(&mut children) {
            Continue(()) => Some(children.budget),
            Break(()) => None,
        }
    }

    /// The child by `action`, its memo, and what is left of the bound there: if it is within.
    #[inline(always)]
    fn child(
        &mut self,
        state: &S::State,
        memo: H::Memo,
        left: Cost,
        action: S::Action,
    ) -> Option<(S::State, H::Memo, Cost)> {
        let child = self.space.successor(state, action);
        let memo = self.heuristic.update(self.space, memo, state, action, &child);
        let (cost, h) = (self.space.action_cost(state, action), self.heuristic.value(&memo));
        match left.checked_sub(cost) {
            Some(left) if h <= left => Some((child, memo, left)),
            _ => {
                self.cut(cost.saturating_add(h) - left);
                None
            }
        }
    }

    /// Takes note that a node which overruns the bound by `over` was cut off.
    #[inline(always)]
    fn cut(&mut self, over: Cost) {
        if over < self.least_over {
            self.least_over = over;
        }
    }

    #[inline(always)]
    fn expand(&mut self, budget: Budget) -> Option<Budget> {
        budget.spend().or_else(|| self.renew())
    }

    #[cold]
    #[inline(never)]
    fn renew(&mut self) -> Option<Budget> {
        self.meter.renew().map_err(|stop| self.end = Some(End::Stopped(stop))).ok()
    }

    #[cold]
    #[inline(never)]
    fn goal(&mut self, left: Cost, budget: Budget) -> Option<Budget> {
        self.stop(End::Goal { left }, budget)
    }

    #[cold]
    fn stop(&mut self, end: End, budget: Budget) -> Option<Budget> {
        self.meter.take_back(budget);
        self.end = Some(end);
        None
    }

    /// Makes room for so many more waiting nodes, and for so many more actions that the path may grow by.
    fn make_room(&mut self, nodes: usize, actions: Cost, budget: Budget) -> Option<()> {
        let actions = actions.min(self.recursion.max(1)) as usize;
        let held = vec_bytes(self.stack, nodes) + vec_bytes(self.path, actions);
        if let Err(stop) = self.meter.reserve(held) {
            self.stop(End::Stopped(stop), budget)?;
        }
        self.stack.reserve(nodes);
        self.path.reserve(actions);
        Some(())
    }
}

/// A node that [`StateSpace::by_kind`] sends to its code.
struct Descend<'d, 's, 'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    descent: &'d mut Descent<'s, 'a, 'o, S, H, P>,
    state: S::State,
    memo: H::Memo,
    pruned: P::Memory,
    last: Option<S::Action>,
    left: Cost,
    budget: Budget,
}

impl<S, H, P> ByKind for Descend<'_, '_, '_, '_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    type Output = Option<Budget>;

    #[inline(always)]
    fn run<const KIND: usize>(self) -> Option<Budget> {
        let Self { descent, state, memo, pruned, last, left, budget } = self;
        descent.node::<KIND>(state, memo, pruned, last, left, budget)
    }
}

/// The children of an expanded node, searched one after the other.
struct Children<'d, 's, 'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    descent: &'d mut Descent<'s, 'a, 'o, S, H, P>,
    state: &'d S::State,
    memo: H::Memo,
    pruned: P::Memory,
    left: Cost,
    budget: Budget,
}

impl<S, H, P> EachAction<S::Action> for Children<'_, '_, '_, '_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    #[inline(always)]
    fn visit(&mut self, action: S::Action) -> ControlFlow<()> {
        let Some((state, memo, left)) =
            self.descent.child(self.state, self.memo, self.left, action)
        else {
            return Continue(());
        };
        let pruned = self.descent.pruner.after(self.descent.space, self.pruned, action);
        match self.descent.descend(state, memo, pruned, Some(action), left, self.budget) {
            Some(rest) => {
                self.budget = rest;
                Continue(())
            }
            None => {
                self.descent.path.push(action);
                Break(())
            }
        }
    }
}
