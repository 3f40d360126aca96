//! Which moves a path never needs: pruning by the moves made so far, without a table of states.

use crate::space::{ActionSet, Reversible, StateSpace};

/// Refuses moves that cannot lie on any path worth following, judged by the path's own moves.
///
/// Sound only in tree searches (depth-first, iterative deepening, IDA*): the refused path must have
/// an equivalent that is not refused and is no longer.
pub trait PathPruner<S: StateSpace> {
    /// What is remembered of the path.
    type Memory: Copy;

    /// The memory of the empty path.
    fn start(&self) -> Self::Memory;

    /// Those of `actions` with which the path may go on.
    fn allowed(&self, memory: Self::Memory, actions: S::Actions) -> S::Actions;

    /// The memory once the path has gone on with `action`.
    fn after(&self, space: &S, memory: Self::Memory, action: S::Action) -> Self::Memory;
}

/// Refuses nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPruning;

impl<S: StateSpace> PathPruner<S> for NoPruning {
    type Memory = ();
    fn start(&self) {}
    fn allowed(&self, (): (), actions: S::Actions) -> S::Actions {
        actions
    }
    fn after(&self, _: &S, (): (), _: S::Action) {}
}

/// Refuses to take the last move back.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoUndo;

impl<S: Reversible> PathPruner<S> for NoUndo {
    /// The one action that must not come next.
    type Memory = Option<S::Action>;

    fn start(&self) -> Self::Memory {
        None
    }

    #[inline]
    fn allowed(&self, undo: Self::Memory, actions: S::Actions) -> S::Actions {
        actions.without(undo)
    }

    #[inline]
    fn after(&self, space: &S, _: Self::Memory, action: S::Action) -> Self::Memory {
        Some(space.inverse(action))
    }
}
