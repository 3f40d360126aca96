//! Depth-first search within a bound: by itself, and as one round of iterative searches.

use crate::heuristic::{IncrementalHeuristic, Zero};
use crate::meter::{Meter, Stop};
use crate::nodes::vec_bytes;
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

/// How a depth-first search within a bound ended.
pub(crate) enum Round<A> {
    Solved {
        path: Path<A>,
        cost: Cost,
    },
    /// No goal within the bound; `least_overrun` is the least f that was cut off, if any was.
    Failed {
        least_overrun: Option<Cost>,
    },
}

/// Depth-first search of all paths whose f = g + h stays within a bound.
pub(crate) struct Bounded<'a, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>> {
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    stack: Vec<Waiting<S, H::Memo, P::State>>,
    path: Path<S::Action>,
}

/// A node within the bound that waits to be looked at.
struct Waiting<S: StateSpace, M, P> {
    state: S::State,
    memo: M,
    pruned: P,
    via: Option<S::Action>,
    /// The number of actions, and their cost, from the start.
    depth: u32,
    g: Cost,
}

impl<'a, S, H, P> Bounded<'a, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    pub fn new(space: &'a S, heuristic: &'a H, pruner: &'a P) -> Self {
        Self { space, heuristic, pruner, stack: Vec::new(), path: Path::new() }
    }

    /// Searches everything within `bound`.
    ///
    /// An explicit stack, because the depth is the user's: children are pushed in reverse, so they
    /// come up in the order of the space, and those over the bound are never made.
    pub fn round(
        &mut self,
        start: &S::State,
        bound: Cost,
        meter: &mut Meter<'_>,
    ) -> Result<Round<S::Action>, Stop> {
        let memo = self.heuristic.memo(self.space, start);
        let mut least_overrun = Cost::MAX;
        self.stack.clear();
        self.path.clear();
        match self.heuristic.value(&memo) {
            h if h > bound => least_overrun = h,
            _ => self.stack.push(Waiting {
                state: start.clone(),
                memo,
                pruned: self.pruner.start(),
                via: None,
                depth: 0,
                g: 0,
            }),
        }
        while let Some(node) = self.stack.pop() {
            if let Some(via) = node.via {
                self.path.truncate(node.depth as usize - 1);
                self.path.push(via);
            }
            if self.space.is_goal(&node.state) {
                return Ok(Round::Solved { path: std::mem::take(&mut self.path), cost: node.g });
            }
            meter.expand()?;
            let cut = self.push_children(&node, bound, meter);
            least_overrun = least_overrun.min(cut);
            meter.hold(vec_bytes(&self.stack, 0))?;
        }
        let least_overrun = (least_overrun != Cost::MAX).then_some(least_overrun);
        Ok(Round::Failed { least_overrun })
    }

    /// Pushes the children within `bound`; returns the least f among the others.
    #[inline]
    fn push_children(
        &mut self,
        node: &Waiting<S, H::Memo, P::State>,
        bound: Cost,
        meter: &mut Meter<'_>,
    ) -> Cost {
        let mut least_overrun = Cost::MAX;
        for action in self.space.actions(&node.state).into_iter().rev() {
            let Some(pruned) = self.pruner.step(self.space, node.pruned, action) else { continue };
            meter.generate(1);
            let state = self.space.successor(&node.state, action);
            let memo = self.heuristic.update(self.space, node.memo, &node.state, action, &state);
            let g = node.g + self.space.action_cost(&node.state, action);
            let f = g.saturating_add(self.heuristic.value(&memo));
            if f > bound {
                least_overrun = least_overrun.min(f);
                continue;
            }
            let (via, depth) = (Some(action), node.depth + 1);
            self.stack.push(Waiting { state, memo, pruned, via, depth, g });
        }
        least_overrun
    }
}
