//! `iddfs`.

use loyd_search::{Automaton, Meter, NoUndo, Outcome, Stop, idastar_traced, iterative_deepening};
use loyd_tiles::{BoardSpace, Move};

use super::pruned::search_pruned;
use super::row::{Algorithm, Guarantee, Run};
use crate::heuristics::{AnyHeuristic, Stage};
use crate::space::{SpaceVisitor, in_moves, in_plain_space};
use crate::trace_event::Watcher;

pub(crate) static IDDFS: Algorithm = Algorithm {
    name: "iddfs",
    summary: "iterative deepening: depth-first with the limits 0, 1, 2 ...",
    guarantee: Guarantee::Optimal,
    is_depth_first: true,
    source: "Korf 1985",
    run: |run, meter| {
        let outcome = match run.automaton(None, meter)? {
            None => run.plan.space.visit(Search { run, meter }),
            Some(automaton) => search_pruned(run, &AnyHeuristic::ZERO, &automaton, meter),
        };
        Ok(outcome.into())
    },
    trace: |run, meter, watch| Ok(trace(run, (&AnyHeuristic::ZERO, None), meter, watch)?.into()),
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

/// IDA* with the heuristic of a stage, which tells of each node.
pub(super) fn trace(
    run: &Run<'_>,
    (heuristic, stage): (&AnyHeuristic, Option<&Stage>),
    meter: &mut Meter<'_>,
    watch: &mut Watcher<'_>,
) -> Result<Outcome<Move>, Stop> {
    fn search<S: BoardSpace>(
        space: &S,
        run: &Run<'_>,
        (heuristic, pruner): (&AnyHeuristic, Option<&Automaton>),
        (meter, watch): (&mut Meter<'_>, &mut Watcher<'_>),
    ) -> Outcome<Move> {
        let (start, tracer) = (space.encode(run.problem.start()), run.tracer(space, watch));
        in_moves::<S>(idastar_traced(space, heuristic, &pruner, &start, (meter, tracer)))
    }
    let automaton = run.automaton(stage, meter)?;
    let led = (heuristic, automaton.as_deref());
    Ok(in_plain_space!(run, space => search(space, run, led, (meter, watch))))
}
