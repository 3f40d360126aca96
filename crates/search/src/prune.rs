//! Which moves a path never needs: pruning by the moves made so far, without a table of states.

use crate::space::{ActionSet, Reversible, StateSpace};

/// Refuses moves that cannot lie on any path worth following, judged by the path's own moves.
///
/// Sound only in tree searches (depth-first, iterative deepening, IDA*): the refused path must have
/// an equivalent that is not refused and is no longer.
pub trait PathPruner<S: StateSpace> {
    /// What is remembered of the path, besides its last action.
    type Memory: Copy;

    /// The memory of the empty path, which begins in `start`.
    fn start(&self, space: &S, start: &S::State) -> Self::Memory;

    /// Those of `actions` with which a path that ends with `last` may go on.
    fn allowed(
        &self,
        space: &S,
        memory: Self::Memory,
        last: Option<S::Action>,
        actions: S::Actions,
    ) -> S::Actions;

    /// The memory once the path has gone on with `action`, one of those that are allowed; `None` if the memory
    /// refuses it. A pruner whose memory takes no room refuses by [`allowed`](Self::allowed) alone.
    ///
    /// A child that is refused here counts as generated, as one that is beyond the bound does.
    fn after(&self, space: &S, memory: Self::Memory, action: S::Action) -> Option<Self::Memory>;
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
    fn after(&self, _: &S, (): (), _: S::Action) -> Option<()> {
        Some(())
    }
}

/// Refuses to take the last move back.
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
    fn after(&self, _: &S, (): (), _: S::Action) -> Option<()> {
        Some(())
    }
}
