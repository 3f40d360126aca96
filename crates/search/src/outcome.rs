//! The result of a search: its outcome, why it stopped, its statistics, and the check of its solution.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::observer::Iteration;
use crate::space::{Cost, StateSpace};

/// A sequence of actions.
pub type Path<A> = Vec<A>;

/// How a search ended. The statistics are in the [`Meter`](crate::Meter) in every case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<A> {
    /// A path to a goal.
    Solved {
        /// The actions from the start to the goal.
        path: Path<A>,
        /// The sum of their costs.
        cost: Cost,
    },
    /// All reachable states were searched: it is proved that no path exists.
    Exhausted,
    /// The search stopped early; nothing is proved.
    Stopped(Stop),
}

impl<A> Outcome<A> {
    /// Returns the solution for a start that is a goal: the empty path.
    pub fn at_goal() -> Self {
        Self::Solved { path: Vec::new(), cost: 0 }
    }

    /// Converts the result of a search that returns early with `?` into its outcome.
    pub fn from_result(result: Result<Self, Stop>) -> Self {
        result.unwrap_or_else(Self::Stopped)
    }
}

/// Why a search stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The limit on expanded nodes was reached.
    #[error("the limit on expanded nodes was reached")]
    Expanded,
    /// The depth limit pruned paths, and there was no solution among the others.
    #[error("the depth limit was reached, and longer paths were not tried")]
    Depth,
    /// The next step would exceed the memory limit.
    #[error("the memory limit was reached")]
    Memory,
    /// The time limit was reached.
    #[error("the time limit was reached")]
    Time,
    /// Tables contradict themselves: they were built or written incorrectly.
    #[error("the tables of the search contradict themselves")]
    Tables,
    /// A count does not fit in 128 bits.
    #[error("the number does not fit in 128 bits")]
    Number,
    /// The caller or the observer stopped the search.
    #[error("cancelled")]
    Cancelled,
}

impl Stop {
    /// Returns the machine-readable name: `expanded`, `depth`, `memory`, `time`, `tables`, `number` or `cancelled`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expanded => "expanded",
            Self::Depth => "depth",
            Self::Memory => "memory",
            Self::Time => "time",
            Self::Tables => "tables",
            Self::Number => "number",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Why a path is not a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The action at this index (from 0) is not legal in its state.
    #[error("move {} is not legal there", .0 + 1)]
    Illegal(usize),
    /// All actions are legal, but the last state is not a goal.
    #[error("the moves do not lead to the goal")]
    NotAtGoal,
}

/// Follows `path` from `start` and returns its cost.
///
/// # Errors
/// The first illegal action, or [`ReplayError::NotAtGoal`].
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

/// Statistics of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes whose successors were enumerated.
    pub expanded: u64,
    /// Legal children of expanded nodes that do not undo the last move.
    pub generated: u64,
    /// Generated children whose states were already known (0 in searches without a closed list).
    pub duplicates: u64,
    /// Closed nodes that were opened again because a cheaper path to them was found.
    pub reopened: u64,
    /// The largest number of bytes held at once by the search's own structures and its tables.
    pub peak_bytes: u64,
    /// The time of the search itself, from the creation of the meter to the end, without `table_time`.
    pub elapsed: Duration,
    /// The time for building and reading tables.
    pub table_time: Duration,
    /// The iterations of an iterative search, including the last one.
    pub iterations: Vec<Iteration>,
    /// The part of the search that found the solution, in searches that may find it before the last iteration:
    ///
    /// * `ahead`: the second-to-last iteration;
    /// * `beam`: a beam search, so that the last iteration was not searched;
    /// * `round`: the last iteration itself;
    /// * `improver`: a search for better solutions, whose best one is as long as the proven lower bound.
    pub ended_by: Option<&'static str>,
    /// The direction of the search that `iterations` belongs to, if both directions were possible.
    pub direction: Option<Direction>,
}

impl Stats {
    /// Returns the number of nodes expanded in all iterations but the last. It does not depend on the order of moves,
    /// so any two programs with the same heuristic agree on it.
    pub fn expanded_complete(&self) -> u64 {
        self.iterations.iter().rev().skip(1).map(|i| i.expanded).sum()
    }
}

/// The direction of a search, or of one of the two searches of a bidirectional one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the start towards the goals, as in most searches.
    #[default]
    Forward,
    /// From the goals towards the start.
    Backward,
}

impl Direction {
    /// Both directions.
    pub const ALL: [Self; 2] = [Self::Forward, Self::Backward];

    /// Returns `forward` or `backward`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Direction {
    type Err = DirectionError;

    fn from_str(text: &str) -> Result<Self, DirectionError> {
        let named = Self::ALL.into_iter().find(|direction| direction.name() == text);
        named.ok_or_else(|| DirectionError(text.to_owned()))
    }
}

/// The error for a text that names no direction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a direction: forward and backward are allowed")]
pub struct DirectionError(String);
