//! The reports that solvers return, and the bounds on a distance that they prove.

use loyd_search::{ClosedKind, Cost, Stats, Stop};
use loyd_tiles::{Metric, Move};

use crate::choices::Prune;
use crate::problem::Problem;
use crate::quality::Weight;
use crate::tile_costs::{Fraction, TileCosts};

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A solution was found.
    Solved,
    /// The board is unsolvable by parity.
    Unsolvable,
    /// All reachable states were searched, and none is a goal.
    Exhausted,
    /// A limit was reached first.
    Stopped(Stop),
}

impl Status {
    /// Returns the machine-readable name: `solved`, `unsolvable`, `exhausted` or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Exhausted => "exhausted",
            Self::Stopped(_) => "stopped",
        }
    }
}

/// The cost of a solution with costs by tile.
#[derive(Clone, Debug, PartialEq)]
pub struct CostReport {
    /// The costs of the tiles.
    pub by_tile: TileCosts,
    /// The cost of the solution, if there is one.
    pub total: Option<Fraction>,
    /// Lower bound on the cost of a solution, if a limit was reached.
    pub least: Option<Fraction>,
    /// Unit of the bounds of iterations.
    pub unit: Fraction,
}

/// The solution to a problem, and the cost of the search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The problem.
    pub problem: Problem,
    /// The outcome of the attempt.
    pub status: Status,
    /// The solution, if there is one. If a limit was reached before the requested quality was proved, the best one so
    /// far.
    pub moves: Option<Vec<Move>>,
    /// The metric that counts moves.
    pub metric: Metric,
    /// Whether the solution is proved shortest; with costs by tile, cheapest.
    pub optimal: bool,
    /// Proved upper bound on the ratio of the length (or cost) of the solution to that of a shortest (cheapest) one:
    /// the weight of weighted A*, or the length over the lower bound.
    pub within: Option<Weight>,
    /// The costs, with costs by tile.
    pub costs: Option<CostReport>,
    /// Lower bound on the length of a solution, if a quality was requested or a limit was reached.
    pub lower_bound: Option<Cost>,
    /// The limit that prevented a proof that the solution is shortest, with a quality. A limit that ended the proof
    /// takes precedence over one that ended improving.
    pub stopped_by: Option<Stop>,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The name of the heuristic, if one was used.
    pub heuristic: Option<&'static str>,
    /// The tables of the heuristic, if it has any: the name of a partition, or goal cells.
    pub tables: Option<String>,
    /// The weight, if one was used.
    pub weight: Option<Weight>,
    /// The closed list, if the algorithm keeps one.
    pub closed: Option<ClosedKind>,
    /// The pruning rule of a depth-first search.
    pub prune: Option<Prune>,
    /// The counts and times of the search.
    pub stats: Stats,
}

impl Report {
    /// Returns the names of the goals that the board can reach, if it is proved that it cannot reach its own whole
    /// goal.
    pub fn solvable_goals(&self) -> Option<Vec<&'static str>> {
        let has_none = matches!(self.status, Status::Unsolvable | Status::Exhausted);
        has_none.then(|| self.problem.solvable_goals()).flatten()
    }

    /// Returns a report of a solution about which nothing is proved.
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
            costs: None,
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

    /// Returns the length of the solution in the metric.
    pub fn length(&self) -> Option<usize> {
        self.moves.as_ref().map(|moves| self.metric.length(moves))
    }
}

/// Proved bounds on the distance to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Lower bound on the length of a solution.
    pub lower: usize,
    /// The length of the best solution known; [`usize::MAX`] if none is known, see [`best_known`](Self::best_known).
    pub upper: usize,
}

impl Bounds {
    /// Returns the bounds of a known distance.
    pub fn exact(distance: usize) -> Self {
        Self { lower: distance, upper: distance }
    }

    /// Returns the distance, if it is proved.
    pub fn exact_value(self) -> Option<usize> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Returns the length of the best solution known. Returns `None` if the limits did not suffice for any solution of a
    /// board of more than [`Size::MAX_SEARCH_CELLS`](crate::Size::MAX_SEARCH_CELLS) cells.
    pub fn best_known(self) -> Option<usize> {
        (self.upper < usize::MAX).then_some(self.upper)
    }

    /// Like [`of`](Self::of), but returns the lower bound alone if a limit was reached before there was a solution.
    pub(crate) fn of_large(report: &Report) -> Option<Self> {
        let lower = report.lower_bound.map_or(0, |bound| bound as usize);
        let stopped = matches!(report.status, Status::Stopped(_));
        Self::of(report).or(stopped.then_some(Self { lower, upper: usize::MAX }))
    }

    /// Returns the bounds that a report proves for the distance of its start, or `None` if it has no solution.
    pub fn of(report: &Report) -> Option<Self> {
        let upper = report.length()?;
        let lower = if report.optimal { upper } else { report.lower_bound.unwrap_or(0) as usize };
        Some(Self { lower: lower.min(upper), upper })
    }
}
