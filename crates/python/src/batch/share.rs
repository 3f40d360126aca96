//! Work on rows of arrays, shared out among threads.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread;

use loyd_lab::arrays::{Fault, Rows};
use pyo3::prelude::*;

use super::call::Progress;
use crate::core::value_error;

/// Something that has a part for each row.
pub trait Split: Sized + Send {
    /// The parts of the rows before `row`, and the others.
    fn split(self, row: usize) -> (Self, Self);
}

impl Split for Rows<'_> {
    fn split(self, row: usize) -> (Self, Self) {
        (self.part(0, row), self.part(row, usize::MAX))
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

/// So many items for each row.
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

/// How work is shared out.
#[derive(Clone, Copy)]
pub struct Sharing<'a> {
    pub threads: NonZeroUsize,
    pub progress: &'a Progress,
    /// A thread works on so many rows before Python is asked for signals: some milliseconds of work.
    pub portion: usize,
}

/// Does `work` on all `rows`, some at a time, while other threads of Python go on.
///
/// # Errors
/// `ValueError` with the first fault, and what the handler of a signal raises.
pub fn share<J: Split>(
    py: Python<'_>,
    (job, rows): (J, usize),
    sharing: &Sharing<'_>,
    work: impl Fn(J) -> Result<(), Fault> + Sync,
) -> PyResult<()> {
    let (mut left, mut done) = (job, 0);
    while done < rows {
        let count = sharing.portion.saturating_mul(sharing.threads.get()).min(rows - done);
        let (part, rest) = left.split(count);
        let ended = py.detach(|| among(part, count, sharing.threads.get(), &work));
        ended.map_err(|fault| value_error(after(done, fault)))?;
        (left, done) = (rest, done + count);
        py.check_signals()?;
        sharing.progress.tell(py, done, rows)?;
    }
    Ok(())
}

/// The fault of a row behind so many others.
fn after(rows: usize, fault: Fault) -> Fault {
    Fault { row: rows + fault.row, ..fault }
}

fn among<J: Split>(
    job: J,
    rows: usize,
    threads: usize,
    work: &(impl Fn(J) -> Result<(), Fault> + Sync),
) -> Result<(), Fault> {
    /// Fewer are done before a thread has begun.
    const WORTH_A_THREAD: usize = 4096;
    let threads = threads.min(rows / WORTH_A_THREAD);
    if threads <= 1 {
        return work(job);
    }
    let each = rows.div_ceil(threads);
    thread::scope(|scope| {
        let (mut left, mut workers) = (job, Vec::new());
        for first in (0..rows).step_by(each) {
            let (part, rest) = left.split(each.min(rows - first));
            left = rest;
            workers.push((first, scope.spawn(move || work(part))));
        }
        // All are waited for, and the first fault counts.
        let ends: Vec<_> = workers
            .into_iter()
            .map(|(first, worker)| {
                let end = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
                end.map_err(|fault| after(first, fault))
            })
            .collect();
        ends.into_iter().collect()
    })
}
