//! `idastar`.

use std::sync::Arc;

use loyd_kernels::TileClassSearch;
use loyd_search::{
    Automaton, Direction, IncrementalHeuristic, Meter, NoUndo, Outcome, Stop, idastar,
};
use loyd_tiles::{BoardSpace, Move, Packed4x4, Slides};

use super::pruned::search_pruned;
use super::row::{Algorithm, Finished, Guarantee, Run};
use super::{either_end, iddfs, large};
use crate::heuristics::AnyHeuristic::{self, Patterns, Small, TileClasses};
use crate::heuristics::{InstanceVisitor, SmallHeuristic, Stage};
use crate::space::{AnySpace, in_moves};

pub(crate) static IDASTAR: Algorithm = Algorithm {
    name: "idastar",
    summary: "IDA*: depth-first within a bound on f that rises by the least overrun",
    guarantee: Guarantee::OptimalIfAdmissible,
    uses_heuristic: true,
    is_depth_first: true,
    source: "Korf 1985",
    run: |run, meter| {
        run_stages(run, meter, &mut |stage, next, meter| match run.back {
            Some(back) if stage.expansion_limit.is_none() => {
                let search = |run: &Run<'_>, stage: &Stage, meter: &mut Meter<'_>| {
                    run_stage(run, stage, None, meter)
                };
                either_end::search((run, back), stage, &search, meter)
            }
            _ => run_stage(run, stage, next, meter),
        })
    },
    trace: |run, meter, watch| {
        run_stages(run, meter, &mut |stage, _, meter| {
            let heuristic = run.checked_heuristic(stage, meter)?;
            iddfs::trace(run, (heuristic, Some(stage)), meter, watch)
        })
    },
    ..Algorithm::PLAIN
}
.registered();

/// Searches with what is there at once, while better tables are built in the background, unless there is only
/// one thread; begins again with these if that takes too many expansions.
fn run_stages<'a>(
    run: &Run<'a>,
    meter: &mut Meter<'_>,
    run_stage: &mut RunStage<'_>,
) -> Result<Finished<'a>, Stop> {
    let mut stages = run.stages.iter();
    if run.config.needs_large_kernel().is_some() {
        // What comes before the last stage can be neither divided nor put aside.
        stages = run.stages[run.stages.len().saturating_sub(1)..].iter();
    }
    let mut finished = Finished::from(Outcome::Exhausted);
    while let Some(stage) = stages.next() {
        let next = stages.as_slice().first();
        let next = next.filter(|stage| stage.tables.is_some() && run.config.threads > 1);
        let mut search = |meter: &mut Meter<'_>| run_stage(stage, next, meter);
        let outcome = match stage.expansion_limit {
            None => search(meter),
            Some(limit) => meter.within(limit, search),
        };
        let outcome = outcome.unwrap_or_else(Outcome::Stopped);
        let goes_on = stage.expansion_limit.is_some()
            && outcome == Outcome::Stopped(Stop::Expanded)
            && meter.left_to_expand() > 0;
        finished = Finished { outcome, stage: Some(stage) };
        if !goes_on {
            break;
        }
        meter.begin_again();
    }
    Ok(finished)
}

