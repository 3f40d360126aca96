//! Iterative-deepening A*.

use crate::bounded::{Batches, BoundedSearch, Round, traced_round};
use crate::heuristic::IncrementalHeuristic;
use crate::meter::Meter;
use crate::outcome::Outcome;
use crate::prune::PathPruner;
use crate::space::{Cost, StateSpace};
use crate::stop::Stop;
use crate::trace::Tracer;

/// Depth-first search within bounds on f = g + h: the first bound is h of the start, each next one
/// the least f that overran the last. Optimal if the heuristic is admissible.
///
/// Each bound is an iteration of the statistics. Cost: memory in proportion to the solution; every
/// path within the bound is walked, so a state is met once for each.
///
/// # Examples
/// Any [`StateSpace`] and any [`IncrementalHeuristic`] will do; [`Zero`](crate::Zero) is one.
/// ```
/// use loyd_search::{CancelToken, Limits, Meter, NoUndo, Outcome, Reversible, Stop, Zero, idastar};
///
/// /// A shortest solution of at most 20 moves.
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
    deepen(bound, meter, |bound, meter| {
        BoundedSearch::new((space, heuristic, pruner), meter, &mut batches).round(start, bound)
    })
}

/// [`idastar`], which tells `tracer` of each node. It searches in the plainest way, which meets the same nodes.
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
    deepen(bound, meter, |bound, meter| {
        traced_round((space, heuristic, pruner), start, bound, meter, &mut tracer)
    })
}

/// Makes one `round` after the other, each within its bound: first `bound`, then the least f that
/// overran the last one.
///
/// What [`idastar`] shares with kernels that search a round in a way of their own.
pub fn deepen<A>(
    mut bound: Cost,
    meter: &mut Meter<'_>,
    mut round: impl FnMut(Cost, &mut Meter<'_>) -> Result<Round<A>, Stop>,
) -> Outcome<A> {
    let mut deepen = || loop {
        meter.begin_round(bound)?;
        if bound > meter.limits().depth() {
            return Err(Stop::Depth);
        }
        let end = round(bound, meter);
        let watched = meter.iteration(bound);
        match end? {
            Round::Solved { path, cost } => return Ok(Outcome::Solved { path, cost }),
            Round::Failed { least_overrun: None } => return Ok(Outcome::Exhausted),
            Round::Failed { least_overrun: Some(next) } => bound = next,
        }
        watched?;
    };
    Outcome::from_result(deepen())
}
