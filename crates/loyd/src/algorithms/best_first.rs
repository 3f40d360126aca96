//! What `ucs`, `greedy`, `astar` and `wastar` share: one engine, four evaluations.

use std::sync::Arc;

use loyd_search::{
    AnyClosedList, AnyFrontier, Buckets, Evaluation, IncrementalHeuristic, Meter, OpenList,
    Outcome, Stop, Tracer, Untraced, best_first, best_first_traced,
};
use loyd_tiles::{BoardSpace, Move, Packed3x3};

use super::row::{Finished, Run};
use crate::heuristics::AnyHeuristic::{self, Small};
use crate::heuristics::SmallHeuristic::{TileSum, Zero};
use crate::heuristics::{MATRIX, in_instance};
use crate::space::{AnySpace, in_moves, in_plain_space};
use crate::trace_event::Watcher;

/// Priorities are small whole numbers up to this weight.
const LARGEST_BUCKET_WEIGHT: u32 = 10;

/// Searches with the heuristic of the last stage.
pub(super) fn search<'a>(
    run: &Run<'a>,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
) -> Result<Finished<'a>, Stop> {
    led(run, meter, |heuristic, meter| with_heuristic(run, heuristic, evaluation, meter))
}

/// The same search, which tells of each node.
pub(super) fn trace<'a>(
    run: &Run<'a>,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
    watch: &mut Watcher<'_>,
) -> Result<Finished<'a>, Stop> {
    let how = how(run, evaluation);
    led(run, meter, |heuristic, meter| {
        in_plain_space!(run, space => {
            search_in(run, (space, heuristic), how, (meter, run.tracer(space, watch)))
        })
    })
}

/// Does `search` with the heuristic of the last stage, if there is one.
fn led<'a>(
    run: &Run<'a>,
    meter: &mut Meter<'_>,
    search: impl FnOnce(&AnyHeuristic, &mut Meter<'_>) -> Result<Outcome<Move>, Stop>,
) -> Result<Finished<'a>, Stop> {
    let Some(stage) = run.plan.stages.last() else {
        return Ok(search(&AnyHeuristic::ZERO, meter)?.into());
    };
    let heuristic = run.checked_heuristic(stage, meter);
    let outcome = heuristic.and_then(|heuristic| search(heuristic, meter));
    Ok(Finished { outcome: outcome.unwrap_or_else(Outcome::Stopped), stage: Some(stage) })
}

/// The evaluation, and the open list that fits it.
fn how(run: &Run<'_>, evaluation: Evaluation) -> (Evaluation, OpenList) {
    let small = run.plan.heuristic.name != MATRIX.name
        && evaluation.g_weight <= 1
        && evaluation.h_weight <= LARGEST_BUCKET_WEIGHT;
    (evaluation, if small { run.plan.open } else { OpenList::Heap })
}

fn with_heuristic(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let how = how(run, evaluation);
    match (&run.plan.space, heuristic) {
        // The classics: their nodes are smaller without the memos of other heuristics.
        (AnySpace::Eight(space), Small(Zero(h))) => {
            search_in(run, (space, h), how, (meter, Untraced))
        }
        (AnySpace::Fifteen(space), Small(Zero(h))) => {
            search_in(run, (space, h), how, (meter, Untraced))
        }
        (AnySpace::Eight(space), Small(TileSum(h))) => search_by_rank(run, (space, h), how, meter),
        (AnySpace::Fifteen(space), Small(TileSum(h))) => {
            search_in(run, (space, h), how, (meter, Untraced))
        }
        _ => in_instance!(&run.plan.space, heuristic, (space, h) => {
            search_in(run, (space, h), how, (meter, Untraced))
        }),
    }
}

fn search_in<S: BoardSpace, H: IncrementalHeuristic<S>>(
    run: &Run<'_>,
    (space, h): (&S, &H),
    (evaluation, open): (Evaluation, OpenList),
    (meter, tracer): (&mut Meter<'_>, impl Tracer<S>),
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut closed = run.closed_list(space, meter)?;
    let (open, told) = (AnyFrontier::new(open), (meter, tracer));
    let outcome = best_first_traced(space, h, evaluation, &start, &mut closed, open, told);
    run.tables.give_back(closed, space);
    Ok(in_moves::<S>(outcome))
}

/// The same, compiled once more for a ranked closed list and buckets.
fn search_by_rank(
    run: &Run<'_>,
    (space, h): (&Packed3x3, &Arc<loyd_heuristics::TileSum>),
    (evaluation, open): (Evaluation, OpenList),
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut closed = run.closed_list(space, meter)?;
    let outcome = match (&mut closed, open) {
        (AnyClosedList::Ranked(closed), OpenList::Buckets) => {
            best_first(space, h, evaluation, &start, closed, Buckets::default(), meter)
        }
        (closed, open) => {
            best_first(space, h, evaluation, &start, closed, AnyFrontier::new(open), meter)
        }
    };
    run.tables.give_back(closed, space);
    Ok(outcome)
}
