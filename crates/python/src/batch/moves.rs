//! What needs no goal: moves of boards, and their numbers.

use loyd_lab::arrays;
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayDyn, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::call::{Call, Progress, quick, threads_of};
use super::output::zeros;
use super::share::{Each, Sharing, share};
use crate::core::value_error;
use crate::objects::{import_numpy, maybe_size, maybe_whole};
use crate::solver::Solver;

/// Boards, and which of them there are.
type Neighbours<'py> = (Bound<'py, PyArrayDyn<u8>>, Bound<'py, PyArray2<bool>>);

#[pymethods]
impl Solver {
    /// The boards after one action each: 0 to 3 take the blank up, left, right and down.
    ///
    /// `actions` are B integers. Returns `uint8` of the shape of `batch`. An action that leads off the board raises
    /// `ValueError` with the number of the row; with `on_invalid="mask"` such a row stays as it is.
    #[pyo3(signature = (batch, actions, *, size=None, threads=None, on_invalid="raise"))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        actions: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = maybe_whole)] threads: Option<u64>,
        on_invalid: &str,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, None)?;
        let (actions, count) = (bytes_of_actions(actions)?, call.batch.len());
        if actions.len() != count {
            return Err(value_error(format!("{} actions for {count} boards", actions.len())));
        }
        let out = zeros::<u8, _>(py, call.batch.shape())?;
        let mut writing = out.readwrite();
        let boards = Each(call.batch.size().cells(), writing.as_slice_mut()?);
        let job = (call.batch.rows(), &*actions, boards);
        share(py, (job, count), &call.quick(), |(rows, actions, out)| {
            arrays::apply(rows, actions, call.invalid, out.1)
        })?;
        Ok(out.clone())
    }

    /// The four boards that are one move away from each board, and which of them there are.
    ///
    /// Returns `uint8` of shape (B, 4, H, W), by actions 0 to 3, or (B, 4, N) if `batch` has the shape (B, N); and `bool`
    /// of shape (B, 4). Where there is no such move, the board is the row itself. A row that is no board raises
    /// `ValueError` with its number; with `on_invalid="mask"` it has no moves.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise"))]
    fn neighbours<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = maybe_whole)] threads: Option<u64>,
        on_invalid: &str,
    ) -> PyResult<Neighbours<'py>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, None)?;
        let count = call.batch.len();
        let mut shape = call.batch.shape().to_vec();
        shape.insert(1, 4);
        let boards = zeros::<u8, _>(py, shape)?;
        let masks = zeros::<bool, _>(py, [count, 4])?;
        let (mut writing, mut masking) = (boards.readwrite(), masks.readwrite());
        let near = Each(4 * call.batch.size().cells(), writing.as_slice_mut()?);
        let job = (call.batch.rows(), near, masking.as_slice_mut()?.as_chunks_mut::<4>().0);
        share(py, (job, count), &call.quick(), |(rows, near, masks)| {
            arrays::neighbours(rows, call.invalid, near.1, masks)
        })?;
        Ok((boards.clone(), masks.clone()))
    }

    /// The number of each board among all arrangements of its numbers in order: `uint64` of shape (B,), as `loyd rank`
    /// has it. There are such numbers for boards of up to 20 cells. A row that is no board raises `ValueError` with its
    /// number; with `on_invalid="mask"` it gets the largest number of the type.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise"))]
    fn rank<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = maybe_whole)] threads: Option<u64>,
        on_invalid: &str,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, None)?;
        let out = zeros::<u64, _>(py, call.batch.len())?;
        let mut writing = out.readwrite();
        let job = (call.batch.rows(), writing.as_slice_mut()?);
        share(py, (job, call.batch.len()), &call.quick(), |(rows, out)| {
            arrays::rank(rows, call.invalid, out)
        })?;
        Ok(out.clone())
    }

    /// The boards with these numbers, `uint8` of shape (B, H, W): the inverse of `rank`. `size` is needed unless the goal
    /// tells it.
    #[pyo3(signature = (ranks, size=None, *, threads=None))]
    fn unrank<'py>(
        &self,
        py: Python<'py>,
        ranks: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = maybe_whole)] threads: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let needed = || value_error("a size is needed: the goal is one for boards of any");
        let size = maybe_size(size)?.or(self.core.size).ok_or_else(needed)?;
        let array = whole_numbers(ranks, "ranks")?;
        if array.getattr("size")?.is_truthy()? && array.call_method0("min")?.lt(0)? {
            let row: usize = array.call_method0("argmin")?.extract()?;
            let rank = array.get_item(row)?;
            return Err(value_error(format!("row {row}: {rank} is no rank: they begin at 0")));
        }
        let array: PyReadonlyArray1<'_, u64> = cast(&array, "uint64", "ranks")?;
        let ranks = array.as_slice()?;
        let shape = [ranks.len(), size.height(), size.width()];
        let out = zeros::<u8, _>(py, shape)?;
        let mut writing = out.readwrite();
        let job = (ranks, Each(size.cells(), writing.as_slice_mut()?));
        let sharing = Sharing {
            threads: threads_of(&self.core, threads),
            progress: &Progress::NONE,
            portion: quick(size),
        };
        share(py, (job, ranks.len()), &sharing, |(ranks, out)| arrays::unrank(ranks, size, out.1))?;
        Ok(out.clone())
    }
}

/// Actions as bytes; 255, which is none, stands for those that no byte holds.
fn bytes_of_actions(actions: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    import_numpy(actions.py())?;
    if let Ok(actions) = actions.cast::<PyArray1<u8>>() {
        return Ok(actions.try_readonly().map_err(value_error)?.as_array().to_vec());
    }
    let array = whole_numbers(actions, "actions")?;
    let wide: PyReadonlyArray1<'_, i64> = cast(&array, "int64", "actions")?;
    Ok(wide.as_slice()?.iter().map(|&number| u8::try_from(number).unwrap_or(u8::MAX)).collect())
}

/// The array of NumPy that a list or an array of whole numbers is.
fn whole_numbers<'py>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    import_numpy(py)?;
    let array = py.import("numpy")?.call_method1("asarray", (value,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    // A list without any has no type.
    if !["i", "u"].contains(&kind.as_str()) && array.getattr("size")?.is_truthy()? {
        return Err(PyTypeError::new_err(format!("{what} are whole numbers")));
    }
    Ok(array)
}

/// An array of shape (B,) as one of numbers of a type, copied only if it is not that.
fn cast<'py, T: Element>(
    array: &Bound<'py, PyAny>,
    dtype: &str,
    what: &str,
) -> PyResult<PyReadonlyArray1<'py, T>> {
    let numpy = array.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (array, dtype))?;
    let array = array.cast_into::<PyArray1<T>>();
    let array = array.map_err(|_| value_error(format!("{what} have the shape (B,)")))?;
    array.try_readonly().map_err(value_error)
}
