//! `loyd.Anytime`.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use loyd::search::{Event, Observer};
use loyd::{CancelToken, Error, Problem, Report};
use loyd_api::{ChangeKind, SearchState};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::conversion::build;
use super::solution::Solution;
use crate::core::{Core, value_error};
use crate::interrupt;

/// State of a search for a solution.
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
    /// Returns whether both have the same length and lower bound.
    fn is_same(&self, other: &Self) -> bool {
        (self.length, self.lower_bound) == (other.length, other.lower_bound)
    }
}

/// Message of the search thread.
enum Message {
    Improvement(Improvement),
    End(Box<Result<Report, Error>>),
}

/// A search that runs in the background: an iterator of `Improvement`s. It ends when a limit of its solver is reached,
/// when the solution is proved shortest, and when it is closed: by `close`, at the end of a `with` block, or when it is
/// no longer referenced.
#[pyclass(frozen, module = "loyd")]
pub struct Anytime {
    cancel: CancelToken,
    state: Mutex<State>,
    solution: Mutex<Option<Py<Solution>>>,
}

/// State of the iteration.
struct State {
    messages: Option<Receiver<Message>>,
    last: Option<Improvement>,
}

impl Anytime {
    /// Starts the search.
    ///
    /// # Errors
    /// Fails if the system has no thread for it.
    pub fn start(core: &Arc<Core>, problem: Problem) -> PyResult<Self> {
        let (cancel, (sender, messages)) = (CancelToken::new(), channel());
        let (core, token) = (Arc::clone(core), cancel.clone());
        let search = move || {
            let started = Instant::now();
            let mut watcher = Watcher { known: SearchState::default(), started, sender: &sender };
            let report = core.solver.solve_watched(&problem, &token, Some(&mut watcher));
            // If the receiver is gone, the search was closed, and nobody needs the result.
            let _ = sender.send(Message::End(Box::new(report)));
        };
        thread::Builder::new().spawn(search)?;
        let state = Mutex::new(State { messages: Some(messages), last: None });
        Ok(Self { cancel, state, solution: Mutex::new(None) })
    }

    /// Waits for the next improvement; returns `None` at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Improvement>> {
        let Ok(mut state) = self.state.try_lock() else {
            return Err(value_error("another thread is waiting for the next improvement"));
        };
        loop {
            let Some(messages) = &mut state.messages else { return Ok(None) };
            let message = match interrupt::wait(py, messages) {
                Ok(message) => message,
                Err(raised) => {
                    self.cancel.cancel();
                    return Err(raised);
                }
            };
            let next = match message {
                Some(Message::Improvement(next)) => next,
                Some(Message::End(report)) => {
                    state.messages = None;
                    self.end(py, report.map_err(value_error)?, state.last.as_ref())?
                }
                None => {
                    state.messages = None;
                    return Ok(None);
                }
            };
            if !state.last.as_ref().is_some_and(|last| last.is_same(&next)) {
                state.last = Some(next.clone());
                return Ok(Some(next));
            }
        }
    }

    /// Stores the solution and returns the final state.
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
            elapsed: report.stats.elapsed + report.stats.table_time,
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

    /// The solution of the search, or `None` while it is running.
    #[getter]
    fn solution(&self, py: Python<'_>) -> Option<Py<Solution>> {
        let solution = self.solution.lock().unwrap_or_else(PoisonError::into_inner);
        solution.as_ref().map(|solution| solution.clone_ref(py))
    }

    /// Stops the search and waits for its end; `solution` is then the best one found.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.cancel.cancel();
        if self.state.try_lock().is_err() {
            // Another thread is waiting for the next message, which will be the end.
            return Ok(());
        }
        while self.next(py)?.is_some() {}
        Ok(())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "an Anytime is a running search, which cannot be pickled or copied",
        ))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }
}

/// Observer that sends improvements.
struct Watcher<'a> {
    known: SearchState,
    started: Instant,
    sender: &'a Sender<Message>,
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        if !matches!(self.known.update(event), Some(ChangeKind::Incumbent | ChangeKind::LowerBound))
        {
            return ControlFlow::Continue(());
        }
        let (moves, length) = self.known.best.clone().unzip();
        let message = Message::Improvement(Improvement {
            moves,
            length,
            lower_bound: self.known.lower_bound,
            within: self.known.within(),
            expanded: self.known.expanded(),
            elapsed: self.started.elapsed(),
        });
        match self.sender.send(message) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
