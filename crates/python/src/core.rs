//! What a solver holds: a configuration and a goal.

use std::fmt::Display;

use loyd::Config;
use loyd::goal::Goal;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// The `ValueError` with the message of `error`.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A solver and the goal to which its boards lead.
pub struct Core {
    pub solver: loyd::Solver,
    pub goal: Goal,
}

impl Core {
    /// A solver of boards that lead to `goal`.
    ///
    /// # Errors
    /// When choices do not go together.
    pub fn new(config: Config, goal: Goal) -> Result<Self, loyd::Error> {
        Ok(Self { solver: loyd::Solver::new(config)?, goal })
    }
}
