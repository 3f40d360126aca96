//! IDA* by the kernel for boards of 17 to 25 cells, which can be put aside and continued.

use std::sync::Arc;
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Orientation, Position, Sample};
use loyd_kernels::{LargestSumSearch, Progress, Share};
use loyd_search::{Automaton, Cost, Iteration, Meter, Outcome, Stop};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Begun, Run};
use crate::heuristics::AnyHeuristic::{self, Patterns, Small};
use crate::heuristics::SmallHeuristic;
use crate::space::AnySpace;
use crate::tables::LargeSearch;

/// What prunes a search, and its threads.
pub(super) type Pruned<'a> = (Option<&'a Arc<Automaton>>, usize);

/// The search, if there is a kernel for boards and tables like these.
pub(super) fn search(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    pruned: Pruned<'_>,
    meter: &mut Meter<'_>,
) -> Option<Outcome<Move>> {
    let (with, position) = large(run, heuristic, pruned, meter)?;
    meter.direction(Some(run.direction));
    let kernels = &run.tables.kernels;
    let Some(keeper) = run.keeper else {
        return kernels.large(&with, &position, &mut Progress::default(), meter, &mut |_| {});
    };
    let Begun { direction, mut progress, is_counted, .. } = keeper.begin();
    let outcome = if direction.is_some_and(|direction| direction != run.direction) {
        Outcome::Stopped(Stop::Tables)
    } else if let Err(stop) = resume(&progress, is_counted, meter) {
        Outcome::Stopped(stop)
    } else {
        kernels.large(&with, &position, &mut progress, meter, &mut |now| {
            keeper.keep(Some(run.direction), now);
        })?
    };
    if outcome == Outcome::Stopped(Stop::Tables) {
        keeper.refuse();
    }
    Some(outcome)
}

/// Nodes that the search expands within two moves more than `bound`: see [`LargestSumSearch::samples`].
///
/// # Errors
/// The limit that was reached; [`Stop::Tables`] if there is no kernel.
pub(super) fn samples(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    pruned: Pruned<'_>,
    (bound, count): (Cost, usize),
    meter: &mut Meter<'_>,
) -> Result<Vec<Sample>, Stop> {
    let (with, position) = large(run, heuristic, pruned, meter).ok_or(Stop::Tables)?;
    let kernels = &run.tables.kernels;
    kernels.samples(&with, &position, (bound, count), meter).unwrap_or(Err(Stop::Tables))
}

/// A search of the kernel, and where it begins.
fn large<'a>(
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
    let left = meter.left_to_reserve().unwrap_or(u64::MAX);
    let with = LargeSearch {
        database,
        orientation,
        automaton,
        threads,
        widest: LargestSumSearch::widest_beam(left / 2),
        share: run.config.shard.map(|shard| Share { index: shard.index(), count: shard.count() }),
        until: run.rounds_until,
        interval: run.keeper.map_or(Duration::MAX, |keeper| keeper.interval()),
    };
    Some((with, position))
}

/// Counts what was done before the search was put aside, unless it has been counted.
fn resume(progress: &Progress, is_counted: bool, meter: &mut Meter<'_>) -> Result<(), Stop> {
    let round = |&(bound, expanded, generated): &_| Iteration { bound, expanded, generated };
    let rounds: Vec<Iteration> = progress.rounds.iter().map(round).collect();
    let (mut in_round, mut beside) = ((0, 0), progress.beside);
    if !progress.pending.is_empty() {
        in_round = (progress.expanded, progress.generated);
        beside.0 += progress.beyond.0;
        beside.1 += progress.beyond.1;
    }
    match is_counted {
        true => meter.go_on(&rounds, in_round),
        false => meter.resume(&rounds, in_round, beside),
    }
}
