//! Arrays of boards passed from Python.

use loyd::Size;
use loyd_arrays::{InvalidRows, Rows};
use numpy::{
    PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyBufferError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::zeros;
use crate::core::{check_size, value_error};
use crate::interrupt;
use crate::objects::{Board, import_numpy};

/// Boards of one size, one byte per cell, as an array of shape (B, H, W) or (B, N).
pub struct Batch<'py> {
    array: PyReadonlyArrayDyn<'py, u8>,
    size: Size,
}

impl<'py> Batch<'py> {
    /// Converts `value`, a NumPy array, an object with `__dlpack__`, or lists. Data is copied only if it is not C-contiguous
    /// or not `uint8`. With [`InvalidRows::Mask`], numbers that do not fit in a byte make their row invalid.
    ///
    /// # Errors
    /// `TypeError` for other types; `ValueError` if the shape is not that of boards of `size`, or, without a size, not that
    /// of square boards.
    pub fn new(
        value: &Bound<'py, PyAny>,
        size: Option<Size>,
        invalid: InvalidRows,
    ) -> PyResult<Self> {
        interrupt::guard(value.py(), || Self::read(value, size, invalid))
    }

    fn read(value: &Bound<'py, PyAny>, size: Option<Size>, invalid: InvalidRows) -> PyResult<Self> {
        let array = array_of(value)?;
        check_integers(value, &array)?;
        let size = size_of_rows(array.shape(), size)?;
        check_size(size)?;
        let array = match array.cast::<PyArrayDyn<u8>>() {
            Ok(array) if array.is_c_contiguous() => array.clone(),
            Ok(array) => contiguous(array)?,
            Err(_) => narrowed(&array, size, invalid)?,
        };
        Ok(Self { array: array.try_readonly().map_err(value_error)?, size })
    }

    /// Returns the boards.
    pub fn rows(&self) -> Rows<'_> {
        Rows::new(self.size, self.array.as_slice().expect("it is contiguous"))
    }

    /// Returns the size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.array.shape()[0]
    }

    /// Returns the shape of the array.
    pub fn shape(&self) -> &[usize] {
        self.array.shape()
    }
}

/// Converts `value` to a NumPy array.
fn array_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = value.py();
    import_numpy(py)?;
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<Board>() {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a batch is an array of boards of shape (B, H, W) or (B, N), not {kind}"
        )));
    }
    let numpy = py.import("numpy")?;
    let array = match value.hasattr("__dlpack__")? {
        true => shared(&numpy, value)?,
        false => numpy.call_method1("asarray", (value,))?,
    };
    unnested(array.cast_into::<PyUntypedArray>()?)
}

/// Converts an object with `__dlpack__`, or with its `__array__` if it cannot be exported: read-only buffers in old
/// versions of NumPy, lists in pyarrow.
///
/// # Errors
/// The exception raised by `__dlpack__`.
fn shared<'py>(
    numpy: &Bound<'py, PyModule>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    numpy.call_method1("from_dlpack", (value,)).or_else(|error| {
        let is_refusal =
            error.is_instance_of::<PyBufferError>(py) || error.is_instance_of::<PyTypeError>(py);
        match is_refusal && value.hasattr("__array__")? {
            true => numpy.call_method1("asarray", (value,)).or(Err(error)),
            false => Err(error),
        }
    })
}

/// Converts a column of lists, which pandas, polars and pyarrow pass as an array of objects, to an array of numbers.
///
/// # Errors
/// `ValueError` if the lists differ in length.
fn unnested<'py>(array: Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let mut array = array;
    // A column of boards contains lists, or lists of lists.
    while array.dtype().kind() == b'O' && array.ndim() < 3 && array.len() > 0 {
        let lists = array.call_method0("tolist")?;
        let converted = array.py().import("numpy")?.call_method1("array", (lists,));
        let converted = converted
            .map_err(|_| value_error("the boards of a batch must have the same number of cells"))?
            .cast_into::<PyUntypedArray>()?;
        if converted.ndim() == array.ndim() {
            break;
        }
        array = converted;
    }
    Ok(array)
}

fn contiguous<'py>(array: &Bound<'py, PyArrayDyn<u8>>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let copy = array.py().import("numpy")?.call_method1("ascontiguousarray", (array,))?;
    Ok(copy.cast_into::<PyArrayDyn<u8>>()?)
}

