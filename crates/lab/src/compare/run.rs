//! The runs of a comparison.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use loyd::notation::slashes;
use loyd::search::{Observer, Status, Stop};
use loyd::{CancelToken, Config, Error, Report, Solver};
use serde_json::{Map, Value, json};

use super::record::{Record, Subject};
use super::row::Row;

/// One run: a row, and the number of a board, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// The place of the row among the rows.
    pub row: usize,
    /// The place of the board among the boards.
    pub board: usize,
}

/// Rows, and boards on which all of them run.
#[derive(Debug)]
pub struct Comparison {
    rows: Vec<(Row, Solver)>,
    boards: Vec<Subject>,
    config: Config,
}

impl Comparison {
    /// Compares `rows` on `boards`, with metric, limits for each run, tables' places and clock of `config`.
    ///
    /// # Errors
    /// When choices of a row do not go together, whatever the board.
    pub fn new(rows: Vec<Row>, boards: Vec<Subject>, config: &Config) -> Result<Self, Error> {
        let config = Config { boards: Some(boards.len() as u64), ..config.clone() };
        let mut with_solvers: Vec<(Row, Solver)> = Vec::with_capacity(rows.len());
        for row in rows {
            let config = row.config(&config);
            // Tables are made once for all rows.
            let solver = match with_solvers.first() {
                Some((_, first)) => first.sharing(config)?,
                None => Solver::new(config)?,
            };
            with_solvers.push((row, solver));
        }
        Ok(Self { rows: with_solvers, boards, config })
    }

    /// The rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.rows.iter().map(|(row, _)| row)
    }

    /// The boards.
    pub fn boards(&self) -> &[Subject] {
        &self.boards
    }

    /// What the results depend on, times aside: the rows, the boards, the metric and the limits.
    pub fn settings(&self) -> Map<String, Value> {
        let mut checksum = crc32fast::Hasher::new();
        for Subject { problem, .. } in &self.boards {
            let text = format!("{} {};", slashes(problem.start()), problem.goal_text());
            checksum.update(text.as_bytes());
        }
        let limits = self.config.limits;
        let settings = json!({
            "rows": self.rows().map(Row::name).collect::<Vec<_>>(),
            "boards": self.boards.len(),
            "boards_crc32": checksum.finalize(),
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

    /// Does all runs but those of which `done` has a record, each on one of `threads` threads; `deliver` gets records as
    /// runs end, until it breaks off. A run that `cancel` ends has no record.
    ///
    /// Counts do not depend on the number of threads, nor on the order of runs.
    pub fn run(
        &self,
        done: &[Record],
        threads: NonZeroUsize,
        cancel: &CancelToken,
        mut deliver: impl FnMut(Record) -> ControlFlow<()>,
    ) {
        let left = self.left(done);
        let next = AtomicUsize::new(0);
        let work = |results: mpsc::SyncSender<Record>| {
            while let Some(&run) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(record) = self.solve(run, cancel, None) else { return };
                if results.send(record).is_err() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            let (sender, results) = mpsc::sync_channel(WAITING);
            for _ in 0..threads.get().min(left.len()) {
                let sender = sender.clone();
                scope.spawn(move || work(sender));
            }
            drop(sender);
            for record in results {
                if deliver(record).is_break() {
                    break;
                }
            }
        });
    }

    /// The runs of which `done` has no record: all rows on a board, then on the next.
    pub fn left(&self, done: &[Record]) -> Vec<Run> {
        let done: HashSet<(&str, u64)> =
            done.iter().map(|record| (record.row.as_str(), record.board_id)).collect();
        let names: Vec<String> = self.rows().map(Row::name).collect();
        let runs = (0..self.boards.len())
            .flat_map(|board| (0..names.len()).map(move |row| Run { row, board }));
        runs.filter(|run| !done.contains(&(names[run.row].as_str(), number(*run)))).collect()
    }

    /// Does one run, and tells `observer` how far it is. A run that `cancel` ends has no record.
    pub fn solve(
        &self,
        run: Run,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Option<Record> {
        if cancel.is_cancelled() {
            return None;
        }
        let ((row, solver), subject) = (&self.rows[run.row], &self.boards[run.board]);
        let outcome = solver.solve_estimated(&subject.problem, cancel, observer);
        (!outcome.as_ref().is_ok_and(|(report, _)| is_cancelled(report)))
            .then(|| Record::new(row, (number(run), subject), &outcome))
    }
}

/// Records that may wait to be delivered.
const WAITING: usize = 256;

/// The number of the board, from 1.
fn number(run: Run) -> u64 {
    run.board as u64 + 1
}

fn is_cancelled(report: &Report) -> bool {
    report.status == Status::Stopped(Stop::Cancelled)
}
