//! Runs of a comparison.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use loyd::notation::slashes;
use loyd::search::{Limits, Observer, Shard, Status, Stop};
use loyd::{CancelToken, Config, Error, Report, Solver};
use serde_json::{Map, Value, json};

use super::record::{Instance, Record};
use super::rows::Row;

/// A run: a row and a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Index of the row, from 0.
    pub row: usize,
    /// Index of the board, from 0.
    pub board: usize,
}

/// Rows, and the boards on which each of them runs.
#[derive(Debug)]
pub struct Comparison {
    rows: Vec<(Row, Solver)>,
    boards: Vec<Instance>,
    config: Config,
    shard: Option<Shard>,
}

impl Comparison {
    /// Creates a comparison of `rows` on `boards`, with the metric, limits per run, table store and clock of `config`.
    ///
    /// # Errors
    /// Returns an error if the options of a row conflict on every board.
    pub fn new(rows: Vec<Row>, boards: Vec<Instance>, config: &Config) -> Result<Self, Error> {
        let number = boards.len() as u64;
        Ok(Self { boards, ..Self::without_boards(rows, number, config)? })
    }

    /// Like [`new`](Self::new), for a process that gets the `number` boards of the comparison in [parts](Self::part).
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn without_boards(rows: Vec<Row>, number: u64, config: &Config) -> Result<Self, Error> {
        let config = Config { boards: Some(number), ..config.clone() };
        let mut with_solvers: Vec<(Row, Solver)> = Vec::with_capacity(rows.len());
        for row in rows {
            let config = row.config(&config);
            // All rows share their tables.
            let solver = match with_solvers.first() {
                Some((_, first)) => first.sharing(config)?,
                None => Solver::new(config)?,
            };
            with_solvers.push((row, solver));
        }
        Ok(Self { rows: with_solvers, boards: Vec::new(), config, shard: None })
    }

    /// Returns a comparison of one of these rows, from 0, on some boards. It has the tables of this one.
    ///
    /// # Panics
    /// If there is no such row.
    ///
    /// # Errors
    /// Returns the error of [`Solver::sharing`].
    pub fn part(&self, row: usize, boards: Vec<Instance>) -> Result<Self, Error> {
        let (row, solver) = &self.rows[row];
        let rows = vec![(*row, solver.sharing(solver.config().clone())?)];
        Ok(Self { rows, boards, config: self.config.clone(), shard: None })
    }

    /// Restricts the runs to the boards of a shard: every Nth one.
    #[must_use]
    pub fn with_shard(self, shard: Option<Shard>) -> Self {
        Self { shard, ..self }
    }

    /// Returns the rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.rows.iter().map(|(row, _)| row)
    }

    /// Returns the boards.
    pub fn boards(&self) -> &[Instance] {
        &self.boards
    }

    /// Returns the indices of the boards on which the rows run: all of them, or those of the shard.
    pub fn own_boards(&self) -> impl ExactSizeIterator<Item = usize> + use<> {
        own_boards(self.shard, self.boards.len())
    }

    /// Returns everything that determines the results (except times): rows, boards, metric and limits. The shard is
    /// not among them.
    pub fn settings(&self) -> Map<String, Value> {
        let texts = self.boards.iter().map(|Instance { problem, .. }| {
            (slashes(problem.start()).to_string(), problem.goal_text())
        });
        let limits = self.config.limits;
        let settings = json!({
            "rows": self.rows().map(Row::name).collect::<Vec<_>>(),
            "boards": self.boards.len(),
            "boards_crc32": boards_crc32(texts),
            "metric": self.config.metric.name(),
            "max_expanded": limits.max_expanded,
            "max_depth": limits.max_depth,
            "max_time_ns": limits.max_time.map(|time| time.as_nanos() as u64),
            "max_bytes": limits.max_bytes,
        });
        match settings {
            Value::Object(settings) => settings,
            _ => unreachable!("it was written as an object"),
        }
    }

    /// Returns the limits of each run.
    pub fn limits(&self) -> Limits {
        self.config.limits
    }

    /// Performs all runs without a record in `done`, on `threads` threads with one run per thread at a time. `deliver`
    /// receives the records in order of completion until it returns `Break`. A run that `cancel` ends yields no record.
    ///
    /// The counts do not depend on the number of threads or the order of runs.
    pub fn run(
        &self,
        done: &[Record],
        threads: NonZeroUsize,
        cancel: &CancelToken,
        mut deliver: impl FnMut(Record) -> ControlFlow<()>,
    ) {
        let left = self.remaining(done);
        let next = AtomicUsize::new(0);
        let work = |results: mpsc::SyncSender<Record>| {
            while let Some(&run) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(record) = self.solve(run, self.config.limits, cancel, None) else {
                    return;
                };
                if results.send(record).is_err() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            let (sender, results) = mpsc::sync_channel(QUEUE_CAPACITY);
            let started = (0..threads.get().min(left.len())).filter(|_| {
                let (sender, work) = (sender.clone(), &work);
                thread::Builder::new().spawn_scoped(scope, move || work(sender)).is_ok()
            });
            if started.count() == 0 {
                // The system has no threads left.
                let solve = |&run: &Run| self.solve(run, self.config.limits, cancel, None);
                let _ = left.iter().map_while(solve).try_for_each(&mut deliver);
            }
            drop(sender);
            for record in results {
                if deliver(record).is_break() {
                    break;
                }
            }
        });
    }

    /// Returns the runs without a record in `done`: all rows on the first board, then on the next.
    pub fn remaining(&self, done: &[Record]) -> Vec<Run> {
        let done: HashSet<(&str, u64)> =
            done.iter().map(|record| (record.row.as_str(), record.board_id)).collect();
        let names: Vec<String> = self.rows().map(Row::name).collect();
        let runs =
            self.own_boards().flat_map(|board| (0..names.len()).map(move |row| Run { row, board }));
        runs.filter(|run| !done.contains(&(names[run.row].as_str(), number(*run)))).collect()
    }

    /// Checks that each record of a file can be the result of a run of this comparison, and that there is only one for a
    /// run.
    ///
    /// # Errors
    /// Returns the place of the first other record, from 0, and what is wrong with it.
    pub fn check(&self, records: &[Record]) -> Result<(), (usize, String)> {
        let mut checker = self.checker();
        records
            .iter()
            .enumerate()
            .try_for_each(|(place, record)| checker.add(record).map_err(|error| (place, error)))
    }

    /// Returns what checks records one at a time.
    pub fn checker(&self) -> Checker<'_> {
        Checker {
            comparison: self,
            names: self.rows().map(Row::name).collect(),
            known: HashSet::new(),
            lengths: HashMap::new(),
        }
    }

    fn is_own(&self, board: usize) -> bool {
        self.shard.is_none_or(|shard| shard.contains(board as u64))
    }

    /// Performs one run within `limits` instead of the configured ones, and reports its progress to `observer`. Returns
    /// `None` if `cancel` ends the run.
    pub fn solve(
        &self,
        run: Run,
        limits: Limits,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Option<Record> {
        if cancel.is_cancelled() {
            return None;
        }
        let ((row, solver), instance) = (&self.rows[run.row], &self.boards[run.board]);
        // Even the shortest search takes a while, and there may be thousands of runs.
        if limits.max_time == Some(Duration::ZERO) {
            let metric = solver.config().metric;
            return Some(Record::without_time(row, (number(run), instance), metric));
        }
        let outcome = solver.solve_estimated(limits, &instance.problem, cancel, observer);
        (!outcome.as_ref().is_ok_and(|(report, _)| is_cancelled(report)))
            .then(|| Record::new(row, (number(run), instance), &outcome))
    }
}

