//! Solves boards of more than [`Size::MAX_SEARCH_CELLS`] cells, which exact searches and heuristics do not support, and
//! bounds their solutions without a search.

use std::time::Duration;

use loyd_search::{CancelToken, Cost, Observer, Stop};
use loyd_tiles::Metric;
use loyd_tiles::notation::moves_to_string;

use super::lower_bounds::{
    bound_heuristic, conflicts, displacements, lower_bound, sum_of_distances,
};
use crate::attempt::{meter, trivial_result};
use crate::config::Config;
use crate::fast::LargeImprover;
use crate::heuristics::{HeuristicRow, LINEAR_CONFLICT, MANHATTAN, MISPLACED};
use crate::problem::Problem;
use crate::quality::{Quality, Weight};
use crate::report::{Bounds, Report, Status};

/// Solves `problem` with a quality other than [`Quality::Optimal`]: finds a solution immediately, and improves it until
/// a limit is reached if the quality and the configuration allow time for that. There is no solution if a limit is
/// reached before the first one, unless it takes only some milliseconds more (or tenths of a second, for expansions).
pub(crate) fn solve(
    config: &Config,
    problem: &Problem,
    quality: Quality,
    cancel: &CancelToken,
    observer: Option<&mut dyn Observer>,
) -> Report {
    let how = (quality.name(), config.metric);
    let mut meter = meter(config, config.limits, cancel, observer);
    if let Some((status, moves)) = trivial_result(config, problem) {
        let bound = moves.as_ref().map(|_| 0);
        let report = Report::of(problem, (status, moves), how, meter.finish());
        let within = bound.map(|_| Weight::ONE);
        return Report { optimal: bound.is_some(), lower_bound: bound, within, ..report };
    }
    let bound = lower_bound(problem, config.metric);
    let weight = match quality {
        Quality::Bounded(weight) => Some(weight),
        _ => None,
    };
    let enough = weight.unwrap_or(Weight::ONE).times(bound);
    let _ = meter.enter_stage("first solution", None);
    let improve = Some(config.improve).filter(|time| quality == Quality::Fast && !time.is_zero());
    let first = LargeImprover::new(problem, config.metric, improve, &mut meter);
    let (mut improver, mut stop) = match first {
        Ok(first) => first,
        Err(stop) => {
            let found = (Status::Stopped(stop), None);
            return Report {
                lower_bound: Some(bound),
                stopped_by: Some(stop).filter(|_| quality != Quality::Fast),
                heuristic: Some(bound_heuristic(config)),
                weight,
                ..Report::of(problem, found, how, meter.finish())
            };
        }
    };
    let result = meter
        .report_incumbent(improver.length() as Cost, || moves_to_string(improver.moves()))
        .and_then(|()| meter.raise_lower_bound(bound));
    stop = stop.or(result.err());
    if stop.is_none() && (quality != Quality::Fast || !config.improve.is_zero()) {
        let improving = meter.enter_stage("improving", None).and_then(|()| {
            meter.with_max_time(improve, |meter| {
                while improver.can_improve() && improver.length() > enough {
                    improver.step(meter)?;
                }
                Ok(())
            })
        });
        stop = improving.err();
    }
    let length = improver.length();
    let too_long = config.limits.max_depth.is_some_and(|limit| length > limit as usize);
    let found = match stop {
        _ if too_long => (Status::Stopped(Stop::Depth), None),
        Some(stop) if weight.is_some() && length > enough => {
            (Status::Stopped(stop), Some(improver.moves().to_vec()))
        }
        _ => (Status::Solved, Some(improver.moves().to_vec())),
    };
    let within = Weight::of(length, bound).filter(|_| !too_long);
    let optimal = within.is_some_and(Weight::is_one);
    Report {
        optimal,
        within,
        lower_bound: Some(bound),
        stopped_by: stop.filter(|_| quality != Quality::Fast && !optimal),
        heuristic: Some(bound_heuristic(config)),
        weight,
        ..Report::of(problem, found, how, meter.finish())
    }
}

/// Returns the lower bound on the distance, and the length of a fast solution unless a limit is reached first. Returns
/// `None` if the problem is unsolvable.
pub(crate) fn bounds(
    config: &Config,
    problem: &Problem,
    cancel: &CancelToken,
    observer: Option<&mut dyn Observer>,
) -> Option<Bounds> {
    let config = Config { improve: Duration::ZERO, parity_check: true, ..config.clone() };
    Bounds::of_large(&solve(&config, problem, Quality::Fast, cancel, observer))
}

/// Returns the values for the start of the heuristics that need no more than a sum over tiles and lines, at any size.
pub(crate) fn estimates(problem: &Problem, metric: Metric) -> Vec<(&'static HeuristicRow, Cost)> {
    let displacements = displacements(problem);
    let size = problem.start().size();
    let sum = sum_of_distances(size, &displacements);
    if metric == Metric::MultiTile {
        return Vec::new();
    }
    vec![
        (&MISPLACED, displacements.iter().filter(|(from, to)| from != to).count() as Cost),
        (&MANHATTAN, sum),
        (&LINEAR_CONFLICT, sum + 2 * conflicts(size, &displacements)),
    ]
}
