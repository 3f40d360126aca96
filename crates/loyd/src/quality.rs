//! What qualities have in common, and solutions at once.

use loyd_heuristics::{LineCrossings, LinearConflict};
use loyd_search::{CancelToken, Cost, Heuristic, Limits, Meter, Observer, Stop};
use loyd_tiles::{BoardSpace, Metric};

use crate::attempt::{meter, settled};
use crate::choices::{Quality, TableChoice, Weight};
use crate::config::Config;
use crate::error::Error;
use crate::fast;
use crate::heuristics::{LINE_CROSSINGS, LINEAR_CONFLICT};
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::space::{AnySpace, in_space};

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

/// Solves `problem` with [`Quality::Fast`].
pub(crate) fn solve_fast(
    config: &Config,
    problem: &Problem,
    (cancel, observer): (&CancelToken, Option<&mut dyn Observer>),
) -> Report {
    let metric = config.metric;
    let mut meter = meter(config, limits_of_fast(config), cancel, observer);
    let report = |found, meter: Meter<'_>| {
        Report::of(problem, found, (Quality::Fast.name(), metric), meter.finish())
    };
    if let Some(settled) = settled(config, problem) {
        let optimal = settled.0 == Status::Solved;
        let lower_bound = optimal.then_some(0);
        return Report { optimal, lower_bound, ..report(settled, meter) };
    }
    let least = lower_bound(problem, metric);
    let enough = if config.improve.is_zero() { usize::MAX } else { least as usize };
    let (moves, stop) = fast::solution(problem, enough, &mut meter);
    let (lower_bound, heuristic) = (Some(least), bound_heuristic(config));
    let length = metric.length(&moves);
    if config.limits.max_depth.is_some_and(|limit| length > limit as usize) {
        let none = report((Status::Stopped(Stop::Depth), None), meter);
        return Report { heuristic, lower_bound, ..none };
    }
    let cancelled = stop.filter(|&stop| stop == Stop::Cancelled);
    let status = cancelled.map_or(Status::Solved, Status::Stopped);
    let within = Weight::of(length, least);
    let optimal = within.is_some_and(Weight::is_one);
    Report { optimal, within, heuristic, lower_bound, ..report((status, Some(moves)), meter) }
}

/// Improving ends when it is time, and the solution is there.
fn limits_of_fast(config: &Config) -> Limits {
    let Config { improve, mut limits, .. } = *config;
    if !improve.is_zero() {
        limits.max_time = Some(limits.max_time.map_or(improve, |limit| limit.min(improve)));
    }
    limits
}

/// The heuristic that makes the lower bound.
pub(crate) fn bound_heuristic(config: &Config) -> Option<&'static str> {
    Some(match config.metric {
        Metric::SingleTile => LINEAR_CONFLICT.name,
        Metric::MultiTile => LINE_CROSSINGS.name,
    })
}

/// Linear conflict of the start, or the alternating slides that the lines ask for: no solution is shorter.
pub(crate) fn lower_bound(problem: &Problem, metric: Metric) -> Cost {
    // The states are the same in both metrics.
    let least = in_space!(&AnySpace::new(problem, Metric::SingleTile), space => {
        let (labels, start) = (space.relabelling(), space.encode(problem.start()));
        let is_constrained = |label| space.is_constrained(label);
        let steps = space.steps();
        match metric {
            Metric::SingleTile => {
                LinearConflict::new(labels).of_constrained(is_constrained).h(steps, &start)
            }
            Metric::MultiTile => {
                let crossings = LineCrossings::new(labels).of_constrained(is_constrained);
                crossings.alternating(steps, &start)
            }
        }
    });
    // What is not solved needs a move.
    least.max(1)
}
