//! Work that can be interrupted with Ctrl-C.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use loyd::CancelToken;
use loyd::search::{Event, Observer};
use pyo3::prelude::*;

/// Interval at which Python is asked to handle signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` on its own thread without the GIL. If the handler of a signal raises meanwhile, as that of Ctrl-C does, the
/// token is cancelled, and the exception is returned after the work has ended.
///
/// Cost: that of a thread, about ten microseconds. Shorter work should run without this function.
///
/// # Errors
/// Any exception raised by a signal handler.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&CancelToken) -> T + Send) -> PyResult<T> {
    run_with_progress(py, |_| Ok(()), work)
}

/// Like [`run`], but also calls `report` at every [`SIGNAL_INTERVAL`].
///
/// # Errors
/// Any exception raised by a signal handler or by `report`.
pub fn run_with_progress<T: Send>(
    py: Python<'_>,
    report: impl Fn(Python<'_>) -> PyResult<()> + Send + Sync,
    work: impl FnOnce(&CancelToken) -> T + Send,
) -> PyResult<T> {
    let cancel = CancelToken::new();
    let token = &cancel;
    let work = Mutex::new(Some(work));
    let take = || work.lock().ok().and_then(|mut work| work.take()).expect("it is taken once");
    let take = &take;
    py.detach(|| {
        thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let result = take()(token);
                drop(done);
                result
            });
            // If the system has no thread, signals wait for the end of the work.
            let Ok(worker) = worker else { return Ok(take()(token)) };
            let mut raised = Ok(());
            // The worker sends nothing: dropping its sender marks the end.
            while finished.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals().and_then(|()| report(py)));
                    if raised.is_err() {
                        token.cancel();
                    }
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map(|()| result)
        })
    })
}

/// Runs `work`, a single-threaded search, on this thread without the GIL. The search has to report to the observer, which
/// then checks for signals at most every [`SIGNAL_INTERVAL`].
///
/// Cost: none besides that of the search.
///
/// # Errors
/// Any exception raised by a signal handler.
pub fn watch<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&CancelToken, &mut dyn Observer) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let mut signals = Signals { last_check: Instant::now(), raised: None };
        let result = work(&CancelToken::new(), &mut signals);
        signals.raised.map_or(Ok(result), Err)
    })
}

/// Observer that checks for signals when the search reports events.
struct Signals {
    last_check: Instant,
    raised: Option<PyErr>,
}

impl Observer for Signals {
    fn event(&mut self, _: Event<'_>) -> ControlFlow<()> {
        if self.raised.is_none() && self.last_check.elapsed() >= SIGNAL_INTERVAL {
            self.raised = Python::attach(|py| py.check_signals()).err();
            self.last_check = Instant::now();
        }
        if self.raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Waits for the next message while checking for signals. Returns `None` if the sender is gone.
///
/// # Errors
/// Any exception raised by a signal handler.
pub fn wait<T: Send>(py: Python<'_>, receiver: &mut Receiver<T>) -> PyResult<Option<T>> {
    loop {
        let receiver = &mut *receiver;
        match py.detach(move || receiver.recv_timeout(SIGNAL_INTERVAL)) {
            Ok(next) => return Ok(Some(next)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
