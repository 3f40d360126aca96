//! Arrays of boards that Python hands over.

use loyd::Size;
use loyd_lab::arrays::{Invalid, Rows};
use numpy::{
    PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::output::zeros;
use crate::core::value_error;
use crate::objects::{Board, import_numpy};

/// Boards of one size, a byte a cell, as an array of shape (B, H, W) or (B, N).
pub struct Batch<'py> {
    array: PyReadonlyArrayDyn<'py, u8>,
    size: Size,
}

impl<'py> Batch<'py> {
    /// The boards in `value`: an array of NumPy, anything with `__dlpack__`, or lists. Only what is not C-contiguous or
    /// has other numbers than `uint8` is copied. Where numbers are masked, those that no byte holds make a row invalid.
    ///
    /// # Errors
    /// `TypeError` when it is no such thing, `ValueError` when its shape is none of boards of `size`, or, if that is
    /// left open, none of square ones.
    pub fn new(value: &Bound<'py, PyAny>, size: Option<Size>, invalid: Invalid) -> PyResult<Self> {
        let array = array_of(value)?;
        let size = size_of_rows(array.shape(), size)?;
        let array = match array.cast::<PyArrayDyn<u8>>() {
            Ok(array) if array.is_c_contiguous() => array.clone(),
            Ok(array) => contiguous(array)?,
            Err(_) => narrowed(&array, size, invalid)?,
        };
        Ok(Self { array: array.try_readonly().map_err(value_error)?, size })
    }

    /// The boards.
    pub fn rows(&self) -> Rows<'_> {
        Rows::new(self.size, self.array.as_slice().expect("it is contiguous"))
    }

    /// The size of the boards.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many boards there are.
    pub fn len(&self) -> usize {
        self.array.shape()[0]
    }

    /// The shape of the array.
    pub fn shape(&self) -> &[usize] {
        self.array.shape()
    }
}

/// The array that `value` is, or that can be made of it.
fn array_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = value.py();
    import_numpy(py)?;
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<Board>() {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a batch is an array of boards of shape (B, H, W) or (B, N), and no {kind}"
        )));
    }
    let numpy = py.import("numpy")?;
    // Old versions of NumPy refuse what cannot be written to: that is copied.
    let shared = match value.hasattr("__dlpack__")? {
        true => numpy.call_method1("from_dlpack", (value,)).ok(),
        false => None,
    };
    let array = match shared {
        Some(array) => array,
        None => numpy.call_method1("asarray", (value,))?,
    };
    Ok(array.cast_into::<PyUntypedArray>()?)
}

fn contiguous<'py>(array: &Bound<'py, PyArrayDyn<u8>>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let copy = array.py().import("numpy")?.call_method1("ascontiguousarray", (array,))?;
    Ok(copy.cast_into::<PyArrayDyn<u8>>()?)
}

/// The numbers of an array as bytes.
fn narrowed<'py>(
    array: &Bound<'py, PyUntypedArray>,
    size: Size,
    invalid: Invalid,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let dtype = array.dtype();
    // Lists without boards have no numbers that would tell.
    if !matches!(dtype.kind(), b'i' | b'u' | b'b') && array.len() > 0 {
        let message = format!("a batch has whole numbers, best uint8, and not {dtype}");
        return Err(PyTypeError::new_err(message));
    }
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
            if !all_fit && invalid == Invalid::Refused {
                let most = cells - 1;
                let message =
                    format!("row {row}: a number of a {size} board is none from 0 to {most}");
                return Err(value_error(message));
            }
            if !all_fit {
                // No board has a number twice.
                to.fill(0);
            }
        }
    }
    Ok(narrow)
}

/// The size of the boards in an array of this shape.
fn size_of_rows(shape: &[usize], asked: Option<Size>) -> PyResult<Size> {
    let said = |asked: Size| format!("boards of {asked} are asked for");
    match *shape {
        [_, height, width] => {
            let edge = |edge: usize| u32::try_from(edge).unwrap_or(u32::MAX);
            let size = Size::new(edge(width), edge(height)).map_err(value_error)?;
            match asked {
                Some(asked) if asked != size => {
                    let message = format!(
                        "the shape {shape:?} is that of {size} boards, and {}",
                        said(asked)
                    );
                    Err(value_error(message))
                }
                _ => Ok(size),
            }
        }
        [_, cells] => match asked {
            Some(asked) if asked.cells() != cells => {
                Err(value_error(format!("rows have {cells} numbers, and {}", said(asked))))
            }
            Some(asked) => Ok(asked),
            None => {
                let edge = cells.isqrt();
                let square = u32::try_from(edge).ok().filter(|_| edge * edge == cells);
                let square = square.and_then(|edge| Size::new(edge, edge).ok());
                square.ok_or_else(|| {
                    value_error(format!(
                        "rows of {cells} numbers are those of no square boards: name a size, or use the shape \
                         (B, H, W)"
                    ))
                })
            }
        },
        _ => Err(value_error(format!(
            "a batch has the shape (B, H, W) or (B, N), and not {shape:?}"
        ))),
    }
}
