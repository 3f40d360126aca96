//! `dfs` and `iddfs`: depth-first search to a limit, and iterative deepening; and IDA* pruned by an automaton, which
//! `iddfs` and `idastar` share.

use loyd_search::{
    Automaton, IncrementalHeuristic, Meter, NoUndo, Outcome, PathPruner, Stop, depth_first,
    depth_first_traced, depth_first_with, idastar, idastar_traced, iterative_deepening,
};
use loyd_tiles::{BoardSpace, Move};

use super::row::{Algorithm, Guarantee, Run};
use crate::heuristics::AnyHeuristic::{self, Patterns, Small};
use crate::heuristics::{InstanceVisitor, SmallHeuristic, Stage};
use crate::space::{AnySpace, SpaceVisitor, in_moves, in_plain_space, in_space};
use crate::trace::Watcher;

pub(crate) static DFS: Algorithm = Algorithm {
    name: "dfs",
    summary: "depth-first search down to --max-depth (default on 3x3 boards: 31)",
    guarantee: Guarantee::Nothing,
    is_depth_first: true,
    source: "Lucas 1882 (after Tremaux)",
    needs_depth: true,
    run: |run, meter| {
        let outcome = match run.automaton(None, meter)? {
            None => in_space!(&run.plan.space, space => search_to_limit(space, run, meter)),
            Some(automaton) => {
                let pruner = Some(&*automaton);
                run.with(&AnyHeuristic::ZERO, PrunedToLimit { run, pruner, meter })
            }
        };
        Ok(outcome.into())
    },
    trace: |run, meter, watch| {
        let automaton = run.automaton(None, meter)?;
        let pruner = automaton.as_deref();
        Ok(in_plain_space!(run, space => trace_to_limit(space, run, pruner, (meter, watch))).into())
    },
    ..Algorithm::DEFAULT
}
.registered();

/// Searches down to the depth limit.
fn search_to_limit<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    let start = space.encode(run.problem.start());
    let limit = meter.limits().depth();
    in_moves::<S>(depth_first(space, &NoUndo, &start, limit, meter))
}

/// Depth-first search pruned by an automaton. It shares its instantiations with [`search_any`].
struct PrunedToLimit<'a, 'm, 'o> {
    run: &'a Run<'a>,
    pruner: Option<&'a Automaton>,
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for PrunedToLimit<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(
        self,
        space: &S,
        zero: &H,
    ) -> Outcome<Move> {
        let from = (&space.encode(self.run.problem.start()), self.meter.limits().depth());
        in_moves::<S>(depth_first_with(space, zero, &self.pruner, from, self.meter))
    }
}

/// Like [`search_to_limit`], pruned by `pruner` if there is one, and reports every node to `watch`.
fn trace_to_limit<S: BoardSpace>(
    space: &S,
    run: &Run<'_>,
    pruner: Option<&Automaton>,
    (meter, watch): (&mut Meter<'_>, &mut Watcher<'_>),
) -> Outcome<Move> {
    let from = (&space.encode(run.problem.start()), meter.limits().depth());
    let (zero, tracer) = (&AnyHeuristic::ZERO, run.tracer(space, watch));
    in_moves::<S>(depth_first_traced(space, zero, &pruner, from, (meter, tracer)))
}

pub(crate) static IDDFS: Algorithm = Algorithm {
    name: "iddfs",
    summary: "iterative deepening: depth-first search with depth limits 0, 1, 2 ...",
    guarantee: Guarantee::Optimal,
    is_depth_first: true,
    source: "Korf 1985",
    run: |run, meter| {
        let outcome = match run.automaton(None, meter)? {
            None => run.plan.space.visit(IterativeDeepening { run, meter }),
            Some(automaton) => search_pruned(run, &AnyHeuristic::ZERO, &automaton, meter),
        };
        Ok(outcome.into())
    },
    trace: |run, meter, watch| {
        Ok(trace_iterations(run, (&AnyHeuristic::ZERO, None), meter, watch)?.into())
    },
    ..Algorithm::DEFAULT
}
.registered();

