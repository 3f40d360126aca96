//! What a search ends with, and how a solution is checked.

use crate::space::{Cost, StateSpace};
use crate::stop::Stop;

/// A sequence of actions.
pub type Path<A> = Vec<A>;

/// How a search ended. Statistics are kept in the [`Meter`](crate::Meter) whatever happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<A> {
    /// A path to a goal.
    Solved {
        /// The actions from the start to the goal.
        path: Path<A>,
        /// The sum of their costs.
        cost: Cost,
    },
    /// Everything that can be reached was searched: it is proved that there is no path.
    Exhausted,
    /// The search gave up; nothing is proved.
    Stopped(Stop),
}

impl<A> Outcome<A> {
    /// The solution for a start that is a goal.
    pub fn at_goal() -> Self {
        Self::Solved { path: Vec::new(), cost: 0 }
    }

    /// Turns the early exit of a search into its outcome.
    pub fn from_result(result: Result<Self, Stop>) -> Self {
        result.unwrap_or_else(Self::Stopped)
    }
}

/// Where a path fails when it is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The action at this index (from 0) is not legal there.
    #[error("move {} is not possible there", .0 + 1)]
    Illegal(usize),
    /// All actions are legal, but they do not end at a goal.
    #[error("the moves end away from the goal")]
    NotAtGoal,
}

/// Walks `path` from `start`; returns its cost if every step is legal and the end is a goal.
///
/// # Errors
/// The first illegal step, or that the end is no goal.
pub fn replay<S: StateSpace>(
    space: &S,
    start: &S::State,
    path: &[S::Action],
) -> Result<Cost, ReplayError> {
    let mut state = start.clone();
    let mut cost = 0;
    for (index, &action) in path.iter().enumerate() {
        if !space.actions(&state).into_iter().any(|legal| legal == action) {
            return Err(ReplayError::Illegal(index));
        }
        cost += space.action_cost(&state, action);
        space.apply(&mut state, action);
    }
    if space.is_goal(&state) { Ok(cost) } else { Err(ReplayError::NotAtGoal) }
}
