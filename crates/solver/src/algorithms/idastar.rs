//! `idastar`.

use std::sync::Arc;

use loyd_kernels::TileClassSearch;
use loyd_search::{Automaton, Direction, Meter, NoUndo, Outcome, Stop};
use loyd_tiles::{BoardSpace, Move, Packed4x4, Slides};

use super::by_cost::{Search as ByCost, run_by_cost};
use super::depth_first::{
    IterativeDeepening, search_any, search_in, search_pruned, trace_iterations,
};
use super::row::{Algorithm, Finished, Guarantee, Run};
use super::{direction, large};
use crate::heuristics::AnyHeuristic::{self, Patterns, Small, TileClasses};
use crate::heuristics::{SmallHeuristic, Stage};
use crate::space::{AnySpace, in_moves};

pub(crate) static IDASTAR: Algorithm = Algorithm {
    name: "idastar",
    summary: "IDA*: depth-first search within a bound on f that rises to the least f beyond it",
    guarantee: Guarantee::OptimalIfAdmissible,
    uses_heuristic: true,
    is_depth_first: true,
    source: "Korf 1985",
    run: |run, meter| {
        if let Some(finished) = run_by_cost(run, ByCost::IdaStar, meter) {
            return finished;
        }
        run_stages(run, meter, &mut |stage, next, meter| match run.reverse {
            Some(reverse) if stage.expansion_limit.is_none() => {
                let search = |run: &Run<'_>, stage: &Stage, meter: &mut Meter<'_>| {
                    run_stage(run, stage, None, meter)
                };
                direction::search((run, reverse), stage, &search, meter)
            }
            _ => run_stage(run, stage, next, meter),
        })
    },
    trace: |run, meter, watch| {
        run_stages(run, meter, &mut |stage, _, meter| {
            let heuristic = run.checked_heuristic(stage, meter)?;
            trace_iterations(run, (heuristic, Some(stage)), meter, watch)
        })
    },
    ..Algorithm::DEFAULT
}
.registered();

/// Runs the stages of an iterative search in order. The first stage needs no tables, or small ones, and starts
/// immediately; the tables of the next stage are built in the background meanwhile, if there is more than one thread. A
/// stage that reaches its expansion limit is abandoned, and the next one starts from the beginning.
fn run_stages<'a>(
    run: &Run<'a>,
    meter: &mut Meter<'_>,
    run_stage: &mut RunStage<'_>,
) -> Result<Finished<'a>, Stop> {
    let mut stages = run.stages.iter();
    if run.config.needs_large_kernel().is_some() {
        // Earlier stages can be neither sharded nor suspended.
        stages = run.stages[run.stages.len().saturating_sub(1)..].iter();
    }
    let mut finished = Finished::from(Outcome::Exhausted);
    while let Some(stage) = stages.next() {
        let next = stages.as_slice().first();
        let next = next.filter(|stage| {
            stage.tables.is_some() && stage.is_built_ahead && run.config.threads > 1
        });
        let mut search = |meter: &mut Meter<'_>| run_stage(stage, next, meter);
        let outcome = match stage.expansion_limit {
            None => search(meter),
            Some(limit) => meter.with_max_expansions(limit, search),
        };
        let outcome = outcome.unwrap_or_else(Outcome::Stopped);
        let continues = stage.expansion_limit.is_some()
            && outcome == Outcome::Stopped(Stop::Expanded)
            && meter.remaining_expansions() > 0;
        finished = Finished { outcome, stage: Some(stage) };
        if !continues {
            break;
        }
        meter.restart();
    }
    Ok(finished)
}

/// Searches with the heuristic of the first stage, while the tables of the second one are built.
type RunStage<'a> =
    dyn FnMut(&Stage, Option<&Stage>, &mut Meter<'_>) -> Result<Outcome<Move>, Stop> + 'a;

/// Searches with the heuristic of `stage`, while the tables of `next` are built in the background.
fn run_stage(
    run: &Run<'_>,
    stage: &Stage,
    next: Option<&Stage>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let heuristic = run.heuristic(stage, meter)?;
    let activity = match (run.plan.proves_shortest(), run.direction) {
        (true, Direction::Forward) => "proving",
        (true, Direction::Backward) => "proving backward",
        (false, _) => "searching",
    };
    meter.enter_stage(activity, Some(stage.heuristic.name))?;
    if let Some(next) = next {
        run.build_in_background(next, meter);
    }
    let automaton = run.automaton(Some(stage), meter)?;
    // The background build occupies one of the threads.
    let threads = if next.is_some() { 1 } else { run.plan.threads };
    if let Some(outcome) = by_kernel(run, heuristic, automaton.as_ref(), threads, meter) {
        return Ok(outcome);
    }
    // The plan has ensured that there is a kernel, so the tables must be unusable.
    if stage.expansion_limit.is_none() && run.config.needs_large_kernel().is_some() {
        run.checkpointer.inspect(|checkpointer| checkpointer.reject());
        return Err(Stop::Tables);
    }
    Ok(match &automaton {
        Some(automaton) => search_pruned(run, heuristic, automaton, meter),
        None => search(run, heuristic, meter),
    })
}

/// Searches with a kernel if there is one for this combination of board, tables and automaton; otherwise returns
/// `None`. Kernels that use no pattern database support no automata.
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

/// Runs the generic IDA* without an automaton. The pairs listed here are instantiated separately because they are hot:
/// a child takes only a few nanoseconds.
fn search(run: &Run<'_>, heuristic: &AnyHeuristic, meter: &mut Meter<'_>) -> Outcome<Move> {
    match (&run.plan.space, heuristic) {
        // Shares its code with iterative deepening.
        (space, Small(SmallHeuristic::Zero(_))) => space.visit(IterativeDeepening { run, meter }),
        // Manhattan distance and other sums over tiles.
        (AnySpace::Fifteen(space), Small(SmallHeuristic::TileSum(h))) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        // The fallback for 4x4 boards if memory has no room for tables.
        (AnySpace::Fifteen(space), Small(SmallHeuristic::SmallLinearConflict(h))) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        (AnySpace::Fifteen(space), Small(SmallHeuristic::WalkingDistance(h))) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        // Pattern databases of 4x4 boards that no kernel supports, and of all other sizes.
        (AnySpace::Fifteen(space), Patterns(h)) => search_in(run, (space, &**h, &NoUndo), meter),
        (AnySpace::Small(space), Patterns(h)) => search_in(run, (space, &**h, &NoUndo), meter),
        (AnySpace::Medium(space), Patterns(h)) => search_in(run, (space, &**h, &NoUndo), meter),
        // The first stage on 5x5 boards.
        (AnySpace::Medium(space), Small(SmallHeuristic::LinearConflict(h))) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        // Partial goals of up to 64 cells.
        (AnySpace::Small(space), Small(SmallHeuristic::MaxOfPatterns(h))) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        (AnySpace::SmallSlides(space), Small(SmallHeuristic::MaxOfPatterns(h))) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        (AnySpace::Medium(space), Small(SmallHeuristic::MaxOfPatterns(h))) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        // Slides on boards without a kernel: the memo is updated once per slide instead of once per step.
        (AnySpace::SmallSlides(space), TileClasses(h)) => {
            search_in(run, (space, &**h, &NoUndo), meter)
        }
        _ => search_any(run, heuristic, None, meter),
    }
}
