//! Estimates of the distance that remains.

use std::sync::Arc;

use crate::space::{Cost, StateSpace};

/// An estimate of the cost from a state to the nearest goal.
pub trait Heuristic<S: StateSpace> {
    /// The estimate for `state`, computed from scratch: 0 for a goal.
    fn h(&self, space: &S, state: &S::State) -> Cost;
}

/// A heuristic whose value is carried along a path and changed by each move, not computed anew.
///
/// The law, tested on random walks for every implementation: after any sequence of
/// [`update`](Self::update)s, [`value`](Self::value) equals [`Heuristic::h`] of the state reached.
pub trait IncrementalHeuristic<S: StateSpace>: Heuristic<S> {
    /// What is carried down the path.
    type Memo: Copy;

    /// Whether depth-first searches are worth compiling for each kind of node (see
    /// [`StateSpace::specialize`]): only if [`update`](Self::update) is a few instructions, which the
    /// knowledge of the kind makes fewer.
    const SPECIALIZE: bool = false;

    /// Whether long depth-first searches gain if they expand nodes layer by layer, all of a kind in one
    /// loop, in spaces of several kinds: only if [`update`](Self::update) hardly ever branches.
    const IN_LAYERS: bool = false;

    /// A number that divides every change of f, the cost so far and the estimate, where actions cost 1:
    /// it tells the least f above a bound before any is seen. At least 1.
    ///
    /// The law, tested on random walks: f of a child less f of its parent is a multiple.
    fn granularity(&self) -> Cost {
        1
    }

    /// The memo of a state that was reached by no known move.
    fn memo(&self, space: &S, state: &S::State) -> Self::Memo;

    /// The memo of `child`, which `action` makes of `parent`, whose memo is `memo`.
    fn update(
        &self,
        space: &S,
        memo: Self::Memo,
        parent: &S::State,
        action: S::Action,
        child: &S::State,
    ) -> Self::Memo;

    /// The estimate that `memo` stands for.
    fn value(&self, memo: &Self::Memo) -> Cost;
}

/// The estimate that knows nothing: with it, A* is uniform-cost search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<S: StateSpace> Heuristic<S> for Zero {
    fn h(&self, _: &S, _: &S::State) -> Cost {
        0
    }
}

impl<S: StateSpace> IncrementalHeuristic<S> for Zero {
    type Memo = ();
    const IN_LAYERS: bool = true;
    fn memo(&self, _: &S, _: &S::State) {}
    fn update(&self, _: &S, (): (), _: &S::State, _: S::Action, _: &S::State) {}
    fn value(&self, (): &()) -> Cost {
        0
    }
}

/// Makes any heuristic incremental by computing it afresh for every state.
///
/// Cost: the whole heuristic for each child, where a carried one looks at what the move changes.
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

/// A shared heuristic is a heuristic.
impl<S: StateSpace, H: Heuristic<S>> Heuristic<S> for Arc<H> {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        (**self).h(space, state)
    }
}

impl<S: StateSpace, H: IncrementalHeuristic<S>> IncrementalHeuristic<S> for Arc<H> {
    type Memo = H::Memo;
    const SPECIALIZE: bool = H::SPECIALIZE;
    const IN_LAYERS: bool = H::IN_LAYERS;
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
