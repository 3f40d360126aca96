//! What needs no goal: moves of boards, and their numbers.

use std::num::NonZeroUsize;

use loyd::Size;
use loyd_lab::arrays::{self, Invalid};
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::input::Batch;
use super::share::{Each, Sharing, share};
use super::{Progress, invalid_named};
use crate::core::value_error;
use crate::objects::{import_numpy, maybe_size, size_of};
use crate::solver::Solver;

/// Boards, and which of them there are.
type Neighbours<'py> = (Bound<'py, PyArrayDyn<u8>>, Bound<'py, PyArray2<bool>>);

/// Rows between two looks for signals, where a row takes some nanoseconds.
pub const PORTION: usize = 1 << 18;

const ALONE: Sharing<'_> =
    Sharing { threads: NonZeroUsize::MIN, progress: &Progress(None), portion: PORTION };

/// The boards after one action each: 0 to 3 take the blank up, left, right and down.
///
/// `actions` are B integers. Returns an array of the shape of `batch`. An action that leads off the board raises
/// `ValueError`; with `on_invalid="mask"` such a row stays as it is.
#[pyfunction]
#[pyo3(signature = (batch, actions, *, size=None, on_invalid="raise"))]
pub fn apply<'py>(
    batch: &Bound<'py, PyAny>,
    actions: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
    on_invalid: &str,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let invalid = invalid_named(on_invalid)?;
    let batch = Batch::new(batch, maybe_size(size)?, invalid)?;
    moved(&batch, actions, invalid)
}

/// [`apply`] to a batch that has been read.
fn moved<'py>(
    batch: &Batch<'py>,
    actions: &Bound<'py, PyAny>,
    invalid: Invalid,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let py = actions.py();
    let actions = bytes_of_actions(actions)?;
    if actions.len() != batch.len() {
        let (boards, actions) = (batch.len(), actions.len());
        return Err(value_error(format!("{actions} actions for {boards} boards")));
    }
    let out = PyArrayDyn::<u8>::zeros(py, batch.shape(), false);
    let mut writing = out.readwrite();
    let cells = batch.size().cells();
    let job = (batch.rows(), &*actions, Each(cells, writing.as_slice_mut()?));
    share(py, (job, batch.len()), &ALONE, |(rows, actions, out)| {
        arrays::apply(rows, actions, invalid, out.1)
    })?;
    Ok(out.clone())
}

/// Integers as bytes; 255, which is no action, stands for those that no byte holds.
fn bytes_of_actions(actions: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    import_numpy(actions.py())?;
    if let Ok(actions) = actions.cast::<PyArray1<u8>>() {
        return Ok(actions.try_readonly().map_err(value_error)?.as_array().to_vec());
    }
    let numpy = actions.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["i", "u"].contains(&kind.as_str()) && array.len()? > 0 {
        return Err(PyTypeError::new_err("actions are whole numbers from 0 to 3"));
    }
    let wide = array.call_method1("astype", ("int64",))?;
    let wide = wide
        .cast_into::<PyArray1<i64>>()
        .map_err(|_| value_error("actions have the shape (B,)"))?;
    Ok(wide.readonly().as_array().iter().map(|&a| u8::try_from(a).unwrap_or(u8::MAX)).collect())
}

/// The four boards that are one move away from each board, and which of them there are.
///
/// Returns `uint8` of shape (B, 4) and that of a board, by actions 0 to 3, and `bool` of shape (B, 4). Where there is no
/// such move, the board is the row itself.
#[pyfunction]
#[pyo3(signature = (batch, *, size=None, on_invalid="raise"))]
pub fn neighbours<'py>(
    batch: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
    on_invalid: &str,
) -> PyResult<Neighbours<'py>> {
    let invalid = invalid_named(on_invalid)?;
    let py = batch.py();
    near(py, &Batch::new(batch, maybe_size(size)?, invalid)?, invalid)
}

