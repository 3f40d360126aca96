//! Results of single runs.

use loyd::batch::{IterationRecord, Record as SolveRecord};
use loyd::moves::Metric;
use loyd::notation::slashes;
use loyd::search::{Cost, Stop};
use loyd::{Error, Problem, Report};
use serde::{Deserialize, Serialize};

use super::rows::Row;

/// A board of a comparison.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The board and its goal.
    pub problem: Problem,
    /// Length of a shortest solution, if known in advance.
    pub optimal_length: Option<u64>,
}

/// Result of one run: a row of the comparison on one board. Unknown numbers are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name of the row.
    pub row: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Name of the heuristic.
    pub heuristic: Option<String>,
    /// Closed list.
    pub closed: Option<String>,
    /// Weight of weighted A*.
    pub weight: Option<f64>,
    /// Pruning of a depth-first search.
    #[serde(default)]
    pub prune: Option<String>,
    /// Metric: `stm` or `mtm`.
    pub metric: String,
    /// The board, with rows separated by slashes and 0 for the blank.
    pub board: String,
    /// The goal, in the same notation.
    pub goal: String,
    /// Number of the board in the comparison, from 1.
    pub board_id: u64,
    /// `solved`, `unsolvable`, `exhausted`, `stopped`, or `refused` if the row does not support the board.
    pub status: String,
    /// Limit that stopped the run, or reason why it was refused.
    pub stop: Option<String>,
    /// Length of the solution in the metric.
    pub length: Option<u64>,
    /// Whether the solution is proved to be shortest.
    pub optimal: bool,
    /// Length of a shortest solution, if the run proved it or the board was drawn by length.
    pub optimal_length: Option<u64>,
    /// Heuristic value of the board, if the search used a heuristic.
    pub h: Option<u64>,
    /// Number of nodes whose successors were enumerated.
    pub expanded: u64,
    /// Number of legal children of expanded nodes that do not undo the last move.
    pub generated: u64,
    /// Number of generated children that were already known.
    pub duplicates: u64,
    /// Number of closed nodes that were reopened.
    pub reopened: u64,
    /// Peak memory of the search's own structures, in bytes.
    pub peak_bytes: u64,
    /// Wall-clock time of the search, in nanoseconds.
    pub elapsed_ns: u64,
    /// Time spent building or loading tables, in nanoseconds; not included in `elapsed_ns`.
    pub tables_ns: u64,
    /// Iterations of an iterative search.
    #[serde(default)]
    pub iterations: Vec<IterationRecord>,
}

impl Record {
    /// Creates the record of a run of `row` on `instance`.
    pub(super) fn new(
        row: &Row,
        (board_id, instance): (u64, &Instance),
        outcome: &Result<(Report, Option<Cost>), Error>,
    ) -> Self {
        let named = Self { row: row.name(), board_id, ..Self::default() };
        match outcome {
            Ok((report, estimate)) => Self { h: estimate.map(u64::from), ..named }
                .with(SolveRecord::from(report), instance),
            Err(error) => Self {
                algorithm: row.algorithm.to_owned(),
                heuristic: row.heuristic.map(str::to_owned),
                status: "refused".to_owned(),
                stop: Some(error.to_string()),
                ..named
            }
            .of(&instance.problem),
        }
    }

    /// Creates the record of a run for which no time was left.
    pub(super) fn without_time(
        row: &Row,
        (board_id, instance): (u64, &Instance),
        metric: Metric,
    ) -> Self {
        Self {
            row: row.name(),
            board_id,
            algorithm: row.algorithm.to_owned(),
            heuristic: row.heuristic.map(str::to_owned),
            metric: metric.name().to_owned(),
            status: "stopped".to_owned(),
            stop: Some(Stop::Time.name().to_owned()),
            optimal_length: instance.optimal_length,
            ..Self::default()
        }
        .of(&instance.problem)
    }

    fn of(self, problem: &Problem) -> Self {
        let board = slashes(problem.start()).to_string();
        Self { board, goal: problem.goal_text(), ..self }
    }

    fn with(self, solved: SolveRecord, instance: &Instance) -> Self {
        let length = solved.length.map(|length| length as u64);
        let proved = length.filter(|_| solved.optimal);
        Self {
            algorithm: solved.algorithm.unwrap_or_default().to_owned(),
            heuristic: solved.heuristic.map(str::to_owned),
            closed: solved.closed.map(str::to_owned),
            weight: solved.weight,
            prune: solved.prune.clone(),
            metric: solved.metric.unwrap_or_default().to_owned(),
            status: solved.status.to_owned(),
            stop: solved.stopped_by.map(str::to_owned),
            length,
            optimal: solved.optimal,
            optimal_length: instance.optimal_length.or(proved),
            expanded: solved.expanded,
            generated: solved.generated,
            duplicates: solved.duplicates,
            reopened: solved.reopened,
            peak_bytes: solved.peak_bytes,
            elapsed_ns: solved.elapsed_ns,
            tables_ns: solved.tables_ns.unwrap_or(0),
            iterations: solved.iterations,
            ..self.of(&instance.problem)
        }
    }

    /// Returns whether the run found a solution.
    pub fn is_solved(&self) -> bool {
        self.status == "solved"
    }
}
