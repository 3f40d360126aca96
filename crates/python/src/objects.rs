//! Boards, goals, solutions, and whatever a solver says of one board.

mod answers;
mod anytime;
mod board;
mod comparisons;
mod goal;
mod input;
mod solution;
mod studies;
mod surveys;

pub use anytime::Anytime;
pub use board::Board;
pub use goal::{Goal, goal_of};
pub use input::{board_of, import_numpy, maybe_size, maybe_whole, size_of, whole, words};
pub use solution::Solution;

use loyd_cli::library;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::core::value_error;

/// Writes a board in another form, or moves in another notation.
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
        // `from` is a word of Python.
        let given = input::words("convert", options, OPTIONS)?.into_iter();
        words.extend(given.map(|word| word.replacen("--source=", "--from=", 1)));
    }
    words.push("--".to_owned());
    words.push(input::text_of(text)?);
    library::convert(words).map_err(value_error)
}
