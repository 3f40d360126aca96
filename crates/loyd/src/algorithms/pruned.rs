//! IDA* with an automaton, and iterative deepening, which is IDA* without a heuristic.

use loyd_search::{Automaton, IncrementalHeuristic, Meter, Outcome, idastar};
use loyd_tiles::{BoardSpace, Move};

use super::row::Run;
use crate::heuristics::AnyHeuristic::{self, Patterns, Small};
use crate::heuristics::{InstanceVisitor, SmallHeuristic};
use crate::space::{AnySpace, in_moves};

/// The generic search with an automaton.
pub(super) fn search_pruned(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    automaton: &Automaton,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    let search = Pruned { run, automaton, meter };
    match (&run.plan.space, heuristic) {
        (AnySpace::Fifteen(space), Small(SmallHeuristic::TileSum(h))) => search.visit(space, h),
        (AnySpace::Fifteen(space), Small(SmallHeuristic::SmallLinearConflict(h))) => {
            search.visit(space, h)
        }
        (AnySpace::Medium(space), Patterns(h)) => search.visit(space, h),
        (AnySpace::Medium(space), Small(SmallHeuristic::LinearConflict(h))) => {
            search.visit(space, h)
        }
        _ => run.with(heuristic, search),
    }
}

struct Pruned<'a, 'm, 'o> {
    run: &'a Run<'a>,
    automaton: &'a Automaton,
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for Pruned<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        in_moves::<S>(idastar(space, h, self.automaton, &start, self.meter))
    }
}
