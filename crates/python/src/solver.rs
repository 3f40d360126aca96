//! `loyd.Solver`.

use std::ffi::CString;
use std::sync::Arc;

use loyd_cli::library::SolveOptions;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::core::{Core, value_error};
use crate::interrupt;
use crate::objects::{Goal, Solution, board_of, option_words};

/// Options of `loyd solve` that a solver accepts.
pub const OPTIONS: [&str; 17] = [
    "goal",
    "quality",
    "algorithm",
    "heuristic",
    "tables",
    "metric",
    "costs",
    "weight",
    "closed",
    "prune",
    "max_depth",
    "no_parity_check",
    "max_expanded",
    "max_time",
    "max_memory",
    "threads",
    "cache",
];

/// Solves boards and answers questions about them. A solver keeps its tables and can be shared between threads.
///
/// Options have the names, values and defaults of `loyd solve`: goal, quality, algorithm, heuristic, tables, metric,
/// costs, weight, closed, prune, max_depth, no_parity_check, max_expanded, max_time, max_memory, threads, cache. Times are
/// numbers of seconds or text ("500ms"), memory is a number of bytes or text ("64M"). `threads` is 1 by default.
/// Raises `ValueError` with the message of the command line.
#[pyclass(frozen, module = "loyd")]
pub struct Solver {
    pub core: Arc<Core>,
    /// Options with which the solver was created.
    options: Py<PyDict>,
}

impl Solver {
    /// Converts a Python value to a board and returns its problem.
    ///
    /// # Errors
    /// `ValueError` if the value is not a board, or the board and the goal differ in size.
    pub fn problem(&self, board: &Bound<'_, PyAny>) -> PyResult<loyd::Problem> {
        self.core.problem(board_of(board, None)?).map_err(value_error)
    }

    /// Issues Python warnings about table files that are damaged or cannot be written. Answers do not depend on them.
    ///
    /// # Errors
    /// The exception that Python raises if warnings are turned into errors.
    pub fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let kind = py.get_type::<PyRuntimeWarning>();
        let warnings = self.core.solver.take_warnings();
        let mut texts = warnings.iter().map(ToString::to_string);
        texts.try_for_each(|text| {
            let text = CString::new(text)?;
            interrupt::guard(py, || PyErr::warn(py, &kind, &text, 1))
        })
    }

    /// Returns the options given in a call, with those of the solver listed in `names` as defaults.
    ///
    /// # Errors
    /// Any exception raised by Python.
    pub fn with_defaults<'py>(
        &self,
        py: Python<'py>,
        given: Option<&Bound<'py, PyDict>>,
        names: &[&str],
    ) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for name in names {
            if let Some(value) = self.options(py).get_item(name)? {
                all.set_item(name, value)?;
            }
        }
        given.map_or(Ok(()), |given| all.update(given.as_mapping()))?;
        Ok(all)
    }

    /// Returns the options with which the solver was created.
    pub fn options<'py>(&self, py: Python<'py>) -> &Bound<'py, PyDict> {
        self.options.bind(py)
    }
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(
        signature = (**options),
        text_signature = "(*, goal=None, quality=None, algorithm=None, heuristic=None, tables=None, metric=None, \
            costs=None, weight=None, closed=None, prune=None, max_depth=None, no_parity_check=False, max_expanded=None, max_time=None, \
            max_memory=None, threads=None, cache=None)"
    )]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = match options {
            Some(options) => options.copy()?,
            None => PyDict::new(py),
        };
        let read =
            SolveOptions::read(option_words("Solver", &options, &OPTIONS)?).map_err(value_error)?;
        let core = Core::new(read).map_err(value_error)?;
        Ok(Self { core: Arc::new(core), options: options.unbind() })
    }

    /// Solves `board`: a `Board`, text, a list or an array. An unsolvable board is not an error: see `Solution.status`
    /// and `explain`.
    fn solve(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Solution> {
        let problem = self.problem(board)?;
        let solver = &self.core.solver;
        let report = match solver.config().threads {
            1 => interrupt::watch(py, |cancel, observer| {
                solver.solve_watched(&problem, cancel, Some(observer))
            }),
            _ => interrupt::run(py, |cancel| solver.solve_watched(&problem, cancel, None)),
        };
        let report = report?.map_err(value_error)?;
        self.warn(py)?;
        Ok(report.into())
    }

    /// Goal of the solver.
    #[getter]
    fn goal(&self) -> Goal {
        Goal { text: self.core.goal_text.clone() }
    }

    /// Memory of the tables that are kept between calls, in bytes.
    #[getter]
    fn held_bytes(&self, py: Python<'_>) -> u64 {
        self.core.solver.held_bytes() + interrupt::detach(py, || self.core.label_tables.bytes())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let options =
            self.options(py).iter().map(|(name, value)| Ok(format!("{name}={}", value.repr()?)));
        let options: Vec<String> = options.collect::<PyResult<_>>()?;
        Ok(format!("Solver({})", options.join(", ")))
    }

    /// A copy rebuilds or rereads its tables.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let restore = slf.get_type().getattr("_restore")?;
        Ok((restore, (slf.get().options(slf.py()).copy()?,)))
    }

    /// Restores a pickled solver.
    #[staticmethod]
    fn _restore(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        Self::new(py, Some(options))
    }

    /// Returns the same solver, which is immutable.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
