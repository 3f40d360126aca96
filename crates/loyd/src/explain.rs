//! Why a board can or cannot be solved, and how far it looks and is.

use loyd_search::{CancelToken, Cost, IncrementalHeuristic, Meter};
use loyd_tiles::{Board, Solvability};

use crate::config::Config;
use crate::dispatch::{InstanceVisitor, SolvedSpace, with_instance};
use crate::error::Error;
use crate::heuristics::{Guide, HEURISTICS, HeuristicRow, Kind};
use crate::problem::Problem;
use crate::report::Report;
use crate::solver::{Run, Solver};
use crate::wide::is_wide;

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
    /// The shortest answer, if there is one and the limits sufficed; `None` for unsolvable boards.
    pub answer: Option<Report>,
}

impl Explanation {
    /// The true distance, where it is known.
    pub fn distance(&self) -> Option<usize> {
        self.answer.as_ref().filter(|report| report.optimal).and_then(Report::length)
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
    let limits = config.limits;
    let solver = Solver::new(config)?;
    let (start, goal) = (problem.start(), problem.goal());
    let plan = solver.plan(problem)?;
    let estimate = |heuristic: &'static HeuristicRow| {
        let (guide, mut meter) = (Guide::Named(heuristic), Meter::new(limits, cancel.clone()));
        let run = Run::new(problem, &plan, solver.tables());
        let value = with_instance(&run, &guide, &mut meter, Value { start });
        value.ok().map(|value| Estimated { heuristic, value })
    };
    let solvability = Solvability::new(problem.start(), problem.goal());
    let told = |row: &&HeuristicRow| match row.kind {
        Kind::Exact => false,
        _ if !row.holds_for(plan.metric) => false,
        _ if problem.part().is_some() && !row.parts => false,
        Kind::Patterns if !solvability.is_solvable() => false,
        // Tables that take seconds to make, for a number.
        Kind::Subgoals if problem.part().is_none() => false,
        Kind::Patterns if is_wide(goal.size()) => false,
        _ => row.fits(goal.size()),
    };
    let rows = HEURISTICS.iter().filter(told);
    let estimates = rows.filter_map(estimate).collect();
    let answer = if solvability.is_solvable() {
        Some(solver.solve_watched(problem, cancel, None)?)
    } else {
        None
    };
    Ok(Explanation { solvability, estimates, answer })
}

/// The heuristic's value for the start.
struct Value<'a> {
    start: &'a Board,
}

impl InstanceVisitor for Value<'_> {
    type Output = Cost;

    fn visit<S: SolvedSpace, H: IncrementalHeuristic<S>>(
        self,
        space: &S,
        h: &H,
        _: &mut Meter<'_>,
    ) -> Cost {
        h.h(space, &space.encode(self.start))
    }
}