/// Searches with the heuristic of a stage, while what the next one needs is built.
type RunStage<'a> =
    dyn FnMut(&Stage, Option<&Stage>, &mut Meter<'_>) -> Result<Outcome<Move>, Stop> + 'a;

/// Searches with the heuristic of `stage` while what the next one needs is built.
fn run_stage(
    run: &Run<'_>,
    stage: &Stage,
    next: Option<&Stage>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let heuristic = run.heuristic(stage, meter)?;
    let doing = match (run.plan.proves_shortest(), run.direction) {
        (true, Direction::Forward) => "proving",
        (true, Direction::Backward) => "proving backward",
        (false, _) => "searching",
    };
    meter.stage(doing, Some(stage.heuristic.name))?;
    if let Some(next) = next {
        run.build_in_background(next, meter);
    }
    let automaton = run.automaton(Some(stage), meter)?;
    // A build in the background takes a thread too.
    let threads = if next.is_some() { 1 } else { run.plan.threads };
    if let Some(outcome) = by_kernel(run, heuristic, automaton.as_ref(), threads, meter) {
        return Ok(outcome);
    }
    // Which the plan has made sure of, as far as it can know.
    if stage.expansion_limit.is_none() && run.config.needs_large_kernel().is_some() {
        run.keeper.inspect(|keeper| keeper.refuse());
        return Err(Stop::Tables);
    }
    Ok(match &automaton {
        Some(automaton) => search_pruned(run, heuristic, automaton, meter),
        None => search(run, heuristic, meter),
    })
}

/// The search by a kernel, if there is one for these boards, tables and automata: kernels without tables know none.
fn by_kernel(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    automaton: Option<&Arc<Automaton>>,
    threads: usize,
    meter: &mut Meter<'_>,
) -> Option<Outcome<Move>> {
    match (&run.plan.space, heuristic) {
        (AnySpace::Medium(_), _) => large::search(run, heuristic, (automaton, threads), meter),
        (AnySpace::Fifteen(space), Patterns(sum)) => {
            let start = space.encode(run.problem.start());
            let position = sum.orientation().position(space, &start);
            run.tables.kernels.idastar(sum, &position, (automaton, threads), meter)
        }
        _ if automaton.is_some() => None,
        (AnySpace::Eight(space), Small(SmallHeuristic::TileSum(sum))) => {
            let start = space.encode(run.problem.start());
            Some(loyd_kernels::idastar(space, sum, start, meter))
        }
        (AnySpace::FifteenSlides(space), TileClasses(classes)) => {
            let start = space.encode(run.problem.start());
            let outcome = TileClassSearch::new(classes)?.solve(space, &start, meter);
            Some(in_moves::<Slides<Packed4x4>>(outcome))
        }
        _ => None,
    }
}

/// The generic search.
///
/// It is compiled once a space for heuristics of any kind, and again for these pairs, which are hot: there
/// a child takes a few nanoseconds.
fn search(run: &Run<'_>, heuristic: &AnyHeuristic, meter: &mut Meter<'_>) -> Outcome<Move> {
    let search = Search { run, meter };
    match (&run.plan.space, heuristic) {
        // As iterative deepening, which is there anyway.
        (space, Small(SmallHeuristic::Zero(_))) => {
            space.visit(iddfs::Search { run, meter: search.meter })
        }
        // Manhattan distance and the like.
        (AnySpace::Fifteen(space), Small(SmallHeuristic::TileSum(h))) => search.visit(space, h),
        // What 4x4 boards fall back to where memory has no room for tables.
        (AnySpace::Fifteen(space), Small(SmallHeuristic::SmallLinearConflict(h))) => {
            search.visit(space, h)
        }
        (AnySpace::Fifteen(space), Small(SmallHeuristic::WalkingDistance(h))) => {
            search.visit(space, h)
        }
        // Pattern databases of 4x4 boards that no kernel takes, and of all other sizes.
        (AnySpace::Fifteen(space), Patterns(h)) => search.visit(space, h),
        (AnySpace::Small(space), Patterns(h)) => search.visit(space, h),
        (AnySpace::Medium(space), Patterns(h)) => search.visit(space, h),
        // The first stage on 5x5 boards.
        (AnySpace::Medium(space), Small(SmallHeuristic::LinearConflict(h))) => {
            search.visit(space, h)
        }
        // Partial goals of up to 64 cells.
        (AnySpace::Small(space), Small(SmallHeuristic::MaxOfPatterns(h))) => search.visit(space, h),
        (AnySpace::SmallSlides(space), Small(SmallHeuristic::MaxOfPatterns(h))) => {
            search.visit(space, h)
        }
        (AnySpace::Medium(space), Small(SmallHeuristic::MaxOfPatterns(h))) => {
            search.visit(space, h)
        }
        // Slides on boards without a kernel: what a slide changes is told at once, not step by step.
        (AnySpace::SmallSlides(space), TileClasses(h)) => search.visit(space, h),
        _ => run.with(heuristic, search),
    }
}

struct Search<'a, 'm, 'o> {
    run: &'a Run<'a>,
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for Search<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        in_moves::<S>(idastar(space, h, &NoUndo, &start, self.meter))
    }
}
