//! `idastar`.

use loyd_heuristics::TileSum;
use loyd_search::{IncrementalHeuristic, Meter, NoUndo, Outcome, idastar};
use loyd_tiles::Move;

use super::{Algorithm, Guarantee};
use crate::dispatch::{InstanceVisitor, SolvedSpace, with_instance};
use crate::solver::Run;

pub(crate) const IDASTAR: Algorithm = Algorithm {
    name: "idastar",
    summary: "IDA*: depth-first within a bound on f that rises by the least overrun",
    guarantee: Guarantee::OptimalIfAdmissible,
    uses_heuristic: true,
    uses_closed: false,
    memory: "the path",
    source: "Korf 1985",
    run: |run, meter| {
        let outcome = with_instance(run, &run.guide, IdaStar { run, meter });
        outcome.unwrap_or_else(Outcome::Stopped)
    },
};

struct IdaStar<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for IdaStar<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        idastar(space, h, &NoUndo, &start, self.meter)
    }

    fn visit_sum<S: SolvedSpace>(self, space: &S, sum: &TileSum) -> Outcome<Move> {
        space.idastar(sum, &space.encode(self.run.problem.start()), self.meter)
    }
}
