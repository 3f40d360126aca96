//! Jobs for workers on other machines, and their results.
//!
//! A job is a record with everything that its work depends on: it has neither paths nor arguments. Its result contains
//! the output of one process.

mod compared;
mod driving;
mod labelled;
mod options;

use std::path::PathBuf;

use loyd::Problem;
use loyd_queue::{Access, Queue};
use serde::{Deserialize, Serialize};

use super::replay_record::problem;
use crate::args::{AccessArgs, OnArgs};
use crate::failure::{Failure, Status, print_note};
use crate::input::Item;
pub use compared::{ComparedBoard, ComparedRuns, ComparedSearches};
pub use driving::{
    JobSize, Jobs, Lookout, MOST_BYTES_IN_JOB, MOST_WRONG, printable, progress_of, run_name,
};
pub use labelled::{LabelledJob, WantedLabels};
pub use options::SolveOptions;

/// A job for a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Job {
    /// Solve boards.
    Solve {
        /// How.
        options: SolveOptions,
        /// The boards.
        boards: Vec<QueuedBoard>,
    },
    /// Search some subtrees of an iteration for one board.
    Subtrees {
        /// How.
        options: SolveOptions,
        /// The board.
        board: QueuedBoard,
        /// The checkpoint of a search that has only these subtrees to do.
        checkpoint: String,
    },
    /// Run a search of a comparison on boards.
    Compare {
        /// The searches of the comparison.
        searches: ComparedSearches,
        /// The one to run, from 0.
        row: usize,
        /// The boards.
        boards: Vec<ComparedBoard>,
    },
    /// Label boards of a dataset.
    Label {
        /// The labels.
        wanted: WantedLabels,
        /// The boards: rows separated by slashes, 0 for the blank.
        boards: Vec<String>,
    },
}

/// A board of a batch.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueuedBoard {
    /// Number of the board in the run, from 0.
    pub number: u64,
    /// Line in the file.
    pub line: Option<usize>,
    /// Name of the board in the file.
    pub id: Option<String>,
    /// Length of a shortest solution given by the file.
    pub expected: Option<u32>,
    /// The start, as [`Problem::start_text`] writes it.
    pub board: String,
    /// The goal, as [`Problem::goal_text`] writes it.
    pub goal: String,
}

impl QueuedBoard {
    /// Describes a valid board.
    pub fn new(number: u64, item: &Item, problem: &Problem) -> Self {
        Self {
            number,
            line: item.line,
            id: item.id.clone(),
            expected: item.expected,
            board: problem.start_text(),
            goal: problem.goal_text(),
        }
    }

    /// Returns the board to solve.
    ///
    /// # Errors
    /// Returns an error if the board or the goal is invalid.
    pub fn item(&self) -> anyhow::Result<Item> {
        let record = serde_json::json!({ "board": self.board, "goal": self.goal });
        let problem = Ok(problem(&record)?);
        Ok(Item { line: self.line, id: self.id.clone(), expected: self.expected, problem })
    }
}

/// The result of [`Job::Solve`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedBoards {
    /// The answers, in the order of the job.
    pub answers: Vec<QueuedAnswer>,
    /// Time of the worker in nanoseconds.
    pub elapsed_ns: u64,
}

/// The result of [`Job::Subtrees`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchedSubtrees {
    /// The checkpoint after the search.
    pub checkpoint: String,
    /// The solution that was found, if any: directions of the blank.
    pub moves: Option<String>,
    /// Time of the worker in nanoseconds.
    pub elapsed_ns: u64,
}

/// The answer to a board.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueuedAnswer {
    /// Number of the board.
    pub number: u64,
    /// The line of the answer, without its end.
    pub line: String,
    /// Messages for standard error.
    pub remarks: Vec<String>,
    /// Messages that are counted: see [`Counters`](super::solve::Counters).
    pub shared_remarks: Vec<String>,
    /// Exit status of a process that solves only this board.
    pub status: u8,
    /// Whether the solution is proved shortest, or the board proved unsolvable.
    pub is_proved: bool,
}

/// Returns the exit status for its number.
pub fn status_of(number: u8) -> Status {
    match number {
        0 => Status::Yes,
        1 => Status::No,
        _ => Status::Bad,
    }
}

/// Connects to the queue of `--on`, if there is one.
///
/// # Errors
/// Returns an error if the connection fails, or would not be safe.
pub fn connect_on(on: &OnArgs) -> Result<Option<Queue>, Failure> {
    on.on.as_deref().map(|url| connect(url, &on.access)).transpose()
}

/// Connects to the queue at `url`.
///
/// # Errors
/// Returns an error if the connection fails, or would not be safe.
pub fn connect(url: &str, access: &AccessArgs) -> Result<Queue, Failure> {
    let AccessArgs { credentials, tls_ca, insecure } = access;
    let owned = |path: &Option<PathBuf>| path.clone();
    let access =
        Access { credentials: owned(credentials), authorities: owned(tls_ca), insecure: *insecure };
    if access.insecure {
        print_note(format_args!(
            "warning: --insecure: others can read and change what goes to {url}"
        ));
    }
    Ok(Queue::connect(url, &access)?)
}