/// [`neighbours`] of a batch that has been read.
fn near<'py>(py: Python<'py>, batch: &Batch<'py>, invalid: Invalid) -> PyResult<Neighbours<'py>> {
    let count = batch.len();
    let shape: Vec<usize> =
        [count, 4].into_iter().chain(batch.shape()[1..].iter().copied()).collect();
    let boards = PyArrayDyn::<u8>::zeros(py, shape, false);
    let masks = PyArray2::<bool>::zeros(py, [count, 4], false);
    let (mut writing, mut masking) = (boards.readwrite(), masks.readwrite());
    let (masks_out, _) = masking.as_slice_mut()?.as_chunks_mut::<4>();
    let job = (batch.rows(), Each(4 * batch.size().cells(), writing.as_slice_mut()?), masks_out);
    share(py, (job, count), &ALONE, |(rows, out, masks)| {
        arrays::neighbours(rows, invalid, out.1, masks)
    })?;
    Ok((boards.clone(), masks.clone()))
}

/// The number of each board among all arrangements of its numbers in order: `uint64` of shape (B,), as `loyd rank` has
/// it. There are such numbers for boards of up to 20 cells.
#[pyfunction]
#[pyo3(signature = (batch, *, size=None))]
pub fn rank<'py>(
    batch: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let py = batch.py();
    ranks(py, &Batch::new(batch, maybe_size(size)?, Invalid::Refused)?)
}

/// [`rank`] of a batch that has been read.
fn ranks<'py>(py: Python<'py>, batch: &Batch<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let out = PyArray1::<u64>::zeros(py, batch.len(), false);
    let mut writing = out.readwrite();
    let job = (batch.rows(), writing.as_slice_mut()?);
    share(py, (job, batch.len()), &ALONE, |(rows, out)| arrays::rank(rows, out))?;
    Ok(out.clone())
}

/// The boards with these numbers, `uint8` of shape (B, H, W): the inverse of `rank`.
#[pyfunction]
pub fn unrank<'py>(
    ranks: &Bound<'py, PyAny>,
    size: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    boards_of(ranks, size_of(size)?)
}

/// [`unrank`] to boards of a size that has been read.
fn boards_of<'py>(ranks: &Bound<'py, PyAny>, size: Size) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let py = ranks.py();
    import_numpy(py)?;
    let ranks: Vec<u64> = match ranks.cast::<PyArray1<u64>>() {
        Ok(ranks) => ranks.try_readonly().map_err(value_error)?.as_array().to_vec(),
        // A negative number, and one that is not whole, is refused on the way.
        Err(_) => ranks.try_iter()?.map(|rank| rank?.extract()).collect::<PyResult<_>>()?,
    };
    let shape = [ranks.len(), size.height(), size.width()];
    let out = PyArrayDyn::<u8>::zeros(py, &shape[..], false);
    let mut writing = out.readwrite();
    let slice = writing.as_slice_mut()?;
    let job = (&*ranks, Each(size.cells(), slice));
    share(py, (job, ranks.len()), &ALONE, |(ranks, out)| arrays::unrank(ranks, size, out.1))?;
    Ok(out.clone())
}

#[pymethods]
impl Solver {
    /// The boards after one action each: see `loyd.apply`.
    #[pyo3(name = "apply", signature = (batch, actions, *, size=None, on_invalid="raise"))]
    fn apply_to<'py>(
        &self,
        batch: &Bound<'py, PyAny>,
        actions: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let invalid = invalid_named(on_invalid)?;
        moved(&Batch::new(batch, maybe_size(size)?.or(self.core.size), invalid)?, actions, invalid)
    }

    /// The four boards that are one move away from each board, and which of them there are: see `loyd.neighbours`.
    #[pyo3(name = "neighbours", signature = (batch, *, size=None, on_invalid="raise"))]
    fn neighbours_of<'py>(
        &self,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
    ) -> PyResult<Neighbours<'py>> {
        let (invalid, size) = (invalid_named(on_invalid)?, maybe_size(size)?.or(self.core.size));
        near(batch.py(), &Batch::new(batch, size, invalid)?, invalid)
    }

    /// The number of each board among all arrangements: see `loyd.rank`.
    #[pyo3(name = "rank", signature = (batch, *, size=None))]
    fn rank_of<'py>(
        &self,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let size = maybe_size(size)?.or(self.core.size);
        ranks(batch.py(), &Batch::new(batch, size, Invalid::Refused)?)
    }

    /// The boards with these numbers: see `loyd.unrank`.
    #[pyo3(name = "unrank", signature = (ranks, size=None))]
    fn unrank_to<'py>(
        &self,
        ranks: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let size = maybe_size(size)?.or(self.core.size);
        let needed = || value_error("a size is needed: the goal fits boards of any");
        boards_of(ranks, size.ok_or_else(needed)?)
    }
}
