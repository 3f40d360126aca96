//! Solves many problems with several threads, delivers the reports in order, and defines their JSON records.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::thread::available_parallelism;
//!
//! use loyd::{CancelToken, Problem, Solver};
//!
//! let problems = ["12345678x", "1234567x8"].map(|board| board.parse::<Problem>());
//! let problems = problems.into_iter().flatten();
//! let mut lengths = Vec::new();
//! Solver::default().solve_all(problems, available_parallelism()?, &CancelToken::new(), |report| {
//!     lengths.push(report.unwrap().length());
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(lengths, [Some(0), Some(1)]);
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(feature = "parallel")]
pub use crate::ordered::process_ordered;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use loyd_search::{CancelToken, ClosedKind, Direction, Iteration, Stop};
use loyd_tiles::notation;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::problem::Problem;
use crate::quality::Weight;
use crate::report::{Report, Status};
use crate::solver::Solver;
use crate::tile_costs::Fraction;

/// Maximum number of problems in flight for each thread. When this number of problems behind a hard one are done, the
/// workers wait for it.
const WINDOW: usize = 4096;

impl Solver {
    /// Solves `problems` with `threads` threads. Calls `deliver` with the reports in the order of the problems, each as
    /// soon as possible, until it returns `Break`.
    ///
    /// The limits apply to each problem separately, so `threads` searches may each use the whole memory limit. At most
    /// some thousand problems per thread are in memory at once.
    pub fn solve_all(
        &self,
        problems: impl Iterator<Item = Problem> + Send,
        threads: NonZeroUsize,
        cancel: &CancelToken,
        mut deliver: impl FnMut(Result<Report, Error>) -> ControlFlow<()> + Send,
    ) {
        let mut problems = problems.fuse();
        process_ordered(
            threads,
            WINDOW,
            |at_most| problems.by_ref().take(at_most).collect(),
            |problem, reports: &mut Vec<_>| {
                reports.push(self.solve_watched(&problem, cancel, None));
            },
            |reports| reports.into_iter().try_for_each(&mut deliver),
        );
    }
}

/// Processes items one after the other; with the feature `parallel` several threads share them. `source` returns the
/// next item, or an empty list at the end; `work` computes its result; `sink` receives the result, until it returns
/// `Break`.
#[cfg(not(feature = "parallel"))]
pub fn process_ordered<T: Send, R: Default + Send>(
    _threads: NonZeroUsize,
    _window: usize,
    mut source: impl FnMut(usize) -> Vec<T> + Send,
    work: impl Fn(T, &mut R) + Sync,
    mut sink: impl FnMut(R) -> ControlFlow<()> + Send,
) {
    loop {
        let items = source(1);
        if items.is_empty() {
            return;
        }
        let mut result = R::default();
        items.into_iter().for_each(|item| work(item, &mut result));
        if sink(result).is_break() {
            return;
        }
    }
}

/// Solutions in the requested notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Written"))]
#[serde(untagged)]
pub enum Notated {
    /// A single solution.
    One(String),
    /// All shortest solutions found, or the first of them.
    Many(Vec<String>),
}

