//! `iddfs`.

use loyd_search::{Meter, NoUndo, Outcome, iterative_deepening};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::space::{SpaceVisitor, in_moves};

pub(crate) static IDDFS: Algorithm = Algorithm {
    name: "iddfs",
    summary: "iterative deepening: depth-first with the limits 0, 1, 2 ...",
    guarantee: Guarantee::Optimal,
    source: "Korf 1985",
    run: |run, meter| Ok(run.plan.space.visit(Search { run, meter }).into()),
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
