//! What environments are to do, and what they refuse to do.

use loyd::{Board, Move};

/// What a step is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reward {
    /// −1 a step.
    #[default]
    Step,
    /// 1 for reaching the goal, else 0.
    Goal,
    /// Minus the number of tiles that are not on their goal cells; the blank is none.
    Misplaced,
    /// By how much the sum of the Manhattan distances of all tiles went down: 1 for a move that takes a tile nearer
    /// to its goal cell, −1 for any other, 0 where nothing moved.
    Manhattan,
}

/// What happens to an environment whose episode has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// The next step begins a new episode instead of carrying out the action, with the reward 0.
    #[default]
    NextStep,
    /// The same step begins a new episode; [`Environments::ended`](super::Environments::ended) has the last boards.
    SameStep,
    /// It has to be reset before the next step.
    Never,
}

/// The rules of environments.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The board that ends an episode.
    pub goal: Board,
    /// What a step is worth.
    pub reward: Reward,
    /// The number of steps after which an episode is truncated, at least 1.
    pub max_steps: Option<u32>,
    /// What happens after an episode.
    pub restart: Restart,
    /// Whether moves that would leave the board are refused.
    pub refuse_illegal: bool,
}

impl Rules {
    /// −1 a step, no limit of steps, a new episode in the step after the last.
    pub fn new(goal: Board) -> Self {
        let (reward, restart) = (Reward::default(), Restart::default());
        Self { goal, reward, max_steps: None, restart, refuse_illegal: false }
    }
}

/// Why environments do not do what they are told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvironmentError {
    /// There is none.
    #[error("there has to be one environment at least")]
    None,
    /// Episodes without a step.
    #[error("an episode has one step at least")]
    NoSteps,
    /// Not one action for each environment.
    #[error("{found} actions where {expected} are needed, one for each environment")]
    Count {
        /// The actions there are.
        found: usize,
        /// The environments.
        expected: usize,
    },
    /// A number that is no action.
    #[error(
        "environment {environment}: {action} is no action: 0 to 3 are the blank's moves up, left, right and down"
    )]
    Action {
        /// The environment.
        environment: usize,
        /// The number.
        action: i64,
    },
    /// The blank would leave the board.
    #[error("environment {environment}: the blank on cell {cell} cannot go {direction:?}")]
    Illegal {
        /// The environment.
        environment: usize,
        /// Where its blank is, counted from 0.
        cell: u8,
        /// Where it should have gone.
        direction: Move,
    },
    /// The episode has ended.
    #[error("environment {environment}: its episode has ended, and it was not reset")]
    Over {
        /// The environment.
        environment: usize,
    },
    /// A board that does not go with the goal.
    #[error("{0}")]
    Board(String),
}
