//! `Solver.compare` and `Solver.census`.

use loyd_api::CensusAnswer;
use loyd_cli::library;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::board::{Board, board_of, text_of};
use super::conversion::{build, fields, maybe_size, size_of};
use super::option_words;
use crate::core::{Core, value_error};
use crate::interrupt;
use crate::solver::Solver;

/// Options of `loyd compare`.
const COMPARE_OPTIONS: [&str; 17] = [
    "preset",
    "algorithms",
    "heuristics",
    "closed",
    "weights",
    "prune",
    "metric",
    "number",
    "length",
    "seed",
    "size",
    "goal",
    "max_expanded",
    "max_time",
    "max_memory",
    "threads",
    "cache",
];

/// Options of a solver that also apply to comparisons.
const COMPARE_SHARED: [&str; 6] =
    ["metric", "goal", "max_expanded", "max_time", "max_memory", "cache"];

/// Options of `loyd census`.
const CENSUS_OPTIONS: [&str; 6] =
    ["goal", "all_goals", "metric", "farthest", "threads", "max_memory"];

/// Options of a solver that also apply to censuses.
const CENSUS_SHARED: [&str; 2] = ["goal", "metric"];

#[pymethods]
impl Solver {
    /// Runs searches side by side on `boards`, or on boards that the options draw, and returns a pandas or polars data
    /// frame with a row for each run. Options are those of `loyd compare`: preset, algorithms, heuristics, closed,
    /// weights, prune, metric, number, length, seed, size, goal, max_expanded, max_time, max_memory, threads,
    /// cache. Lists are joined with commas. Goal, metric, limits and cache default to those of the solver, and
    /// `threads` to 1.
    #[pyo3(signature = (boards=None, *, frame="pandas", **options))]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        boards: Option<&Bound<'py, PyAny>>,
        frame: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let frames = py.import("loyd._frames")?;
        let records = records(py, boards, &self.with_defaults(py, options, &COMPARE_SHARED)?)?;
        frames.call_method1("frame", (records, frame))
    }

    /// Counts the boards of a size at each distance from a goal, and finds some of the farthest. Options are those of
    /// `loyd census`: goal, all_goals, metric, farthest, threads, max_memory. Goal and metric default to those of the
    /// solver, and `threads` to 1. With `all_goals`, returns a tuple with a census for each goal.
    #[pyo3(signature = (size, **options))]
    fn census<'py>(
        &self,
        py: Python<'py>,
        size: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all_goals = match options {
            Some(options) => options.contains("all_goals")?,
            None => false,
        };
        // `goal` conflicts with `all_goals`.
        let shared = if all_goals { &CENSUS_SHARED[1..] } else { &CENSUS_SHARED };
        census(py, size, &self.with_defaults(py, options, shared)?)
    }
}

/// Runs a comparison on `boards`, or on boards that the options draw, and returns its records.
fn records<'py>(
    py: Python<'py>,
    boards: Option<&Bound<'py, PyAny>>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyTuple>> {
    let words = option_words("compare", options, &COMPARE_OPTIONS)?;
    let size = maybe_size(options.get_item("size")?.filter(|size| !size.is_none()).as_ref())?;
    let boards: Vec<loyd::Board> = match boards {
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

/// Checks that all boards fit the goal.
fn check_goal(options: &Bound<'_, PyDict>, boards: &[loyd::Board]) -> PyResult<()> {
    let goal = options.get_item("goal")?.filter(|goal| !goal.is_none());
    let goal = goal.map(|goal| text_of(&goal)).transpose()?;
    let core = Core::with_goal(goal).map_err(value_error)?;
    for board in boards {
        core.problem(board.clone()).map_err(value_error)?;
    }
    Ok(())
}

/// Takes a census and converts its results.
fn census<'py>(
    py: Python<'py>,
    size: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut given = vec![size_of(size)?.to_string()];
    given.extend(option_words("census", options, &CENSUS_OPTIONS)?);
    let several = given.iter().any(|word| word == "--all-goals");
    let taken = interrupt::run(py, |cancel| library::census(given, cancel))?;
    let taken = taken.map_err(value_error)?;
    let (questions, answers) = (taken.survey.specs(), taken.survey.results());
    let mut all = Vec::new();
    for (question, answer) in questions.iter().zip(&answers) {
        let record = CensusAnswer::new(question, answer, taken.bytes, taken.elapsed);
        let fields = fields(py, &record)?;
        let farthest: Vec<Board> = answer.farthest.iter().cloned().map(Board::from).collect();
        fields.set_item("farthest", PyTuple::new(py, farthest)?)?;
        all.push(build(py, "Census", &fields)?);
    }
    match all.pop() {
        Some(alone) if !several => Ok(alone),
        last => {
            all.extend(last);
            Ok(PyTuple::new(py, all)?.into_any())
        }
    }
}
