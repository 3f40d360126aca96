//! Answers as good as is asked for, where how to search is left to Loyd.

use std::fmt;
use std::str::FromStr;

use loyd_heuristics::LinearConflict;
use loyd_search::{CancelToken, Cost, Heuristic, Limits, Meter, Observer, Outcome, Stats, Stop};
use loyd_tiles::{BoardSpace, Metric, Move, Relabelling, Solvability};

use crate::algorithms::WASTAR;
use crate::config::{Config, Weight};
use crate::dispatch::{SolvedSpace, SolvedSteps, SpaceVisitor, with_space};
use crate::error::Error;
use crate::fast;
use crate::heuristics::{Guide, Kind};
use crate::patterns::TableChoice;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::solver::{Run, Solver};

/// How good answers have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Proved to be shortest.
    Optimal,
    /// Proved to be at most this times as long as a shortest one.
    Bounded(Weight),
    /// Good, and there at once on boards of any size; the report tells what is proved about it.
    Fast,
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal => f.write_str("optimal"),
            Self::Bounded(weight) => write!(f, "bounded={weight}"),
            Self::Fast => f.write_str("fast"),
        }
    }
}

impl FromStr for Quality {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownQuality(text.to_owned());
        match text {
            "optimal" => Ok(Self::Optimal),
            "fast" => Ok(Self::Fast),
            _ => {
                let weight = text.strip_prefix("bounded=").ok_or_else(unknown)?;
                Ok(Self::Bounded(weight.parse().map_err(|_| unknown())?))
            }
        }
    }
}

/// Refuses a choice of how to search beside a quality.
pub(crate) fn check(config: &Config) -> Result<(), Error> {
    let Some(quality) = config.quality else { return Ok(()) };
    let chosen = [
        (config.algorithm.is_some(), "the algorithm"),
        (config.heuristic.is_some(), "the heuristic"),
        (config.weight.is_some(), "the weight"),
        (config.closed.is_some(), "the duplicate detection"),
        (config.tables != TableChoice::Default && quality != Quality::Optimal, "the tables"),
        (config.metric != Metric::SingleTile && quality != Quality::Optimal, "the metric mtm"),
        (!config.parity_check, "going without the parity test"),
    ];
    match chosen.into_iter().find(|(chosen, _)| *chosen) {
        Some((_, option)) => Err(Error::QualityDecides { quality, option }),
        None => Ok(()),
    }
}

/// Boards of at most so many cells are given to weighted A* before improving is tried.
const FEW_CELLS: usize = 25;

/// Solves `problem` with [`Quality::Fast`].
pub(crate) fn fast(
    solver: &Solver,
    problem: &Problem,
    cancel: &CancelToken,
    observer: Option<&mut dyn Observer>,
) -> Result<Report, Error> {
    let Config { improve, mut limits, .. } = *solver.config();
    if !improve.is_zero() {
        limits.max_time = Some(limits.max_time.map_or(improve, |limit| limit.min(improve)));
    }
    attempt(solver, problem, limits, cancel, observer, |try_| {
        let enough = if improve.is_zero() { usize::MAX } else { try_.lower_bound as usize };
        let (moves, stop) = fast::answer(problem, enough, try_.meter);
        // Other limits end the improving, and the answer is there.
        let cancelled = stop.filter(|&stop| stop == Stop::Cancelled);
        (cancelled.map_or(Status::Solved, Status::Stopped), Answer { moves, within: None })
    })
}

