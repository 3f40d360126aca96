//! Iterative-deepening searches: IDA*, the same without a heuristic, and IDA* with controlled re-expansion.
//!
//! All of them call a [search within a bound](crate::bounded_search) with one bound after the other, and differ in how
//! the bound rises.

use crate::bounded::{Batches, BoundedSearch, IterationEnd, bounded_search, traced_iteration};
use crate::heuristic::{IncrementalHeuristic, Zero};
use crate::meter::Meter;
use crate::outcome::{Outcome, Path, Stop};
use crate::prune::PathPruner;
use crate::space::{Cost, StateSpace};
use crate::trace::Tracer;

/// Depth-first search within increasing bounds on f = g + h: the first bound is h of the start, each further one is the
/// least f of the nodes that the previous bound pruned. Optimal if the heuristic is admissible.
///
/// Each bound is one iteration in the statistics. Cost: memory proportional to the length of the solution; every path
/// within the bound is searched, so a state is visited once for each path to it.
///
/// # Examples
/// Works with any [`StateSpace`] and any [`IncrementalHeuristic`], such as [`Zero`](crate::Zero):
/// ```
/// use loyd_search::{CancelToken, Limits, Meter, NoUndo, Outcome, Reversible, Stop, Zero, idastar};
///
/// /// Returns a shortest solution of at most 20 moves.
/// fn shortest<S: Reversible>(space: &S, start: &S::State) -> Option<Vec<S::Action>> {
///     let limits = Limits { max_depth: Some(20), ..Limits::default() };
///     let mut meter = Meter::new(limits, CancelToken::new());
///     match idastar(space, &Zero, &NoUndo, start, &mut meter) {
///         Outcome::Solved { path, .. } => Some(path),
///         Outcome::Exhausted | Outcome::Stopped(Stop::Depth) => None,
///         Outcome::Stopped(stop) => unreachable!("no such limit is set: {stop}"),
///     }
/// }
/// ```
///
/// # References
/// Korf (1985), "Depth-first iterative-deepening", Artificial Intelligence 27.
pub fn idastar<S, H, P>(
    space: &S,
    heuristic: &H,
    pruner: &P,
    start: &S::State,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    let bound = heuristic.h(space, start);
    let mut batches = Batches::new();
    run_iterations(bound, meter, &mut |bound, meter| {
        BoundedSearch::new((space, heuristic, pruner), meter, &mut batches).run(start, bound)
    })
}

/// Like [`idastar`], but reports each node to `tracer`. A simpler implementation, which meets the same nodes.
pub fn idastar_traced<S, H, P, T>(
    space: &S,
    heuristic: &H,
    pruner: &P,
    start: &S::State,
    (meter, mut tracer): (&mut Meter<'_>, T),
) -> Outcome<S::Action>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
    T: Tracer<S>,
{
    let bound = heuristic.h(space, start);
    run_iterations(bound, meter, &mut |bound, meter| {
        traced_iteration((space, heuristic, pruner), start, bound, meter, &mut tracer)
    })
}

/// A search within a given bound, called once per iteration.
pub type BoundedCall<'a, A> = dyn FnMut(Cost, &mut Meter<'_>) -> Result<IterationEnd<A>, Stop> + 'a;

/// Calls `search` with one bound after the other until it finds a goal or nothing is pruned: first with `bound`, then
/// with the least f that the previous bound pruned.
///
/// Shared by [`idastar`] and kernels with their own search within a bound.
pub fn run_iterations<A>(
    mut bound: Cost,
    meter: &mut Meter<'_>,
    search: &mut BoundedCall<'_, A>,
) -> Outcome<A> {
    let mut iterate = || loop {
        meter.begin_iteration(bound)?;
        if bound > meter.limits().depth() {
            return Err(Stop::Depth);
        }
        let end = search(bound, meter);
        let recorded = meter.end_iteration(bound);
        match end? {
            IterationEnd::Solved { path, cost } => return Ok(Outcome::Solved { path, cost }),
            IterationEnd::Unsolved { next_bound: None } => return Ok(Outcome::Exhausted),
            IterationEnd::Unsolved { next_bound: Some(next) } => bound = next,
        }
        recorded?;
    };
    Outcome::from_result(iterate())
}

