//! What the calls about batches have in common.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use loyd::Size;
use loyd_lab::arrays::Invalid;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use super::input::Batch;
use super::share::Sharing;
use crate::core::{Core, value_error};
use crate::objects::maybe_size;

/// A batch, and what is to be done with it.
pub struct Call<'py> {
    pub batch: Batch<'py>,
    pub invalid: Invalid,
    pub threads: NonZeroUsize,
    pub progress: Progress,
}

impl<'py> Call<'py> {
    /// What Python hands over.
    ///
    /// # Errors
    /// As [`Batch::new`], and when an option has no such value.
    pub fn new(
        core: &Core,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<u64>,
        on_invalid: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let invalid = invalid_named(on_invalid)?;
        Ok(Self {
            batch: Batch::new(batch, maybe_size(size)?.or(core.size), invalid)?,
            invalid,
            threads: threads_of(core, threads),
            progress: Progress::new(batch.py(), progress)?,
        })
    }

    /// For what takes some nanoseconds a cell.
    pub fn quick(&self) -> Sharing<'_> {
        Sharing {
            threads: self.threads,
            progress: &self.progress,
            portion: quick(self.batch.size()),
        }
    }

    /// For what takes some microseconds a board.
    pub fn slow(&self) -> Sharing<'_> {
        const BOARDS: usize = 1 << 12;
        Sharing { portion: BOARDS, ..self.quick() }
    }
}

/// How many boards of `size` take some milliseconds, at some nanoseconds a cell.
pub fn quick(size: Size) -> usize {
    const CELLS: usize = 1 << 20;
    CELLS / size.cells()
}

/// What becomes of invalid rows, as `on_invalid` has it.
fn invalid_named(name: &str) -> PyResult<Invalid> {
    match name {
        "raise" => Ok(Invalid::Refused),
        "mask" => Ok(Invalid::Masked),
        _ => Err(value_error(format!("on_invalid is \"raise\" or \"mask\", and not \"{name}\""))),
    }
}

/// How many threads work: those that are asked for, all for 0, or those of the solver.
pub fn threads_of(core: &Core, asked: Option<u64>) -> NonZeroUsize {
    let threads = asked.map_or(core.solver.config().threads, |threads| threads as usize);
    NonZeroUsize::new(threads)
        .unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// Who is told how many boards are done: a callable of two numbers, or nobody.
pub struct Progress(Option<Py<PyAny>>);

impl Progress {
    /// Nobody is told.
    pub const NONE: Self = Self(None);

    /// What `progress` asks for: `True` is a line on standard error.
    ///
    /// # Errors
    /// What Python raises.
    pub fn new(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(asked) = asked else { return Ok(Self(None)) };
        let told = match asked.cast::<PyBool>() {
            Ok(line) if line.is_true() => py.import("loyd._progress")?.getattr("Line")?.call0()?,
            Ok(_) => return Ok(Self(None)),
            Err(_) => asked.clone(),
        };
        Ok(Self(Some(told.unbind())))
    }

    /// Tells how many boards of all are done.
    ///
    /// # Errors
    /// What it raises who is told.
    pub fn tell(&self, py: Python<'_>, done: usize, all: usize) -> PyResult<()> {
        self.0.as_ref().map_or(Ok(()), |told| told.call1(py, (done, all)).map(drop))
    }
}
