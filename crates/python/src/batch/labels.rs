//! Labels: distances, and the actions that lead nearer to the goal.

use std::sync::atomic::{AtomicUsize, Ordering};

use loyd::Move;
use loyd_arrays::{Parity, RowError, RowLabel, Rows, TileSums, label_rows};
use loyd_lab::dataset::{self, DatasetError};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use super::call::{Call, Sharing, share};
use super::zeros;
use crate::core::{Labeller, value_error};
use crate::interrupt;
use crate::solver::Solver;

impl<'py> Call<'py> {
    /// Creates an array with a byte for each row, filled by `work`.
    fn look_up(
        &self,
        py: Python<'py>,
        sharing: Sharing<'_>,
        work: impl Fn(Rows<'_>, &mut [u8]) -> Result<(), RowError> + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = self.batch.len();
        let out = zeros::<u8, _>(py, count)?;
        let mut writing = out.readwrite();
        let job = (self.batch.rows(), writing.as_slice_mut()?);
        share(py, (job, count), &sharing, |(rows, out)| work(rows, out))?;
        Ok(out.clone().into_any())
    }

    /// Creates an array of the distances of all rows, found by search, with `none` for masked rows.
    fn search<T: Element + Copy>(
        &self,
        py: Python<'py>,
        labels: &dataset::Labeller,
        none: T,
        of: impl Fn(u16) -> T + Send + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let out = PyArray1::<T>::from_vec(py, vec![none; self.batch.len()]);
        let mut writing = out.readwrite();
        let distances = writing.as_slice_mut()?;
        self.label(py, labels, |answer| distances[answer.row] = of(answer.distance))?;
        Ok(out.clone().into_any())
    }

    /// Labels all rows and passes each answer to `each`.
    fn label(
        &self,
        py: Python<'py>,
        labels: &dataset::Labeller,
        mut each: impl FnMut(RowLabel) + Send,
    ) -> PyResult<()> {
        let (done, all) = (AtomicUsize::new(0), self.batch.len());
        let rows = (self.batch.rows(), self.invalid);
        let (progress, threads) = (&self.progress, self.threads);
        let report = |py: Python<'_>| progress.report(py, done.load(Ordering::Relaxed), all);
        let ended = interrupt::run_with_progress(py, report, |cancel| {
            label_rows(labels, rows, threads, cancel, |answer| {
                done.store(answer.row + 1, Ordering::Relaxed);
                each(answer);
            })
        })?;
        ended.map_err(value_error)?;
        progress.report(py, all, all)
    }
}

#[pymethods]
impl Solver {
    /// Returns the length of a shortest solution of each board, in the metric of the solver.
    ///
    /// `batch` has shape (B, H, W), or (B, N) for square boards or boards of the given `size` or the size of the goal.
    /// `threads` is the number of threads, 0 for all cores; the default is that of the solver. `progress` is a function
    /// that is called with the number of boards done and the total number, or `True` for a line on standard error.
    /// Other batch calls have the same options.
    ///
    /// Returns `uint8` of shape (B,), or `uint16` for boards of more than 16 cells. A row that is not a board, is
    /// unsolvable, or has no proved solution within the limits raises `ValueError` with its index; with
    /// `on_invalid="mask"` it gets the largest number of the type. Boards of up to 12 cells are looked up in a table
    /// that is built once.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise", progress=None))]
    fn distance<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, progress)?;
        let size = call.batch.size();
        let distances = match self.core.labeller(py, size, call.batch.len())? {
            Labeller::Numbers(table) => call
                .look_up(py, call.quick(), |rows, out| table.distances(rows, call.invalid, out))?,
            Labeller::Exact(exact, parity) => call.look_up(py, call.slow(), |rows, out| {
                out.fill(u8::MAX);
                let which = parity.solvable_rows(rows, call.invalid)?;
                let boards = which.iter().map(|&row| rows.get(row));
                exact.distances(boards, |number, distance| out[which[number]] = distance);
                Ok(())
            })?,
            Labeller::Searched(labels) if size.cells() <= 16 => {
                call.search(py, &labels, u8::MAX, |distance| distance as u8)?
            }
            Labeller::Searched(labels) => {
                call.search(py, &labels, u16::MAX, |distance| distance)?
            }
        };
        self.warn(py)?;
        Ok(distances)
    }

    /// Returns which actions begin a shortest solution of each board: `bool` of shape (B, 4), all `False` at the goal.
    ///
    /// Actions 0 to 3 move the blank up, left, right and down. An invalid row raises `ValueError` with its index; with
    /// `on_invalid="mask"` it has no action.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise", progress=None))]
    fn optimal_actions<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, progress)?;
        let count = call.batch.len();
        let labeller = self.core.labeller(py, call.batch.size(), count)?;
        let out = zeros::<bool, _>(py, [count, 4])?;
        let mut writing = out.readwrite();
        let (actions, _) = writing.as_slice_mut()?.as_chunks_mut::<4>();
        match labeller {
            Labeller::Numbers(table) => {
                let job = (call.batch.rows(), actions);
                let first_moves =
                    |(rows, out): (_, &mut [_])| table.first_moves(rows, call.invalid, out);
                share(py, (job, count), &call.quick(), first_moves)?;
            }
            Labeller::Exact(exact, parity) => {
                let job = (call.batch.rows(), actions);
                share(py, (job, count), &call.slow(), |(rows, out): (_, &mut [[bool; 4]])| {
                    for row in parity.solvable_rows(rows, call.invalid)? {
                        let moves = exact.first_moves_of(rows.get(row));
                        out[row] = Move::ALL.map(|m| moves.contains(m));
                    }
                    Ok(())
                })?;
            }
            Labeller::Searched(labels) => {
                let labels = labels.with_first_moves(true);
                call.label(py, &labels, |answer| {
                    actions[answer.row] = std::array::from_fn(|a| answer.first_moves >> a & 1 == 1);
                })?;
            }
        }
        self.warn(py)?;
        Ok(out.clone())
    }

    /// Returns the values of the heuristic `name` (see `loyd list heuristics`): `uint16` of shape (B,).
    ///
    /// An invalid row raises `ValueError` with its index; with `on_invalid="mask"` its value is 65535.
    #[pyo3(signature = (batch, name, *, size=None, threads=None, on_invalid="raise", progress=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn heuristic<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        name: &str,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, progress)?;
        let (size, count) = (call.batch.size(), call.batch.len());
        let goal = self.core.goal_text.board(Some(size)).map_err(value_error)?;
        let solver = self.core.proving.sharing(self.core.labelling(size, count));
        let solver = solver.map_err(value_error)?;
        let estimates =
            interrupt::run(py, |cancel| solver.estimates(&goal, &[name], cancel, None))?;
        let estimates = estimates
            .map_err(value_error)?
            .map_err(|stop| value_error(DatasetError::from(stop)))?;
        self.warn(py)?;
        let (out, parity) = (zeros::<u16, _>(py, count)?, Parity::new(&goal));
        let mut writing = out.readwrite();
        let job = (call.batch.rows(), writing.as_slice_mut()?);
        let sums = estimates.summands(0).and_then(|all| TileSums::new(size.cells(), &all));
        if let Some(sums) = sums {
            share(py, (job, count), &call.quick(), |(rows, out)| {
                sums.sums(&parity, rows, call.invalid, out)
            })?;
            return Ok(out.clone());
        }
        share(py, (job, count), &call.slow(), |(rows, out): (Rows<'_>, &mut [u16])| {
            out.fill(u16::MAX);
            for row in parity.solvable_rows(rows, call.invalid)? {
                let board = rows.board(row)?;
                out[row] = estimates.of(&board).next().expect("there is one") as u16;
            }
            Ok(())
        })?;
        Ok(out.clone())
    }

    /// Returns whether each board can reach the goal: `bool` of shape (B,).
    ///
    /// A row that is not a board raises `ValueError` with its index; with `on_invalid="mask"` it is `False`.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise"))]
    fn is_solvable<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, None)?;
        let (size, count) = (call.batch.size(), call.batch.len());
        let parity = Parity::new(&self.core.goal_text.board(Some(size)).map_err(value_error)?);
        let out = zeros::<bool, _>(py, count)?;
        let mut writing = out.readwrite();
        let job = (call.batch.rows(), writing.as_slice_mut()?);
        share(py, (job, count), &call.quick(), |(rows, out): (_, &mut [bool])| {
            parity.solvable_mask(rows, call.invalid, out)
        })?;
        Ok(out.clone())
    }
}
