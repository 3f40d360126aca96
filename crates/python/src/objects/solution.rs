//! `loyd.Solution`.

use std::sync::OnceLock;

use loyd::batch::Record;
use loyd::notation::{grid, moves_to_string, parse_moves};
use loyd::{Move, Report};
use loyd_cli::library;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyTuple};
use serde_json::Value;

use super::board::{Board, drawn};
use super::conversion::{build, import_numpy, to_python};
use crate::core::{check_size, value_error};

/// Result of a search for a solution.
///
/// It is true if there is a solution. Its length is the number of moves of the blank, and iterating yields their
/// letters.
#[pyclass(frozen, module = "loyd")]
pub struct Solution {
    start: loyd::Board,
    moves: Option<Vec<Move>>,
    report: Option<Box<Report>>,
    /// The report as a JSON record of the command line, created on demand.
    record: OnceLock<Value>,
}

impl From<Report> for Solution {
    fn from(report: Report) -> Self {
        let (start, moves) = (report.problem.start().clone(), report.moves.clone());
        Self { start, moves, report: Some(Box::new(report)), record: OnceLock::new() }
    }
}

/// Fields of the record that describe how the search was done and what it counted.
const STATISTICS: [&str; 17] = [
    "algorithm",
    "heuristic",
    "tables",
    "weight",
    "closed",
    "prune",
    "expanded",
    "generated",
    "duplicates",
    "reopened",
    "expanded_complete",
    "ended_by",
    "direction",
    "peak_bytes",
    "elapsed_ns",
    "tables_ns",
    "stopped_by",
];

impl Solution {
    fn record(&self) -> &Value {
        self.record.get_or_init(|| {
            let record = self.report.as_ref().map(|report| Record::from(&**report));
            serde_json::to_value(record).expect("a record has only JSON types")
        })
    }

    fn field<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.record()[name])
    }

    fn steps(&self) -> &[Move] {
        self.moves.as_deref().unwrap_or_default()
    }
}

#[pymethods]
impl Solution {
    /// Board to solve.
    #[getter]
    fn board(&self) -> Board {
        self.start.clone().into()
    }

    /// Goal, with rows separated by slashes and `*` for cells that accept any tile.
    #[getter]
    fn goal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "goal")
    }

    /// "solved", "unsolvable", "exhausted" (the search found no solution) or "stopped" (a limit was reached).
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "status")
    }

    /// Moves of the blank, letters of "ulrd"; `None` without a solution.
    #[getter]
    fn moves(&self) -> Option<String> {
        self.moves.as_deref().map(moves_to_string)
    }

    /// Moves as actions: `uint8` of shape (L,), 0 to 3 for up, left, right, down.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        import_numpy(py)?;
        Ok(PyArray1::from_vec(py, self.steps().iter().map(|m| m.index() as u8).collect()))
    }

    /// Returns the moves in a notation of `loyd list notations`, such as blank, tile, numbers or coordinates. With
    /// `runs`, moves in the same direction are combined.
    #[pyo3(signature = (notation="blank", *, runs=false))]
    fn moves_in(&self, notation: &str, runs: bool) -> PyResult<Option<String>> {
        let style = library::style(Some(notation), runs).map_err(value_error)?;
        let moves = self.moves.as_deref().map(|moves| style.write(moves, Some(&self.start)));
        moves.transpose().map_err(value_error)
    }

    /// Boards along the solution, including the first and the last: `uint8` of shape (L + 1, H, W).
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let (mut board, steps) = (self.start.clone(), self.steps());
        let size = board.size();
        check_size(size)?;
        let mut numbers = Vec::with_capacity((steps.len() + 1) * size.cells());
        numbers.extend(board.bytes());
        for &step in steps {
            board.apply(step).map_err(value_error)?;
            numbers.extend(board.bytes());
        }
        import_numpy(py)?;
        let shape = [steps.len() + 1, size.height(), size.width()];
        PyArray1::from_vec(py, numbers).reshape(shape)
    }

    /// Length in the metric; `None` without a solution.
    #[getter]
    fn length<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "length")
    }

    /// "stm" (each tile that moves counts) or "mtm" (each slide of one or more tiles in a line counts).
    #[getter]
    fn metric<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "metric")
    }

    /// Whether the solution is proved shortest.
    #[getter]
    fn proved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "optimal")
    }

    /// Proved lower bound on the length of a solution; `None` if nothing is known.
    #[getter]
    fn lower_bound<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = if self.record()["optimal"] == true { "length" } else { "lower_bound" };
        self.field(py, name)
    }

    /// Upper bound on the length divided by that of a shortest solution, if proved.
    #[getter]
    fn within<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.field(py, "within")
    }

    /// Choices and counts of the search, with the names of the command line's `--output json`.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for name in STATISTICS {
            if let Some(value) = self.record().get(name).filter(|value| !value.is_null()) {
                dict.set_item(name, to_python(py, value)?)?;
            }
        }
        Ok(dict)
    }

    /// Iterations of an iterative search, each with `bound`, `expanded` and `generated`.
    #[getter]
    fn iterations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let records = self.record()["iterations"].as_array().map(Vec::as_slice).unwrap_or_default();
        let iteration = |record| build(py, "Iteration", to_python(py, record)?.cast::<PyDict>()?);
        PyTuple::new(py, records.iter().map(iteration).collect::<PyResult<Vec<_>>>()?)
    }

    fn __len__(&self) -> usize {
        self.steps().len()
    }

    fn __bool__(&self) -> bool {
        self.moves.is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        moves_to_string(self.steps()).into_pyobject(py)?.try_iter()
    }

    /// Returns the moves, or the word that the command line prints instead.
    fn __str__(&self) -> String {
        match (&self.moves, self.record()["status"].as_str()) {
            (Some(moves), _) => moves_to_string(moves),
            (None, Some("stopped")) => "stopped".to_owned(),
            (None, _) => "unsolvable".to_owned(),
        }
    }

    fn __repr__(&self) -> String {
        let record = self.record();
        let moves = match (record["length"].as_u64(), record["optimal"] == true) {
            (Some(length), true) => {
                format!("{self}: {length}, proved shortest", self = self.__str__())
            }
            (Some(length), false) => format!("{self}: {length}", self = self.__str__()),
            (None, _) if record["status"] == "stopped" => self.__str__(),
            (None, _) => "unsolvable: see explain".to_owned(),
        };
        format!("{}\n<Solution {moves}>", grid(&self.start).to_string().trim_end())
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        drawn(slf.as_any(), "solution_html")
    }

    /// Restores a pickled solution.
    #[staticmethod]
    fn _restore(board: &Board, record: &str) -> PyResult<Self> {
        let record: Value = serde_json::from_str(record).map_err(value_error)?;
        let moves = record["moves"].as_str().map(parse_moves).transpose().map_err(value_error)?;
        Ok(Self { start: board.board.clone(), moves, report: None, record: record.into() })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Board, String))> {
        let this = slf.get();
        let restore = slf.get_type().getattr("_restore")?;
        Ok((restore, (this.board(), this.record().to_string())))
    }
}
