//! `Solver.scramble`, and moves and ranks of arrays of boards.

use std::sync::atomic::{AtomicUsize, Ordering};

use loyd::CancelToken;
use loyd_arrays::{self as arrays, InvalidRows};
use loyd_lab::dataset::{Boards, Distribution, DrawError};
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayDyn, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator};

use super::call::{Call, Each, Progress, Sharing, quick, share, threads_of};
use super::input::no_integers;
use super::zeros;
use crate::core::{check_size, value_error};
use crate::interrupt;
use crate::objects::{self, import_numpy, maybe_size, maybe_whole, seed_of, size_of, whole};
use crate::solver::Solver;

#[pymethods]
impl Solver {
    /// Draws `n` random boards that can reach the goal, `uint8` of shape (n, H, W): the rows of `loyd dataset` with the
    /// same seed. Without `n`, draws one `Board`, that of `loyd scramble`.
    ///
    /// All boards are equally likely; with `length`, boards whose shortest solution has that many single-tile moves, or
    /// boards of each length of a list in turn; with `walk`, the ends of random walks of up to that many steps. With
    /// `unique`, no board is drawn twice.
    #[pyo3(
        signature = (size, n=None, *, seed=None, length=None, walk=None, unique=false, progress=None),
        text_signature = "($self, size, n=None, *, seed=0, length=None, walk=None, unique=False, progress=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn scramble<'py>(
        &self,
        py: Python<'py>,
        size: &Bound<'py, PyAny>,
        n: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        length: Option<&Bound<'py, PyAny>>,
        walk: Option<&Bound<'py, PyAny>>,
        unique: bool,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let size = size_of(size)?;
        let Some(count) = maybe_whole("n", n, 0..=MAX_BATCH)? else {
            let goal = self.core.goal_text.as_str();
            return one(py, size.to_string(), seed, length, walk, goal);
        };
        check_size(size)?;
        let (count, seed) = (count as usize, seed_of(seed)?);
        let goal = self.core.goal_text.board(Some(size)).map_err(value_error)?;
        let config = self.core.labelling(size, count);
        let drawing = distribution(length, walk, count)?;
        let cells = size.cells();
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
                row.iter_mut().zip(board.bytes()).for_each(|(to, number)| *to = number);
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        let report = |py: Python<'_>| progress.report(py, done.load(Ordering::Relaxed), count);
        interrupt::run_with_progress(py, report, draw)?.map_err(value_error)?;
        progress.report(py, count, count)?;
        Ok(out.clone().into_any())
    }
}

/// Draws one board with `Board.scrambled`.
fn one<'py>(
    py: Python<'py>,
    size: String,
    seed: Option<&Bound<'py, PyAny>>,
    length: Option<&Bound<'py, PyAny>>,
    walk: Option<&Bound<'py, PyAny>>,
    goal: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let options = PyDict::new(py);
    options.set_item("seed", seed)?;
    options.set_item("length", length)?;
    options.set_item("walk", walk)?;
    options.set_item("goal", goal)?;
    py.get_type::<objects::Board>().call_method("scrambled", (size,), Some(&options))
}

/// Largest number of boards drawn at once: even those of 256 cells then have a size that NumPy can represent.
const MAX_BATCH: u64 = 1 << 48;

/// Reads the arguments `length` and `walk` for `count` boards.
fn distribution(
    length: Option<&Bound<'_, PyAny>>,
    walk: Option<&Bound<'_, PyAny>>,
    count: usize,
) -> PyResult<Distribution> {
    /// Largest number of steps, as in `loyd dataset`: Ctrl-C waits for the end of a walk, some milliseconds.
    const MAX_STEPS: u64 = 1_000_000;
    match (length, maybe_whole("walk", walk, 1..=MAX_STEPS)?) {
        (None, None) => Ok(Distribution::Uniform),
        (None, Some(steps)) => Ok(Distribution::Walks(steps)),
        (Some(_), Some(_)) => Err(value_error("give either a length or a walk, not both")),
        (Some(length), None) => {
            let moves = |length: &Bound<'_, PyAny>| {
                whole("length", length, 0..=u32::MAX.into()).map(|length| length as u32)
            };
            let lengths = match length.try_iter() {
                Ok(lengths) => {
                    bounded(lengths, count)?.iter().map(moves).collect::<PyResult<Vec<u32>>>()?
                }
                Err(_) => vec![moves(length)?],
            };
            match lengths.is_empty() {
                true => Err(value_error("length is a number of moves or a list of them")),
                false => Ok(Distribution::Lengths(lengths)),
            }
        }
    }
}

/// Returns the items of `lengths`, which may be a range that does not fit in memory.
///
/// # Errors
/// `ValueError` if there are more than `count` boards can use, and not just a few.
fn bounded<'py>(lengths: Bound<'py, PyIterator>, count: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
    /// Number of lengths that are read even for fewer boards.
    const FEW: usize = 1 << 16;
    let (py, most) = (lengths.py(), count.max(FEW));
    let mut read = Vec::new();
    for length in lengths {
        if read.len() == most {
            return Err(value_error(format!(
                "length has more than {most} numbers for {count} boards: at most one for each board is allowed"
            )));
        }
        read.push(length?);
        if read.len() % FEW == 0 {
            py.check_signals()?;
        }
    }
    Ok(read)
}

