//! IDA* with the kernel for boards of 17 to 25 cells. These searches can be suspended and resumed.

use std::sync::Arc;
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Orientation, Position, Sample};
use loyd_kernels::{LargestSumSearch, Progress, ShardId};
use loyd_search::{Automaton, Cost, Iteration, Meter, Outcome, Stop};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Resumed, Run};
use crate::choices::Round;
use crate::heuristics::AnyHeuristic::{self, Patterns, Small};
use crate::heuristics::SmallHeuristic;
use crate::space::AnySpace;
use crate::tables::LargeSearch;

/// The automaton that prunes a search, and its number of threads.
pub(super) type Pruned<'a> = (Option<&'a Arc<Automaton>>, usize);

/// Runs the search from the start of `run`, resuming it from the checkpoint if there is one. Returns `None` if no
/// kernel supports the board or its tables.
pub(super) fn search(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    pruned: Pruned<'_>,
    meter: &mut Meter<'_>,
) -> Option<Outcome<Move>> {
    let (with, position) = kernel_search(run, heuristic, pruned, meter)?;
    meter.set_direction(Some(run.direction));
    let kernels = &run.tables.kernels;
    let Some(checkpointer) = run.checkpointer else {
        return kernels.large(&with, &position, &mut Progress::default(), meter, &mut |_| {});
    };
    let Resumed { direction, mut progress, is_counted, .. } = checkpointer.resume();
    let outcome = if direction.is_some_and(|direction| direction != run.direction) {
        Outcome::Stopped(Stop::Tables)
    } else if let Err(stop) = resume(&progress, is_counted, meter) {
        Outcome::Stopped(stop)
    } else {
        kernels.large(&with, &position, &mut progress, meter, &mut |now| {
            checkpointer.save(Some(run.direction), now);
        })?
    };
    if outcome == Outcome::Stopped(Stop::Tables) {
        checkpointer.reject();
    }
    Some(outcome)
}

/// Returns at least `count` nodes that the search expands within `bound` plus two moves: see
/// [`LargestSumSearch::samples`].
///
/// # Errors
/// Returns the limit that was reached, or [`Stop::Tables`] if no kernel supports the board or its tables.
pub(super) fn samples(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    pruned: Pruned<'_>,
    (bound, count): (Cost, usize),
    meter: &mut Meter<'_>,
) -> Result<Vec<Sample>, Stop> {
    let (with, position) = kernel_search(run, heuristic, pruned, meter).ok_or(Stop::Tables)?;
    let kernels = &run.tables.kernels;
    kernels.samples(&with, &position, (bound, count), meter).unwrap_or(Err(Stop::Tables))
}

/// Returns the parameters of the kernel search and its start position, or `None` if no kernel supports them.
fn kernel_search<'a>(
    run: &Run<'a>,
    heuristic: &'a AnyHeuristic,
    (automaton, threads): Pruned<'a>,
    meter: &Meter<'_>,
) -> Option<(LargeSearch<'a>, Position)> {
    let (database, orientation): (&Arc<Database>, &Orientation) = match heuristic {
        Patterns(sum) => (sum.database(), sum.orientation()),
        Small(SmallHeuristic::LargestSum(sum)) => (sum.database(), sum.orientation()),
        _ => return None,
    };
    let AnySpace::Medium(space) = &run.plan.space else { return None };
    let position = orientation.position(space, &space.encode(run.problem.start()));
    let left = meter.remaining_bytes().unwrap_or(u64::MAX);
    let with = LargeSearch {
        database,
        orientation,
        automaton,
        threads,
        widest: LargestSumSearch::max_beam_width(left / 2),
        shard: run.config.shard.map(|shard| ShardId { index: shard.index(), count: shard.count() }),
        until: [run.iterations_until, run.round.and_then(Round::expansions)]
            .into_iter()
            .flatten()
            .min(),
        division: run.round.and_then(Round::division),
        interval: run.checkpointer.map_or(Duration::MAX, |checkpointer| checkpointer.interval()),
    };
    Some((with, position))
}

/// Adds the work of the suspended search to `meter`, unless this meter has counted it already.
fn resume(progress: &Progress, is_counted: bool, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let iteration = |&(bound, expanded, generated): &_| Iteration { bound, expanded, generated };
    let iterations: Vec<Iteration> = progress.iterations.iter().map(iteration).collect();
    let (mut in_iteration, mut outside) = ((0, 0), progress.outside_iterations);
    if !progress.pending.is_empty() {
        in_iteration = (progress.expanded, progress.generated);
        outside.0 += progress.past_bound.0;
        outside.1 += progress.past_bound.1;
    }
    match is_counted {
        true => meter.restore_iterations(&iterations, in_iteration),
        false => meter.resume(&iterations, in_iteration, outside),
    }
}
