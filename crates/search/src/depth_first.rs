//! Depth-first search within a bound: by itself, and as one round of iterative searches.

mod descent;

use descent::{Descent, RECURSION};

use crate::heuristic::{IncrementalHeuristic, Zero};
use crate::meter::{Meter, Stop};
use crate::outcome::{Outcome, Path};
use crate::prune::PathPruner;
use crate::space::{Cost, StateSpace};

/// Goes as deep as `limit` (path cost) allows before it tries another way: finds some path, usually
/// a long one.
///
/// Remembers nothing but the path, so a state is met once for each path to it. [`Outcome::Exhausted`]
/// is returned only if the limit cut nothing off; otherwise not finding a path proves nothing.
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
    let mut search = Bounded::new(space, &Zero, pruner);
    Outcome::from_result(search.round(start, limit, meter).and_then(|round| match round {
        Round::Solved { path, cost } => Ok(Outcome::Solved { path, cost }),
        Round::Failed { least_overrun: None } => Ok(Outcome::Exhausted),
        Round::Failed { least_overrun: Some(_) } => Err(Stop::Depth),
    }))
}

/// How many children of the nodes along `path` come after the one that the path takes: a depth-first
/// search that ends with this path never looked at them.
pub fn later_siblings<S, P>(space: &S, pruner: &P, start: &S::State, path: &[S::Action]) -> u64
where
    S: StateSpace,
    P: PathPruner<S>,
{
    let (mut state, mut memory, mut last, mut later) = (start.clone(), pruner.start(), None, 0);
    for &action in path {
        let allowed = pruner.allowed(space, memory, last, space.actions(&state));
        later += allowed.into_iter().rev().take_while(|&sibling| sibling != action).count() as u64;
        memory = pruner.after(space, memory, action);
        last = Some(action);
        space.apply(&mut state, action);
    }
    later
}

/// How a depth-first search within a bound ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Round<A> {
    /// A path to a goal.
    Solved {
        /// The actions from the start to the goal.
        path: Path<A>,
        /// The sum of their costs.
        cost: Cost,
    },
    /// No goal within the bound.
    Failed {
        /// The least f that was cut off, if any was.
        least_overrun: Option<Cost>,
    },
}

/// Depth-first search of all paths whose f = g + h stays within a bound: a round of
/// [`idastar`](crate::idastar).
pub struct Bounded<'a, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>> {
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    /// Nodes with at most so much of the bound left are searched by recursion.
    recursion: Cost,
    /// Nodes that wait, high above the bound.
    stack: Vec<Waiting<S, H::Memo, P::Memory>>,
    /// The actions to the current node, then those from there to the goal, the last one first.
    path: Vec<S::Action>,
}

impl<'a, S, H, P> Bounded<'a, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    /// A search of `space`; keeps its memory from round to round.
    pub fn new(space: &'a S, heuristic: &'a H, pruner: &'a P) -> Self {
        Self { space, heuristic, pruner, recursion: RECURSION, stack: Vec::new(), path: Vec::new() }
    }

    /// Searches everything within `bound`.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn round(
        &mut self,
        start: &S::State,
        bound: Cost,
        meter: &mut Meter<'_>,
    ) -> Result<Round<S::Action>, Stop> {
        let memo = self.heuristic.memo(self.space, start);
        let h = self.heuristic.value(&memo);
        if h > bound {
            return Ok(Round::Failed { least_overrun: Some(h) });
        }
        let (space, pruner) = (self.space, self.pruner);
        let pruned = pruner.start();
        let root =
            Waiting { state: start.clone(), memo, pruned, last: None, depth: 0, left: bound };
        let budget = meter.lend();
        let mut descent = Descent::new(self, meter);
        let done = descent.walk(root, budget);
        let (generated, least_over, end) = (descent.generated, descent.least_over, descent.end);
        meter.generate(generated);
        if let Some(budget) = done {
            meter.take_back(budget);
            let least_overrun = (least_over != Cost::MAX).then(|| bound.saturating_add(least_over));
            return Ok(Round::Failed { least_overrun });
        }
        match end.expect("a descent that breaks off says why") {
            End::Stopped(stop) => Err(stop),
            End::Goal { left } => {
                let path = std::mem::take(&mut self.path);
                meter.not_generated(later_siblings(space, pruner, start, &path));
                Ok(Round::Solved { path, cost: bound - left })
            }
        }
    }
}

/// A node within the bound that waits to be looked at.
struct Waiting<S: StateSpace, M, P> {
    state: S::State,
    memo: M,
    pruned: P,
    last: Option<S::Action>,
    /// The number of actions from the start.
    depth: usize,
    /// What is left of the bound.
    left: Cost,
}

/// What ends a round early.
#[derive(Clone, Copy)]
enum End {
    /// A goal, and what is left of the bound there.
    Goal {
        left: Cost,
    },
    Stopped(Stop),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::{CancelToken, Limits};
    use crate::outcome::replay;
    use crate::prune::{NoPruning, NoUndo};
    use crate::space::Rankable;
    use crate::testkit::{Gap, Pancakes};

    /// The end of a round and its counts, if nodes with `recursion` of the bound left recurse.
    fn round<P: PathPruner<Pancakes>>(
        pruner: &P,
        (rank, bound, max_expanded): (u64, Cost, u64),
        recursion: Cost,
    ) -> (Result<Round<u8>, Stop>, u64, u64) {
        let space = Pancakes::new(6);
        let limits = Limits { max_expanded: Some(max_expanded), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        let mut search = Bounded { recursion, ..Bounded::new(&space, &Gap, pruner) };
        let start = space.unrank(rank);
        let end = search.round(&start, bound, &mut meter);
        if let Ok(Round::Solved { path, cost }) = &end {
            assert_eq!(replay(&space, &start, path), Ok(*cost));
        }
        let stats = meter.finish();
        (end, stats.expanded, stats.generated)
    }

    #[test]
    fn it_does_not_matter_where_recursion_begins() {
        for rank in (0..720).step_by(7) {
            for case in [(rank, 5, u64::MAX), (rank, 8, u64::MAX), (rank, 8, rank)] {
                let known = round(&NoUndo, case, 0);
                for recursion in [1, 2, 5, 7, 8, RECURSION] {
                    assert_eq!(round(&NoUndo, case, recursion), known, "{case:?}, {recursion}");
                }
            }
        }
    }

    /// Without pruning the first path flips to and fro until the bound, far above all recursion.
    #[test]
    fn paths_of_any_length_need_no_more_of_the_machine_s_stack() {
        let deep = || {
            let (end, expanded, _) = round(&NoPruning, (77, 100_000, 100_500), RECURSION);
            assert!(matches!(end, Ok(Round::Solved { cost: 99_900.., .. })), "{end:?}");
            assert!((99_900..100_500).contains(&expanded));
        };
        std::thread::Builder::new().stack_size(128 << 10).spawn(deep).unwrap().join().unwrap();
    }
}
