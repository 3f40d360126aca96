//! The eight realms: eight classic programs, each a step up from the previous one. The command `realms` and the page
//! call them through [`study`](crate::study).

use loyd_search::{CancelToken, ClosedKind, Event, FrontierKind, Observer};

use super::searches::reborrow;
use crate::choices::HeuristicChoice;
use crate::config::Config;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::solver::Solver;

/// One of the eight programs: an algorithm with its duplicate detection and heuristic.
#[derive(Clone, Copy, Debug)]
pub struct Realm {
    /// The number of the realm, from 1 to 8.
    pub number: u8,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The closed list, if the algorithm keeps one.
    pub closed: Option<ClosedKind>,
    /// The name of the heuristic, if the algorithm uses one.
    pub heuristic: Option<&'static str>,
    /// The open list of best-first searches.
    pub open: FrontierKind,
}

const fn realm(
    number: u8,
    algorithm: &'static str,
    closed: Option<ClosedKind>,
    heuristic: Option<&'static str>,
) -> Realm {
    Realm { number, algorithm, closed, heuristic, open: FrontierKind::Heap }
}

/// The eight realms, in order.
pub const REALMS: [Realm; 8] = [
    realm(1, "bfs", Some(ClosedKind::Ordered), None),
    realm(2, "bfs", Some(ClosedKind::Hashed), None),
    realm(3, "bfs", Some(ClosedKind::Ranked), None),
    realm(4, "bibfs", Some(ClosedKind::Ranked), None),
    realm(5, "astar", Some(ClosedKind::Ordered), Some("misplaced")),
    realm(6, "astar", Some(ClosedKind::Hashed), Some("manhattan")),
    realm(7, "astar", Some(ClosedKind::Ranked), Some("manhattan")),
    realm(8, "idastar", None, Some("manhattan")),
];

/// The results of a realm on a set of boards, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RealmTotals {
    /// Number of boards solved.
    pub solved: u64,
    /// Number of boards proved unsolvable, by parity or by exhaustion.
    pub unsolvable: u64,
    /// Number of boards on which a limit was reached.
    pub stopped: u64,
    /// Total length of the solutions.
    pub moves: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Generated nodes that had been generated before.
    pub duplicates: u64,
    /// Maximum number of bytes that a single search held.
    pub peak_bytes: u64,
    /// Total time of all searches, in nanoseconds.
    pub elapsed_ns: u64,
}

impl Realm {
    /// Returns a realm outside the eight: any algorithm, with its default closed list.
    pub const fn of(number: u8, algorithm: &'static str, heuristic: Option<&'static str>) -> Self {
        realm(number, algorithm, None, heuristic)
    }

    /// Returns the configuration of the realm, with the limits and the clock of `config`.
    pub fn config(&self, config: &Config) -> Config {
        Config {
            algorithm: Some(self.algorithm),
            heuristic: self.heuristic.map(HeuristicChoice::Named),
            closed: self.closed,
            open: self.open,
            limits: config.limits,
            clock: config.clock,
            ..Config::default()
        }
    }

    /// Returns the realm for boards of `cells` cells: large boards have too many states for an array with an entry per
    /// state, so they get a hashed closed list.
    fn on(&self, cells: usize) -> Self {
        match self.closed {
            Some(ClosedKind::Ranked) if cells > RANKED_CELLS => {
                Self { closed: Some(ClosedKind::Hashed), ..*self }
            }
            _ => *self,
        }
    }

    /// Solves all `problems`, with the limits and the clock of `config`. Boards of more than ten cells get a hashed
    /// closed list in place of a ranked one.
    ///
    /// # Errors
    /// Returns an error if `config` has costs by tile, or if the algorithm does not support one of the boards.
    pub fn run(
        &self,
        problems: &[Problem],
        config: &Config,
        cancel: &CancelToken,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Vec<Report>, Error> {
        if !config.costs.is_unit() {
            return Err(Error::CostsUnsupported("realms"));
        }
        let solver = |cells: usize| Solver::new(self.on(cells).config(config));
        let (small, large) = (solver(RANKED_CELLS)?, solver(RANKED_CELLS + 1)?);
        let solve = |(number, problem): (u64, &Problem)| {
            let is_small = problem.start().size().cells() <= RANKED_CELLS;
            let solver = if is_small { &small } else { &large };
            if let Some(observer) = &mut observer {
                // If the observer returns `Break` here, it will do so again in the search, which then stops.
                let _ = observer.event(Event::Board { number });
            }
            solver.solve_watched(problem, cancel, reborrow(&mut observer))
        };
        (1..).zip(problems).map(solve).collect()
    }
}

/// Maximum number of cells of boards with a ranked closed list, which is an array of all states.
const RANKED_CELLS: usize = 10;

impl RealmTotals {
    /// Adds up `reports`.
    pub fn of(reports: &[Report]) -> Self {
        let mut totals = Self::default();
        for report in reports {
            match report.status {
                Status::Solved => totals.solved += 1,
                Status::Unsolvable | Status::Exhausted => totals.unsolvable += 1,
                Status::Stopped(_) => totals.stopped += 1,
            }
            totals.moves += report.length().unwrap_or(0) as u64;
            totals.expanded += report.stats.expanded;
            totals.generated += report.stats.generated;
            totals.duplicates += report.stats.duplicates;
            totals.peak_bytes = totals.peak_bytes.max(report.stats.peak_bytes);
            totals.elapsed_ns += report.stats.elapsed.as_nanos() as u64;
        }
        totals
    }
}
