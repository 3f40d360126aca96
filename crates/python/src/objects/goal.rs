//! `loyd.Goal`.

use std::hash::{DefaultHasher, Hash, Hasher};

use loyd::notation::slashes;
use loyd_cli::library::GoalText;
use pyo3::prelude::*;

use super::board::Board;
use super::input::{maybe_size, text_of};
use crate::core::value_error;

/// A goal, as `--goal` of the command line has it: a name (see `loyd list goals`), or a board, with `*` on cells that may
/// have any tile. A name is one for boards of any size.
#[pyclass(frozen, module = "loyd")]
pub struct Goal {
    pub text: GoalText,
}

#[pymethods]
impl Goal {
    #[new]
    #[pyo3(signature = (value=None, size=None))]
    fn new(value: Option<&Bound<'_, PyAny>>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (text, size) = (goal_of(value)?, maybe_size(size)?);
        if text.named().is_some() {
            return Ok(Self { text });
        }
        // The text that is kept tells the size.
        let whole = match text.partial(size).map_err(value_error)? {
            Some(partial) => partial.to_string(),
            None => slashes(&text.board(size).map_err(value_error)?).to_string(),
        };
        Ok(Self { text: GoalText::new(&whole) })
    }

    /// The name, or `None` if it is a board.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.text.named().map(|_| self.text.as_str())
    }

    /// Whether some cells may have any tile.
    #[getter]
    fn is_partial(&self) -> bool {
        self.text.is_partial()
    }

    /// The goal as a board; `size` is needed for goals with names. Raises `ValueError` for partial goals.
    #[pyo3(signature = (size=None))]
    fn board(&self, size: Option<&Bound<'_, PyAny>>) -> PyResult<Board> {
        Ok(self.text.board(maybe_size(size)?).map_err(value_error)?.into())
    }

    fn __str__(&self) -> &str {
        self.text.as_str()
    }

    fn __repr__(&self) -> String {
        format!("Goal(\"{}\")", self.text.as_str())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.text.as_str().hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs__(&self) -> (&str,) {
        (self.text.as_str(),)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

/// The goal that is handed over; the usual one if there is none.
///
/// # Errors
/// `TypeError` when it is neither text nor a board.
pub fn goal_of(value: Option<&Bound<'_, PyAny>>) -> PyResult<GoalText> {
    let text = value.map(text_of).transpose()?;
    Ok(GoalText::new(text.as_deref().unwrap_or("blank-last")))
}