/// A report as one flat record, for JSON Lines.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// Line number of the board in the input, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Name of the board in its file, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Length of a shortest solution according to the file, if it contains one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<u32>,
    /// Start: rows separated by slashes, 0 for the blank. `null` if the board is invalid.
    pub board: Option<String>,
    /// Goal in the same format; `*` on cells that may hold any tile.
    pub goal: Option<String>,
    /// `solved`, `unsolvable`, `exhausted`, `stopped`, `refused` (the configuration is not valid for the board) or
    /// `invalid`.
    pub status: &'static str,
    /// Named goals that the board can reach, if it cannot reach its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solvable_goals: Option<Vec<&'static str>>,
    /// Directions of the blank: `u`, `d`, `l`, `r`.
    pub moves: Option<String>,
    /// Name of the requested notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<&'static str>,
    /// The solution, or all solutions, in the requested notation.
    #[serde(rename = "written", skip_serializing_if = "Option::is_none")]
    pub notated: Option<Notated>,
    /// Length of the solution in the metric.
    pub length: Option<usize>,
    /// Metric: `stm` or `mtm`.
    pub metric: Option<&'static str>,
    /// Whether the solution is proved shortest; with costs by tile, cheapest.
    pub optimal: bool,
    /// Cost of moving a tile, unless each costs 1: `inverse`, `heavy` or a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub costs: Option<String>,
    /// Cost of the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Exact cost of the solution as a fraction, as in `137/60`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_exact: Option<String>,
    /// Lower bound on the cost of a solution, if a limit was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_cost: Option<String>,
    /// Unit of the bounds of iterations, as a fraction; only with costs by tile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_unit: Option<String>,
    /// Number of shortest solutions (`solve --count`), or of those found (`--all`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u128>,
    /// Whether `count` and `answers` include all shortest solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// Shortest solutions found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// Name of the algorithm.
    pub algorithm: Option<&'static str>,
    /// Name of the heuristic.
    pub heuristic: Option<&'static str>,
    /// Tables of the heuristic: the name of a partition, or goal cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// Weight of weighted A*.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Proved upper bound on the ratio of the length to that of a shortest solution, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// Lower bound on the length of a solution, if `--quality` was given or a limit was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// Kind of closed list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<&'static str>,
    /// Pruning of a depth-first search: `undo` for moves that take back the previous one, or `automaton=14` for words
    /// of up to that many moves that are equivalent to others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prune: Option<String>,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes generated: legal children of expanded nodes that do not undo the previous move.
    pub generated: u64,
    /// Generated nodes that had been generated before.
    pub duplicates: u64,
    /// Closed nodes that were reopened.
    pub reopened: u64,
    /// Nodes expanded in all iterations but the last, for iterative searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded_complete: Option<u64>,
    /// Iterations of an iterative search, including the last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<IterationRecord>,
    /// Source of the solution, in searches that look for one before the last iteration: `ahead` (found in the iteration
    /// before the last) or `beam`, which both spare the last iteration; `round` (the last iteration itself); or
    /// `improver` (the best solution of the improving search, as long as the lower bound).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<&'static str>,
    /// `forward` or `backward`, if the search could choose its direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<&'static str>,
    /// Maximum number of bytes held by the search's data structures.
    pub peak_bytes: u64,
    /// Wall-clock time of the search, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time to build or read tables, in nanoseconds, if there was any; not included in `elapsed_ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_ns: Option<u64>,
    /// Limit that ended the search or the proof: `expanded`, `depth`, `memory`, `time`, `tables`, `number` or
    /// `cancelled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<&'static str>,
    /// Why a board is refused or invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An iteration of an iterative search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Round"))]
pub struct IterationRecord {
    /// Bound on the length of paths.
    pub bound: u32,
    /// Nodes expanded in this iteration.
    pub expanded: u64,
    /// Nodes generated in this iteration.
    pub generated: u64,
}

impl From<Iteration> for IterationRecord {
    fn from(Iteration { bound, expanded, generated }: Iteration) -> Self {
        Self { bound, expanded, generated }
    }
}

impl From<&Report> for Record {
    fn from(report: &Report) -> Self {
        let (stats, costs) = (&report.stats, report.costs.as_ref());
        Self {
            board: Some(report.problem.start_text()),
            goal: Some(report.problem.goal_text()),
            status: report.status.name(),
            solvable_goals: report.solvable_goals(),
            moves: report.moves.as_deref().map(notation::moves_to_string),
            length: report.length(),
            metric: Some(report.metric.name()),
            optimal: report.optimal,
            costs: costs.map(|costs| costs.by_tile.to_string()),
            cost: costs.and_then(|costs| costs.total).map(Fraction::as_f64),
            cost_exact: costs.and_then(|costs| costs.total).map(|total| total.to_string()),
            least_cost: costs.and_then(|costs| costs.least).map(|least| least.to_string()),
            cost_unit: costs.map(|costs| costs.unit.to_string()),
            algorithm: Some(report.algorithm),
            heuristic: report.heuristic,
            tables: report.tables.clone(),
            weight: report.weight.map(Weight::as_f64),
            within: report.within.map(Weight::as_f64),
            lower_bound: report.lower_bound,
            closed: report.closed.map(ClosedKind::name),
            prune: report.prune.map(|prune| prune.to_string()),
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            reopened: stats.reopened,
            expanded_complete: (!stats.iterations.is_empty()).then(|| stats.expanded_complete()),
            iterations: stats.iterations.iter().copied().map(IterationRecord::from).collect(),
            ended_by: stats.ended_by,
            direction: stats.direction.map(Direction::name),
            peak_bytes: stats.peak_bytes,
            elapsed_ns: nanoseconds(stats.elapsed),
            tables_ns: (!stats.table_time.is_zero()).then(|| nanoseconds(stats.table_time)),
            stopped_by: match report.status {
                Status::Stopped(stop) => Some(stop.name()),
                _ => report.stopped_by.map(Stop::name),
            },
            ..Self::default()
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Record {
    /// Returns the record of invalid input, or of a problem that the configuration refuses.
    pub fn invalid(problem: Option<&Problem>, error: String) -> Self {
        Self {
            board: problem.map(Problem::start_text),
            goal: problem.map(Problem::goal_text),
            status: if problem.is_some() { "refused" } else { "invalid" },
            error: Some(error),
            ..Self::default()
        }
    }

    /// Appends the record as a line of JSON.
    pub fn write_json_line(&self, to: &mut Vec<u8>) {
        // Most records fit, so this allocates once.
        to.reserve(1024);
        serde_json::to_writer(&mut *to, self).expect("a record serializes to JSON");
        to.push(b'\n');
    }
}
