//! Estimates of the distance that remains.

use std::sync::Arc;

use crate::space::{Cost, StateSpace};

/// An estimate of the cost from a state to the nearest goal.
pub trait Heuristic<S: StateSpace> {
    /// Returns the estimate for `state`, computed from scratch: 0 for a goal.
    fn h(&self, space: &S, state: &S::State) -> Cost;
}

/// A heuristic whose value is updated by each move along a path instead of being computed again.
///
/// Invariant, tested on random walks for every implementation: after any sequence of [`update`](Self::update)s,
/// [`value`](Self::value) equals [`Heuristic::h`] of the state reached.
pub trait IncrementalHeuristic<S: StateSpace>: Heuristic<S> {
    /// The data passed down the path.
    type Memo: Copy;

    /// Whether to compile depth-first searches once for each kind of node (see [`StateSpace::specialize`]). This pays
    /// off only if [`update`](Self::update) is a few instructions, and fewer for a known kind.
    const SPECIALIZE: bool = false;

    /// Whether long depth-first searches may expand nodes layer by layer, all nodes of one kind in one loop, in spaces
    /// of several kinds. This pays off only if [`update`](Self::update) hardly ever branches.
    const LAYERED: bool = false;

    /// Returns a common divisor, at least 1, of all differences of f = g + h between a child and its parent, where
    /// every action costs 1. From it the search knows the least possible f above a bound before it has pruned any node.
    ///
    /// Invariant, tested on random walks: f of a child minus f of its parent is a multiple of it.
    fn granularity(&self) -> Cost {
        1
    }

    /// Returns the memo of a state, computed from scratch.
    fn memo(&self, space: &S, state: &S::State) -> Self::Memo;

    /// Returns the memo of `child`, the successor of `parent` by `action`, from the memo of `parent`.
    fn update(
        &self,
        space: &S,
        memo: Self::Memo,
        parent: &S::State,
        action: S::Action,
        child: &S::State,
    ) -> Self::Memo;

    /// Returns the estimate of the state whose memo is `memo`.
    fn value(&self, memo: &Self::Memo) -> Cost;
}

/// The heuristic that is 0 for every state: with it, A* is uniform-cost search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<S: StateSpace> Heuristic<S> for Zero {
    fn h(&self, _: &S, _: &S::State) -> Cost {
        0
    }
}

impl<S: StateSpace> IncrementalHeuristic<S> for Zero {
    type Memo = ();
    const LAYERED: bool = true;
    fn memo(&self, _: &S, _: &S::State) {}
    fn update(&self, _: &S, (): (), _: &S::State, _: S::Action, _: &S::State) {}
    fn value(&self, (): &()) -> Cost {
        0
    }
}

/// Makes any heuristic incremental by computing it from scratch for every state.
///
/// Cost: the whole heuristic for each child, where an incremental one recomputes only what the move changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recompute<H>(pub H);

impl<S: StateSpace, H: Heuristic<S>> Heuristic<S> for Recompute<H> {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.0.h(space, state)
    }
}

impl<S: StateSpace, H: Heuristic<S>> IncrementalHeuristic<S> for Recompute<H> {
    type Memo = Cost;
    fn memo(&self, space: &S, state: &S::State) -> Cost {
        self.0.h(space, state)
    }
    fn update(&self, space: &S, _: Cost, _: &S::State, _: S::Action, child: &S::State) -> Cost {
        self.0.h(space, child)
    }
    fn value(&self, memo: &Cost) -> Cost {
        *memo
    }
}

/// Delegates to the shared heuristic.
impl<S: StateSpace, H: Heuristic<S>> Heuristic<S> for Arc<H> {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        (**self).h(space, state)
    }
}

impl<S: StateSpace, H: IncrementalHeuristic<S>> IncrementalHeuristic<S> for Arc<H> {
    type Memo = H::Memo;
    const SPECIALIZE: bool = H::SPECIALIZE;
    const LAYERED: bool = H::LAYERED;
    fn granularity(&self) -> Cost {
        (**self).granularity()
    }
    fn memo(&self, space: &S, state: &S::State) -> H::Memo {
        (**self).memo(space, state)
    }
    #[inline]
    fn update(
        &self,
        space: &S,
        memo: H::Memo,
        parent: &S::State,
        action: S::Action,
        child: &S::State,
    ) -> H::Memo {
        (**self).update(space, memo, parent, action, child)
    }
    #[inline]
    fn value(&self, memo: &H::Memo) -> Cost {
        (**self).value(memo)
    }
}
