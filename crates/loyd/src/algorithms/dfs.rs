//! `dfs`.

use loyd_search::{Meter, NoUndo, Outcome, depth_first};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{in_moves, in_space};

pub(crate) static DFS: Algorithm = Algorithm {
    name: "dfs",
    summary: "depth-first search down to --max-depth (31 on 3x3 boards unless given)",
    guarantee: Guarantee::Nothing,
    source: "Lucas 1882 (after Tremaux)",
    needs_depth: true,
    run: |run, meter| Ok(in_space!(&run.plan.space, space => search(space, run, meter)).into()),
    ..Algorithm::PLAIN
}
.registered();

fn search<S: BoardSpace>(space: &S, run: &Run<'_>, meter: &mut Meter<'_>) -> Outcome<Move> {
    let start = space.encode(run.problem.start());
    let limit = meter.limits().depth();
    in_moves::<S>(depth_first(space, &NoUndo, &start, limit, meter))
}
