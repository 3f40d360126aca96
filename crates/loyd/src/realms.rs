//! The eight realms: eight classic programs, each a step up from the one before.

use loyd_search::{CancelToken, Closed, Event, Observer, OpenList};

use crate::choices::HeuristicChoice;
use crate::config::Config;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::searches::reborrow;
use crate::solver::Solver;

/// One step: an algorithm with its duplicate detection and heuristic.
#[derive(Clone, Copy, Debug)]
pub struct Realm {
    /// 1 to 8.
    pub number: u8,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// Duplicate detection, where it is kept.
    pub closed: Option<Closed>,
    /// The name of the heuristic, where one is used.
    pub heuristic: Option<&'static str>,
    /// The open list, where the realm is about it.
    pub open: OpenList,
}

const fn realm(
    number: u8,
    algorithm: &'static str,
    closed: Option<Closed>,
    heuristic: Option<&'static str>,
) -> Realm {
    Realm { number, algorithm, closed, heuristic, open: OpenList::Heap }
}

/// The eight realms, in order.
pub const REALMS: [Realm; 8] = [
    realm(1, "bfs", Some(Closed::Ordered), None),
    realm(2, "bfs", Some(Closed::Hashed), None),
    realm(3, "bfs", Some(Closed::Ranked), None),
    realm(4, "bibfs", Some(Closed::Ranked), None),
    realm(5, "astar", Some(Closed::Ordered), Some("misplaced")),
    realm(6, "astar", Some(Closed::Hashed), Some("manhattan")),
    realm(7, "astar", Some(Closed::Ranked), Some("manhattan")),
    realm(8, "idastar", None, Some("manhattan")),
];

/// What a realm did on a set of boards, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RealmTotals {
    /// Boards that were solved.
    pub solved: u64,
    /// Boards that cannot be solved, by parity or by exhaustion.
    pub unsolvable: u64,
    /// Boards on which a limit was reached.
    pub stopped: u64,
    /// Moves of all solutions.
    pub moves: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Generated nodes that were known already.
    pub duplicates: u64,
    /// The most bytes that any one search held.
    pub peak_bytes: u64,
    /// Nanoseconds, all searches together.
    pub elapsed_ns: u64,
}

impl Realm {
    /// A realm besides the eight: any algorithm, with what it takes by default.
    pub const fn of(number: u8, algorithm: &'static str, heuristic: Option<&'static str>) -> Self {
        realm(number, algorithm, None, heuristic)
    }

    /// The realm as a configuration, with the limits and the clock of `config`.
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

    /// The realm on boards of so many cells: an array with an entry for each state is for small boards.
    fn on(&self, cells: usize) -> Self {
        match self.closed {
            Some(Closed::Ranked) if cells > RANKED_CELLS => {
                Self { closed: Some(Closed::Hashed), ..*self }
            }
            _ => *self,
        }
    }

    /// Solves all `problems`, with the limits and the clock of `config`. Boards of more than ten cells have hashed
    /// closed lists in place of ranked ones.
    ///
    /// # Errors
    /// When the realm cannot work on one of the boards.
    pub fn run(
        &self,
        problems: &[Problem],
        config: &Config,
        cancel: &CancelToken,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Vec<Report>, Error> {
        let solver = |cells: usize| Solver::new(self.on(cells).config(config));
        let (small, large) = (solver(RANKED_CELLS)?, solver(RANKED_CELLS + 1)?);
        let solve = |(number, problem): (u64, &Problem)| {
            let is_small = problem.start().size().cells() <= RANKED_CELLS;
            let solver = if is_small { &small } else { &large };
            if let Some(observer) = &mut observer {
                // If it breaks off, the search does so, too.
                let _ = observer.event(Event::Board { number });
            }
            solver.solve_watched(problem, cancel, reborrow(&mut observer))
        };
        (1..).zip(problems).map(solve).collect()
    }
}

/// Boards of more cells have too many states for an array of all of them.
const RANKED_CELLS: usize = 10;

impl RealmTotals {
    /// The sums of `reports`.
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