/// Checks records of a comparison one at a time.
#[derive(Debug)]
pub struct Checker<'a> {
    comparison: &'a Comparison,
    names: HashSet<String>,
    /// The rows and boards of the records so far.
    known: HashSet<(String, u64)>,
    /// The proved lengths of boards.
    lengths: HashMap<u64, u64>,
}

impl Checker<'_> {
    /// Checks that a record can be the result of a run, and that it is the first one of this run.
    ///
    /// # Errors
    /// Returns what is wrong with the record. It does not count as known then.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let Record { row, board_id, board, goal, .. } = record;
        if !self.names.contains(row) {
            return Err(format!("the comparison has no row `{row}`"));
        }
        let place = usize::try_from(*board_id).ok().and_then(|number| number.checked_sub(1));
        let instance = place.and_then(|place| self.comparison.boards.get(place));
        let instance = instance.ok_or_else(|| format!("the comparison has no board {board_id}"))?;
        if place.is_some_and(|place| !self.comparison.is_own(place)) {
            return Err(format!("board {board_id} belongs to another shard"));
        }
        let problem = &instance.problem;
        if *board != problem.start_text() || *goal != problem.goal_text() {
            return Err(format!("board {board_id} is {}", problem.start_text()));
        }
        let run = (row.clone(), *board_id);
        if self.known.contains(&run) {
            return Err(format!("there are two results of `{row}` on board {board_id}"));
        }
        let proved = record.length.filter(|_| record.optimal);
        if let Some(length) = proved
            && *self.lengths.entry(*board_id).or_insert(length) != length
        {
            return Err(format!("another row proved another length of board {board_id}"));
        }
        self.known.insert(run);
        Ok(())
    }
}

/// Maximum number of records waiting to be delivered.
const QUEUE_CAPACITY: usize = 256;

/// Returns the indices of the boards of a shard among `boards` boards, or of all of them.
pub(super) fn own_boards(
    shard: Option<Shard>,
    boards: usize,
) -> impl ExactSizeIterator<Item = usize> + use<> {
    let (first, step) = shard.map_or((0, 1), |shard| (shard.index(), shard.count()));
    (first as usize..boards.max(first as usize)).step_by(step as usize)
}

/// Returns a checksum of boards, given with their goals.
pub(super) fn boards_crc32(boards: impl Iterator<Item = (String, String)>) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    for (board, goal) in boards {
        checksum.update(format!("{board} {goal};").as_bytes());
    }
    checksum.finalize()
}

/// Returns the number of the board, from 1.
fn number(run: Run) -> u64 {
    run.board as u64 + 1
}

fn is_cancelled(report: &Report) -> bool {
    report.status == Status::Stopped(Stop::Cancelled)
}
