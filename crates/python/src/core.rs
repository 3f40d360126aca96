//! What a solver holds: how it searches, and the goal.

use std::fmt::Display;

use loyd::goal::Goal;
use loyd::{Board, Problem, Size};
use loyd_cli::library::{GoalText, Message, SolveOptions};
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

use crate::batch::Kept;

/// The `ValueError` with the message of `error`.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A solver and the goal to which its boards lead.
pub struct Core {
    /// Solves as the options say, with the quality `auto` if they leave it open how to search.
    pub solver: loyd::Solver,
    /// The same with proved solutions if the options leave that open; it has its tables together with the other.
    pub proving: loyd::Solver,
    /// The goal as it was named.
    pub goal_text: GoalText,
    /// The size of the goal, if it is a board.
    pub size: Option<Size>,
    /// The tables of distances that batches made.
    pub kept: Kept,
    /// The goal, if it has a name.
    named: Option<Goal>,
}

impl Core {
    /// A solver of boards that lead to the goal of `options`.
    ///
    /// # Errors
    /// When choices do not go together.
    pub fn new(options: SolveOptions) -> Result<Self, Message> {
        let SolveOptions { config, all, goal } = options;
        let solver = loyd::Solver::new(config)?;
        // A quality that is asked for may be none that proves: then only who wants a proof is refused.
        let proving = solver.sharing(all)?;
        let goal_text = GoalText::new(goal.as_deref().unwrap_or("blank-last"));
        let named = goal_text.named();
        let size = match (&named, goal_text.is_partial()) {
            (Some(_), _) => None,
            (None, true) => goal_text.partial(None)?.map(|goal| goal.size()),
            (None, false) => Some(goal_text.board(None)?.size()),
        };
        Ok(Self { solver, proving, goal_text, size, kept: Kept::default(), named })
    }

    /// A solver with the options of the command line's defaults and this goal.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_goal(goal: Option<String>) -> Result<Self, Message> {
        Self::new(SolveOptions { goal, ..SolveOptions::read(Vec::new())? })
    }

    /// The problem of bringing `board` to the goal.
    ///
    /// # Errors
    /// When the goal is none for boards of this size.
    pub fn problem(&self, board: Board) -> Result<Problem, Message> {
        match &self.named {
            Some(goal) => {
                Problem::new(board, goal).map_err(|error| loyd::Error::from(error).into())
            }
            None => self.goal_text.problem(board),
        }
    }
}
