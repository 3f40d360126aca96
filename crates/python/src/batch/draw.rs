//! `Solver.scramble`.

use std::sync::atomic::{AtomicUsize, Ordering};

use loyd::CancelToken;
use loyd_lab::dataset::{Boards, DrawError, Drawing};
use numpy::PyArrayMethods;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::call::Progress;
use super::output::zeros;
use crate::core::value_error;
use crate::interrupt;
use crate::objects::{self, import_numpy, maybe_whole, size_of, whole};
use crate::solver::Solver;

#[pymethods]
impl Solver {
    /// `n` random boards that can reach the goal, `uint8` of shape (n, H, W): the rows that `loyd dataset` has for the
    /// same seed. Without `n`, one `Board`: that of `loyd scramble`.
    ///
    /// Each board is as likely as any other; with `length` it is one whose shortest solution has so many moves of single
    /// tiles, or those of a list in turn; with `walk` the end of a random walk of up to so many steps. With `unique` none
    /// comes twice.
    #[pyo3(signature = (size, n=None, *, seed=0, length=None, walk=None, unique=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn scramble<'py>(
        &self,
        py: Python<'py>,
        size: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = maybe_whole)] n: Option<u64>,
        #[pyo3(from_py_with = whole)] seed: u64,
        length: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = maybe_whole)] walk: Option<u64>,
        unique: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let size = size_of(size)?;
        let Some(count) = n else {
            let goal = self.core.goal_text.as_str();
            return one(py, size.to_string(), seed, length, walk, goal);
        };
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let goal = self.core.goal_text.board(Some(size)).map_err(value_error)?;
        let config = self.core.labelling(size, count);
        let drawing = drawing(length, walk)?;
        let cells = size.cells();
        let bytes = count.checked_mul(cells).filter(|&bytes| isize::try_from(bytes).is_ok());
        if bytes.is_none() {
            return Err(value_error(format!("{count} boards fit no memory")));
        }
        import_numpy(py)?;
        let out = zeros::<u8, _>(py, [count, size.height(), size.width()])?;
        let mut writing = out.readwrite();
        let rows = writing.as_slice_mut()?;
        let (progress, done) = (Progress::new(py, progress)?, AtomicUsize::new(0));
        let draw = |cancel: &CancelToken| -> Result<(), DrawError> {
            let mut boards = Boards::new(&goal, drawing, seed, unique, config)?;
            for row in rows.chunks_exact_mut(cells) {
                if cancel.is_cancelled() {
                    break;
                }
                let board = boards.next(cancel)?;
                row.iter_mut().zip(board.numbers()).for_each(|(to, number)| *to = number);
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        let tell = |py: Python<'_>| progress.tell(py, done.load(Ordering::Relaxed), count);
        interrupt::run_and_tell(py, tell, draw)?.map_err(value_error)?;
        progress.tell(py, count, count)?;
        Ok(out.clone().into_any())
    }
}

/// One board, as `Board.scrambled` draws it.
fn one<'py>(
    py: Python<'py>,
    size: String,
    seed: u64,
    length: Option<&Bound<'py, PyAny>>,
    walk: Option<u64>,
    goal: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(py);
    options.set_item("seed", seed)?;
    options.set_item("length", length)?;
    options.set_item("walk", walk)?;
    options.set_item("goal", goal)?;
    py.get_type::<objects::Board>().call_method("scrambled", (size,), Some(&options))
}

fn drawing(length: Option<&Bound<'_, PyAny>>, walk: Option<u64>) -> PyResult<Drawing> {
    match (length, walk) {
        (None, None) => Ok(Drawing::Uniform),
        (None, Some(0)) => Err(value_error("a walk has a step or more")),
        (None, Some(steps)) => Ok(Drawing::Walks(steps)),
        (Some(_), Some(_)) => {
            Err(value_error("a board has a length or is reached by a walk, not both"))
        }
        (Some(length), None) => {
            let lengths = match length.extract::<u32>() {
                Ok(length) => vec![length],
                Err(_) => length
                    .try_iter()
                    .and_then(|lengths| lengths.map(|length| length?.extract::<u32>()).collect())
                    .map_err(|_: PyErr| {
                        PyTypeError::new_err("length is a number of moves, or several of them")
                    })?,
            };
            match lengths.is_empty() {
                true => Err(value_error("length is a number of moves, or several of them")),
                false => Ok(Drawing::Lengths(lengths)),
            }
        }
    }
}
