//! `dfs`.

use loyd_search::{
    Automaton, IncrementalHeuristic, Meter, NoUndo, Outcome, depth_first, depth_first_by,
    depth_first_traced,
};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::heuristics::{AnyHeuristic, InstanceVisitor};
use crate::space::{in_moves, in_plain_space, in_space};
use crate::trace_event::Watcher;

pub(crate) static DFS: Algorithm = Algorithm {
    name: "dfs",
    summary: "depth-first search down to --max-depth (31 on 3x3 boards unless given)",
    guarantee: Guarantee::Nothing,
    is_depth_first: true,
    source: "Lucas 1882 (after Tremaux)",
    needs_depth: true,
    run: |run, meter| {
        let outcome = match run.automaton(None, meter)? {
            None => in_space!(&run.plan.space, space => search(space, run, meter)),
            Some(automaton) => {
                let automaton = &*automaton;
                run.with(&AnyHeuristic::ZERO, Pruned { run, automaton, meter })
            }
        };
        Ok(outcome.into())
    },
    trace: |run, meter, watch| {
        let automaton = run.automaton(None, meter)?;
        let pruner = automaton.as_deref();
        Ok(in_plain_space!(run, space => trace(space, run, pruner, (meter, watch))).into())
    },
    ..Algorithm::PLAIN
}
.registered();

fn search<S: BoardSpace>(space: &S, run: &Run<'_>, meter: &mut Meter<'_>) -> Outcome<Move> {
    let start = space.encode(run.problem.start());
    let limit = meter.limits().depth();
    in_moves::<S>(depth_first(space, &NoUndo, &start, limit, meter))
}

/// The search with an automaton. What it is compiled of is there for IDA*.
struct Pruned<'a, 'm, 'o> {
    run: &'a Run<'a>,
    automaton: &'a Automaton,
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for Pruned<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(
        self,
        space: &S,
        zero: &H,
    ) -> Outcome<Move> {
        let from = (&space.encode(self.run.problem.start()), self.meter.limits().depth());
        in_moves::<S>(depth_first_by(space, zero, self.automaton, from, self.meter))
    }
}

fn trace<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    pruner: Option<&Automaton>,
    (meter, watch): (&mut Meter<'_>, &mut Watcher<'_>),
) -> Outcome<Move> {
    let from = (&space.encode(run.problem.start()), meter.limits().depth());
    let (zero, tracer) = (&AnyHeuristic::ZERO, run.tracer(space, watch));
    in_moves::<S>(depth_first_traced(space, zero, &pruner, from, (meter, tracer)))
}
