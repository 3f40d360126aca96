//! `dfs`.

use loyd_search::{Meter, NoUndo, Outcome, depth_first, depth_first_traced};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::heuristics::AnyHeuristic;
use crate::space::{in_moves, in_plain_space, in_space};
use crate::trace_event::Watcher;

pub(crate) static DFS: Algorithm = Algorithm {
    name: "dfs",
    summary: "depth-first search down to --max-depth (31 on 3x3 boards unless given)",
    guarantee: Guarantee::Nothing,
    source: "Lucas 1882 (after Tremaux)",
    needs_depth: true,
    run: |run, meter| Ok(in_space!(&run.plan.space, space => search(space, run, meter)).into()),
    trace: |run, meter, watch| {
        Ok(in_plain_space!(run, space => trace(space, run, meter, watch)).into())
    },
    ..Algorithm::PLAIN
}
.registered();

fn search<S: BoardSpace>(space: &S, run: &Run<'_>, meter: &mut Meter<'_>) -> Outcome<Move> {
    let start = space.encode(run.problem.start());
    let limit = meter.limits().depth();
    in_moves::<S>(depth_first(space, &NoUndo, &start, limit, meter))
}

fn trace<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    meter: &mut Meter<'_>,
    watch: &mut Watcher<'_>,
) -> Outcome<Move> {
    let from = (&space.encode(run.problem.start()), meter.limits().depth());
    let (zero, tracer) = (&AnyHeuristic::ZERO, run.tracer(space, watch));
    in_moves::<S>(depth_first_traced(space, zero, &NoUndo, from, (meter, tracer)))
}
