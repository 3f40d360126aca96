//! Methods of `Solver` that answer questions about a board.

use std::ops::ControlFlow;

use loyd::moves::Metric;
use loyd::search::{Status, Stop};
use loyd::study::Review;
use loyd::{Move, Problem, Report};
use loyd_api::{ExplainAnswer, HintAnswer, ReviewAnswer};
use loyd_cli::library;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::anytime::Anytime;
use super::board::{Board, read};
use super::conversion::{build, fields, maybe_whole};
use crate::core::value_error;
use crate::interrupt;
use crate::solver::Solver;

/// Adds the board and the text of the command line to an answer.
fn with<'py>(
    answer: Bound<'py, PyDict>,
    problem: &Problem,
    text: Option<String>,
) -> PyResult<Bound<'py, PyDict>> {
    answer.set_item("board", Board::from(problem.start().clone()))?;
    if let Some(text) = text {
        answer.set_item("text", text.trim_end())?;
    }
    Ok(answer)
}

/// Returns the common fields of `all_shortest` and `count`.
fn shortest<'py>(
    py: Python<'py>,
    report: &Report,
    (count, complete): (u128, bool),
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("goal", report.problem.goal_text())?;
    dict.set_item("status", report.status.name())?;
    dict.set_item("metric", report.metric.name())?;
    dict.set_item("length", report.length())?;
    dict.set_item("count", count)?;
    dict.set_item("complete", complete)?;
    with(dict, &report.problem, None)
}

#[pymethods]
impl Solver {
    /// Finds all shortest solutions of `board`, or the first `limit` of them, ordered up before left before right
    /// before down, and returns them in `notation`.
    #[pyo3(signature = (board, *, limit=None, notation="blank", runs=false))]
    fn all_shortest<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
        notation: &str,
        runs: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let style = library::style(Some(notation), runs).map_err(value_error)?;
        let (problem, solver) = (self.problem(board)?, &self.core.proving);
        let limit = maybe_whole("limit", limit, 0..=u64::MAX)?;
        let most = limit.map_or(usize::MAX, |limit| limit as usize);
        let allowed = solver.config().limits.max_bytes.unwrap_or(u64::MAX);
        let (mut solutions, mut bytes) = (Vec::new(), 0_u64);
        let mut visit = |moves: &[Move]| {
            if solutions.len() == most {
                return ControlFlow::Break(());
            }
            let text = style.write(moves, Some(problem.start())).expect("a solution stays on it");
            bytes += (text.len() + size_of::<String>()) as u64;
            if bytes > allowed {
                return ControlFlow::Break(());
            }
            solutions.push(text);
            ControlFlow::Continue(())
        };
        let found =
            interrupt::run(py, |cancel| solver.all_shortest(&problem, cancel, None, &mut visit))?;
        let mut found = found.map_err(value_error)?;
        self.warn(py)?;
        if bytes > allowed {
            found.report.status = Status::Stopped(Stop::Memory);
        }
        let answer = shortest(py, &found.report, (solutions.len() as u128, found.complete))?;
        answer.set_item("solutions", PyTuple::new(py, solutions)?)?;
        build(py, "AllShortest", &answer)
    }

    /// Counts the shortest solutions of `board`.
    fn count<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (problem, solver) = (self.problem(board)?, &self.core.proving);
        let found = interrupt::run(py, |cancel| solver.count_shortest(&problem, cancel, None))?;
        let found = found.map_err(value_error)?;
        self.warn(py)?;
        build(py, "Count", &shortest(py, &found.report, (found.count, found.complete))?)
    }

    /// Finds the best next moves on `board`: the first moves of the best known solutions.
    fn hint<'py>(&self, py: Python<'py>, board: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let problem = self.problem(board)?;
        let hint = interrupt::run(py, |cancel| self.core.solver.hint(&problem, cancel, None))?;
        let hint = hint.map_err(value_error)?;
        self.warn(py)?;
        if let (Status::Stopped(stop), None) = (hint.report.status, &hint.report.moves) {
            return Err(value_error(format!("no solution was found: {stop}")));
        }
        let text = library::hint_text(&problem, &hint, None);
        let answer = fields(py, &HintAnswer::new(&problem, &hint))?;
        build(py, "Hint", &with(answer, &problem, Some(text))?)
    }

    /// Explains whether and why `board` is solvable, with the value of each heuristic and the distance to the goal.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let problem = self.problem(board)?;
        let solver = &self.core.solver;
        let explanation = interrupt::run(py, |cancel| solver.explain(&problem, cancel, None))?;
        let explanation = explanation.map_err(value_error)?;
        self.warn(py)?;
        let text = library::explain_text(&problem, &explanation);
        let answer = fields(py, &ExplainAnswer::new(&problem, &explanation))?;
        build(py, "Explanation", &with(answer, &problem, Some(text))?)
    }

    /// Finds where `moves` on `board`, in any notation, wasted moves: a review for each metric, or only for `metric`.
    #[pyo3(signature = (board, moves, *, metric=None, notation=None))]
    fn review<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
        moves: &str,
        metric: Option<&str>,
        notation: Option<&str>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let problem = self.problem(board)?;
        let (read, _) = read(py, problem.start(), moves, notation, Some(&problem))?;
        let metrics = match metric {
            Some(name) => vec![library::metric(name).map_err(value_error)?],
            None => Metric::ALL.to_vec(),
        };
        let solver = &self.core.solver;
        let reviews = interrupt::run(py, |cancel| {
            library::reviews(solver, &problem, &read.moves, &metrics, cancel)
        })?;
        let answer = |(review, &metric): (&Option<Review>, &Metric)| {
            let (answer, text) = match review {
                Some(review) => {
                    let text = library::review_text(review, &problem, &read);
                    (ReviewAnswer::new(&problem, review, read.notation), text)
                }
                None => {
                    let text = format!("{metric}: unsolvable");
                    (ReviewAnswer::unsolvable(&problem, metric, read.notation), text)
                }
            };
            build(py, "Review", &with(fields(py, &answer)?, &problem, Some(text))?)
        };
        let reviews = reviews.map_err(value_error)?;
        self.warn(py)?;
        PyTuple::new(py, reviews.iter().zip(&metrics).map(answer).collect::<PyResult<Vec<_>>>()?)
    }

    /// Solves `board` on its own thread and returns an iterator over solutions and bounds, each better than the
    /// previous one.
    fn anytime(&self, board: &Bound<'_, PyAny>) -> PyResult<Anytime> {
        Anytime::start(&self.core, self.problem(board)?)
    }
}