/// Checks that `array`, made from `value`, contains integers.
///
/// # Errors
/// `TypeError`, or `ValueError` for integers that are too large.
fn check_integers(value: &Bound<'_, PyAny>, array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let dtype = array.dtype();
    // Empty lists have no meaningful type, and the error of a single value is its shape.
    let has_items = array.ndim() > 0 && array.len() > 0;
    if matches!(dtype.kind(), b'i' | b'u' | b'b') || !has_items {
        return Ok(());
    }
    let remedy = match dtype.kind() {
        b'O' | b'S' | b'T' | b'U' => "; loyd.Board(text).array reads text",
        _ => "",
    };
    let message = format!("a batch has integers, preferably uint8, not {dtype}{remedy}");
    Err(no_integers(value, &message)?)
}

/// Converts the integers of `array` to bytes.
fn narrowed<'py>(
    array: &Bound<'py, PyUntypedArray>,
    size: Size,
    invalid: InvalidRows,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let wide = array.call_method1("astype", ("int64",))?.cast_into::<PyArrayDyn<i64>>()?;
    let narrow = zeros::<u8, _>(array.py(), array.shape())?;
    {
        let (from, mut to) = (wide.readonly(), narrow.readwrite());
        let (cells, from) = (size.cells(), from.as_array());
        let mut from = from.iter();
        for (row, to) in to.as_slice_mut()?.chunks_exact_mut(cells).enumerate() {
            let all_fit = to.iter_mut().zip(&mut from).fold(true, |all_fit, (to, &number)| {
                *to = number as u8;
                all_fit && u8::try_from(number).is_ok()
            });
            if !all_fit && invalid == InvalidRows::Reject {
                let most = cells - 1;
                let message =
                    format!("row {row}: a number of a {size} board is not in 0 to {most}");
                return Err(value_error(message));
            }
            if !all_fit {
                // Zeros make the row invalid: no board has a number twice.
                to.fill(0);
            }
        }
    }
    Ok(narrow)
}

/// Creates the exception for a value that is no array of integers for NumPy: `ValueError` if it contains only integers, up
/// to one that is too large, otherwise `TypeError` with this message.
///
/// # Errors
/// Any exception raised by Python.
pub fn no_integers(value: &Bound<'_, PyAny>, message: &str) -> PyResult<PyErr> {
    let py = value.py();
    // The array itself may contain rounded numbers.
    let items = py.import("numpy")?.call_method1("array", (value, "object"))?;
    for item in items.call_method0("ravel")?.call_method0("tolist")?.try_iter()? {
        let item = item?;
        match item.extract::<i64>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
                return Ok(value_error(format!("{message}: {item} is too large")));
            }
            Err(_) => break,
            Ok(_) => {}
        }
    }
    Ok(PyTypeError::new_err(message.to_owned()))
}

/// Returns the size of the boards in an array of this shape.
fn size_of_rows(shape: &[usize], requested: Option<Size>) -> PyResult<Size> {
    let mismatch = |requested: Size| format!("not of {requested} boards");
    match *shape {
        [_, height, width] => {
            let edge = |edge: usize| u32::try_from(edge).unwrap_or(u32::MAX);
            let size = Size::new(edge(width), edge(height)).map_err(value_error)?;
            match requested {
                Some(requested) if requested != size => {
                    let message = format!(
                        "the shape {shape:?} is that of {size} boards, {}",
                        mismatch(requested)
                    );
                    Err(value_error(message))
                }
                _ => Ok(size),
            }
        }
        [_, cells] => match requested {
            Some(requested) if requested.cells() != cells => Err(value_error(format!(
                "rows have {cells} numbers, which are {}",
                mismatch(requested)
            ))),
            Some(requested) => Ok(requested),
            None => {
                let edge = cells.isqrt();
                let square = u32::try_from(edge).ok().filter(|_| edge * edge == cells);
                let square = square.and_then(|edge| Size::new(edge, edge).ok());
                square.ok_or_else(|| {
                    value_error(format!(
                        "rows of {cells} numbers are no square boards: give a size, or use the shape \
                         (B, H, W)"
                    ))
                })
            }
        },
        _ => Err(value_error(format!("a batch has shape (B, H, W) or (B, N), not {shape:?}"))),
    }
}
