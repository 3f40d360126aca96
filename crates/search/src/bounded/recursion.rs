//! The last levels above the bound, by recursion, in code for each kind of node if there is such.

use std::ops::ControlFlow::{self, Continue};

use super::BoundedSearch;
use crate::heuristic::IncrementalHeuristic;
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, Specialized, StateSpace};

impl<'a, 'o, S, H, P> BoundedSearch<'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    /// Searches what is below a node, in the code for its kind if there is such.
    ///
    /// `spare` is what is left of the bound after one more action of the least cost.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: S::Action,
        spare: Cost,
    ) -> ControlFlow<()> {
        if !H::SPECIALIZE {
            return self.below::<0>(state, memo, pruned, Some(last), spare);
        }
        let (space, kind) = (self.space, self.space.kind(&state, last));
        let last = Some(last);
        space.specialize(kind, Below { search: self, state, memo, pruned, last, spare })
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
        let Some(pruned) = self.pruner.after(self.space, pruned, action) else {
            return Continue(());
        };
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
        if self.enter(state, memo, pruned, action, left.wrapping_sub(1)).is_break() {
            return self.back(action);
        }
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
