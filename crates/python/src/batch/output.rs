//! Arrays that are handed back to Python.

use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{Element, PyArray};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// An array of zeros, where NumPy has been imported.
///
/// # Errors
/// `MemoryError` when there is not so much memory.
pub fn zeros<T: Element, S: IntoDimension>(
    py: Python<'_>,
    shape: S,
) -> PyResult<Bound<'_, PyArray<T, S::Dim>>> {
    /// So many items fit any memory, and such arrays are made in less time.
    const FEW: usize = 1 << 20;
    let shape = shape.into_dimension();
    if shape.size_checked().is_some_and(|items| items <= FEW) {
        return Ok(PyArray::zeros(py, shape, false));
    }
    // The function of NumPy raises where the interface in C would panic.
    let arguments = (PyTuple::new(py, shape.slice())?, T::get_dtype(py));
    Ok(py.import("numpy")?.call_method1("zeros", arguments)?.cast_into()?)
}
