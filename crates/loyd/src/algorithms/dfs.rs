//! `dfs`.

use loyd_search::{Meter, NoUndo, Outcome, depth_first};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{SpaceVisitor, in_moves};

pub(crate) static DFS: Algorithm = Algorithm {
    name: "dfs",
    summary: "depth-first search down to --max-depth (31 on 3x3 boards unless given)",
    guarantee: Guarantee::Nothing,
    uses_heuristic: false,
    uses_closed: false,
    memory: "the path",
    source: "Lucas 1882 (after Tremaux)",
    uses_table: false,
    needs_depth: true,
    run: |run, meter| Ok(run.plan.space.visit(Search { run, meter }).into()),
};

struct Search<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for Search<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace>(self, space: &S) -> Outcome<Move> {
        let Self { run, meter } = self;
        let start = space.encode(run.problem.start());
        let limit = meter.limits().depth();
        in_moves::<S>(depth_first(space, &NoUndo, &start, limit, meter))
    }
}
