//! Work that Ctrl-C ends.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use loyd::CancelToken;
use loyd::search::{Event, Observer};
use pyo3::prelude::*;

/// Python is asked so often whether a signal has come.
const PATIENCE: Duration = Duration::from_millis(20);

/// Does `work` on a thread of its own while other threads of Python go on. If a signal comes meanwhile whose handler
/// raises, as that of Ctrl-C does, the token is cancelled, the work ends, and the exception is returned.
///
/// Cost: that of a thread, some ten microseconds. What takes less is done without it.
///
/// # Errors
/// What the handler of a signal raises.
pub fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&CancelToken) -> T + Send) -> PyResult<T> {
    run_and_tell(py, |_| Ok(()), work)
}

/// The same; `tell` is called as often as Python is asked for signals, and may raise too.
///
/// # Errors
/// What the handler of a signal raises, or `tell`.
pub fn run_and_tell<T: Send>(
    py: Python<'_>,
    tell: impl Fn(Python<'_>) -> PyResult<()> + Send + Sync,
    work: impl FnOnce(&CancelToken) -> T + Send,
) -> PyResult<T> {
    let cancel = CancelToken::new();
    let token = &cancel;
    py.detach(|| {
        thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let worker = scope.spawn(move || {
                let result = work(token);
                drop(done);
                result
            });
            let mut raised = Ok(());
            // The worker sends nothing: the end of its half of the channel is the message.
            while finished.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals().and_then(|()| tell(py)));
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

/// Does `work`, a search with one thread, on this one, while other threads of Python go on. It hands the observer to
/// the search, which tells of its progress as often as it looks at its token: then Python is asked for signals.
///
/// Cost: none but that of the search.
///
/// # Errors
/// What the handler of a signal raises.
pub fn watch<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&CancelToken, &mut dyn Observer) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let mut signals = Signals { asked: Instant::now(), raised: None };
        let result = work(&CancelToken::new(), &mut signals);
        signals.raised.map_or(Ok(result), Err)
    })
}

/// Asks for signals while a search tells what it does.
struct Signals {
    asked: Instant,
    raised: Option<PyErr>,
}

impl Observer for Signals {
    fn event(&mut self, _: Event<'_>) -> ControlFlow<()> {
        if self.raised.is_none() && self.asked.elapsed() >= PATIENCE {
            self.raised = Python::attach(|py| py.check_signals()).err();
            self.asked = Instant::now();
        }
        if self.raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Waits for what comes next; `None` if nothing more comes.
///
/// # Errors
/// What the handler of a signal raises.
pub fn wait<T: Send>(py: Python<'_>, coming: &mut Receiver<T>) -> PyResult<Option<T>> {
    loop {
        let coming = &mut *coming;
        match py.detach(move || coming.recv_timeout(PATIENCE)) {
            Ok(next) => return Ok(Some(next)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
