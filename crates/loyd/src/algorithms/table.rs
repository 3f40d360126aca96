//! `table`.

use loyd_search::{IncrementalHeuristic, Meter, Outcome, descend};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::heuristics::InstanceVisitor;
use crate::heuristics::exact::exact;
use crate::space::in_moves;

pub(crate) static TABLE: Algorithm = Algorithm {
    name: "table",
    summary: "the solution table: exact distances of all states, followed downhill",
    guarantee: Guarantee::Optimal,
    uses_heuristic: false,
    uses_closed: false,
    memory: "22 KB for 3x3, else 1 bit to 2 bytes a state",
    source: "Schofield 1967",
    uses_table: true,
    needs_depth: false,
    run: |run, meter| {
        let exact = exact(&run.plan.space, run.tables, meter)?;
        Ok(run.with(&exact, Descent { run, meter }).into())
    },
};

struct Descent<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for Descent<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        in_moves::<S>(descend(space, h, &start, self.meter))
    }
}
