//! Which moves a path never needs: pruning by the moves made so far, without a table of states.

use crate::space::{Reversible, StateSpace};

/// Refuses moves that cannot lie on any path worth following, judged by the path's own moves.
///
/// Sound only in tree searches (depth-first, iterative deepening, IDA*): the refused path must have
/// an equivalent that is not refused and is no longer.
pub trait PathPruner<S: StateSpace> {
    /// What is remembered of the path.
    type State: Copy;

    /// The memory of the empty path.
    fn start(&self) -> Self::State;

    /// The memory after `action`, or `None` if the path must not go on with it.
    fn step(&self, space: &S, memory: Self::State, action: S::Action) -> Option<Self::State>;
}

/// Refuses nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPruning;

impl<S: StateSpace> PathPruner<S> for NoPruning {
    type State = ();
    fn start(&self) {}
    fn step(&self, _: &S, (): (), _: S::Action) -> Option<()> {
        Some(())
    }
}

/// Refuses to take the last move back.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoUndo;

impl<S: Reversible> PathPruner<S> for NoUndo {
    /// The one action that must not come next.
    type State = Option<S::Action>;

    fn start(&self) -> Self::State {
        None
    }

    #[inline]
    fn step(&self, space: &S, banned: Self::State, action: S::Action) -> Option<Self::State> {
        if banned == Some(action) { None } else { Some(Some(space.inverse(action))) }
    }
}
