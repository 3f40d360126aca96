//! What Python hands over: boards, sizes, goals, options.

use loyd::notation::slashes;
use loyd::{Board, Size};
use loyd_cli::library;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

use super::{board, goal};
use crate::core::value_error;

/// A size: `"4x3"`, an edge, or width and height.
///
/// # Errors
/// `ValueError` when it is none.
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

/// A size that may be left open.
///
/// # Errors
/// As [`size_of`].
pub fn maybe_size(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Size>> {
    value.map(size_of).transpose()
}

/// A whole number from 0 on.
///
/// # Errors
/// `ValueError` when it is negative or fits no 64 bits, `TypeError` when it is none.
pub fn whole(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    value.extract().map_err(|error: PyErr| {
        if !error.is_instance_of::<PyOverflowError>(value.py()) {
            return error;
        }
        value_error(format!(
            "{value} is out of range: whole numbers from 0 to {} are allowed",
            u64::MAX
        ))
    })
}

/// The same, which may be left out.
///
/// # Errors
/// As those of [`whole`].
pub fn maybe_whole(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

/// A board: a `Board`, text in any form, nested or flat lists, or an array.
///
/// # Errors
/// `ValueError` when it is none.
pub fn board_of(value: &Bound<'_, PyAny>, size: Option<Size>) -> PyResult<Board> {
    if let Ok(board) = value.cast::<board::Board>() {
        let board = &board.get().board;
        return match size {
            Some(size) if size != board.size() => {
                let other = board.size();
                Err(value_error(format!("the board is {other}, and {size} is asked for")))
            }
            _ => Ok(board.clone()),
        };
    }
    match of_array(value, size)? {
        Some(board) => Ok(board),
        // Whatever is wrong with it is told of its text.
        None => library::read_board(&text_of(value)?, size).map_err(value_error),
    }
}

/// Imports NumPy, if that has not been done: Ctrl-C may come meanwhile, and whoever needs an array would panic then.
///
/// # Errors
/// What Python raises.
pub fn import_numpy(py: Python<'_>) -> PyResult<()> {
    static DONE: PyOnceLock<()> = PyOnceLock::new();
    DONE.get_or_try_init(py, || py.import("numpy").map(drop)).copied()
}

/// The board in an array of rows and columns of bytes, if it is one.
fn of_array(value: &Bound<'_, PyAny>, size: Option<Size>) -> PyResult<Option<Board>> {
    let is_written = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyTuple>();
    if is_written {
        return Ok(None);
    }
    import_numpy(value.py())?;
    Ok(of_bytes(value, size))
}

/// The same, where NumPy is there.
fn of_bytes(value: &Bound<'_, PyAny>, size: Option<Size>) -> Option<Board> {
    let array: PyReadonlyArray2<'_, u8> = value.extract().ok()?;
    let &[height, width] = array.shape() else { return None };
    let own = Size::new(width.try_into().ok()?, height.try_into().ok()?).ok()?;
    let numbers: Vec<u32> = array.as_array().iter().map(|&number| number.into()).collect();
    if size.is_some_and(|size| size != own) {
        return None;
    }
    Board::new(own, &numbers).ok()
}

/// The text of boards or moves: lists and arrays are written as people write them.
///
/// # Errors
/// `TypeError` when it is nothing of that kind.
pub fn text_of(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_string());
    }
    if let Ok(board) = value.cast::<board::Board>() {
        return Ok(slashes(&board.get().board).to_string());
    }
    if let Ok(goal) = value.cast::<goal::Goal>() {
        return Ok(goal.get().text.as_str().to_owned());
    }
    let listed = match value.hasattr("tolist")? {
        true => value.call_method0("tolist")?,
        false => value.clone(),
    };
    if !listed.is_instance_of::<PyList>() && !listed.is_instance_of::<PyTuple>() {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a board is a Board, text, a list or an array, and no {kind}"
        )));
    }
    let rows: Vec<Bound<'_, PyAny>> = listed.try_iter()?.collect::<PyResult<_>>()?;
    let nested = rows.iter().any(|row| row.hasattr("__len__").unwrap_or(false));
    let row = |row: &Bound<'_, PyAny>| -> PyResult<String> {
        let items: Vec<String> =
            row.try_iter()?.map(|item| Ok(item?.str()?.to_string())).collect::<PyResult<_>>()?;
        Ok(items.join(if nested { ", " } else { " " }))
    };
    if !nested {
        return row(&listed);
    }
    let rows: Vec<String> =
        rows.iter().map(|one| row(one).map(|row| format!("[{row}]"))).collect::<PyResult<_>>()?;
    Ok(format!("[{}]", rows.join(", ")))
}

/// Options as words of the command line. `None` and `False` leave an option out.
///
/// # Errors
/// `TypeError` when there is no option of a name.
pub fn words(of: &str, options: &Bound<'_, PyDict>, known: &[&str]) -> PyResult<Vec<String>> {
    let mut words = Vec::new();
    for (name, value) in options.iter() {
        let name: String = name.extract()?;
        if !known.contains(&name.as_str()) {
            let known = known.join(", ");
            let message = format!("{of} has no option `{name}`; there are {known}");
            return Err(PyTypeError::new_err(message));
        }
        let option = name.replace('_', "-");
        if value.is_none() {
            continue;
        }
        if let Ok(value) = value.cast::<PyBool>() {
            words.extend(value.is_true().then(|| format!("--{option}")));
            continue;
        }
        words.push(format!("--{option}={}", value_text(&name, &value)?));
    }
    Ok(words)
}

/// The value of an option as it is written.
fn value_text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    match name {
        "size" => Ok(size_of(value)?.to_string()),
        "goal" | "board" => text_of(value),
        _ if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() => {
            let items: Vec<String> = value
                .try_iter()?
                .map(|item| Ok(item?.str()?.to_string()))
                .collect::<PyResult<_>>()?;
            Ok(items.join(","))
        }
        _ => Ok(value.str()?.to_string()),
    }
}
