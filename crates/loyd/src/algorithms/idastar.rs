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
    uses_table: false,
    needs_depth: false,
    run: |run, meter| {
        let (problem, visitor) = (run.problem, IdaStar { run });
        let outcome = with_instance(problem.goal(), &run.plan.guide, run.tables, meter, visitor);
        outcome.unwrap_or_else(Outcome::Stopped)
    },
};

struct IdaStar<'a> {
    run: &'a Run<'a>,
}

impl InstanceVisitor for IdaStar<'_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace, H: IncrementalHeuristic<S>>(
        self,
        space: &S,
        h: &H,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        idastar(space, h, &NoUndo, &space.encode(self.run.problem.start()), meter)
    }

    fn visit_sum<S: SolvedSpace>(
        self,
        space: &S,
        sum: &TileSum,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        space.idastar(sum, &space.encode(self.run.problem.start()), meter)
    }
}
