//! Depth-first search.

use crate::bounded::{Round, bounded_search};
use crate::heuristic::Zero;
use crate::meter::Meter;
use crate::outcome::Outcome;
use crate::prune::PathPruner;
use crate::space::{Cost, StateSpace};
use crate::stop::Stop;

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
    let round = bounded_search(space, &Zero, pruner, start, limit, meter);
    Outcome::from_result(round.and_then(|round| match round {
        Round::Solved { path, cost } => Ok(Outcome::Solved { path, cost }),
        Round::Failed { least_overrun: None } => Ok(Outcome::Exhausted),
        Round::Failed { least_overrun: Some(_) } => Err(Stop::Depth),
    }))
}
