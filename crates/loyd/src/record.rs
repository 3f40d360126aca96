//! A report as a record for machines.

use std::time::Duration;

use loyd_search::{Closed, Direction, Iteration, Stop};
use loyd_tiles::{Board, notation};
use serde::{Deserialize, Serialize};

use crate::choices::Weight;
use crate::problem::Problem;
use crate::report::{Report, Status};

/// Solutions in a notation that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Written {
    /// The one solution.
    One(String),
    /// All shortest solutions that were found, or the first of them.
    Many(Vec<String>),
}

/// A report as one flat record, for JSON Lines.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// The line of the input on which the board stands, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The name of the board in its file, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The length of a shortest solution according to the file, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<u32>,
    /// The start, rows separated by slashes, 0 for the blank; none if it is invalid.
    pub board: Option<String>,
    /// The goal, likewise; `*` on cells that may have any tile.
    pub goal: Option<String>,
    /// `solved`, `unsolvable`, `exhausted`, `stopped`, `refused` (a board that the configuration does not
    /// fit) or `invalid`.
    pub status: &'static str,
    /// The directions in which the blank moves: `u`, `d`, `l`, `r`.
    pub moves: Option<String>,
    /// The notation of `written`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<&'static str>,
    /// The moves, or all solutions, in the notation that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
    /// The length of the solution in the metric.
    pub length: Option<usize>,
    /// What counts as a move: `stm` or `mtm`.
    pub metric: Option<&'static str>,
    /// Whether it is proved that no solution is shorter.
    pub optimal: bool,
    /// How many shortest solutions there are (`solve --count`) or were found (`--all`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u128>,
    /// Whether these are all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The shortest solutions that were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Vec<String>>,
    /// The name of the algorithm.
    pub algorithm: Option<&'static str>,
    /// The name of the heuristic.
    pub heuristic: Option<&'static str>,
    /// The tables of the heuristic: the name of a partition, or goal cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// The weight of weighted A*.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// How many times as long as a shortest solution this one is at most, where that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// No solution is shorter than this: where `--quality` was asked for, and where a limit was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<u32>,
    /// The kind of duplicate detection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<&'static str>,
    /// What a depth-first search left out: `undo`, moves that take the last one back, or `automaton=14`, words of up to
    /// so many moves that do what others do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prune: Option<String>,
    /// Nodes whose successors were enumerated.
    pub expanded: u64,
    /// Legal children of expanded nodes that do not undo the last move.
    pub generated: u64,
    /// Generated children that were known already.
    pub duplicates: u64,
    /// Closed nodes that were opened again.
    pub reopened: u64,
    /// Expanded in all iterations but the last, for iterative searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded_complete: Option<u64>,
    /// The iterations of an iterative search, the last one included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<Round>,
    /// What found the solution, in searches that look for one before the last iteration: `ahead`, in the iteration before,
    /// or `beam`, so that the last one was not searched, or `round`, the last iteration itself; or `improver`, a search
    /// for better solutions, whose best one is as long as the proof allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<&'static str>,
    /// At which end the search began, `forward` or `backward`, where it could begin at either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<&'static str>,
    /// The most bytes that the search's own structures held at once.
    pub peak_bytes: u64,
    /// Wall-clock time of the search itself, in nanoseconds.
    pub elapsed_ns: u64,
    /// The time that went into making or reading tables, where any did; not part of `elapsed_ns`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_ns: Option<u64>,
    /// What ended the search, or kept a quality from a proof: `expanded`, `depth`, `memory`, `time`, `tables`, `number` or `cancelled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<&'static str>,
    /// What is wrong with a board that is refused or invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// An iteration of an iterative search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Round {
    /// The bound on the length of paths.
    pub bound: u32,
    /// Nodes expanded in this iteration.
    pub expanded: u64,
    /// Nodes generated in this iteration.
    pub generated: u64,
}

impl From<Iteration> for Round {
    fn from(Iteration { bound, expanded, generated }: Iteration) -> Self {
        Self { bound, expanded, generated }
    }
}

impl From<&Report> for Record {
    fn from(report: &Report) -> Self {
        let text = |board: &Board| Some(notation::slashes(board).to_string());
        let stats = &report.stats;
        Self {
            board: text(report.problem.start()),
            goal: Some(report.problem.goal_text()),
            status: report.status.name(),
            moves: report.moves.as_deref().map(notation::moves_to_string),
            length: report.length(),
            metric: Some(report.metric.name()),
            optimal: report.optimal,
            algorithm: Some(report.algorithm),
            heuristic: report.heuristic,
            tables: report.tables.clone(),
            weight: report.weight.map(Weight::as_f64),
            within: report.within.map(Weight::as_f64),
            lower_bound: report.lower_bound,
            closed: report.closed.map(Closed::name),
            prune: report.prune.map(|prune| prune.to_string()),
            expanded: stats.expanded,
            generated: stats.generated,
            duplicates: stats.duplicates,
            reopened: stats.reopened,
            expanded_complete: (!stats.iterations.is_empty()).then(|| stats.expanded_complete()),
            iterations: stats.iterations.iter().copied().map(Round::from).collect(),
            ended_by: stats.ended_by,
            direction: stats.direction.map(Direction::name),
            peak_bytes: stats.peak_bytes,
            elapsed_ns: nanoseconds(stats.elapsed),
            tables_ns: (!stats.tables.is_zero()).then(|| nanoseconds(stats.tables)),
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
    /// The record of input that is no board, or of a problem that cannot be tried.
    pub fn invalid(problem: Option<&Problem>, error: String) -> Self {
        let text = |board: &Board| notation::slashes(board).to_string();
        Self {
            board: problem.map(|problem| text(problem.start())),
            goal: problem.map(Problem::goal_text),
            status: if problem.is_some() { "refused" } else { "invalid" },
            error: Some(error),
            ..Self::default()
        }
    }

    /// Appends the record as a line of JSON.
    pub fn write_json_line(&self, to: &mut Vec<u8>) {
        // Most records fit, so that room is made once.
        to.reserve(1024);
        serde_json::to_writer(&mut *to, self).expect("nothing in a record is foreign to JSON");
        to.push(b'\n');
    }
}
