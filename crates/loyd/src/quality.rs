//! Answers as good as is asked for, where how to search is left to Loyd.

use std::fmt;
use std::str::FromStr;

use loyd_heuristics::LinearConflict;
use loyd_search::{CancelToken, Cost, Heuristic, Limits, Meter, Observer, Outcome, Stop};
use loyd_tiles::{BoardSpace, Metric, Move};

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
use crate::solver::{Run, Solver, meter};

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

impl Quality {
    /// `optimal`, `bounded` or `fast`.
    fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Bounded(_) => "bounded",
            Self::Fast => "fast",
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounded(weight) => write!(f, "{}={weight}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

impl FromStr for Quality {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownQuality(text.to_owned());
        let (name, quality) = match text.split_once('=') {
            Some((name, weight)) => (name, Self::Bounded(weight.parse().map_err(|_| unknown())?)),
            None if text == Self::Fast.name() => (text, Self::Fast),
            None => (text, Self::Optimal),
        };
        if name == quality.name() { Ok(quality) } else { Err(unknown()) }
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

/// An answer, and what its search proves about it beside the lower bound.
struct Answer {
    status: Status,
    moves: Vec<Move>,
    within: Option<Weight>,
}

/// Solves `problem` with [`Quality::Fast`] or [`Quality::Bounded`].
pub(crate) fn solve(
    solver: &Solver,
    quality: Quality,
    problem: &Problem,
    cancel: &CancelToken,
    observer: Option<&mut dyn Observer>,
) -> Result<Report, Error> {
    let (limits, weight) = match quality {
        Quality::Bounded(weight) => (solver.config().limits, Some(weight)),
        _ => (limits_of_fast(solver.config()), None),
    };
    let mut meter = meter(limits, cancel, observer);
    let report = |found, meter: Meter<'_>| {
        let heuristic = Some(Guide::of_kind(Kind::LinearConflict).name());
        let how = (quality.name(), Metric::SingleTile);
        Report { heuristic, weight, ..Report::of(problem, found, how, meter.finish()) }
    };
    if let Some(settled) = solver.settled(problem) {
        let optimal = settled.0 == Status::Solved;
        let lower_bound = optimal.then_some(0);
        return Ok(Report { optimal, lower_bound, ..report(settled, meter) });
    }
    let least = with_space(problem, Metric::SingleTile, LowerBound(problem));
    let Answer { status, moves, within } = match weight {
        Some(weight) => bounded(solver, weight, problem, least, &mut meter)?,
        None => fast(solver, problem, least, &mut meter),
    };
    let length = moves.len();
    if limits.max_depth.is_some_and(|limit| length > limit as usize) {
        let none = report((Status::Stopped(Stop::Depth), None), meter);
        return Ok(Report { lower_bound: Some(least), ..none });
    }
    let proved = [Weight::of(length, least.max(1)), within].into_iter().flatten();
    let within = proved.min_by_key(|weight| weight.times(10_000));
    let optimal = within.is_some_and(Weight::is_one);
    let lower_bound = Some(if optimal { length as Cost } else { least });
    Ok(Report { optimal, within, lower_bound, ..report((status, Some(moves)), meter) })
}

/// Improving ends when it is time, and the answer is there.
fn limits_of_fast(config: &Config) -> Limits {
    let Config { improve, mut limits, .. } = *config;
    if !improve.is_zero() {
        limits.max_time = Some(limits.max_time.map_or(improve, |limit| limit.min(improve)));
    }
    limits
}

fn fast(solver: &Solver, problem: &Problem, least: Cost, meter: &mut Meter<'_>) -> Answer {
    let enough = if solver.config().improve.is_zero() { usize::MAX } else { least as usize };
    let (moves, stop) = fast::answer(problem, enough, meter);
    let cancelled = stop.filter(|&stop| stop == Stop::Cancelled);
    Answer { status: cancelled.map_or(Status::Solved, Status::Stopped), moves, within: None }
}

/// The answer of [`Quality::Fast`] if that is good enough, else that of weighted A*.
fn bounded(
    solver: &Solver,
    weight: Weight,
    problem: &Problem,
    least: Cost,
    meter: &mut Meter<'_>,
) -> Result<Answer, Error> {
    let config = Config {
        quality: None,
        algorithm: Some(&WASTAR),
        heuristic: Some(Guide::of_kind(Kind::LinearConflict)),
        weight: Some(weight),
        ..solver.config().clone()
    };
    let plan = Plan::new(&config, problem)?;
    let enough = weight.times(least);
    let is_small = problem.goal().size().cells() <= FEW_CELLS;
    let (moves, stop) = fast::answer(problem, if is_small { usize::MAX } else { enough }, meter);
    if moves.len() <= enough {
        return Ok(Answer { status: Status::Solved, moves, within: None });
    }
    let outcome = match stop {
        Some(stop) => Outcome::Stopped(stop),
        None => (WASTAR.run)(&Run::new(problem, &plan, solver.tables()), meter),
    };
    Ok(match outcome {
        Outcome::Solved { path, .. } => {
            let moves = if path.len() <= moves.len() { path } else { moves };
            Answer { status: Status::Solved, moves, within: Some(weight) }
        }
        Outcome::Stopped(stop) => Answer { status: Status::Stopped(stop), moves, within: None },
        Outcome::Exhausted => unreachable!("parity says that there is an answer"),
    })
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
