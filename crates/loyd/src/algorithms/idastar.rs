//! `idastar`.

use loyd_heuristics::TileSum;
use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::PatternSum;
use loyd_heuristics::pdb::tile_classes::TileClassDistance;
use loyd_search::{IncrementalHeuristic, Meter, NoUndo, Outcome, Stop, idastar};
use loyd_tiles::{BoardSpace, Move, Slides};

use super::{Algorithm, Guarantee};
use crate::dispatch::{InstanceVisitor, SolvedSpace, SolvedSteps, in_moves, with_instance};
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
    run: |run, meter| Outcome::from_result(climb(run, meter)),
};

/// Searches with what leads at once, and while that takes its time has better tables made beside; when it
/// takes too long, begins again with these.
fn climb(run: &Run<'_>, meter: &mut Meter<'_>) -> Result<Outcome<Move>, Stop> {
    let mut next = run.plan.rungs.iter();
    while let Some(rung) = next.next() {
        run.rung.replace(Some(rung.clone()));
        let beside = next.as_slice().first().and_then(|rung| rung.tables.as_ref());
        let search =
            |meter: &mut Meter<'_>| with_instance(run, &rung.guide, meter, IdaStar { run, beside });
        let Some(patience) = rung.patience else { return search(meter) };
        let outcome = meter.within(patience, search)?;
        if outcome != Outcome::Stopped(Stop::Expanded) || meter.left_to_expand() == 0 {
            return Ok(outcome);
        }
        meter.begin_again();
    }
    with_instance(run, &run.plan.guide, meter, IdaStar { run, beside: None })
}

struct IdaStar<'a> {
    run: &'a Run<'a>,
    /// Tables that are made while this search goes on.
    beside: Option<&'a Contents>,
}

impl IdaStar<'_> {
    fn begin(&self, meter: &Meter<'_>) {
        if let Some(tables) = self.beside {
            self.run.tables.make_beside(tables, meter);
        }
    }
}

impl InstanceVisitor for IdaStar<'_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace, H: IncrementalHeuristic<S>>(
        self,
        space: &S,
        h: &H,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        self.begin(meter);
        let start = space.encode(self.run.problem.start());
        in_moves::<S>(idastar(space, h, &NoUndo, &start, meter))
    }

    fn visit_sum<S: SolvedSteps>(
        self,
        space: &S,
        sum: &TileSum,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        space.idastar(sum, &space.encode(self.run.problem.start()), meter)
    }

    fn visit_patterns<S: SolvedSteps>(
        self,
        space: &S,
        sum: &PatternSum,
        start: &S::State,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome<Move>, Stop> {
        self.begin(meter);
        // What is made beside takes its time too.
        let threads = if self.beside.is_some() { 1 } else { self.run.plan.threads };
        Ok(space.pattern_idastar(sum, start, (&self.run.tables.patterns, threads), meter))
    }

    fn visit_alike<S: SolvedSteps>(
        self,
        space: &Slides<S>,
        alike: &TileClassDistance,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        in_moves::<Slides<S>>(S::alike_idastar(space, alike, &start, meter))
    }
}
