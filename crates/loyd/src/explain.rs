//! Why a board can or cannot be solved, and how far it looks and is.

use loyd_search::{CancelToken, Cost, Heuristic, Meter, Stop};
use loyd_tiles::{BoardSpace, Solvability};

use crate::algorithms::Run;
use crate::attempt::meter;
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::{HEURISTICS, HeuristicRow, Setting};
use crate::problem::Problem;
use crate::report::Report;
use crate::solver::Solver;
use crate::space::in_space;

/// What a heuristic says about a board.
#[derive(Clone, Copy, Debug)]
pub struct Estimated {
    /// The heuristic.
    pub heuristic: &'static HeuristicRow,
    /// Its value.
    pub value: Cost,
}

/// What there is to say about a problem.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Solvable or not, and why.
    pub solvability: Solvability,
    /// The value of each heuristic for boards of this size but the exact one, which is the true
    /// distance.
    pub estimates: Vec<Estimated>,
    /// The shortest solution, if there is one and the limits sufficed; `None` for unsolvable boards.
    pub solution: Option<Report>,
}

impl Explanation {
    /// The true distance, where it is known.
    pub fn distance(&self) -> Option<usize> {
        self.solution.as_ref().filter(|report| report.optimal).and_then(Report::length)
    }
}

/// Explains `problem`; the true distance is searched for with `config`.
///
/// # Errors
/// When `config` does not fit the board.
pub fn explain(
    problem: &Problem,
    config: Config,
    cancel: &CancelToken,
) -> Result<Explanation, Error> {
    let solver = Solver::new(config)?;
    let plan = solver.plan(problem)?;
    let run = solver.run(problem, &plan);
    let solvability = Solvability::new(problem.start(), problem.goal());
    let setting = run.setting();
    let is_told = |row: &HeuristicRow| {
        row.is_for(&setting)
            && (row.quick)(&setting)
            && (solvability.is_solvable() || !row.solvable_only)
    };
    let estimates = HEURISTICS.iter().filter(|row| is_told(row)).filter_map(|heuristic| {
        let mut meter = meter(solver.config(), solver.config().limits, cancel, None);
        let value = estimate(heuristic, &run, &setting, &mut meter).ok()?;
        Some(Estimated { heuristic, value })
    });
    let estimates = estimates.collect();
    let solution = if solvability.is_solvable() {
        Some(solver.solve_watched(problem, cancel, None)?)
    } else {
        None
    };
    Ok(Explanation { solvability, estimates, solution })
}

/// The value of a heuristic for the start.
///
/// # Errors
/// The limit that was reached while its tables were built, or that there are none.
fn estimate(
    row: &'static HeuristicRow,
    run: &Run<'_>,
    setting: &Setting<'_>,
    meter: &mut Meter<'_>,
) -> Result<Cost, Stop> {
    let stages = (row.stages)(row, setting).map_err(|_| Stop::Memory)?;
    let last = stages.last().filter(|stage| stage.heuristic.name == row.name);
    let heuristic = run.checked_heuristic(last.ok_or(Stop::Memory)?, meter)?;
    let start = run.problem.start();
    Ok(in_space!(&run.plan.space, space => heuristic.h(space, &space.encode(start))))
}
