//! Searches side by side.

use loyd::Board;
use loyd_cli::library;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::answers::fields;
use super::input::{board_of, maybe_size, text_of, words};
use crate::core::{Core, value_error};
use crate::interrupt;
use crate::solver::Solver;

/// The options of `loyd compare`.
const OPTIONS: [&str; 18] = [
    "preset",
    "algorithms",
    "heuristics",
    "closed",
    "weights",
    "prune",
    "metric",
    "random",
    "lengths",
    "each",
    "seed",
    "size",
    "goal",
    "max_expanded",
    "max_time",
    "max_memory",
    "threads",
    "cache",
];

/// Those of a solver that hold for comparisons too.
const SHARED: [&str; 6] = ["metric", "goal", "max_expanded", "max_time", "max_memory", "cache"];

#[pymethods]
impl Solver {
    /// Runs searches side by side on `boards`, or on boards that the options draw: a frame of pandas, or of polars, with a
    /// row for each run. Options are those of `loyd compare`: preset, algorithms, heuristics, closed, weights, prune,
    /// metric, random, lengths, each, seed, size, goal, max_expanded, max_time, max_memory, threads, cache. Lists stand for words
    /// with commas between them. Goal, metric, limits and cache are those of the solver unless they are given, and
    /// `threads` is 1.
    #[pyo3(signature = (boards=None, *, frame="pandas", **options))]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        boards: Option<&Bound<'py, PyAny>>,
        frame: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let frames = py.import("loyd._frames")?;
        let records = records(py, boards, &self.shared(py, options, &SHARED)?)?;
        frames.call_method1("frame", (records, frame))
    }
}

/// The records of a comparison on `boards`, or on those that the options draw.
fn records<'py>(
    py: Python<'py>,
    boards: Option<&Bound<'py, PyAny>>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let words = words("compare", options, &OPTIONS)?;
    let size = maybe_size(options.get_item("size")?.filter(|size| !size.is_none()).as_ref())?;
    let boards: Vec<Board> = match boards {
        Some(boards) => {
            boards.try_iter()?.map(|board| board_of(&board?, size)).collect::<PyResult<_>>()?
        }
        None => Vec::new(),
    };
    check_goal(options, &boards)?;
    let records = interrupt::run(py, |cancel| library::compare(words, &boards, cancel))?;
    let records = records.map_err(value_error)?;
    let records = records.iter().map(|record| fields(py, record)).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, records)
}

/// Refuses boards that do not fit the goal.
fn check_goal(options: &Bound<'_, PyDict>, boards: &[Board]) -> PyResult<()> {
    let goal = options.get_item("goal")?.filter(|goal| !goal.is_none());
    let goal = goal.map(|goal| text_of(&goal)).transpose()?;
    let core = Core::with_goal(goal).map_err(value_error)?;
    for board in boards {
        core.problem(board.clone()).map_err(value_error)?;
    }
    Ok(())
}
