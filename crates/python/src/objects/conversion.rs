//! Conversion of Python values to sizes and numbers, and of answers to the dataclasses of `loyd._answers`.

use std::ops::RangeInclusive;
use std::thread;

use loyd::Size;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use serde_json::Value;

use crate::core::value_error;
use crate::interrupt;

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

/// Largest number of threads that a caller may request.
pub const MAX_THREADS: u64 = 1024;

/// Converts the integer argument `name`. All numbers that Python passes go through this function.
///
/// # Errors
/// `ValueError` with the name, the value and the allowed range if the value is not in `allowed`, `TypeError` if it is not
/// an integer.
pub fn whole(name: &str, value: &Bound<'_, PyAny>, allowed: RangeInclusive<u64>) -> PyResult<u64> {
    let number = match value.extract::<u64>() {
        Ok(number) => Some(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            let kind = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!("{name} must be an integer, not {kind}")));
        }
        Err(error) => return Err(error),
    };
    number.filter(|number| allowed.contains(number)).ok_or_else(|| {
        let (least, most) = allowed.into_inner();
        value_error(format!(
            "{name}={value} is out of range: integers from {least} to {most} are allowed"
        ))
    })
}

/// Converts an optional integer argument.
///
/// # Errors
/// Like [`whole`].
pub fn maybe_whole(
    name: &str,
    value: Option<&Bound<'_, PyAny>>,
    allowed: RangeInclusive<u64>,
) -> PyResult<Option<u64>> {
    value.map(|value| whole(name, value, allowed)).transpose()
}

/// Converts the argument `seed`.
///
/// # Errors
/// Like [`whole`].
pub fn seed_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    Ok(maybe_whole("seed", value, 0..=u64::MAX)?.unwrap_or(0))
}

/// Imports NumPy unless that is done already. Ctrl-C may interrupt the import; without this function, the first use of an
/// array would then panic.
///
/// # Errors
/// Any exception raised by Python.
pub fn import_numpy(py: Python<'_>) -> PyResult<()> {
    static DONE: PyOnceLock<()> = PyOnceLock::new();
    DONE.get_or_try_init(py, || {
        py.import("numpy")?;
        find_interface(py);
        py.check_signals()
    })
    .copied()
}

/// Lets the crate `numpy` look up the C interface of NumPy. It does so by running Python code when the first arrays are
/// created and borrowed, and panics if that code raises, also if Ctrl-C is the reason, so the lookup runs on a thread:
/// Python handles signals only on its main thread.
fn find_interface(py: Python<'_>) {
    let find = |py: Python<'_>| {
        let array = PyArray1::<u8>::zeros(py, 0, false);
        drop(array.readonly());
        drop(array.readwrite());
    };
    interrupt::detach(py, || {
        thread::scope(|scope| {
            let search = || interrupt::attach(find);
            // If the system has no thread, a signal at this moment causes the panic.
            if let Ok(finder) = thread::Builder::new().spawn_scoped(scope, search) {
                // A panic comes again, with its message, at the first use of an array.
                let _ = finder.join();
            }
        });
    });
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
    interrupt::guard(py, || py.import("loyd._answers")?.getattr(name)?.call((), Some(fields)))
}
