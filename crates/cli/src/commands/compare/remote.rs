//! Lets workers on other machines do the runs of a comparison.
//!
//! A job has some runs of one row. The file of `--save` is the truth, as for one process: records are written as they
//! come, each after it was checked. A run that ends too many workers gets no record, so that `--resume` tries it again.

use std::collections::{HashMap, HashSet, VecDeque};

use anyhow::{anyhow, ensure};
use loyd::moves::Metric;
use loyd::{CancelToken, Config};
use loyd_lab::compare::{Checker, Comparison, Instance, Record, Row};
use loyd_queue::{Job as QueueJob, Outcome, Queue, Run as QueueRun, State, Work};

use super::super::queue::{
    ComparedBoard, ComparedRuns, ComparedSearches, Job, JobSize, Jobs, Lookout, MOST_BYTES_IN_JOB,
    MOST_WRONG, progress_of, run_name,
};
use super::super::replay_record::{check_length, is_solvable};
use super::results::Results;
use crate::failure::Failure;
use crate::progress::CompareProgress;

/// Maximum number of runs of a job.
const MOST_IN_JOB: f64 = 1000.0;

/// Does the runs without a record with the workers of `queue`, until all are done or have failed, or `cancel` is set.
///
/// # Errors
/// Returns an error of the file of `--save` or of the queue.
pub fn run(
    comparison: &Comparison,
    config: &Config,
    queue: &Queue,
    (results, progress): (&mut Results, CompareProgress),
    cancel: &CancelToken,
) -> Result<(), Failure> {
    let run = QueueRun::new(env!("CARGO_PKG_VERSION"), &run_name(&comparison.settings()));
    let mut checker = comparison.checker();
    results
        .records
        .iter()
        .try_for_each(|record| checker.add(record).map_err(|error| anyhow!(error)))?;
    let names: Vec<String> = comparison.rows().map(Row::name).collect();
    let mut rows: Vec<RowState> = names.iter().map(|_| RowState::new()).collect();
    for run in comparison.remaining(&results.records) {
        rows[run.row].left.push_back(run.board);
        rows[run.row].open.insert(run.board);
    }
    let mut driver = Driver {
        comparison,
        metric: config.metric,
        searches: ComparedSearches::new(comparison, config),
        places: names.into_iter().enumerate().map(|(place, name)| (name, place)).collect(),
        rows,
        next_row: 0,
        checker,
        results,
        progress,
        jobs: Jobs::new(),
        wrong: HashMap::new(),
        failed: 0,
        lookout: Lookout::new(),
        cancel,
    };
    queue.drive(&run, &mut driver)
}

/// A row, from 0, and a board, from 0.
type Run = (usize, usize);

/// The runs of a row.
struct RowState {
    /// The boards that no job has had.
    left: VecDeque<usize>,
    /// The boards without a record, except those whose runs failed.
    open: HashSet<usize>,
    size: JobSize,
}

impl RowState {
    fn new() -> Self {
        let size = JobSize::at_most(MOST_IN_JOB);
        Self { left: VecDeque::new(), open: HashSet::new(), size }
    }
}

/// The driver of the workers.
struct Driver<'a> {
    comparison: &'a Comparison,
    metric: Metric,
    searches: ComparedSearches,
    /// Places of the rows by name.
    places: HashMap<String, usize>,
    rows: Vec<RowState>,
    /// The row of the next job: the rows take turns.
    next_row: usize,
    checker: Checker<'a>,
    results: &'a mut Results,
    progress: CompareProgress,
    jobs: Jobs<Run>,
    /// Numbers of wrong records.
    wrong: HashMap<Run, u32>,
    /// Number of runs that failed.
    failed: u64,
    lookout: Lookout,
    cancel: &'a CancelToken,
}

