//! `ucs`, `greedy`, `astar` and `wastar`: best-first searches, which differ only in their evaluation.

use std::sync::Arc;

use loyd_search::{
    AnyClosedList, AnyFrontier, Buckets, Evaluation, FrontierKind, IncrementalHeuristic, Meter,
    NoTracer, Outcome, Stop, Tracer, best_first, best_first_traced,
};
use loyd_tiles::{BoardSpace, Move, Packed3x3};

use super::by_cost::{Search, run_by_cost};
use super::row::{Algorithm, Finished, Guarantee, Run};
use crate::heuristics::AnyHeuristic::{self, Small};
use crate::heuristics::SmallHeuristic::{TileSum, Zero};
use crate::heuristics::{InstanceVisitor, MATRIX};
use crate::space::{AnySpace, in_moves, in_plain_space};
use crate::trace::Watcher;

pub(crate) static UCS: Algorithm = Algorithm {
    name: "ucs",
    summary: "uniform-cost search: best-first by g alone",
    guarantee: Guarantee::Optimal,
    uses_closed: true,
    memory: "every state generated",
    source: "Dijkstra 1959",
    run: |run, meter| search(run, Evaluation::UNIFORM_COST, meter),
    trace: |run, meter, watch| trace(run, Evaluation::UNIFORM_COST, meter, watch),
    ..Algorithm::DEFAULT
}
.registered();

pub(crate) static GREEDY: Algorithm = Algorithm {
    name: "greedy",
    summary: "best-first by h alone: fast, but solutions are often far from shortest",
    guarantee: Guarantee::Nothing,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state generated",
    source: "Doran and Michie 1966",
    run: |run, meter| search(run, Evaluation::GREEDY, meter),
    trace: |run, meter, watch| trace(run, Evaluation::GREEDY, meter, watch),
    ..Algorithm::DEFAULT
}
.registered();

pub(crate) static ASTAR: Algorithm = Algorithm {
    name: "astar",
    summary: "A*: best-first by f = g + h, ties to the larger g",
    guarantee: Guarantee::OptimalIfAdmissible,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state generated",
    source: "Hart, Nilsson and Raphael 1968",
    run: |run, meter| search(run, Evaluation::A_STAR, meter),
    trace: |run, meter, watch| trace(run, Evaluation::A_STAR, meter, watch),
    ..Algorithm::DEFAULT
}
.registered();

pub(crate) static WASTAR: Algorithm = Algorithm {
    name: "wastar",
    summary: "weighted A*: best-first by f = g + w*h",
    guarantee: Guarantee::WithinWeight,
    uses_heuristic: true,
    uses_closed: true,
    memory: "every state generated",
    source: "Pohl 1970",
    run: |run, meter| search(run, run.plan.weight.evaluation(), meter),
    trace: |run, meter, watch| trace(run, run.plan.weight.evaluation(), meter, watch),
    ..Algorithm::DEFAULT
}
.registered();

/// Largest weight for which a bucket queue is used: up to here, priorities are small integers.
const LARGEST_BUCKET_WEIGHT: u32 = 10;

/// Searches with the heuristic of the last stage.
pub(super) fn search<'a>(
    run: &Run<'a>,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
) -> Result<Finished<'a>, Stop> {
    if let Some(finished) = run_by_cost(run, Search::BestFirst(evaluation), meter) {
        return finished;
    }
    with_last_heuristic(run, meter, |heuristic, meter| {
        with_heuristic(run, heuristic, evaluation, meter)
    })
}

/// Like [`search`], but reports every node to `watch`.
pub(super) fn trace<'a>(
    run: &Run<'a>,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
    watch: &mut Watcher<'_>,
) -> Result<Finished<'a>, Stop> {
    let strategy = strategy(run, evaluation);
    with_last_heuristic(run, meter, |heuristic, meter| {
        in_plain_space!(run, space => {
            search_in(run, (space, heuristic), strategy, (meter, run.tracer(space, watch)))
        })
    })
}

/// Runs `search` with the heuristic of the last stage, or with zero if the plan has no stages.
fn with_last_heuristic<'a>(
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

/// Returns the evaluation together with an open list suited to its priorities.
fn strategy(run: &Run<'_>, evaluation: Evaluation) -> (Evaluation, FrontierKind) {
    let small = run.plan.heuristic.name != MATRIX.name
        && evaluation.g_weight <= 1
        && evaluation.h_weight <= LARGEST_BUCKET_WEIGHT;
    (evaluation, if small { run.plan.open } else { FrontierKind::Heap })
}

fn with_heuristic(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let strategy = strategy(run, evaluation);
    match (&run.plan.space, heuristic) {
        // The classic pairs are instantiated separately: their nodes are smaller because they have no room for the
        // memos of other heuristics.
        (AnySpace::Eight(space), Small(Zero(h))) => {
            search_in(run, (space, h), strategy, (meter, NoTracer))
        }
        (AnySpace::Fifteen(space), Small(Zero(h))) => {
            search_in(run, (space, h), strategy, (meter, NoTracer))
        }
        (AnySpace::Eight(space), Small(TileSum(h))) => {
            search_by_rank(run, (space, h), strategy, meter)
        }
        (AnySpace::Fifteen(space), Small(TileSum(h))) => {
            search_in(run, (space, h), strategy, (meter, NoTracer))
        }
        _ => run.with(heuristic, SearchAny { run, strategy, meter }),
    }
}

/// Best-first search with a heuristic of any kind.
struct SearchAny<'a, 'm, 'o> {
    run: &'a Run<'a>,
    strategy: (Evaluation, FrontierKind),
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for SearchAny<'_, '_, '_> {
    type Output = Result<Outcome<Move>, Stop>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Self::Output {
        search_in(self.run, (space, h), self.strategy, (self.meter, NoTracer))
    }
}

fn search_in<S: BoardSpace, H: IncrementalHeuristic<S>>(
    run: &Run<'_>,
    (space, h): (&S, &H),
    (evaluation, open): (Evaluation, FrontierKind),
    (meter, tracer): (&mut Meter<'_>, impl Tracer<S>),
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut closed = run.closed_list(space, meter)?;
    let (open, monitors) = (AnyFrontier::new(open), (meter, tracer));
    let outcome = best_first_traced(space, h, evaluation, &start, &mut closed, open, monitors);
    run.tables.give_back(closed, space);
    Ok(in_moves::<S>(outcome))
}

/// Like [`search_in`], but instantiated separately for a ranked closed list with a bucket queue.
fn search_by_rank(
    run: &Run<'_>,
    (space, h): (&Packed3x3, &Arc<loyd_heuristics::TileSum>),
    (evaluation, open): (Evaluation, FrontierKind),
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let start = space.encode(run.problem.start());
    let mut closed = run.closed_list(space, meter)?;
    let outcome = match (&mut closed, open) {
        (AnyClosedList::Ranked(closed), FrontierKind::Buckets) => {
            best_first(space, h, evaluation, &start, closed, Buckets::default(), meter)
        }
        (closed, open) => {
            best_first(space, h, evaluation, &start, closed, AnyFrontier::new(open), meter)
        }
    };
    run.tables.give_back(closed, space);
    Ok(outcome)
}
