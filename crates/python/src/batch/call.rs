//! Common parts of the batch calls: their arguments, their progress, and the division of rows of arrays among threads.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread::{self, available_parallelism};

use loyd::Size;
use loyd_arrays::{InvalidRows, RowError, Rows};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use super::input::Batch;
use crate::core::{Core, value_error};
use crate::interrupt;
use crate::objects::{MAX_THREADS, maybe_size, maybe_whole};

/// A batch and the options of a call.
pub struct Call<'py> {
    pub batch: Batch<'py>,
    pub invalid: InvalidRows,
    pub threads: NonZeroUsize,
    pub progress: Progress,
}

impl<'py> Call<'py> {
    /// Converts the arguments of a call.
    ///
    /// # Errors
    /// Like [`Batch::new`], and if an option has an invalid value.
    pub fn new(
        core: &Core,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let invalid = invalid_named(on_invalid)?;
        Ok(Self {
            batch: Batch::new(batch, maybe_size(size)?.or(core.size), invalid)?,
            invalid,
            threads: threads_of(core, threads)?,
            progress: Progress::new(batch.py(), progress)?,
        })
    }

    /// Returns the sharing for work that takes some nanoseconds per cell.
    pub fn quick(&self) -> Sharing<'_> {
        Sharing {
            threads: self.threads,
            progress: &self.progress,
            portion: quick(self.batch.size()),
        }
    }

    /// Returns the sharing for work that takes some microseconds per board.
    pub fn slow(&self) -> Sharing<'_> {
        const BOARDS: usize = 1 << 12;
        Sharing { portion: BOARDS, ..self.quick() }
    }
}

/// Returns the number of boards that take a few milliseconds at a few nanoseconds per cell.
pub fn quick(size: Size) -> usize {
    const CELLS: usize = 1 << 20;
    CELLS / size.cells()
}

/// Parses `on_invalid`, the treatment of invalid rows.
fn invalid_named(name: &str) -> PyResult<InvalidRows> {
    match name {
        "raise" => Ok(InvalidRows::Reject),
        "mask" => Ok(InvalidRows::Mask),
        _ => Err(value_error(format!("on_invalid is \"raise\" or \"mask\", not \"{name}\""))),
    }
}

/// Returns the number of threads: the requested one, all cores for 0, or that of the solver.
///
/// # Errors
/// `ValueError` or `TypeError` if the request is not a number of threads.
pub fn threads_of(core: &Core, requested: Option<&Bound<'_, PyAny>>) -> PyResult<NonZeroUsize> {
    let requested = maybe_whole("threads", requested, 0..=MAX_THREADS)?;
    let threads = requested.map_or(core.solver.config().threads, |threads| threads as usize);
    let all = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Ok(NonZeroUsize::new(threads).unwrap_or_else(all))
}

/// Callback for the progress of a batch: a Python callable with two numbers, or none.
pub struct Progress(Option<Py<PyAny>>);

impl Progress {
    /// Reports nothing.
    pub const NONE: Self = Self(None);

    /// Converts the argument `progress`; `True` is a line on standard error.
    ///
    /// # Errors
    /// Any exception raised by Python.
    pub fn new(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(progress) = progress else { return Ok(Self(None)) };
        let callback = match progress.cast::<PyBool>() {
            Ok(line) if line.is_true() => py.import("loyd._progress")?.getattr("Line")?.call0()?,
            Ok(_) => return Ok(Self(None)),
            Err(_) => progress.clone(),
        };
        Ok(Self(Some(callback.unbind())))
    }

    /// Reports the number of boards done and the total number.
    ///
    /// # Errors
    /// Any exception raised by the callable.
    pub fn report(&self, py: Python<'_>, done: usize, all: usize) -> PyResult<()> {
        let Some(callback) = &self.0 else { return Ok(()) };
        interrupt::guard(py, || callback.call1(py, (done, all)).map(drop))
    }
}

/// Data with a part for each row.
pub trait Split: Sized + Send {
    /// Splits into the parts of the rows before `row` and those of the remaining rows.
    fn split(self, row: usize) -> (Self, Self);
}

impl Split for Rows<'_> {
    fn split(self, row: usize) -> (Self, Self) {
        (self.slice(0, row), self.slice(row, usize::MAX))
    }
}

