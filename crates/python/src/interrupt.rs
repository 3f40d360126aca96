//! Work that can be interrupted with Ctrl-C, and that ends when Python exits.
//!
//! A thread that takes the GIL while Python is finalized is ended by CPython before 3.14, which unwinds its stack: through
//! frames of Rust that is a crash. So every thread of a call releases and takes the GIL through this module: [`detach`],
//! [`attach`]; and calls Python code that may do so within [`guard`]. The exit function [`end_calls`] closes it for daemon threads, which Python does not join.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use loyd::CancelToken;
use loyd::search::{Event, Observer};
use pyo3::prelude::*;

/// Interval at which Python is asked to handle signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// The thread that ends Python. It is the only one that uses the GIL once [`EXITING`] is set.
static EXITING_THREAD: OnceLock<ThreadId> = OnceLock::new();

static EXITING: AtomicBool = AtomicBool::new(false);

/// Number of threads that are taking the GIL in this module, or have it in [`attach`].
static ATTACHING: AtomicI64 = AtomicI64::new(0);

/// Number of calls that work without the GIL.
static WORKING: AtomicI64 = AtomicI64::new(0);

/// A count of one, until this is dropped.
struct Counted(&'static AtomicI64);

impl Counted {
    fn new(number: &'static AtomicI64) -> Self {
        number.fetch_add(1, Ordering::SeqCst);
        Self(number)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Returns whether Python exits on another thread.
fn is_closed() -> bool {
    EXITING.load(Ordering::SeqCst) && EXITING_THREAD.get() != Some(&thread::current().id())
}

/// Returns the permission to take the GIL, unless Python exits. The exit waits until it is dropped.
fn permission() -> Option<Counted> {
    // Counted before the check, so that the exit either is noticed here or notices this thread.
    let counted = Counted::new(&ATTACHING);
    if is_closed() { None } else { Some(counted) }
}

/// Stops this thread, which does not have the GIL, until the process ends.
fn stop_here() -> ! {
    loop {
        thread::park();
    }
}

/// Runs `work` without the GIL. If Python exits meanwhile on another thread, never returns.
pub fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let (result, _permission) = py.detach(|| {
        if is_closed() {
            stop_here();
        }
        let working = Counted::new(&WORKING);
        let result = work();
        drop(working);
        match permission() {
            Some(permission) => (result, permission),
            None => stop_here(),
        }
    });
    result
}

/// Runs `work` with the GIL on a thread that does not have it. Returns `None` if Python exits: the caller should then end
/// soon.
pub fn attach<T>(work: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    let _permission = permission()?;
    Some(Python::attach(work))
}

/// Runs `work`, which has the GIL and runs Python code that may release it. If Python exits on another thread, never
/// returns; the exit waits for running work.
///
/// Without this function, the code would end the thread, with frames of Rust below it, when it takes the GIL again.
pub fn guard<T>(py: Python<'_>, work: impl FnOnce() -> T) -> T {
    let Some(_permission) = permission() else { py.detach(|| stop_here()) };
    work()
}

/// Ends all calls of other threads when Python exits. These threads do not return to Python.
#[pyfunction]
pub fn end_calls(py: Python<'_>) {
    /// Time for which a callback may keep the GIL.
    const CALLBACK: Duration = Duration::from_secs(5);
    /// Time in which searches notice their cancellation. Longer work is not dangerous, as it is stopped before
    /// it takes the GIL.
    const WORK: Duration = Duration::from_secs(1);
    EXITING_THREAD.get_or_init(|| thread::current().id());
    EXITING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let started = Instant::now();
        let wait = |number: &AtomicI64, time| {
            while number.load(Ordering::SeqCst) > 0 && started.elapsed() < time {
                thread::sleep(Duration::from_millis(1));
            }
        };
        wait(&WORKING, WORK);
        wait(&ATTACHING, CALLBACK);
    });
}

/// Forgets the threads of the parent in a child after `fork`.
#[pyfunction]
pub fn forget_threads() {
    ATTACHING.store(0, Ordering::SeqCst);
    WORKING.store(0, Ordering::SeqCst);
}

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
    detach(py, || {
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
                    let handled = attach(|py| py.check_signals().and_then(|()| report(py)));
                    if !matches!(handled, Some(Ok(()))) {
                        token.cancel();
                    }
                    raised = handled.unwrap_or(Ok(()));
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
    detach(py, || {
        let mut signals = Signals { last_check: Instant::now(), raised: None, exits: false };
        let result = work(&CancelToken::new(), &mut signals);
        signals.raised.map_or(Ok(result), Err)
    })
}

/// Observer that checks for signals when the search reports events.
struct Signals {
    last_check: Instant,
    raised: Option<PyErr>,
    /// Whether Python exits.
    exits: bool,
}

impl Observer for Signals {
    fn event(&mut self, _: Event<'_>) -> ControlFlow<()> {
        if self.raised.is_none() && self.last_check.elapsed() >= SIGNAL_INTERVAL {
            match attach(|py| py.check_signals()) {
                Some(handled) => self.raised = handled.err(),
                None => self.exits = true,
            }
            self.last_check = Instant::now();
        }
        if self.raised.is_some() || self.exits {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Waits for the next message while checking for signals. Returns `None` if the sender is gone.
///
/// # Errors
/// Any exception raised by a signal handler.
pub fn wait<T: Send>(py: Python<'_>, receiver: &mut Receiver<T>) -> PyResult<Option<T>> {
    loop {
        let receiver = &mut *receiver;
        match detach(py, move || receiver.recv_timeout(SIGNAL_INTERVAL)) {
            Ok(next) => return Ok(Some(next)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
