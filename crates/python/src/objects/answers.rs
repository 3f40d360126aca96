//! Answers in JSON as objects of Python: the dataclasses of `loyd._answers`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use serde_json::Value;

/// A value of JSON: arrays are tuples, objects dictionaries.
///
/// # Errors
/// What Python raises.
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

/// The fields of an answer.
///
/// # Errors
/// What Python raises.
pub fn fields<'py>(py: Python<'py>, answer: &impl Serialize) -> PyResult<Bound<'py, PyDict>> {
    let value = serde_json::to_value(answer).expect("nothing in an answer is foreign to JSON");
    Ok(to_python(py, &value)?.cast_into::<PyDict>()?)
}

/// An object of the class `name` of `loyd._answers`.
///
/// # Errors
/// What Python raises.
pub fn build<'py>(
    py: Python<'py>,
    name: &str,
    fields: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("loyd._answers")?.getattr(name)?.call((), Some(fields))
}
