//! Boards, goals, solutions, and the answers of a solver about single boards; conversion of options.

mod anytime;
mod board;
mod comparisons;
mod conversion;
mod solution;
mod studies;

use std::ops::RangeInclusive;

use loyd_cli::library;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

use crate::core::value_error;
pub use anytime::Anytime;
use board::text_of;
pub use board::{Board, Goal, board_of, goal_of};
pub use conversion::{MAX_THREADS, import_numpy, maybe_size, maybe_whole, seed_of, size_of, whole};
pub use solution::Solution;

/// Converts a board to another form, or moves to another notation.
#[pyfunction]
#[pyo3(
    signature = (text, to, **options),
    text_signature = "(text, to, *, source=None, runs=False, board=None, goal=None, size=None)"
)]
pub fn convert(
    text: &Bound<'_, PyAny>,
    to: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    const OPTIONS: &[&str] = &["source", "runs", "board", "goal", "size"];
    let mut words = vec![format!("--to={to}")];
    if let Some(options) = options {
        // `from` is a keyword of Python, so the option is called `source`.
        let given = option_words("convert", options, OPTIONS)?.into_iter();
        words.extend(given.map(|word| word.replacen("--source=", "--from=", 1)));
    }
    words.push("--".to_owned());
    words.push(text_of(text)?);
    library::convert(words).map_err(value_error)
}

/// Returns the range of an option that is an integer.
fn range_of(name: &str) -> Option<RangeInclusive<u64>> {
    /// Largest number of boards that a comparison draws or a census reports: each takes some hundred bytes.
    const MAX_BOARDS: u64 = 1_000_000;
    match name {
        "threads" => Some(1..=MAX_THREADS),
        "number" => Some(1..=MAX_BOARDS),
        "farthest" => Some(0..=MAX_BOARDS),
        "max_depth" => Some(0..=u32::MAX.into()),
        "max_expanded" | "seed" => Some(0..=u64::MAX),
        _ => None,
    }
}

/// Converts options to words of the command line. `None` and `False` omit an option.
///
/// # Errors
/// `TypeError` if there is no option of that name.
pub fn option_words(
    of: &str,
    options: &Bound<'_, PyDict>,
    known: &[&str],
) -> PyResult<Vec<String>> {
    let mut words = Vec::new();
    for (name, value) in options.iter() {
        let name: String = name.extract()?;
        if !known.contains(&name.as_str()) {
            let known = known.join(", ");
            let message = format!("{of} has no option `{name}`; the options are {known}");
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

/// Returns the value of an option as text.
///
/// # Errors
/// `ValueError` or `TypeError` if the option is a number and the value is not an integer in its range. Text is left to
/// the command line.
fn value_text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let (Some(allowed), false) = (range_of(name), value.is_instance_of::<PyString>()) {
        return Ok(whole(name, value, allowed)?.to_string());
    }
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
