//! Arrays of boards: labels, moves and numbers of many at a time.
//!
//! What takes nanoseconds a board is done on the rows themselves, see [`loyd_lab::arrays`]; what is searched for goes
//! through the solver, on threads that have boards of their own.

mod draw;
mod input;
mod labeller;
mod labels;
mod moves;
mod share;
mod solutions;

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use loyd_lab::arrays::Invalid;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::core::{Core, value_error};

pub use labeller::Kept;
pub use moves::{apply, neighbours, rank, unrank};

/// What becomes of invalid rows, as `on_invalid` has it.
fn invalid_named(name: &str) -> PyResult<Invalid> {
    match name {
        "raise" => Ok(Invalid::Refused),
        "mask" => Ok(Invalid::Masked),
        _ => Err(value_error(format!("on_invalid is \"raise\" or \"mask\", and not \"{name}\""))),
    }
}

/// How many threads work: those that are asked for, all for 0, or those of the solver.
fn threads_of(core: &Core, asked: Option<usize>) -> NonZeroUsize {
    let threads = asked.unwrap_or(core.solver.config().threads);
    NonZeroUsize::new(threads)
        .unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// Who is told how many boards are done: a callable of two numbers, or nobody.
struct Progress(Option<Py<PyAny>>);

impl Progress {
    /// What `progress` asks for: `True` is a line on standard error.
    fn new(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(asked) = asked else { return Ok(Self(None)) };
        let told = match asked.cast::<PyBool>() {
            Ok(line) if line.is_true() => py.import("loyd._progress")?.getattr("Line")?.call0()?,
            Ok(_) => return Ok(Self(None)),
            Err(_) => asked.clone(),
        };
        Ok(Self(Some(told.unbind())))
    }

    /// Tells how many boards of all are done.
    fn tell(&self, py: Python<'_>, done: usize, all: usize) -> PyResult<()> {
        self.0.as_ref().map_or(Ok(()), |told| told.call1(py, (done, all)).map(drop))
    }
}
