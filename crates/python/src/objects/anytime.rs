//! `loyd.Anytime`.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use loyd::search::{Event, Observer};
use loyd::{CancelToken, Error, Problem, Report};
use loyd_api::{Known, News};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::answers::build;
use super::solution::Solution;
use crate::core::{Core, value_error};
use crate::interrupt;

/// What is known of a solution at some time.
#[derive(Clone, Debug)]
struct Improvement {
    moves: Option<String>,
    length: Option<u32>,
    lower_bound: Option<u32>,
    within: Option<f64>,
    expanded: u64,
    elapsed: Duration,
}

impl Improvement {
    /// Whether it says the same of the solution.
    fn is_same(&self, other: &Self) -> bool {
        (self.length, self.lower_bound) == (other.length, other.lower_bound)
    }
}

/// What the thread of the search tells.
enum Told {
    Improvement(Improvement),
    End(Box<Result<Report, Error>>),
}

/// A search that goes on while its solutions are looked at: an iterator of `Improvement`s. It ends with the limits of its
/// solver, when a solution is proved to be a shortest one, and when it is closed: by `close`, at the end of a `with`
/// block, or when nobody holds it any more.
#[pyclass(frozen, module = "loyd")]
pub struct Anytime {
    cancel: CancelToken,
    state: Mutex<State>,
    solution: Mutex<Option<Py<Solution>>>,
}

/// What is left to tell.
struct State {
    told: Option<Receiver<Told>>,
    last: Option<Improvement>,
}

impl Anytime {
    /// Begins to search.
    pub fn start(core: &Arc<Core>, problem: Problem) -> Self {
        let (cancel, (tell, told)) = (CancelToken::new(), channel());
        let (core, token) = (Arc::clone(core), cancel.clone());
        thread::spawn(move || {
            let begun = Instant::now();
            let mut watcher = Watcher { known: Known::default(), begun, tell: &tell };
            let report = core.solver.solve_watched(&problem, &token, Some(&mut watcher));
            // Who has closed it does not want to know.
            let _ = tell.send(Told::End(Box::new(report)));
        });
        let state = Mutex::new(State { told: Some(told), last: None });
        Self { cancel, state, solution: Mutex::new(None) }
    }

    /// Waits for the next news; `None` at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Improvement>> {
        let Ok(mut state) = self.state.try_lock() else {
            return Err(value_error("another thread waits for the next improvement"));
        };
        loop {
            let Some(told) = &mut state.told else { return Ok(None) };
            let told = match interrupt::wait(py, told) {
                Ok(told) => told,
                Err(raised) => {
                    self.cancel.cancel();
                    return Err(raised);
                }
            };
            let next = match told {
                Some(Told::Improvement(next)) => next,
                Some(Told::End(report)) => {
                    state.told = None;
                    self.end(py, report.map_err(value_error)?, state.last.as_ref())?
                }
                None => {
                    state.told = None;
                    return Ok(None);
                }
            };
            if !state.last.as_ref().is_some_and(|last| last.is_same(&next)) {
                state.last = Some(next.clone());
                return Ok(Some(next));
            }
        }
    }

    /// Keeps the solution; returns what is known in the end.
    fn end(
        &self,
        py: Python<'_>,
        report: Report,
        last: Option<&Improvement>,
    ) -> PyResult<Improvement> {
        let length = report.length().map(|length| length as u32);
        let lower_bound = match report.optimal {
            true => length,
            false => report.lower_bound,
        };
        let end = Improvement {
            moves: report.moves.as_deref().map(loyd::notation::moves_to_string),
            length,
            lower_bound: lower_bound.or(last.and_then(|last| last.lower_bound)),
            within: report.within.map(|weight| weight.as_f64()),
            expanded: report.stats.expanded,
            elapsed: report.stats.elapsed + report.stats.tables,
        };
        let solution = Py::new(py, Solution::from(report))?;
        *self.solution.lock().unwrap_or_else(PoisonError::into_inner) = Some(solution);
        Ok(end)
    }
}

impl Drop for Anytime {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[pymethods]
impl Anytime {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(next) = self.next(py)? else { return Ok(None) };
        let fields = PyDict::new(py);
        fields.set_item("moves", next.moves)?;
        fields.set_item("length", next.length)?;
        fields.set_item("lower_bound", next.lower_bound)?;
        fields.set_item("within", next.within)?;
        fields.set_item("expanded", next.expanded)?;
        fields.set_item("elapsed", next.elapsed.as_secs_f64())?;
        build(py, "Improvement", &fields).map(Some)
    }

    /// The solution of the search, from when it is over; `None` before.
    #[getter]
    fn solution(&self, py: Python<'_>) -> Option<Py<Solution>> {
        let solution = self.solution.lock().unwrap_or_else(PoisonError::into_inner);
        solution.as_ref().map(|solution| solution.clone_ref(py))
    }

    /// Ends the search, and waits until it has ended; `solution` is then the best that it had.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.cancel.cancel();
        if self.state.try_lock().is_err() {
            // Another thread waits for what comes next, which is the end.
            return Ok(());
        }
        while self.next(py)?.is_some() {}
        Ok(())
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }
}

/// Tells what is new of a solution.
struct Watcher<'a> {
    known: Known,
    begun: Instant,
    tell: &'a Sender<Told>,
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        if !matches!(self.known.learn(event), Some(News::Incumbent | News::LowerBound)) {
            return ControlFlow::Continue(());
        }
        let (moves, length) = self.known.best.clone().unzip();
        let told = Told::Improvement(Improvement {
            moves,
            length,
            lower_bound: self.known.least,
            within: self.known.within(),
            expanded: self.known.expanded(),
            elapsed: self.begun.elapsed(),
        });
        match self.tell.send(told) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
