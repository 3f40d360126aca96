//! What `ucs`, `greedy`, `astar` and `wastar` share: one engine, four evaluations.

use std::sync::Arc;

use loyd_heuristics::TileSum;
use loyd_search::{
    AnyClosedList, AnyFrontier, Evaluation, IncrementalHeuristic, Meter, OpenList, Outcome, Stop,
    best_first,
};
use loyd_tiles::{BoardSpace, Move, Packed3x3};

use super::row::{Finished, Run};
use crate::heuristics::{AnyHeuristic, InstanceVisitor, MATRIX, SmallHeuristic};
use crate::space::{AnySpace, in_moves};

/// Priorities are small whole numbers up to this weight.
const LARGEST_BUCKET_WEIGHT: u32 = 10;

/// Searches with the heuristic of the last stage.
///
/// # Errors
/// The limit that was reached while tables were built.
pub(super) fn search<'a>(
    run: &Run<'a>,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
) -> Result<Finished<'a>, Stop> {
    let Some(stage) = run.plan.stages.last() else {
        return Ok(with_heuristic(run, &AnyHeuristic::ZERO, evaluation, meter)?.into());
    };
    let heuristic = run.heuristic(stage, meter);
    let outcome = heuristic.and_then(|h| with_heuristic(run, h, evaluation, meter));
    Ok(Finished { outcome: outcome.unwrap_or_else(Outcome::Stopped), stage: Some(stage) })
}

fn with_heuristic(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    evaluation: Evaluation,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let small = run.plan.heuristic.name != MATRIX.name
        && evaluation.g_weight <= 1
        && evaluation.h_weight <= LARGEST_BUCKET_WEIGHT;
    let open = if small { run.plan.open } else { OpenList::Heap };
    let search = Search { run, evaluation, open, meter };
    match (&run.plan.space, heuristic) {
        // The classics: their nodes are smaller without the memos of other heuristics.
        (AnySpace::Eight(space), AnyHeuristic::Small(SmallHeuristic::Zero(zero))) => {
            search.visit(space, zero)
        }
        (AnySpace::Fifteen(space), AnyHeuristic::Small(SmallHeuristic::Zero(zero))) => {
            search.visit(space, zero)
        }
        (AnySpace::Eight(space), AnyHeuristic::Small(SmallHeuristic::TileSum(sum))) => {
            search.by_rank(space, sum)
        }
        (AnySpace::Fifteen(space), AnyHeuristic::Small(SmallHeuristic::TileSum(sum))) => {
            search.visit(space, sum)
        }
        _ => run.with(heuristic, search),
    }
}

struct Search<'a, 'm, 'o> {
    run: &'a Run<'a>,
    evaluation: Evaluation,
    open: OpenList,
    meter: &'m mut Meter<'o>,
}

impl Search<'_, '_, '_> {
    /// As [`visit`](InstanceVisitor::visit), and compiled once more for a ranked closed list.
    fn by_rank(self, space: &Packed3x3, sum: &Arc<TileSum>) -> <Self as InstanceVisitor>::Output {
        let Self { run, evaluation, open, meter } = self;
        let mut closed = run.closed_list(space, meter)?;
        let (start, open) = (space.encode(run.problem.start()), AnyFrontier::new(open));
        let outcome = match &mut closed {
            AnyClosedList::Ranked(closed) => {
                best_first(space, sum, evaluation, &start, closed, open, meter)
            }
            closed => best_first(space, sum, evaluation, &start, closed, open, meter),
        };
        run.tables.give_back(closed, space);
        Ok(outcome)
    }
}

impl InstanceVisitor for Search<'_, '_, '_> {
    type Output = Result<Outcome<Move>, Stop>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Self::Output {
        let Self { run, evaluation, open, meter } = self;
        let start = space.encode(run.problem.start());
        let mut closed = run.closed_list(space, meter)?;
        let open = AnyFrontier::new(open);
        let outcome = best_first(space, h, evaluation, &start, &mut closed, open, meter);
        run.tables.give_back(closed, space);
        Ok(in_moves::<S>(outcome))
    }
}
