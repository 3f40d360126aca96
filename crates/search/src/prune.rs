//! Pruning by the moves of the path alone, without a table of states.

use crate::space::{ActionSet, Reversible, StateSpace};

/// Refuses moves that a path need not take, judged by the moves of the path.
///
/// Sound only in tree searches (depth-first search, iterative deepening, IDA*): for every refused path there must be an
/// equivalent path of at most the same length that is not refused.
pub trait PathPruner<S: StateSpace> {
    /// Data about the path, besides its last action.
    type Memory: Copy;

    /// Returns the memory of the empty path from `start`.
    fn start(&self, space: &S, start: &S::State) -> Self::Memory;

    /// Returns those of `actions` that may follow a path ending with `last`.
    fn allowed(
        &self,
        space: &S,
        memory: Self::Memory,
        last: Option<S::Action>,
        actions: S::Actions,
    ) -> S::Actions;

    /// Returns the memory after the path is extended by `action`, one of those allowed; `None` if the memory refuses
    /// it. A pruner whose memory is zero-sized may refuse by [`allowed`](Self::allowed) only.
    ///
    /// A child refused here counts as generated, like a child above the bound.
    fn extend(&self, space: &S, memory: Self::Memory, action: S::Action) -> Option<Self::Memory>;
}

/// Refuses nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPruning;

impl<S: StateSpace> PathPruner<S> for NoPruning {
    type Memory = ();
    fn start(&self, _: &S, _: &S::State) {}
    fn allowed(&self, _: &S, (): (), _: Option<S::Action>, actions: S::Actions) -> S::Actions {
        actions
    }
    #[inline]
    fn extend(&self, _: &S, (): (), _: S::Action) -> Option<()> {
        Some(())
    }
}

/// Refuses to undo the last move.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoUndo;

impl<S: Reversible> PathPruner<S> for NoUndo {
    type Memory = ();
    fn start(&self, _: &S, _: &S::State) {}
    #[inline]
    fn allowed(
        &self,
        space: &S,
        (): (),
        last: Option<S::Action>,
        actions: S::Actions,
    ) -> S::Actions {
        actions.without(last.map(|last| space.inverse(last)))
    }
    #[inline]
    fn extend(&self, _: &S, (): (), _: S::Action) -> Option<()> {
        Some(())
    }
}
