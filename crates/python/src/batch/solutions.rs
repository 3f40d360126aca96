//! `Solver.solve_batch`.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use loyd::search::Status;
use loyd::{Config, Report};
use loyd_arrays::{InvalidRows, RowError, RowErrorKind};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use super::call::{Call, Progress, Sharing, share};
use super::zeros;
use crate::core::{Core, value_error};
use crate::interrupt;
use crate::solver::Solver;

/// Padding behind the last action of a solution.
const END: u8 = u8::MAX;

/// Solutions of all rows, concatenated.
#[derive(Default)]
struct RowSolutions {
    actions: Vec<u8>,
    /// For each row, the end of its actions.
    ends: Vec<usize>,
    lengths: Vec<u16>,
    proved: Vec<bool>,
}

impl RowSolutions {
    /// Adds rows without a solution up to `row`.
    fn skip_to(&mut self, row: usize) {
        self.ends.resize(row, self.actions.len());
        self.lengths.resize(row, u16::MAX);
        self.proved.resize(row, false);
    }

    /// Adds the row of a report.
    ///
    /// # Errors
    /// Returns the reason why the row has no solution.
    fn add(&mut self, report: &Report) -> Result<(), RowErrorKind> {
        let Some(moves) = &report.moves else {
            return Err(match report.status {
                Status::Unsolvable => RowErrorKind::Unsolvable,
                Status::Stopped(stop) => RowErrorKind::NotFound(stop.to_string()),
                status => {
                    RowErrorKind::NotFound(format!("no solution was found: {}", status.name()))
                }
            });
        };
        self.actions.extend(moves.iter().map(|m| m.index() as u8));
        self.ends.push(self.actions.len());
        self.lengths.push(report.metric.length(moves) as u16);
        self.proved.push(report.optimal);
        Ok(())
    }
}

#[pymethods]
impl Solver {
    /// Solves each board like `solve` and returns `Solutions`, a tuple of three arrays.
    ///
    /// `actions` is `uint8` of shape (B, L), where L is the largest number of actions, padded with 255; `lengths` is
    /// `uint16` of shape (B,), in the metric of the solver; `proved` is `bool` of shape (B,). A row that is not a
    /// board, is unsolvable, or has no solution within the limits raises `ValueError` with its index; with
    /// `on_invalid="mask"` its length is 65535.
    #[pyo3(signature = (batch, *, size=None, threads=None, on_invalid="raise", progress=None))]
    fn solve_batch<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, PyAny>,
        size: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        on_invalid: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let call = Call::new(&self.core, batch, size, threads, on_invalid, progress)?;
        let found = solve(py, &self.core, &call)?;
        self.warn(py)?;
        let longest = found.lengths_of_actions().max().unwrap_or(0);
        let out = zeros::<u8, _>(py, [call.batch.len(), longest])?;
        let mut writing = out.readwrite();
        let actions = writing.as_slice_mut()?;
        actions.fill(END);
        let mut begin = 0;
        for (row, &end) in found.ends.iter().enumerate() {
            let actions = &mut actions[row * longest..];
            actions[..end - begin].copy_from_slice(&found.actions[begin..end]);
            begin = end;
        }
        let lengths = PyArray1::from_vec(py, found.lengths);
        let proved = PyArray1::from_vec(py, found.proved);
        interrupt::guard(py, || {
            py.import("loyd._answers")?.getattr("Solutions")?.call1((&out, lengths, proved))
        })
    }
}

impl RowSolutions {
    /// Returns the number of actions of each row.
    fn lengths_of_actions(&self) -> impl Iterator<Item = usize> + '_ {
        let begins = std::iter::once(&0).chain(&self.ends);
        self.ends.iter().zip(begins).map(|(end, begin)| end - begin)
    }
}

/// Solves all boards of a call, on threads that each work on their own boards.
fn solve(py: Python<'_>, core: &Core, call: &Call<'_>) -> PyResult<RowSolutions> {
    let all = call.batch.len();
    let config = Config {
        boards: Some(all as u64),
        threads: call.threads.get(),
        ..core.solver.config().clone()
    };
    let solver = core.solver.sharing(config).map_err(value_error)?;
    let (rows, invalid, done) = (call.batch.rows(), call.invalid, AtomicUsize::new(0));
    let (progress, threads) = (&call.progress, call.threads);
    // Rows that are not boards and a goal that does not fit are errors before any search.
    if invalid == InvalidRows::Reject {
        let silent = Sharing { progress: &Progress::NONE, ..call.quick() };
        share(py, (rows, all), &silent, |rows| rows.check())?;
    }
    let problem_of = |row| core.problem(rows.board(row).expect("the row is a board"));
    let boards = || (0..all).filter(|&row| rows.has_board(row));
    boards().next().map_or(Ok(()), |row| problem_of(row).map(drop)).map_err(value_error)?;
    let report = |py: Python<'_>| progress.report(py, done.load(Ordering::Relaxed), all);
    let found = interrupt::run_with_progress(py, report, |cancel| {
        let (mut found, mut rows, mut fault) = (RowSolutions::default(), boards(), None);
        let problems = boards().filter_map(|row| problem_of(row).ok());
        solver.solve_all(problems, threads, cancel, |report| {
            if cancel.is_cancelled() {
                return ControlFlow::Break(());
            }
            let row = rows.next().expect("there is a report for each problem");
            found.skip_to(row);
            done.store(row + 1, Ordering::Relaxed);
            let added = match report {
                Ok(report) => found.add(&report),
                Err(error) => Err(RowErrorKind::NotFound(error.to_string())),
            };
            match added {
                Err(wrong) if invalid == InvalidRows::Reject => {
                    fault = Some(RowError { row, kind: wrong });
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        });
        found.skip_to(all);
        fault.map_or(Ok(found), Err)
    })?;
    let found = found.map_err(value_error)?;
    progress.report(py, all, all)?;
    Ok(found)
}