/// Depth-first search with the limits 0, 1, 2 … until a goal is found. Finds a shortest path with the memory of a
/// depth-first search.
///
/// This is [`idastar`] without a heuristic: the least f pruned by a bound is then the bound plus one.
///
/// # References
/// Korf (1985), "Depth-first iterative-deepening", Artificial Intelligence 27.
pub fn iterative_deepening<S: StateSpace, P: PathPruner<S>>(
    space: &S,
    pruner: &P,
    start: &S::State,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action> {
    idastar(space, &Zero, pruner, start, meter)
}

/// Least factor by which the nodes expanded should grow from one iteration to the next; below it, the step doubles.
const LEAST_GROWTH: u64 = 2;
/// Largest factor by which the nodes expanded should grow from one iteration to the next; above it, the step halves.
const MOST_GROWTH: u64 = 8;

/// IDA* with controlled re-expansion, for costs so fine-grained that few nodes share the same f: depth-first search
/// within increasing bounds on f = g + h. The step from one bound to the next is adapted so that the
/// number of expanded nodes grows by a factor between 2 and 8. Once a solution is known, each bound halves the interval
/// between its cost and the lower bound, until no cheaper solution is possible. Optimal if the heuristic is admissible.
///
/// [`idastar`] raises the bound to the least f that was pruned, which may be a tiny fraction of the
/// cost of an action: then almost all of its work is re-expansion.
///
/// Each bound is one iteration in the statistics. Cost: memory proportional to the length of the solution.
///
/// # References
/// Sarkar, Chakrabarti, Ghose and De Sarkar (1991), "Reducing reexpansions in iterative-deepening search by controlling
/// cutoff bounds", Artificial Intelligence 50.
pub fn idastar_cr<S, H, P>(
    space: &S,
    heuristic: &H,
    pruner: &P,
    start: &S::State,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    let least = heuristic.h(space, start);
    deepen_in_steps(least, meter, &mut |bound, meter| {
        bounded_search(space, heuristic, pruner, start, bound, meter)
    })
}

/// Calls `search` with one bound after the other, given that no solution costs less than `least`.
fn deepen_in_steps<A>(
    mut least: Cost,
    meter: &mut Meter<'_>,
    search: &mut BoundedCall<'_, A>,
) -> Outcome<A> {
    let mut best: Option<(Path<A>, Cost)> = None;
    let mut step = Step { size: 1, expanded: 0 };
    let mut run_iterations = || loop {
        if let Some((path, cost)) = best.take_if(|(_, cost)| *cost <= least) {
            return Ok(Outcome::Solved { path, cost });
        }
        meter.begin_iteration(least)?;
        let depth = meter.limits().depth();
        if least > depth {
            return Err(Stop::Depth);
        }
        let bound = match &best {
            Some((_, cost)) => least + (cost - 1 - least) / 2,
            None => least.saturating_add(step.size - 1).min(depth),
        };
        let before = meter.expanded();
        let end = search(bound, meter);
        let recorded = meter.end_iteration(bound);
        match end? {
            IterationEnd::Solved { path, cost } => best = Some((path, cost)),
            IterationEnd::Unsolved { next_bound: None } => return Ok(Outcome::Exhausted),
            IterationEnd::Unsolved { next_bound: Some(next) } => least = next,
        }
        recorded?;
        step.adapt(meter.expanded() - before);
    };
    Outcome::from_result(run_iterations())
}

/// The step from one bound to the next, and the number of nodes that the last iteration expanded.
struct Step {
    size: Cost,
    expanded: u64,
}

impl Step {
    fn adapt(&mut self, expanded: u64) {
        let before = std::mem::replace(&mut self.expanded, expanded);
        if expanded < LEAST_GROWTH * before {
            self.size = self.size.saturating_mul(2);
        } else if expanded > MOST_GROWTH * before {
            self.size = (self.size / 2).max(1);
        }
    }
}
