//! `astar`, `wastar` and `idastar` on boards whose tiles have different costs.

use loyd_heuristics::CostDistance;
use loyd_search::{
    AnyClosedList, Evaluation, Heap, Meter, NoUndo, Outcome, Stop, best_first, idastar_cr,
};
use loyd_tiles::{ArraySpace, Costed, Move, Size, StepSpace};

use super::row::{Finished, Run};
use crate::costs::ScaledCosts;
use crate::space::ForGoal;

/// A search for a cheapest, or cheap, solution.
#[derive(Clone, Copy)]
pub(super) enum Search {
    BestFirst(Evaluation),
    IdaStar,
}

/// Runs `search` if the plan assigns costs to tiles; otherwise returns `None`.
///
/// States take a byte per cell on all sizes: packed states would instantiate each search twice more, and costs per tile
/// are for experiments.
pub(super) fn run_by_cost<'a>(
    run: &Run<'a>,
    search: Search,
    meter: &mut Meter<'_>,
) -> Option<Result<Finished<'a>, Stop>> {
    let costs = run.plan.costs.as_ref()?;
    let outcome = match run.plan.space.size().cells() {
        ..=16 => run_in::<ArraySpace<16>>(run, costs, search, meter),
        17..=64 => run_in::<ArraySpace<64>>(run, costs, search, meter),
        _ => run_in::<ArraySpace<{ Size::MAX_CELLS }>>(run, costs, search, meter),
    };
    Some(outcome.map(|outcome| Finished { outcome, stage: run.plan.stages.last() }))
}

fn run_in<S: ForGoal + StepSpace>(
    run: &Run<'_>,
    costs: &ScaledCosts,
    search: Search,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let space = Costed::new(S::for_goal(run.problem), &costs.by_tile);
    let heuristic = CostDistance::new(&space);
    let start = space.steps().encode(run.problem.start());
    Ok(match search {
        Search::IdaStar => idastar_cr(&space, &heuristic, &NoUndo, &start, meter),
        Search::BestFirst(evaluation) => {
            let mut closed = AnyClosedList::new(run.plan.closed, &space, meter)?;
            // Costs spread the priorities too widely for a bucket queue.
            let open = Heap::default();
            best_first(&space, &heuristic, evaluation, &start, &mut closed, open, meter)
        }
    })
}
