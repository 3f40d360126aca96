//! `loyd.Solver`.

use std::ffi::CString;
use std::sync::Arc;

use loyd_cli::library::SolveOptions;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::core::{Core, value_error};
use crate::interrupt;
use crate::objects::{Goal, Solution, board_of, words};

/// The options of `loyd solve` that a solver takes.
pub const OPTIONS: [&str; 16] = [
    "goal",
    "quality",
    "algorithm",
    "heuristic",
    "tables",
    "metric",
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

/// Solves boards, and says what there is to know of them. It keeps its tables, and threads may share it.
///
/// Options have the names, values and defaults of `loyd solve`: goal, quality, algorithm, heuristic, tables, metric,
/// weight, closed, prune, max_depth, no_parity_check, max_expanded, max_time, max_memory, threads, cache. Times are
/// numbers of seconds or text ("500ms"), memory is a number of bytes or text ("64M"). Only `threads` is 1 by default.
/// Raises `ValueError` with the message of the command line.
#[pyclass(frozen, module = "loyd")]
pub struct Solver {
    pub core: Arc<Core>,
    /// What it was made of.
    options: Py<PyDict>,
}

impl Solver {
    /// The problem of a board that was handed over.
    ///
    /// # Errors
    /// `ValueError` when it is none, or has another size than the goal.
    pub fn problem(&self, board: &Bound<'_, PyAny>) -> PyResult<loyd::Problem> {
        self.core.problem(board_of(board, None)?).map_err(value_error)
    }

    /// Warns of files of tables that were damaged, or could not be written; answers do not depend on them.
    ///
    /// # Errors
    /// What Python raises where warnings are errors.
    pub fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let kind = py.get_type::<PyRuntimeWarning>();
        self.core
            .solver
            .take_warnings()
            .iter()
            .try_for_each(|warning| PyErr::warn(py, &kind, &CString::new(warning.to_string())?, 1))
    }

    /// The options of a call, with those of the solver that hold for it too.
    ///
    /// # Errors
    /// What Python raises.
    pub fn shared<'py>(
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

    /// What it was made of.
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
            weight=None, closed=None, prune=None, max_depth=None, no_parity_check=False, max_expanded=None, max_time=None, \
            max_memory=None, threads=None, cache=None)"
    )]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = match options {
            Some(options) => options.copy()?,
            None => PyDict::new(py),
        };
        let read = SolveOptions::read(words("Solver", &options, &OPTIONS)?).map_err(value_error)?;
        let core = Core::new(read).map_err(value_error)?;
        Ok(Self { core: Arc::new(core), options: options.unbind() })
    }

    /// Solves `board`: a `Board`, text, a list or an array. A board that cannot be solved is no error: see
    /// `Solution.status`, and `explain`.
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

    /// The goal of its boards.
    #[getter]
    fn goal(&self) -> Goal {
        Goal { text: self.core.goal_text.clone() }
    }

    /// The bytes of the tables that are kept between calls.
    #[getter]
    fn held_bytes(&self, py: Python<'_>) -> u64 {
        self.core.solver.held_bytes() + py.detach(|| self.core.kept.bytes())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let options =
            self.options(py).iter().map(|(name, value)| Ok(format!("{name}={}", value.repr()?)));
        let options: Vec<String> = options.collect::<PyResult<_>>()?;
        Ok(format!("Solver({})", options.join(", ")))
    }

    /// Tables are made, or read, anew.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyTuple>, &Bound<'py, PyDict>) {
        (PyTuple::empty(py), self.options(py))
    }

    /// The same solver: it never changes.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
