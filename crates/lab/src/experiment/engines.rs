//! Comparison of Loyd's own searches.

use loyd::search::{ClosedKind, Stats, Status, Stop};
use loyd::{CancelToken, Config, Solver};
use rayon::prelude::*;

use super::textbook::{KnownBoard, problem};
use crate::plot::{Axis, Figure, Marks, Series, quartiles};

/// A named search.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// Name of the algorithm, and of the heuristic if one is used.
    pub name: &'static str,
    algorithm: &'static str,
    heuristic: Option<&'static str>,
    closed: Option<ClosedKind>,
}

/// Breadth-first search.
pub const BFS: Engine =
    Engine { name: "bfs", algorithm: "bfs", heuristic: None, closed: Some(ClosedKind::Hashed) };
/// Bidirectional breadth-first search.
pub const BIBFS: Engine =
    Engine { name: "bibfs", algorithm: "bibfs", heuristic: None, closed: Some(ClosedKind::Hashed) };
/// Iterative deepening.
pub const IDDFS: Engine =
    Engine { name: "iddfs", algorithm: "iddfs", heuristic: None, closed: None };
/// A* with Manhattan distance.
pub const ASTAR: Engine = Engine::astar("astar", "manhattan");
/// IDA* with Manhattan distance.
pub const IDASTAR: Engine =
    Engine { name: "idastar", algorithm: "idastar", heuristic: Some("manhattan"), closed: None };

impl Engine {
    /// A* with the given heuristic and a hashed closed list.
    pub const fn astar(name: &'static str, heuristic: &'static str) -> Self {
        let (heuristic, closed) = (Some(heuristic), Some(ClosedKind::Hashed));
        Self { name, algorithm: "astar", heuristic, closed }
    }

    fn solver(&self) -> Solver {
        let config = Config {
            algorithm: Some(self.algorithm),
            heuristic: self.heuristic.map(Into::into),
            closed: self.closed,
            ..Config::default()
        };
        Solver::new(config).expect("the options of an engine are compatible")
    }

    fn solve(
        &self,
        solver: &Solver,
        &(state, distance): &KnownBoard,
        cancel: &CancelToken,
    ) -> Result<(u32, Stats), Stop> {
        let report = solver.solve_watched(&problem(&state), cancel, None);
        let report = report.expect("the engines of experiments support 3x3 boards");
        if let Status::Stopped(stop) = report.status {
            return Err(stop);
        }
        assert_eq!(report.length(), Some(distance as usize), "{} {state:?}", self.name);
        Ok((distance, report.stats))
    }
}

/// Results of a search: for each board, the length of a shortest solution and the statistics.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The search.
    pub engine: Engine,
    /// One pair per board.
    pub runs: Vec<(u32, Stats)>,
}

impl Runs {
    /// Solves all boards on all threads.
    ///
    /// # Errors
    /// Returns [`Stop::Cancelled`] once `cancel` is set.
    ///
    /// # Panics
    /// Panics if a solution is longer than the distance that the textbook breadth-first search found.
    pub fn new(engine: Engine, boards: &[KnownBoard], cancel: &CancelToken) -> Result<Self, Stop> {
        let solver = engine.solver();
        let runs = boards.par_iter().map(|known| engine.solve(&solver, known, cancel));
        Ok(Self { engine, runs: runs.collect::<Result<_, Stop>>()? })
    }

    /// Like [`new`](Self::new), but on one thread, for measuring times.
    ///
    /// # Errors
    /// Returns [`Stop::Cancelled`] once `cancel` is set.
    pub fn sequential(
        engine: Engine,
        boards: &[KnownBoard],
        cancel: &CancelToken,
    ) -> Result<Self, Stop> {
        let solver = engine.solver();
        let runs = boards.iter().map(|known| engine.solve(&solver, known, cancel));
        Ok(Self { engine, runs: runs.collect::<Result<_, Stop>>()? })
    }

    /// Returns the quartiles of a count for each length that occurs.
    pub fn by_length(&self, count: fn(&Stats) -> f64) -> Vec<(u32, [f64; 3])> {
        let last = self.runs.iter().map(|run| run.0).max().unwrap_or(0);
        let of_length = |length: u32| {
            let runs = self.runs.iter().filter(|run| run.0 == length);
            Some((length, quartiles(runs.map(|(_, stats)| count(stats)).collect())?))
        };
        (0..=last).filter_map(of_length).collect()
    }

    /// Returns the median number of expanded nodes for boards of a length.
    pub fn median_expanded(&self, length: u32) -> f64 {
        let lengths = self.by_length(expanded);
        lengths.iter().find(|entry| entry.0 == length).map_or(f64::NAN, |entry| entry.1[1])
    }

    /// Returns the mean of a count over all boards.
    pub fn mean(&self, count: fn(&Stats) -> f64) -> f64 {
        self.runs.iter().map(|(_, stats)| count(stats)).sum::<f64>() / self.runs.len() as f64
    }
}

/// Returns the number of expanded nodes.
pub fn expanded(stats: &Stats) -> f64 {
    stats.expanded as f64
}

/// Plots expanded nodes by length: medians and quartiles.
pub fn expanded_figure(title: &str, note: &str, all: &[Runs]) -> Figure {
    let series = |runs: &Runs| {
        let points = runs.by_length(expanded).into_iter();
        let points = points.map(|(length, quartiles)| (f64::from(length), quartiles));
        Series { name: runs.engine.name.to_owned(), marks: Marks::Quartiles(points.collect()) }
    };
    Figure {
        title: title.to_owned(),
        note: format!("{note}; median, and the area between the quartiles"),
        x: Axis::linear("length of a shortest solution (moves)"),
        y: Axis::log("expanded (nodes)"),
        series: all.iter().map(series).collect(),
    }
}
