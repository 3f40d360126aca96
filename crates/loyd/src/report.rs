//! What a solver returns.

use loyd_search::{Closed, Cost, Stats, Stop};
use loyd_tiles::{Metric, Move};

use crate::choices::{Prune, Weight};
use crate::problem::Problem;

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is a solution.
    Solved,
    /// Parity forbids a solution.
    Unsolvable,
    /// Every state that can be reached was searched, and none is the goal.
    Exhausted,
    /// A limit was reached first; nothing is proved.
    Stopped(Stop),
}

impl Status {
    /// The word for machines: `solved`, `unsolvable`, `exhausted` or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Exhausted => "exhausted",
            Self::Stopped(_) => "stopped",
        }
    }
}

/// The solution to a problem, and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// The problem.
    pub problem: Problem,
    /// How the attempt ended.
    pub status: Status,
    /// The solution, if there is one; the best so far if a limit was reached before it was proved as good
    /// as was asked for.
    pub moves: Option<Vec<Move>>,
    /// What counts as a move.
    pub metric: Metric,
    /// Whether the solution is proved to be a shortest one.
    pub optimal: bool,
    /// The solution is proved to be at most this times as long as a shortest one: by weighted A*, or by
    /// the lower bound.
    pub within: Option<Weight>,
    /// No solution is shorter than this: where a quality was asked for, and where a limit was reached.
    pub lower_bound: Option<Cost>,
    /// What kept a quality from proving its solution shortest. A limit that ended the proof comes before the one that
    /// ended improving.
    pub stopped_by: Option<Stop>,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The name of the heuristic, where one was used.
    pub heuristic: Option<&'static str>,
    /// The tables of the heuristic, where some were used: the name of a partition, or goal cells.
    pub tables: Option<String>,
    /// The weight, where one was used.
    pub weight: Option<Weight>,
    /// The way in which duplicates were found, where any were looked for.
    pub closed: Option<Closed>,
    /// What the search left out, where it was depth-first.
    pub prune: Option<Prune>,
    /// What the search did.
    pub stats: Stats,
}

impl Report {
    /// The report of a solution about which nothing is proved.
    pub(crate) fn of(
        problem: &Problem,
        (status, moves): (Status, Option<Vec<Move>>),
        (algorithm, metric): (&'static str, Metric),
        stats: Stats,
    ) -> Self {
        Self {
            problem: problem.clone(),
            status,
            moves,
            metric,
            optimal: false,
            within: None,
            lower_bound: None,
            stopped_by: None,
            algorithm,
            heuristic: None,
            tables: None,
            weight: None,
            closed: None,
            prune: None,
            stats,
        }
    }

    /// The length of the solution in the metric.
    pub fn length(&self) -> Option<usize> {
        self.moves.as_ref().map(|moves| self.metric.length(moves))
    }
}
