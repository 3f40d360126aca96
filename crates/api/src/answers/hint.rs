//! What to play next.

use loyd::Problem;
use loyd::notation::{moves_to_string, slashes};
use loyd::search::Stop;
use loyd::study::Hint;
use serde::Serialize;

use super::words;

/// What to play next.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HintAnswer {
    /// The board.
    pub board: String,
    /// The goal.
    pub goal: String,
    /// `solved`, `unsolvable`, `exhausted` or `stopped`.
    pub status: &'static str,
    /// `stm` or `mtm`.
    pub metric: &'static str,
    /// The length of the best known solution.
    pub length: Option<usize>,
    /// Whether it is proved that none is shorter.
    pub optimal: bool,
    /// No solution is shorter.
    pub lower_bound: Option<u32>,
    /// The moves with which best known solutions begin.
    pub best: Vec<String>,
    /// Whether these are all with which a shortest solution begins.
    pub complete: bool,
    /// The limit that was reached before all were found.
    pub stopped_by: Option<&'static str>,
    /// The best known solution.
    pub moves: Option<String>,
}

impl HintAnswer {
    /// The hint for `problem`.
    pub fn new(problem: &Problem, hint: &Hint) -> Self {
        let report = &hint.report;
        Self {
            board: slashes(problem.start()).to_string(),
            goal: problem.goal_text(),
            status: report.status.name(),
            metric: report.metric.name(),
            length: report.length(),
            optimal: report.optimal,
            lower_bound: report.lower_bound,
            best: words(&hint.best),
            complete: hint.is_complete(),
            stopped_by: hint.stopped.map(Stop::name),
            moves: report.moves.as_deref().map(moves_to_string),
        }
    }
}