impl<T: Sync> Split for &[T] {
    fn split(self, row: usize) -> (Self, Self) {
        self.split_at(row)
    }
}

impl<T: Send> Split for &mut [T] {
    fn split(self, row: usize) -> (Self, Self) {
        self.split_at_mut(row)
    }
}

/// A slice with a fixed number of items, the first field, for each row.
pub struct Each<'a, T>(pub usize, pub &'a mut [T]);

impl<T: Send> Split for Each<'_, T> {
    fn split(self, row: usize) -> (Self, Self) {
        let (before, rest) = self.1.split_at_mut(row * self.0);
        (Self(self.0, before), Self(self.0, rest))
    }
}

impl<A: Split, B: Split> Split for (A, B) {
    fn split(self, row: usize) -> (Self, Self) {
        let (a, b) = (self.0.split(row), self.1.split(row));
        ((a.0, b.0), (a.1, b.1))
    }
}

impl<A: Split, B: Split, C: Split> Split for (A, B, C) {
    fn split(self, row: usize) -> (Self, Self) {
        let (a, b, c) = (self.0.split(row), self.1.split(row), self.2.split(row));
        ((a.0, b.0, c.0), (a.1, b.1, c.1))
    }
}

/// Division of work among threads.
#[derive(Clone, Copy)]
pub struct Sharing<'a> {
    pub threads: NonZeroUsize,
    pub progress: &'a Progress,
    /// Number of rows per thread between two checks for signals, worth a few milliseconds of work.
    pub portion: usize,
}

/// Runs `work` on all `rows` in portions, without the GIL.
///
/// # Errors
/// `ValueError` for the first fault, or any exception raised by a signal handler or by the progress callback.
pub fn share<J: Split>(
    py: Python<'_>,
    (job, rows): (J, usize),
    sharing: &Sharing<'_>,
    work: impl Fn(J) -> Result<(), RowError> + Sync,
) -> PyResult<()> {
    let (mut left, mut done) = (job, 0);
    while done < rows {
        let count = sharing.portion.saturating_mul(sharing.threads.get()).min(rows - done);
        let (part, rest) = left.split(count);
        let threads = sharing.threads.get();
        let ended = interrupt::detach(py, || run_on_threads(part, count, threads, &work));
        ended.map_err(|fault| value_error(shifted(fault, done)))?;
        (left, done) = (rest, done + count);
        py.check_signals()?;
        sharing.progress.report(py, done, rows)?;
    }
    Ok(())
}

/// Adds `rows` to the row of a fault.
fn shifted(fault: RowError, rows: usize) -> RowError {
    RowError { row: rows + fault.row, ..fault }
}

fn run_on_threads<J: Split>(
    job: J,
    rows: usize,
    threads: usize,
    work: &(impl Fn(J) -> Result<(), RowError> + Sync),
) -> Result<(), RowError> {
    /// Minimum number of rows per thread: fewer are processed in less time than it takes to start a thread.
    const WORTH_A_THREAD: usize = 4096;
    let threads = threads.min(rows / WORTH_A_THREAD);
    if threads <= 1 {
        return work(job);
    }
    let each = rows.div_ceil(threads);
    let (mut left, mut parts) = (job, Vec::new());
    for first in (0..rows).step_by(each) {
        let (part, rest) = left.split(each.min(rows - first));
        left = rest;
        parts.push((first, Mutex::new(Some(part))));
    }
    let run = |(first, part): &(usize, Mutex<Option<J>>)| {
        let part = part.lock().ok().and_then(|mut part| part.take()).expect("it is taken once");
        work(part).map_err(|fault| shifted(fault, *first))
    };
    let run = &run;
    thread::scope(|scope| {
        let start = |part| {
            let worker = thread::Builder::new().spawn_scoped(scope, move || run(part));
            worker.map_err(|_| part)
        };
        let workers: Vec<_> = parts.iter().map(start).collect();
        // Parts for which the system has no thread run here. All parts end before the first fault is returned.
        let ends: Vec<_> = workers
            .into_iter()
            .map(|worker| match worker {
                Ok(worker) => worker.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(part) => run(part),
            })
            .collect();
        ends.into_iter().collect()
    })
}
