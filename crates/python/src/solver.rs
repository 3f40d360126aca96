//! `loyd.Solver`.

use std::sync::Arc;

use loyd::notation::{moves_to_string, parse_board};
use loyd::{Config, Problem};
use pyo3::prelude::*;

use crate::core::{Core, value_error};
use crate::interrupt;

/// Solves boards.
#[pyclass(frozen, module = "loyd")]
pub struct Solver {
    pub core: Arc<Core>,
}

#[pymethods]
impl Solver {
    #[new]
    fn new() -> PyResult<Self> {
        let core = Core::new(Config::default(), Default::default()).map_err(value_error)?;
        Ok(Self { core: Arc::new(core) })
    }

    /// A shortest solution of `board`, as moves of the blank.
    fn solve(&self, py: Python<'_>, board: &str) -> PyResult<Option<String>> {
        let board = parse_board(board, None).map_err(value_error)?;
        let problem = Problem::new(board, &self.core.goal).map_err(value_error)?;
        let report =
            interrupt::run(py, |cancel| self.core.solver.solve_watched(&problem, cancel, None))?;
        Ok(report.map_err(value_error)?.moves.map(|moves| moves_to_string(&moves)))
    }
}
