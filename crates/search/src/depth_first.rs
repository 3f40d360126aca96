//! Depth-first search.

use crate::bounded::{IterationEnd, bounded_search, traced_iteration};
use crate::heuristic::{IncrementalHeuristic, Zero};
use crate::meter::Meter;
use crate::outcome::{Outcome, Stop};
use crate::prune::PathPruner;
use crate::space::{Cost, StateSpace};
use crate::trace::Tracer;

/// Goes as deep as `limit` (path cost) allows before it backtracks. Finds some path, usually a long one.
///
/// Stores only the current path, so a state is visited once for each path to it. [`Outcome::Exhausted`] is returned
/// only if the limit pruned nothing; otherwise, the absence of a path proves nothing.
///
/// Cost: memory proportional to the limit, time exponential in it.
pub fn depth_first<S, P>(
    space: &S,
    pruner: &P,
    start: &S::State,
    limit: Cost,
    meter: &mut Meter<'_>,
) -> Outcome<S::Action>
where
    S: StateSpace,
    P: PathPruner<S>,
{
    depth_first_with(space, &Zero, pruner, (start, limit), meter)
}

/// Like [`depth_first`], for a `heuristic` chosen at run time. It must be 0 everywhere, like [`Zero`].
pub fn depth_first_with<S, H, P>(
    space: &S,
    heuristic: &H,
    pruner: &P,
    (start, limit): (&S::State, Cost),
    meter: &mut Meter<'_>,
) -> Outcome<S::Action>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    outcome(bounded_search(space, heuristic, pruner, start, limit, meter))
}

/// Like [`depth_first_with`], but reports each node to `tracer`. A simpler implementation, which meets the same nodes.
pub fn depth_first_traced<S, H, P, T>(
    space: &S,
    heuristic: &H,
    pruner: &P,
    (start, limit): (&S::State, Cost),
    (meter, mut tracer): (&mut Meter<'_>, T),
) -> Outcome<S::Action>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
    T: Tracer<S>,
{
    outcome(traced_iteration((space, heuristic, pruner), start, limit, meter, &mut tracer))
}

/// Converts the result of the only iteration of a search into its outcome.
fn outcome<A>(result: Result<IterationEnd<A>, Stop>) -> Outcome<A> {
    Outcome::from_result(result.and_then(|end| match end {
        IterationEnd::Solved { path, cost } => Ok(Outcome::Solved { path, cost }),
        IterationEnd::Unsolved { next_bound: None } => Ok(Outcome::Exhausted),
        IterationEnd::Unsolved { next_bound: Some(_) } => Err(Stop::Depth),
    }))
}
