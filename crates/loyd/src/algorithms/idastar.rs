//! `idastar`.

use loyd_heuristics::TileSum;
use loyd_heuristics::alike::Alike;
use loyd_search::{IncrementalHeuristic, Meter, NoUndo, Outcome, Stop, idastar};
use loyd_tiles::{BoardSpace, Move, Slides};

use super::{Algorithm, Guarantee};
use crate::dispatch::{
    InstanceVisitor, SolvedSpace, SolvedSteps, SpaceVisitor, in_moves, with_instance, with_space,
};
use crate::heuristics::{Guide, Kind};
use crate::solver::Run;
use crate::wide::{self, is_wide};

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
        if run.plan.guide.is_kind(Kind::Patterns) && is_wide(run.problem.goal().size()) {
            return wide(run, meter);
        }
        if run.plan.guide.is_kind(Kind::Patterns) {
            return with_space(run.problem, run.plan.metric, Climb { run, meter });
        }
        if run.plan.guide.is_kind(Kind::Alike) && run.plan.boards <= FEW_BOARDS {
            let zero = Guide::of_kind(Kind::Zero);
            let blind = |meter: &mut Meter<'_>| with_instance(run, &zero, meter, IdaStar { run });
            let outcome = meter.within(EASY, blind).unwrap_or_else(Outcome::Stopped);
            if outcome != Outcome::Stopped(Stop::Expanded) || meter.left_to_expand() == 0 {
                return outcome;
            }
            meter.begin_again();
        }
        let outcome = with_instance(run, &run.plan.guide, meter, IdaStar { run });
        outcome.unwrap_or_else(Outcome::Stopped)
    },
};

/// For so many boards, those that are solved without a table of alike tiles in so many expansions, up to some
/// ten slides, need not wait for it: it takes seconds.
const FEW_BOARDS: u64 = 100;
const EASY: u64 = 200_000;

/// Pattern databases for boards of more than 16 cells, and linear conflict before them if boards are few and
/// nobody has asked for tables.
fn wide(run: &Run<'_>, meter: &mut Meter<'_>) -> Outcome<Move> {
    let search = |meter: &mut Meter<'_>| {
        let outcome = with_instance(run, &run.guide(), meter, IdaStar { run });
        outcome.unwrap_or_else(Outcome::Stopped)
    };
    if !run.plan.named && run.plan.boards <= wide::FEW_BOARDS {
        run.instead.replace(Some(Guide::of_kind(Kind::LinearConflict)));
        let outcome = meter.within(wide::PATIENCE, search);
        if outcome != Outcome::Stopped(Stop::Expanded) || meter.left_to_expand() == 0 {
            return outcome;
        }
        run.instead.take();
        meter.begin_again();
    }
    search(meter)
}

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

    fn visit_alike<S: SolvedSteps>(
        self,
        space: &Slides<S>,
        alike: &Alike,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        in_moves::<Slides<S>>(S::alike_idastar(space, alike, &start, meter))
    }
}

/// IDA* with pattern databases: with small ones first, if there is a choice, and with larger ones when
/// that takes long.
struct Climb<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for Climb<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: SolvedSpace>(self, _: &S) -> Outcome<Move> {
        unreachable!("a plan has no pattern databases for slides")
    }

    fn visit_steps<S: SolvedSteps>(self, space: &S) -> Outcome<Move> {
        Outcome::from_result(self.climb(space))
    }
}

impl Climb<'_, '_, '_> {
    fn climb<S: SolvedSteps>(self, space: &S) -> Result<Outcome<Move>, Stop> {
        let Self { run, meter } = self;
        let start = space.encode(run.problem.start());
        let (patterns, threads) = (&run.tables.patterns, run.plan.threads);
        // A plan is made only if there is a ladder.
        let rungs = patterns.ladder(run.problem).map_err(|_| Stop::Memory)?;
        for (place, rung) in rungs.iter().enumerate() {
            let sum = patterns.sum(space, &rung.partition, meter)?;
            run.partition.replace(Some(rung.partition.clone()));
            let Some(patience) = rung.patience else {
                return Ok(space.pattern_idastar(&sum, &start, (patterns, threads), meter));
            };
            patterns.make_beside(&rungs[place + 1].partition, meter);
            let search =
                |meter: &mut Meter<'_>| space.pattern_idastar(&sum, &start, (patterns, 1), meter);
            let outcome = meter.within(patience, search);
            let given_up = outcome == Outcome::Stopped(Stop::Expanded);
            if !given_up || meter.limits().max_expanded.is_some_and(|max| meter.expanded() >= max) {
                return Ok(outcome);
            }
            meter.begin_again();
        }
        // There are no tables that fit; the last rung knows no patience.
        Err(Stop::Memory)
    }
}
