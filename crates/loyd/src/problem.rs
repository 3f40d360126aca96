//! What is to be solved.

use std::str::FromStr;

use loyd_tiles::notation::parse_board;
use loyd_tiles::{Board, Goal, GoalMismatch};

use crate::error::Error;

/// A start and a goal of the same size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    start: Board,
    goal: Board,
}

impl Problem {
    /// The problem of bringing `start` to `goal`.
    ///
    /// # Errors
    /// When the goal is a board of another size.
    pub fn new(start: Board, goal: &Goal) -> Result<Self, GoalMismatch> {
        let goal = goal.board(start.size())?;
        Self::between(start, goal)
    }

    /// The problem of bringing `start` to the board `goal`.
    ///
    /// # Errors
    /// When they differ in size.
    pub fn between(start: Board, goal: Board) -> Result<Self, GoalMismatch> {
        if start.size() != goal.size() {
            return Err(GoalMismatch { start: start.size(), goal: goal.size() });
        }
        Ok(Self { start, goal })
    }

    /// The position to begin with.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The position to reach.
    pub fn goal(&self) -> &Board {
        &self.goal
    }
}

/// Reads a board in any notation; the goal is the tiles in order with the blank last.
impl FromStr for Problem {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Self::new(parse_board(text, None)?, &Goal::BlankLast)?)
    }
}
