//! How many boards there are at each distance.

use loyd_api::CensusAnswer;
use loyd_cli::library;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::answers::{build, fields};
use super::board::Board;
use super::input::{size_of, words};
use crate::core::value_error;
use crate::interrupt;
use crate::solver::Solver;

/// The options of `loyd census`.
const OPTIONS: [&str; 6] = ["goal", "all_goals", "metric", "farthest", "threads", "max_memory"];

/// Those of a solver that hold for censuses too.
const SHARED: [&str; 2] = ["goal", "metric"];

#[pymethods]
impl Solver {
    /// Counts the boards of a size at each distance from a goal, and finds some of the farthest. Options are those of
    /// `loyd census`: goal, all_goals, metric, farthest, threads, max_memory. Goal and metric are those of the solver
    /// unless they are given, and `threads` is 1. With `all_goals`, the answer is a tuple with a census for each goal.
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
        // All goals leave no room for one.
        let shared = if all_goals { &SHARED[1..] } else { &SHARED };
        census(py, size, &self.shared(py, options, shared)?)
    }
}

/// Takes a census.
fn census<'py>(
    py: Python<'py>,
    size: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut given = vec![size_of(size)?.to_string()];
    given.extend(words("census", options, &OPTIONS)?);
    let several = given.iter().any(|word| word == "--all-goals");
    let taken = interrupt::run(py, |cancel| library::census(given, cancel))?;
    let taken = taken.map_err(value_error)?;
    let (questions, answers) = (taken.survey.questions(), taken.survey.answers());
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
