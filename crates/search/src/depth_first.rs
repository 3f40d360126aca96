//! Depth-first search.

use crate::bounded::{Round, bounded_search, traced_round};
use crate::heuristic::{IncrementalHeuristic, Zero};
use crate::meter::Meter;
use crate::outcome::Outcome;
use crate::prune::PathPruner;
use crate::space::{Cost, StateSpace};
use crate::stop::Stop;
use crate::trace::Tracer;

/// Goes as deep as `limit` (path cost) allows before it tries another way: finds some path, usually
/// a long one.
///
/// Remembers nothing but the path, so a state is visited once for each path to it.
/// [`Outcome::Exhausted`] is returned only if the limit cut nothing off; otherwise not finding a path
/// proves nothing.
///
/// Cost: memory in proportion to the limit, time exponential in it.
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
    depth_first_by(space, &Zero, pruner, (start, limit), meter)
}

/// [`depth_first`] with a `heuristic` that has to be [`Zero`], by whatever name: one that is chosen at run time can be.
pub fn depth_first_by<S, H, P>(
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

/// [`depth_first`], which tells `tracer` of each node. It searches in the plainest way, which meets the same nodes;
/// the `heuristic` has to be [`Zero`], by whatever name.
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
    outcome(traced_round((space, heuristic, pruner), start, limit, meter, &mut tracer))
}

/// The outcome of a search that makes a single round.
fn outcome<A>(round: Result<Round<A>, Stop>) -> Outcome<A> {
    Outcome::from_result(round.and_then(|round| match round {
        Round::Solved { path, cost } => Ok(Outcome::Solved { path, cost }),
        Round::Failed { least_overrun: None } => Ok(Outcome::Exhausted),
        Round::Failed { least_overrun: Some(_) } => Err(Stop::Depth),
    }))
}
