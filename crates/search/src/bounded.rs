//! Depth-first search within a bound on f = g + h: one round of the iterative searches.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::budget::Budget;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::{Path, replay};
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, Specialized, StateSpace};
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
    BoundedSearch::new(space, heuristic, pruner, meter).round(start, bound)
}

/// How many children of the nodes along `path` come after the one that the path takes: a depth-first
/// search that ends with this path never looked at them.
pub fn later_siblings<S, P>(space: &S, pruner: &P, start: &S::State, path: &[S::Action]) -> u64
where
    S: StateSpace,
    P: PathPruner<S>,
{
    let (mut state, mut memory, mut last, mut later) = (start.clone(), pruner.start(), None, 0);
    for &action in path {
        let allowed = pruner.allowed(space, memory, last, space.actions(&state));
        later += allowed.into_iter().rev().take_while(|&sibling| sibling != action).count() as u64;
        memory = pruner.after(space, memory, action);
        last = Some(action);
        space.apply(&mut state, action);
    }
    later
}

/// A round of the search. Its methods break off when the round ends early, and `end` then says why.
struct BoundedSearch<'a, 'o, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>> {
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
    /// Kept in memory: handed from node to node in a register, it makes the search slower.
    budget: Budget,
    end: End,
}

/// A node within the bound that waits to be searched.
struct Frame<S: StateSpace, M, P> {
    state: S::State,
    memo: M,
    pruned: P,
    last: Option<S::Action>,
    /// The number of actions from the start.
    depth: usize,
    /// What is left of the bound after the actions to here.
    left: Cost,
}

/// What ends a round early.
#[derive(Clone, Copy)]
enum End {
    Goal,
    Stopped(Stop),
}

