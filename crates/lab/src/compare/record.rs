//! What came of one run.

use loyd::batch::{Record as Solved, Round};
use loyd::notation::slashes;
use loyd::search::Cost;
use loyd::{Error, Problem, Report};
use serde::{Deserialize, Serialize};

use super::row::Row;

/// A board of a comparison.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The board and its goal.
    pub problem: Problem,
    /// The length of a shortest solution, where it is known beforehand.
    pub optimal_length: Option<u64>,
}

/// What came of one run: a row of the comparison on one board. Numbers that are not known are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The name of the row.
    pub row: String,
    /// The name of the algorithm.
    pub algorithm: String,
    /// The name of the heuristic.
    pub heuristic: Option<String>,
    /// The closed list.
    pub closed: Option<String>,
    /// The weight of weighted A*.
    pub weight: Option<f64>,
    /// What a depth-first search left out.
    #[serde(default)]
    pub prune: Option<String>,
    /// What counts as a move: `stm` or `mtm`.
    pub metric: String,
    /// The board, rows separated by slashes, 0 for the blank.
    pub board: String,
    /// The goal, likewise.
    pub goal: String,
    /// The number of the board in the comparison, from 1.
    pub board_id: u64,
    /// `solved`, `unsolvable`, `exhausted`, `stopped`, or `refused` if the row cannot work on the board.
    pub status: String,
    /// What ended a run that was stopped, or why it was refused.
    pub stop: Option<String>,
    /// The length of the solution in the metric.
    pub length: Option<u64>,
    /// Whether it is proved that no solution is shorter.
    pub optimal: bool,
    /// The length of a shortest solution, where the run proved it or the board was drawn by it.
    pub optimal_length: Option<u64>,
    /// The value of the heuristic for the board, where it led a search.
    pub h: Option<u64>,
    /// Nodes whose successors were enumerated.
    pub expanded: u64,
    /// Legal children of expanded nodes that do not undo the last move.
    pub generated: u64,
    /// Generated children that were known already.
    pub duplicates: u64,
    /// Closed nodes that were opened again.
    pub reopened: u64,
    /// The most bytes that the search's own structures held at once.
    pub peak_bytes: u64,
    /// Wall-clock time of the search, in nanoseconds.
    pub elapsed_ns: u64,
    /// The time that went into making or reading tables, in nanoseconds; not part of `elapsed_ns`.
    pub tables_ns: u64,
    /// The iterations of an iterative search.
    #[serde(default)]
    pub iterations: Vec<Round>,
}

impl Record {
    /// The record of a run of `row` on `subject`.
    pub(super) fn new(
        row: &Row,
        (board_id, subject): (u64, &Subject),
        outcome: &Result<(Report, Option<Cost>), Error>,
    ) -> Self {
        let named = Self { row: row.name(), board_id, ..Self::default() };
        match outcome {
            Ok((report, estimate)) => {
                Self { h: estimate.map(u64::from), ..named }.with(Solved::from(report), subject)
            }
            Err(error) => Self {
                algorithm: row.algorithm.to_owned(),
                heuristic: row.heuristic.map(str::to_owned),
                status: "refused".to_owned(),
                stop: Some(error.to_string()),
                ..named
            }
            .of(&subject.problem),
        }
    }

    fn of(self, problem: &Problem) -> Self {
        let board = slashes(problem.start()).to_string();
        Self { board, goal: problem.goal_text(), ..self }
    }

    fn with(self, solved: Solved, subject: &Subject) -> Self {
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
            optimal_length: subject.optimal_length.or(proved),
            expanded: solved.expanded,
            generated: solved.generated,
            duplicates: solved.duplicates,
            reopened: solved.reopened,
            peak_bytes: solved.peak_bytes,
            elapsed_ns: solved.elapsed_ns,
            tables_ns: solved.tables_ns.unwrap_or(0),
            iterations: solved.iterations,
            ..self.of(&subject.problem)
        }
    }

    /// Whether the run found a solution.
    pub fn is_solved(&self) -> bool {
        self.status == "solved"
    }

    /// The same without what differs from run to run: times.
    #[must_use]
    pub fn without_times(self) -> Self {
        Self { elapsed_ns: 0, tables_ns: 0, ..self }
    }
}
