//! Solutions as good as is asked for, where how to search is left to Loyd.

use loyd_heuristics::LinearConflict;
use loyd_heuristics::pdb::DENSE_CELLS;
use loyd_search::{CancelToken, Cost, Heuristic, Limits, Meter, Observer, Outcome, Stop};
use loyd_tiles::{BoardSpace, Metric, Move};

use crate::algorithms::{Run, WASTAR};
use crate::attempt::{meter, settled};
use crate::choices::{HeuristicChoice, Quality, TableChoice, Weight};
use crate::config::Config;
use crate::error::Error;
use crate::fast;
use crate::heuristics::LINEAR_CONFLICT;
use crate::plan::plan;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::space::{AnySpace, in_space};
use crate::tables::Tables;

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

/// A solution, and what its search proves about it beside the lower bound.
struct Found {
    status: Status,
    moves: Vec<Move>,
    within: Option<Weight>,
    heuristic: Option<&'static str>,
}

/// Solves `problem` with [`Quality::Fast`] or [`Quality::Bounded`].
pub(crate) fn solve(
    config: &Config,
    tables: &Tables,
    quality: Quality,
    problem: &Problem,
    (cancel, observer): (&CancelToken, Option<&mut dyn Observer>),
) -> Result<Report, Error> {
    let (limits, weight) = match quality {
        Quality::Bounded(weight) => (config.limits, Some(weight)),
        _ => (limits_of_fast(config), None),
    };
    let metric = config.metric;
    let mut meter = meter(config, limits, cancel, observer);
    let report = |found, meter: Meter<'_>| {
        let how = (quality.name(), metric);
        Report { weight, ..Report::of(problem, found, how, meter.finish()) }
    };
    if let Some(settled) = settled(config, problem) {
        let optimal = settled.0 == Status::Solved;
        let lower_bound = optimal.then_some(0);
        return Ok(Report { optimal, lower_bound, ..report(settled, meter) });
    }
    let least = lower_bound(problem, metric);
    let Found { status, moves, within, heuristic } = match weight {
        Some(weight) => bounded((config, tables), weight, problem, least, &mut meter)?,
        None => fast(config, problem, least, &mut meter),
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

/// Improving ends when it is time, and the solution is there.
fn limits_of_fast(config: &Config) -> Limits {
    let Config { improve, mut limits, .. } = *config;
    if !improve.is_zero() {
        limits.max_time = Some(limits.max_time.map_or(improve, |limit| limit.min(improve)));
    }
    limits
}

fn fast(config: &Config, problem: &Problem, least: Cost, meter: &mut Meter<'_>) -> Found {
    let enough = if config.improve.is_zero() { usize::MAX } else { least as usize };
    let (moves, stop) = fast::solution(problem, enough, meter);
    let cancelled = stop.filter(|&stop| stop == Stop::Cancelled);
    let status = cancelled.map_or(Status::Solved, Status::Stopped);
    Found { status, moves, within: None, heuristic: bound_heuristic(config) }
}

/// The heuristic that makes the lower bound.
pub(crate) fn bound_heuristic(config: &Config) -> Option<&'static str> {
    (config.metric == Metric::SingleTile).then_some(LINEAR_CONFLICT.name)
}

/// The solution of [`Quality::Fast`] if that is good enough; else a shortest one where such boards are solved
/// in no time, and that of weighted A* where they are not.
fn bounded(
    (config, tables): (&Config, &Tables),
    weight: Weight,
    problem: &Problem,
    least: Cost,
    meter: &mut Meter<'_>,
) -> Result<Found, Error> {
    let config = Config { quality: None, ..config.clone() };
    let (metric, cells) = (config.metric, problem.goal().size().cells());
    let enough = weight.times(least);
    let improves = cells > FEW_CELLS && metric == Metric::SingleTile;
    let (moves, stop) = fast::solution(problem, if improves { enough } else { usize::MAX }, meter);
    let found =
        Found { status: Status::Solved, moves, within: None, heuristic: bound_heuristic(&config) };
    let length = metric.length(&found.moves);
    if length <= enough {
        return Ok(found);
    }
    let mut config = config;
    let mut choices = plan(&config, problem)?;
    if cells > DENSE_CELLS && choices.algorithm.uses_heuristic {
        config.algorithm = Some(WASTAR.name);
        config.heuristic = Some(HeuristicChoice::Named(choices.heuristic.name));
        config.weight = Some(weight);
        choices = plan(&config, problem)?;
    }
    let run = Run { problem, plan: &choices, config: &config, tables };
    let finished = match stop {
        Some(stop) => Err(stop),
        None => (choices.algorithm.run)(&run, meter),
    };
    let (outcome, stage) = match finished {
        Ok(finished) => (finished.outcome, finished.stage.or(choices.stages.last())),
        Err(stop) => (Outcome::Stopped(stop), choices.stages.last()),
    };
    let stage = stage.filter(|_| choices.algorithm.uses_heuristic);
    let heuristic = stage.map(|stage| stage.heuristic.name);
    Ok(match outcome {
        Outcome::Solved { path, .. } => {
            let within = Some(if choices.proves_shortest() { Weight::ONE } else { weight });
            let is_shorter = metric.length(&path) <= length;
            let moves = if is_shorter { path } else { found.moves };
            Found { status: Status::Solved, moves, within, heuristic }
        }
        Outcome::Stopped(stop) => Found { status: Status::Stopped(stop), heuristic, ..found },
        Outcome::Exhausted => unreachable!("parity says that there is a solution"),
    })
}

/// Linear conflict of the start, where it holds: no solution is shorter.
pub(crate) fn lower_bound(problem: &Problem, metric: Metric) -> Cost {
    // What is not solved needs a slide.
    if metric == Metric::MultiTile {
        return 1;
    }
    let conflicts = in_space!(&AnySpace::new(problem, metric), space => {
        let conflicts = LinearConflict::new(space.relabelling());
        let conflicts = conflicts.of_constrained(|label| space.is_constrained(label));
        conflicts.h(space.steps(), &space.encode(problem.start()))
    });
    conflicts.max(1)
}
