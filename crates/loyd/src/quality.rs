//! Answers as good as is asked for, where how to search is left to Loyd.

use std::fmt;
use std::str::FromStr;

use loyd_heuristics::LinearConflict;
use loyd_heuristics::pdb::MAX_CELLS;
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
        (!config.parity_check, "going without the parity test"),
    ];
    match chosen.into_iter().find(|(chosen, _)| *chosen) {
        Some((_, option)) => Err(Error::QualityDecides { quality, option }),
        None => Ok(()),
    }
}

/// Boards of at most so many cells are searched before improving is tried.
const FEW_CELLS: usize = 25;

/// An answer, and what its search proves about it beside the lower bound.
struct Answer {
    status: Status,
    moves: Vec<Move>,
    within: Option<Weight>,
    heuristic: Option<&'static str>,
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
    let metric = solver.config().metric;
    let mut meter = meter(limits, cancel, observer);
    let report = |found, meter: Meter<'_>| {
        let how = (quality.name(), metric);
        Report { weight, ..Report::of(problem, found, how, meter.finish()) }
    };
    if let Some(settled) = solver.settled(problem) {
        let optimal = settled.0 == Status::Solved;
        let lower_bound = optimal.then_some(0);
        return Ok(Report { optimal, lower_bound, ..report(settled, meter) });
    }
    let least = with_space(problem, metric, LowerBound(problem));
    let Answer { status, moves, within, heuristic } = match weight {
        Some(weight) => bounded(solver, weight, problem, least, &mut meter)?,
        None => fast(solver, problem, least, &mut meter),
    };
    let length = metric.length(&moves);
    if limits.max_depth.is_some_and(|limit| length > limit as usize) {
        let none = report((Status::Stopped(Stop::Depth), None), meter);
        return Ok(Report { heuristic, lower_bound: Some(least), ..none });
    }
    let proved = [Weight::of(length, least), within].into_iter().flatten();
    let within = proved.min_by_key(|weight| weight.times(10_000));
    let optimal = within.is_some_and(Weight::is_one);
    let lower_bound = within.map_or(0, |weight| weight.least(length)).max(least);
    let found = report((status, Some(moves)), meter);
    Ok(Report { optimal, within, heuristic, lower_bound: Some(lower_bound), ..found })
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
    let status = cancelled.map_or(Status::Solved, Status::Stopped);
    Answer { status, moves, within: None, heuristic: by_hand(solver) }
}

/// The heuristic that makes the lower bound.
fn by_hand(solver: &Solver) -> Option<&'static str> {
    let steps = solver.config().metric == Metric::SingleTile;
    steps.then(|| Guide::of_kind(Kind::LinearConflict).name())
}

/// The answer of [`Quality::Fast`] if that is good enough; else a shortest one where such boards are solved
/// in no time, and that of weighted A* where they are not.
fn bounded(
    solver: &Solver,
    weight: Weight,
    problem: &Problem,
    least: Cost,
    meter: &mut Meter<'_>,
) -> Result<Answer, Error> {
    let config = Config { quality: None, ..solver.config().clone() };
    let (metric, cells) = (config.metric, problem.goal().size().cells());
    let enough = weight.times(least);
    let improves = cells > FEW_CELLS && metric == Metric::SingleTile;
    let (moves, stop) = fast::answer(problem, if improves { enough } else { usize::MAX }, meter);
    let answer = Answer { status: Status::Solved, moves, within: None, heuristic: by_hand(solver) };
    let length = metric.length(&answer.moves);
    if length <= enough {
        return Ok(answer);
    }
    let mut plan = Plan::new(&config, problem)?;
    if cells > MAX_CELLS && plan.algorithm.uses_heuristic {
        let (algorithm, heuristic) = (Some(&WASTAR), Some(plan.guide));
        plan =
            Plan::new(&Config { algorithm, heuristic, weight: Some(weight), ..config }, problem)?;
    }
    let run = Run::new(problem, &plan, solver.tables());
    let outcome = match stop {
        Some(stop) => Outcome::Stopped(stop),
        None => (plan.algorithm.run)(&run, meter),
    };
    let heuristic = plan.algorithm.uses_heuristic.then(|| run.guide().name());
    Ok(match outcome {
        Outcome::Solved { path, .. } => {
            let within = Some(if run.proves_shortest() { Weight::ONE } else { weight });
            let is_shorter = metric.length(&path) <= length;
            let moves = if is_shorter { path } else { answer.moves };
            Answer { status: Status::Solved, moves, within, heuristic }
        }
        Outcome::Stopped(stop) => Answer { status: Status::Stopped(stop), heuristic, ..answer },
        Outcome::Exhausted => unreachable!("parity says that there is an answer"),
    })
}

/// Linear conflict of the start, where it holds: no answer is shorter.
struct LowerBound<'a>(&'a Problem);

impl SpaceVisitor for LowerBound<'_> {
    type Output = Cost;

    /// What is not solved needs a slide.
    fn visit<S: SolvedSpace>(self, _: &S) -> Cost {
        1
    }

    fn visit_steps<S: SolvedSteps>(self, space: &S) -> Cost {
        let conflicts = LinearConflict::new(space.relabelling());
        let conflicts = conflicts.of_constrained(|label| space.is_constrained(label));
        conflicts.h(space, &BoardSpace::encode(space, self.0.start())).max(1)
    }
}

#[cfg(test)]
mod tests;