/// Depth-first iterative deepening, the same search as IDA* without a heuristic.
pub(super) struct IterativeDeepening<'a, 'm, 'o> {
    pub run: &'a Run<'a>,
    pub meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for IterativeDeepening<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace>(self, space: &S) -> Outcome<Move> {
        let start = space.encode(self.run.problem.start());
        in_moves::<S>(iterative_deepening(space, &NoUndo, &start, self.meter))
    }
}

/// Runs IDA* with the heuristic and the automaton of a stage, and reports every node to `watch`.
pub(super) fn trace_iterations(
    run: &Run<'_>,
    (heuristic, stage): (&AnyHeuristic, Option<&Stage>),
    meter: &mut Meter<'_>,
    watch: &mut Watcher<'_>,
) -> Result<Outcome<Move>, Stop> {
    fn search<S: BoardSpace>(
        space: &S,
        run: &Run<'_>,
        (heuristic, pruner): (&AnyHeuristic, Option<&Automaton>),
        (meter, watch): (&mut Meter<'_>, &mut Watcher<'_>),
    ) -> Outcome<Move> {
        let (start, tracer) = (space.encode(run.problem.start()), run.tracer(space, watch));
        in_moves::<S>(idastar_traced(space, heuristic, &pruner, &start, (meter, tracer)))
    }
    let automaton = run.automaton(stage, meter)?;
    let guide = (heuristic, automaton.as_deref());
    Ok(in_plain_space!(run, space => search(space, run, guide, (meter, watch))))
}

/// Runs the generic IDA* pruned by `automaton`. The pairs of space and heuristic listed here are instantiated
/// separately.
pub(super) fn search_pruned(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    automaton: &Automaton,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    match (&run.plan.space, heuristic) {
        (AnySpace::Fifteen(space), Small(SmallHeuristic::TileSum(h))) => {
            search_in(run, (space, &**h, automaton), meter)
        }
        (AnySpace::Fifteen(space), Small(SmallHeuristic::SmallLinearConflict(h))) => {
            search_in(run, (space, &**h, automaton), meter)
        }
        (AnySpace::Fifteen(space), Small(SmallHeuristic::WalkingDistance(h))) => {
            search_in(run, (space, &**h, automaton), meter)
        }
        (AnySpace::Medium(space), Patterns(h)) => search_in(run, (space, &**h, automaton), meter),
        (AnySpace::Medium(space), Small(SmallHeuristic::LinearConflict(h))) => {
            search_in(run, (space, &**h, automaton), meter)
        }
        _ => search_any(run, heuristic, Some(automaton), meter),
    }
}

/// Runs the generic IDA*.
pub(super) fn search_in<S: BoardSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>>(
    run: &Run<'_>,
    (space, heuristic, pruner): (&S, &H, &P),
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    let start = space.encode(run.problem.start());
    in_moves::<S>(idastar(space, heuristic, pruner, &start, meter))
}

/// Runs the generic IDA* with a heuristic of any kind, pruned by `pruner` if there is one. It is instantiated once per
/// space for both cases, so each child costs a test whether there is an automaton.
pub(super) fn search_any(
    run: &Run<'_>,
    heuristic: &AnyHeuristic,
    pruner: Option<&Automaton>,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    run.with(heuristic, SearchAny { run, pruner, meter })
}

struct SearchAny<'a, 'm, 'o> {
    run: &'a Run<'a>,
    pruner: Option<&'a Automaton>,
    meter: &'m mut Meter<'o>,
}

impl InstanceVisitor for SearchAny<'_, '_, '_> {
    type Output = Outcome<Move>;

    fn visit<S: BoardSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Outcome<Move> {
        search_in(self.run, (space, h, &self.pruner), self.meter)
    }
}
