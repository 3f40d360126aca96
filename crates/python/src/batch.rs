//! Arrays of boards: labels, moves and ranks of many boards at a time.
//!
//! Operations that take nanoseconds per board work on the rows directly, see [`loyd_arrays`]. Searches use the
//! solver, on threads that each work on their own boards.

mod boards;
mod call;
mod input;
mod labels;
mod solutions;

pub use input::Batch;
use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{Element, PyArray};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Creates an array of zeros. NumPy must have been imported.
///
/// # Errors
/// `MemoryError` if there is not enough memory.
fn zeros<T: Element, S: IntoDimension>(
    py: Python<'_>,
    shape: S,
) -> PyResult<Bound<'_, PyArray<T, S::Dim>>> {
    /// Arrays of at most this many items are assumed to fit in memory. Creating them through the C interface is faster.
    const FEW: usize = 1 << 20;
    let shape = shape.into_dimension();
    if shape.size_checked().is_some_and(|items| items <= FEW) {
        return Ok(PyArray::zeros(py, shape, false));
    }
    // NumPy's function raises an exception where the C interface would panic.
    let arguments = (PyTuple::new(py, shape.slice())?, T::get_dtype(py));
    Ok(py.import("numpy")?.call_method1("zeros", arguments)?.cast_into()?)
}
