//! Recursive search of the last levels above the bound, compiled once per kind of node where that pays off.
//!
//! With [`IncrementalHeuristic::SPECIALIZE`], [`BoundedSearch::enter`] dispatches on the kind of the node to a copy of
//! [`BoundedSearch::search_subtree`] in which the legal actions, their effects and the last action are constants.

use std::ops::ControlFlow::{self, Continue};

use super::BoundedSearch;
use crate::heuristic::IncrementalHeuristic;
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, SpecializedCode, StateSpace};

impl<'a, 'o, S, H, P> BoundedSearch<'a, 'o, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    /// Searches the tree below a node, in the code for its kind if there is one.
    ///
    /// `spare` is what an action of cost 1 leaves of the bound.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: S::Action,
        spare: Cost,
    ) -> ControlFlow<()> {
        if const { !H::SPECIALIZE } {
            return self.search_subtree::<0>(state, memo, pruned, Some(last), spare);
        }
        let (space, kind) = (self.space, self.space.kind(&state, last));
        let last = Some(last);
        space.specialize(kind, Subtree { search: self, state, memo, pruned, last, spare })
    }

    /// Searches the tree below a node that is not a goal.
    fn search_subtree<const KIND: usize>(
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
            return self.renew_and_search::<KIND>(state, memo, pruned, last, spare);
        }
        // Without memos, `spare == 0` implies that nothing below the children is within the bound: with the constant 0,
        // the compiler removes the recursion.
        if const { size_of::<H::Memo>() == 0 } && spare == 0 {
            return self.children(&state, memo, pruned, 0, actions);
        }
        self.children(&state, memo, pruned, spare, actions)
    }

    /// Takes the next budget, then continues as `search_subtree`. A separate function in tail position, so that the hot
    /// path keeps no registers for it.
    #[cold]
    #[inline(never)]
    fn renew_and_search<const KIND: usize>(
        &mut self,
        state: S::State,
        memo: H::Memo,
        pruned: P::Memory,
        last: Option<S::Action>,
        spare: Cost,
    ) -> ControlFlow<()> {
        self.renew()?;
        self.search_subtree::<KIND>(state, memo, pruned, last, spare)
    }

    /// Searches the trees of all children, in order.
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
        // Unrolled by hand: where the kind determines the actions, each is a constant outside a loop.
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

    /// Makes the child by `action` and searches its tree if the child is within the bound.
    #[inline(always)]
    fn descend(
        &mut self,
        parent: &S::State,
        memo: H::Memo,
        pruned: P::Memory,
        spare: Cost,
        action: S::Action,
    ) -> ControlFlow<()> {
        let Some(pruned) = self.pruner.extend(self.space, pruned, action) else {
            return Continue(());
        };
        let state = self.space.successor(parent, action);
        let Some((memo, left)) = self.within(parent, memo, spare, action, &state) else {
            return Continue(());
        };
        if self.heuristic.value(&memo) == 0 {
            if self.space.is_goal(&state) {
                return self.unwind(action);
            }
            // Every action costs at least 1, so nothing below is within the bound.
            if left == 0 {
                self.cut(1);
                return Continue(());
            }
        }
        if self.enter(state, memo, pruned, action, left.wrapping_sub(1)).is_break() {
            return self.unwind(action);
        }
        Continue(())
    }
}

/// The arguments of [`BoundedSearch::search_subtree`], to be compiled for each kind of node.
struct Subtree<'d, 'a, 'o, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>> {
    search: &'d mut BoundedSearch<'a, 'o, S, H, P>,
    state: S::State,
    memo: H::Memo,
    pruned: P::Memory,
    last: Option<S::Action>,
    spare: Cost,
}

impl<S, H, P> SpecializedCode for Subtree<'_, '_, '_, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<const KIND: usize>(self) -> ControlFlow<()> {
        let Self { search, state, memo, pruned, last, spare } = self;
        search.search_subtree::<KIND>(state, memo, pruned, last, spare)
    }
}