/// Solves `problem` with [`Quality::Bounded`].
pub(crate) fn bounded(
    solver: &Solver,
    weight: Weight,
    problem: &Problem,
    cancel: &CancelToken,
    observer: Option<&mut dyn Observer>,
) -> Result<Report, Error> {
    let mut plan = Plan::new(
        &Config {
            quality: None,
            algorithm: Some(&WASTAR),
            heuristic: Some(Guide::of_kind(Kind::LinearConflict)),
            weight: Some(weight),
            ..solver.config().clone()
        },
        problem,
    )?;
    plan.weight = weight;
    let limits = solver.config().limits;
    attempt(solver, problem, limits, cancel, observer, |try_| {
        let enough = weight.times(try_.lower_bound);
        let patience = problem.goal().size().cells() > FEW_CELLS;
        let first = if patience { enough } else { usize::MAX };
        let (moves, stop) = fast::answer(problem, first, try_.meter);
        if moves.len() <= enough {
            return (Status::Solved, Answer { moves, within: None });
        }
        let outcome = match stop {
            Some(stop) => Outcome::Stopped(stop),
            None => (WASTAR.run)(&Run::new(problem, &plan, solver.tables()), try_.meter),
        };
        match outcome {
            Outcome::Solved { path, .. } => {
                let moves = if path.len() <= moves.len() { path } else { moves };
                (Status::Solved, Answer { moves, within: Some(weight) })
            }
            Outcome::Stopped(stop) => (Status::Stopped(stop), Answer { moves, within: None }),
            Outcome::Exhausted => unreachable!("parity says that there is an answer"),
        }
    })
}

/// What an attempt has to work with.
struct Attempt<'a, 'o> {
    lower_bound: Cost,
    meter: &'a mut Meter<'o>,
}

/// An answer, and what its search proves about it beside the lower bound.
struct Answer {
    moves: Vec<Move>,
    within: Option<Weight>,
}

/// Tests parity, solves the problem by `solve`, and reports.
fn attempt(
    solver: &Solver,
    problem: &Problem,
    limits: Limits,
    cancel: &CancelToken,
    observer: Option<&mut dyn Observer>,
    solve: impl FnOnce(Attempt<'_, '_>) -> (Status, Answer),
) -> Result<Report, Error> {
    let mut meter = Meter::new(limits, cancel.clone());
    if let Some(observer) = observer {
        meter = meter.observed_by(observer);
    }
    let labels = Relabelling::new(problem.goal());
    let quality = solver.config().quality;
    let mut report = Report {
        problem: problem.clone(),
        status: Status::Unsolvable,
        moves: None,
        optimal: false,
        within: None,
        lower_bound: None,
        metric: Metric::SingleTile,
        algorithm: if quality == Some(Quality::Fast) { "fast" } else { "bounded" },
        heuristic: Some(Guide::of_kind(Kind::LinearConflict).name()),
        tables: None,
        weight: match quality {
            Some(Quality::Bounded(weight)) => Some(weight),
            _ => None,
        },
        closed: None,
        stats: Stats::default(),
    };
    if problem.is_solved_by(problem.start()) {
        report.status = Status::Solved;
        (report.moves, report.optimal, report.lower_bound) = (Some(Vec::new()), true, Some(0));
    } else if Solvability::test(problem.start(), &labels) {
        let lower_bound = with_space(problem, Metric::SingleTile, LowerBound(problem));
        let (status, answer) = solve(Attempt { lower_bound, meter: &mut meter });
        let length = answer.moves.len();
        let too_deep = limits.max_depth.is_some_and(|limit| length > limit as usize);
        report.lower_bound = Some(lower_bound);
        report.status = if too_deep { Status::Stopped(Stop::Depth) } else { status };
        report.optimal = !too_deep && length == lower_bound as usize;
        let by_bound = Weight::of(length.max(1), lower_bound.max(1));
        let proved = [by_bound, answer.within].into_iter().flatten();
        report.within = proved.min_by_key(|weight| weight.times(10_000)).filter(|_| !too_deep);
        report.moves = (!too_deep).then_some(answer.moves);
    }
    report.stats = meter.finish();
    Ok(report)
}

/// Linear conflict of the start: no answer is shorter.
struct LowerBound<'a>(&'a Problem);

impl SpaceVisitor for LowerBound<'_> {
    type Output = Cost;

    fn visit<S: SolvedSpace>(self, _: &S) -> Cost {
        unreachable!("qualities are of single tiles")
    }

    fn visit_steps<S: SolvedSteps>(self, space: &S) -> Cost {
        let conflicts = LinearConflict::new(space.relabelling());
        let conflicts = conflicts.of_wanted(|label| space.is_wanted(label));
        conflicts.h(space, &BoardSpace::encode(space, self.0.start()))
    }
}

#[cfg(test)]
mod tests;
