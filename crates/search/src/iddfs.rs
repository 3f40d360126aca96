//! Iterative deepening.

use crate::heuristic::Zero;
use crate::idastar::idastar;
use crate::meter::Meter;
use crate::outcome::Outcome;
use crate::prune::PathPruner;
use crate::space::StateSpace;

/// Depth-first search with the limits 0, 1, 2 … until a goal is found: a shortest path in the memory
/// of depth-first search.
///
/// It is [`idastar`] without a heuristic: the least overrun of a bound is then the bound plus one.
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