impl Work for Driver<'_> {
    type Error = Failure;

    fn next_job(&mut self) -> Result<Option<QueueJob>, Failure> {
        if let Some((row, board)) = self.jobs.next_alone() {
            return Ok(Some(self.job(row, &[board])));
        }
        if self.jobs.are_enough() {
            return Ok(None);
        }
        for _ in 0..self.rows.len() {
            let row = self.next_row;
            self.next_row = (row + 1) % self.rows.len();
            let RowState { left, open, size } = &mut self.rows[row];
            let (mut boards, mut bytes) = (Vec::new(), 0);
            while boards.len() < size.items()
                && bytes < MOST_BYTES_IN_JOB
                && let Some(board) = left.pop_front()
            {
                // An earlier driver may have left its record.
                if open.contains(&board) {
                    bytes += 4 * self.comparison.boards()[board].problem.start().size().cells();
                    boards.push(board);
                }
            }
            if !boards.is_empty() {
                return Ok(Some(self.job(row, &boards)));
            }
        }
        Ok(None)
    }

    fn is_done(&self) -> bool {
        self.rows.iter().all(|row| row.open.is_empty())
    }

    fn take(&mut self, key: &str, outcome: Outcome<'_>) -> Result<bool, Failure> {
        let runs = match outcome {
            Outcome::Failed(reason) => {
                match *self.jobs.remove(key) {
                    [run] => self.set_failed(run, reason),
                    ref runs => self.jobs.repeat_alone(runs.iter().copied()),
                }
                return Ok(true);
            }
            Outcome::Done(result) => serde_json::from_slice::<ComparedRuns>(result),
        };
        let Ok(ComparedRuns { records, elapsed_ns }) = runs else {
            self.progress.note("a result of a worker is not readable; its runs are repeated");
            return Ok(false);
        };
        if let Some(&(row, _)) = self.jobs.items(key).first() {
            self.rows[row].size.adapt(records.len(), elapsed_ns);
        }
        let mut is_valid = true;
        for record in records {
            is_valid &= self.accept(record)?;
        }
        let rows = &self.rows;
        is_valid &=
            !self.jobs.items(key).iter().any(|&(row, board)| rows[row].open.contains(&board));
        // The runs of a wrong record get a new job with the same name.
        if is_valid {
            self.jobs.remove(key);
        }
        Ok(is_valid)
    }

    fn look(&mut self, state: State) -> bool {
        self.jobs.look(&state);
        if let Some(note) = self.lookout.look(&state) {
            self.progress.note(note);
        }
        self.progress.set_queue(progress_of(state, self.failed));
        !self.cancel.is_cancelled()
    }
}

impl Driver<'_> {
    /// Returns the job of a row and boards.
    fn job(&mut self, row: usize, boards: &[usize]) -> QueueJob {
        let runs = boards.iter().map(|&board| (row, board)).collect();
        let prefix = format!("{row}-{}", boards[0]);
        let instances = self.comparison.boards();
        let queued = |&board: &usize| ComparedBoard::new(board as u64 + 1, &instances[board]);
        let boards = boards.iter().map(queued).collect();
        let job = Job::Compare { searches: self.searches.clone(), row, boards };
        self.jobs.add(prefix, runs, &job)
    }

    /// Takes the record of a run, unless there is one. Returns false if it is wrong.
    fn accept(&mut self, record: Record) -> Result<bool, Failure> {
        let row = self.places.get(&record.row).copied();
        let board = usize::try_from(record.board_id).ok().and_then(|number| number.checked_sub(1));
        let (Some(row), Some(board)) = (row, board) else { return Ok(false) };
        if board >= self.comparison.boards().len() {
            return Ok(false);
        }
        let open = &mut self.rows[row].open;
        if !open.contains(&board) {
            return Ok(true);
        }
        let instance = &self.comparison.boards()[board];
        let checked = check_claims(&record, instance, self.metric)
            .and_then(|()| self.checker.add(&record).map_err(|error| anyhow!(error)));
        if let Err(why) = checked {
            let wrong = self.wrong.entry((row, board)).or_default();
            *wrong += 1;
            let message = format!("a worker gave a wrong result: {why:#}");
            if *wrong < MOST_WRONG {
                let (name, number) = (&record.row, record.board_id);
                self.progress
                    .note(format_args!("{name} on board {number}: {message}; the run is repeated"));
                return Ok(false);
            }
            self.set_failed((row, board), &message);
            return Ok(true);
        }
        open.remove(&board);
        self.progress.add(&record);
        self.results.add(record)?;
        Ok(true)
    }

    /// Records that a run failed, and prints the reason.
    fn set_failed(&mut self, (row, board): Run, reason: &str) {
        if self.rows[row].open.remove(&board) {
            let name = self.comparison.rows().nth(row).map(Row::name).unwrap_or_default();
            self.progress.note(format_args!("{name} on board {}: failed: {reason}", board + 1));
            self.failed += 1;
        }
    }
}

/// Checks what a record claims, as far as this is possible without a search.
fn check_claims(record: &Record, instance: &Instance, metric: Metric) -> anyhow::Result<()> {
    let Instance { problem, optimal_length } = instance;
    let (status, length) = (record.status.as_str(), record.length);
    let statuses = ["solved", "unsolvable", "exhausted", "stopped", "refused"];
    ensure!(statuses.contains(&status), "its status is {status}");
    let is_refused = status == "refused";
    ensure!(is_refused || record.metric == metric.name(), "its metric is {}", record.metric);
    ensure!(status != "unsolvable" || !is_solvable(problem), "the board can be solved");
    ensure!(
        status == "stopped" || (status == "solved") == length.is_some(),
        "its length is {length:?}"
    );
    if let Some(length) = length {
        check_length(problem, metric, usize::try_from(length)?)?;
    }
    let proved = length.filter(|_| record.optimal);
    ensure!(record.optimal == proved.is_some(), "it has no length that is optimal");
    let known = if is_refused { None } else { optimal_length.or(proved) };
    ensure!(record.optimal_length == known, "its optimal length is {:?}", record.optimal_length);
    Ok(())
}