impl<'a, 'o, S, H, P> BoundedSearch<'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    fn new(space: &'a S, heuristic: &'a H, pruner: &'a P, meter: &'a mut Meter<'o>) -> Self {
        let (stack, path, recursion, least_over) = (Vec::new(), Path::new(), RECURSION, Cost::MAX);
        let (budget, end) = (meter.lend(), End::Goal);
        Self { space, heuristic, pruner, meter, recursion, stack, path, least_over, budget, end }
    }

    fn round(mut self, start: &S::State, bound: Cost) -> Result<Round<S::Action>, Stop> {
        let (memo, pruned) = (self.heuristic.memo(self.space, start), self.pruner.start());
        let h = self.heuristic.value(&memo);
        let walk = match h <= bound {
            true => {
                let state = start.clone();
                self.walk(Frame { state, memo, pruned, last: None, depth: 0, left: bound })
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
            (Break(()), End::Goal) => {
                let path = self.path;
                self.meter.not_generated(later_siblings(self.space, self.pruner, start, &path));
                let cost = replay(self.space, start, &path).expect("the path leads to a goal");
                Ok(Round::Solved { path, cost })
            }
        }
    }

    /// Searches `root` and what is below it, with a stack of its own down to where recursion begins.
    fn walk(&mut self, root: Frame<S, H::Memo, P::Memory>) -> ControlFlow<()> {
        self.make_room(1, root.left)?;
        self.stack.push(root);
        while let Some(node) = self.stack.pop() {
            let Frame { ref state, memo, pruned, last, depth, left } = node;
            self.path.truncate(depth.saturating_sub(1));
            self.path.extend(last);
            if self.space.is_goal(state) {
                return self.stop(End::Goal);
            }
            if left == 0 {
                self.cut(1);
            } else if left <= self.recursion {
                self.make_room(0, left)?;
                if self.enter(node.state, memo, pruned, last, left - 1).is_break() {
                    self.path[depth..].reverse();
                    return Break(());
                }
            } else {
                self.expand(&node)?;
            }
        }
        Continue(())
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
            let child = self.space.successor(state, action);
            if let Some((memo, left)) = self.within(state, memo, left - 1, action, &child) {
                let (state, last, depth) = (child, Some(action), depth + 1);
                let pruned = self.pruner.after(self.space, pruned, action);
                self.stack.push(Frame { state, memo, pruned, last, depth, left });
            }
        }
        Continue(())
    }

    /// Searches what is below a node, in the code for its kind if there is such.
    ///
    /// `spare` is what is left of the bound after one more action of the least cost.
    #[inline(always)]
    fn enter(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: Option<S::Action>,
        spare: Cost,
    ) -> ControlFlow<()> {
        if !H::SPECIALIZE {
            return self.below::<0>(state, memo, pruned, last, spare);
        }
        let (space, seen) = (self.space, state.clone());
        space.specialize(&seen, last, Below { search: self, state, memo, pruned, last, spare })
    }

    /// Searches what is below a node that is no goal.
    fn below<const KIND: usize>(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: Option<S::Action>,
        spare: Cost,
    ) -> ControlFlow<()> {
        let (state, last) =
            if H::SPECIALIZE { self.space.assume::<KIND>(state, last) } else { (state, last) };
        let actions = self.pruner.allowed(self.space, pruned, last, self.space.actions(&state));
        if !self.budget.spend(actions.count()) {
            return self.below_renewed::<KIND>(state, memo, pruned, last, spare);
        }
        // Without a memo, the number 0 is all that it takes to know that nothing below the children is
        // within the bound: then code without a recursion does.
        if const { size_of::<H::Memo>() == 0 } && spare == 0 {
            return self.children(&state, memo, pruned, 0, actions);
        }
        self.children(&state, memo, pruned, spare, actions)
    }

    /// The same with the next budget. Apart, and called last, so that no register is kept for it.
    #[cold]
    #[inline(never)]
    fn below_renewed<const KIND: usize>(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: Option<S::Action>,
        spare: Cost,
    ) -> ControlFlow<()> {
        self.renew()?;
        self.below::<KIND>(state, memo, pruned, last, spare)
    }

    /// Searches the children of a node one after the other.
    #[inline(always)]
    fn children(
        &mut self,
        state: &S::State,
        memo: H::Memo,
        pruned: P::Memory,
        spare: Cost,
        actions: S::Actions,
    ) -> ControlFlow<()> {
        let mut actions = actions.into_iter();
        macro_rules! next {
            () => {
                let Some(action) = actions.next() else { return Continue(()) };
                self.descend(state, memo, pruned, spare, action)?;
            };
        }
        // Where the kind of the node tells the actions, each is a constant if no loop hides it.
        if H::SPECIALIZE {
            next!();
            next!();
            next!();
            next!();
        }
        loop {
            next!();
        }
    }

    /// Searches the child by `action` and what is below it, if it is within the bound.
    #[inline(always)]
    fn descend(
        &mut self,
        parent: &S::State,
        memo: H::Memo,
        pruned: P::Memory,
        spare: Cost,
        action: S::Action,
    ) -> ControlFlow<()> {
        let state = self.space.successor(parent, action);
        let Some((memo, left)) = self.within(parent, memo, spare, action, &state) else {
            return Continue(());
        };
        if self.heuristic.value(&memo) == 0 {
            if self.space.is_goal(&state) {
                return self.back(action);
            }
            // Every action costs at least 1, so nothing below is within the bound.
            if left == 0 {
                self.cut(1);
                return Continue(());
            }
        }
        let pruned = self.pruner.after(self.space, pruned, action);
        if self.enter(state, memo, pruned, Some(action), left.wrapping_sub(1)).is_break() {
            return self.back(action);
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
        if let Err(stop) = self.meter.reserve(held) {
            return self.stop(End::Stopped(stop));
        }
        self.stack.reserve(nodes);
        self.path.reserve(actions);
        Continue(())
    }
}

/// [`BoundedSearch::below`], to be compiled for each kind of node.
struct Below<'d, 'a, 'o, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>> {
    search: &'d mut BoundedSearch<'a, 'o, S, H, P>,
    state: S::State,
    memo: H::Memo,
    pruned: P::Memory,
    last: Option<S::Action>,
    spare: Cost,
}

impl<S, H, P> Specialized for Below<'_, '_, '_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<const KIND: usize>(self) -> ControlFlow<()> {
        let Self { search, state, memo, pruned, last, spare } = self;
        search.below::<KIND>(state, memo, pruned, last, spare)
    }
}

#[cfg(test)]
mod tests;
