//! Work that Ctrl-C ends.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use loyd::CancelToken;
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
                    raised = Python::attach(|py| py.check_signals());
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
