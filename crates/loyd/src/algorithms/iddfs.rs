//! `iddfs`.

use loyd_search::{Meter, NoUndo, Outcome, idastar_traced, iterative_deepening};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::heuristics::AnyHeuristic;
use crate::space::{SpaceVisitor, in_moves, in_plain_space};
use crate::trace_event::Watcher;

pub(crate) static IDDFS: Algorithm = Algorithm {
    name: "iddfs",
    summary: "iterative deepening: depth-first with the limits 0, 1, 2 ...",
    guarantee: Guarantee::Optimal,
    source: "Korf 1985",
    run: |run, meter| Ok(run.plan.space.visit(Search { run, meter }).into()),
    trace: |run, meter, watch| Ok(trace(run, &AnyHeuristic::ZERO, meter, watch).into()),
    ..Algorithm::PLAIN
}
.registered();

/// Iterative deepening, which is IDA* without a heuristic.
pub(super) struct Search<'a, 'm, 'o> {
    pub run: &'a Run<'a>,
    pub meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for Search<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace>(self, space: &S) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        in_moves::<S>(iterative_deepening(space, &NoUndo, &start, self.meter))
    }
}

/// IDA* with `heuristic`, which tells of each node.
pub(super) fn trace(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    meter: &mut Meter<'_>,
    watch: &mut Watcher<'_>,
) -> Outcome<Move> {
    fn search<S: BoardSpace>(
        space: &S,
        run: &Run<'_>,
        heuristic: &AnyHeuristic,
        (meter, watch): (&mut Meter<'_>, &mut Watcher<'_>),
    ) -> Outcome<Move> {
        let (start, tracer) = (space.encode(run.problem.start()), run.tracer(space, watch));
        in_moves::<S>(idastar_traced(space, heuristic, &NoUndo, &start, (meter, tracer)))
    }
    in_plain_space!(run, space => search(space, run, heuristic, (meter, watch)))
}
