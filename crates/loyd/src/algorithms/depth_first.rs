//! `dfs` and `iddfs`.

use loyd_search::{Meter, NoUndo, Outcome, depth_first, iterative_deepening};
use loyd_tiles::{BoardSpace, Move};

use super::{Algorithm, Guarantee};
use crate::dispatch::{SolvedSpace, SpaceVisitor, in_moves, with_space};
use crate::solver::Run;

pub(crate) const DFS: Algorithm = Algorithm {
    name: "dfs",
    summary: "depth-first search down to --max-depth (31 on 3x3 boards unless given)",
    guarantee: Guarantee::Nothing,
    uses_heuristic: false,
    uses_closed: false,
    memory: "the path",
    source: "Lucas 1882 (after Tremaux)",
    uses_table: false,
    needs_depth: true,
    run: |run, meter| {
        with_space(run.problem, run.plan.metric, DepthFirst { run, meter, iterative: false })
    },
};

pub(crate) const IDDFS: Algorithm = Algorithm {
    name: "iddfs",
    summary: "iterative deepening: depth-first with the limits 0, 1, 2 ...",
    guarantee: Guarantee::Optimal,
    uses_heuristic: false,
    uses_closed: false,
    memory: "the path",
    source: "Korf 1985",
    uses_table: false,
    needs_depth: false,
    run: |run, meter| {
        with_space(run.problem, run.plan.metric, DepthFirst { run, meter, iterative: true })
    },
};

struct DepthFirst<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
    iterative: bool,
}

impl SpaceVisitor for DepthFirst<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace>(self, space: &S) -> Outcome<Move> {
        let Self { run, meter, iterative } = self;
        let start = BoardSpace::encode(space, run.problem.start());
        in_moves::<S>(if iterative {
            iterative_deepening(space, &NoUndo, &start, meter)
        } else {
            let limit = meter.limits().depth();
            depth_first(space, &NoUndo, &start, limit, meter)
        })
    }
}