/// Boards, and which of them exist.
type Neighbours<'py> = (Bound<'py, PyArrayDyn<u8>>, Bound<'py, PyArray2<bool>>);

#[pymethods]
impl Solver {
    /// Applies one action to each board: 0 to 3 move the blank up, left, right and down.
    ///
    /// `actions` are B integers. Returns `uint8` of the shape of `batch`. An action that leads off the board raises
    /// `ValueError` with the index of the row; with `on_invalid="mask"` such a row stays unchanged.
    #[pyo3(signature = (batch, actions, *, size=None, threads=None, on_invalid="raise"))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        actions: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, None)?;
        let (actions, count) = (bytes_of_actions(actions, call.invalid)?, call.batch.len());
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

    /// Returns the four boards that are one move away from each board, and which of them exist.
    ///
    /// Returns `uint8` of shape (B, 4, H, W), by actions 0 to 3, or (B, 4, N) if `batch` has shape (B, N); and `bool`
    /// of shape (B, 4). If a move is impossible, its board is the row itself. A row that is not a board raises
    /// `ValueError` with its index; with `on_invalid="mask"` it has no moves.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise"))]
    fn neighbours<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
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

    /// Returns the rank of each board among all arrangements of its numbers in lexicographic order, as in `loyd rank`:
    /// `uint64` of shape (B,), for boards of up to 20 cells. A row that is not a board raises `ValueError` with its
    /// index; with `on_invalid="mask"` it gets the largest number of the type.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise"))]
    fn rank<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
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

    /// Returns the boards with these ranks, `uint8` of shape (B, H, W): the inverse of `rank`. `size` is required
    /// unless the goal determines it.
    #[pyo3(signature = (ranks, size=None, *, threads=None))]
    fn unrank<'py>(
        &self,
        py: Python<'py>,
        ranks: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let needed = || value_error("a size is needed: the goal does not determine it");
        let size = maybe_size(size)?.or(self.core.size).ok_or_else(needed)?;
        let array = integers(ranks, "ranks")?;
        let [count] = array.getattr("shape")?.extract::<Vec<usize>>()?[..] else {
            return Err(value_error("ranks must have shape (B,)"));
        };
        // Memory is requested before the ranks are read: an array may have more of them than fit.
        let out = zeros::<u8, _>(py, [count, size.height(), size.width()])?;
        if array.getattr("size")?.is_truthy()? && array.call_method0("min")?.lt(0)? {
            let row: usize = array.call_method0("argmin")?.extract()?;
            let rank = array.get_item(row)?;
            return Err(value_error(format!("row {row}: {rank} is not a rank: ranks start at 0")));
        }
        let array: PyReadonlyArray1<'_, u64> = cast(&array, "uint64", "ranks")?;
        let ranks = array.as_slice()?;
        let mut writing = out.readwrite();
        let job = (ranks, Each(size.cells(), writing.as_slice_mut()?));
        let sharing = Sharing {
            threads: threads_of(&self.core, threads)?,
            progress: &Progress::NONE,
            portion: quick(size),
        };
        share(py, (job, ranks.len()), &sharing, |(ranks, out)| arrays::unrank(ranks, size, out.1))?;
        Ok(out.clone())
    }
}

/// Converts actions to bytes. With [`InvalidRows::Mask`], numbers that do not fit become 255, which is not an action.
///
/// # Errors
/// `ValueError` for the first number that is not a byte, `TypeError` for other types.
fn bytes_of_actions(actions: &Bound<'_, PyAny>, invalid: InvalidRows) -> PyResult<Vec<u8>> {
    import_numpy(actions.py())?;
    if let Ok(actions) = actions.cast::<PyArray1<u8>>() {
        return Ok(actions.try_readonly().map_err(value_error)?.as_array().to_vec());
    }
    let array = integers(actions, "actions")?;
    let wide: PyReadonlyArray1<'_, i64> = cast(&array, "int64", "actions")?;
    let byte = |(row, &number): (usize, &i64)| {
        u8::try_from(number).or_else(|_| {
            if invalid == InvalidRows::Mask {
                return Ok(u8::MAX);
            }
            // The conversion to 64 bits may have changed the number.
            let action = array.get_item(row)?;
            Err(value_error(format!(
                "row {row}: {action} is not an action: 0 to 3 move the blank up, left, right, down"
            )))
        })
    };
    wide.as_slice()?.iter().enumerate().map(byte).collect()
}

/// Converts a list or an array of integers to a NumPy array.
fn integers<'py>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    import_numpy(py)?;
    let array = interrupt::guard(py, || py.import("numpy")?.call_method1("asarray", (value,)))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    // Empty lists have no meaningful type.
    if !["i", "u"].contains(&kind.as_str()) && array.getattr("size")?.is_truthy()? {
        return Err(no_integers(value, &format!("{what} must be integers"))?);
    }
    Ok(array)
}

/// Converts an array of shape (B,) to a type, copying only if necessary.
fn cast<'py, T: Element>(
    array: &Bound<'py, PyAny>,
    dtype: &str,
    what: &str,
) -> PyResult<PyReadonlyArray1<'py, T>> {
    let numpy = array.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (array, dtype))?;
    let array = array.cast_into::<PyArray1<T>>();
    let array = array.map_err(|_| value_error(format!("{what} must have shape (B,)")))?;
    array.try_readonly().map_err(value_error)
}
