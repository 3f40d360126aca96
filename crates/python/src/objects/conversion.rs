//! Conversion of Python values to sizes and numbers, and of answers to the dataclasses of `loyd._answers`.

use loyd::Size;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use serde_json::Value;

use crate::core::value_error;

/// Converts a size: `"4x3"`, a number for a square, or width and height.
///
/// # Errors
/// `ValueError` if it is not a size.
pub fn size_of(value: &Bound<'_, PyAny>) -> PyResult<Size> {
    let size = if let Ok(text) = value.extract::<String>() {
        text.parse()
    } else if let Ok((width, height)) = value.extract::<(u32, u32)>() {
        Size::new(width, height)
    } else if let Ok(edge) = value.extract::<u32>() {
        Size::new(edge, edge)
    } else {
        value.str()?.to_string().parse()
    };
    size.map_err(value_error)
}

/// Converts an optional size.
///
/// # Errors
/// Like [`size_of`].
pub fn maybe_size(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Size>> {
    value.map(size_of).transpose()
}

/// Converts a nonnegative integer.
///
/// # Errors
/// `ValueError` if it is negative or does not fit in 64 bits, `TypeError` for other types.
pub fn whole(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    value.extract().map_err(|error: PyErr| {
        if !error.is_instance_of::<PyOverflowError>(value.py()) {
            return error;
        }
        value_error(format!("{value} is out of range: integers from 0 to {} are allowed", u64::MAX))
    })
}

/// Converts an optional nonnegative integer.
///
/// # Errors
/// Like [`whole`].
pub fn maybe_whole(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

/// Imports NumPy unless that is done already. Ctrl-C may interrupt the import; without this function, the first use of an
/// array would then panic.
///
/// # Errors
/// Any exception raised by Python.
pub fn import_numpy(py: Python<'_>) -> PyResult<()> {
    static DONE: PyOnceLock<()> = PyOnceLock::new();
    DONE.get_or_try_init(py, || py.import("numpy").map(drop)).copied()
}

/// Converts a JSON value: arrays become tuples, objects dictionaries.
///
/// # Errors
/// Any exception raised by Python.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
            (Some(number), ..) => number.into_pyobject(py)?.into_any(),
            (_, Some(number), _) => number.into_pyobject(py)?.into_any(),
            (.., number) => number.into_pyobject(py)?.into_any(),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let items: Vec<_> =
                items.iter().map(|item| to_python(py, item)).collect::<PyResult<_>>()?;
            PyTuple::new(py, items)?.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Returns the fields of an answer.
///
/// # Errors
/// Any exception raised by Python.
pub fn fields<'py>(py: Python<'py>, answer: &impl Serialize) -> PyResult<Bound<'py, PyDict>> {
    let value = serde_json::to_value(answer).expect("an answer has only JSON types");
    Ok(to_python(py, &value)?.cast_into::<PyDict>()?)
}

/// Creates an object of the class `name` of `loyd._answers`.
///
/// # Errors
/// Any exception raised by Python.
pub fn build<'py>(
    py: Python<'py>,
    name: &str,
    fields: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("loyd._answers")?.getattr(name)?.call((), Some(fields))
}
