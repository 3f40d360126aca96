//! `table`.

use loyd_search::{Meter, Outcome, descend};
use loyd_tiles::Move;

use super::{Algorithm, Guarantee};
use crate::dispatch::{SolvedSpace, SpaceVisitor, in_moves, with_space};
use crate::solver::Run;

pub(crate) const TABLE: Algorithm = Algorithm {
    name: "table",
    summary: "the answer table: exact distances of all states, followed downhill",
    guarantee: Guarantee::Optimal,
    uses_heuristic: false,
    uses_closed: false,
    memory: "22 KB for 3x3, else 1 bit to 2 bytes a state",
    source: "Schofield 1967",
    uses_table: true,
    needs_depth: false,
    run: |run, meter| with_space(run.problem, run.plan.metric, Table { run, meter }),
};

struct Table<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for Table<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace>(self, space: &S) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        match space.exact(self.run.tables, self.meter) {
            Ok(exact) => in_moves::<S>(descend(space, &exact, &start, self.meter)),
            Err(stop) => Outcome::Stopped(stop),
        }
    }
}
