//! Depth-first search within a bound: by itself, and as one round of iterative searches.

use crate::heuristic::{IncrementalHeuristic, Zero};
use crate::memory::vec_bytes;
use crate::meter::{Meter, Stop};
use crate::outcome::{Outcome, Path};
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, StateSpace};

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
    let (mut state, mut memory, mut later) = (start.clone(), pruner.start(), 0);
    for &action in path {
        let siblings = pruner.allowed(memory, space.actions(&state)).into_iter().rev();
        later += siblings.take_while(|&sibling| sibling != action).count() as u64;
        memory = pruner.after(space, memory, action);
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
    /// Places below the current top hold nodes that wait; those above it are of no account.
    stack: Vec<Waiting<S, H::Memo, P::Memory>>,
    /// `path[depth]` is the action that led to the current node at `depth`; none leads to the root.
    path: Vec<Option<S::Action>>,
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

impl<S: StateSpace, M: Copy, P: Copy> Clone for Waiting<S, M, P> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone(), ..*self }
    }
}

impl<'a, S, H, P> Bounded<'a, S, H, P>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
{
    /// A search of `space`; keeps its memory from round to round.
    pub fn new(space: &'a S, heuristic: &'a H, pruner: &'a P) -> Self {
        Self { space, heuristic, pruner, stack: Vec::new(), path: Vec::new() }
    }

    /// Searches everything within `bound`.
    ///
    /// An explicit stack, because the depth is the user's. Children are pushed in reverse, so that
    /// they come up in the order of the space; those over the bound are not even made.
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
        let pruned = self.pruner.start();
        let root = Waiting { state: start.clone(), memo, pruned, via: None, depth: 0, g: 0 };
        let f = self.f(&root, bound);
        let mut least_overrun = if f > bound { f } else { Cost::MAX };
        let mut top = usize::from(f <= bound);
        self.make_room(1, &root, meter)?;
        self.stack[0] = root.clone();
        while let Some(below) = top.checked_sub(1) {
            top = below;
            let node = self.stack[top].clone();
            let depth = node.depth as usize;
            self.path[depth] = node.via;
            if self.space.is_goal(&node.state) {
                let path: Path<_> = self.path[..=depth].iter().flatten().copied().collect();
                meter.not_generated(later_siblings(self.space, self.pruner, start, &path));
                return Ok(Round::Solved { path, cost: node.g });
            }
            meter.expand()?;
            let actions = self.pruner.allowed(node.pruned, self.space.actions(&node.state));
            let children = actions.count();
            meter.generate(children);
            let needed = top + children as usize;
            if needed > self.stack.len() || depth + 1 >= self.path.len() {
                self.make_room(needed, &node, meter)?;
            }
            for action in actions.into_iter().rev() {
                let child = self.child(&node, action);
                let f = self.f(&child, bound);
                if f <= bound {
                    self.stack[top] = child;
                    top += 1;
                } else {
                    least_overrun = least_overrun.min(f);
                }
            }
        }
        let least_overrun = (least_overrun != Cost::MAX).then_some(least_overrun);
        Ok(Round::Failed { least_overrun })
    }

    /// The child of `node` by `action`.
    #[inline]
    fn child(
        &self,
        node: &Waiting<S, H::Memo, P::Memory>,
        action: S::Action,
    ) -> Waiting<S, H::Memo, P::Memory> {
        let state = self.space.successor(&node.state, action);
        let memo = self.heuristic.update(self.space, node.memo, &node.state, action, &state);
        let pruned = self.pruner.after(self.space, node.pruned, action);
        let g = node.g + self.space.action_cost(&node.state, action);
        Waiting { state, memo, pruned, via: Some(action), depth: node.depth + 1, g }
    }

    /// The f of `node`. Every action costs at least 1, so below a node at the bound itself nothing is
    /// within it: unless it is a goal, it overruns too.
    #[inline]
    fn f(&self, node: &Waiting<S, H::Memo, P::Memory>, bound: Cost) -> Cost {
        let f = node.g.saturating_add(self.heuristic.value(&node.memo));
        let dead_end = node.g == bound && f == bound && !self.space.is_goal(&node.state);
        f.saturating_add(dead_end.into())
    }

    /// Makes the stack long enough for `needed` nodes and the path for the children of `node`.
    #[cold]
    fn make_room(
        &mut self,
        needed: usize,
        node: &Waiting<S, H::Memo, P::Memory>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        const AHEAD: usize = 64;
        let nodes = self.stack.len().max(needed + AHEAD);
        let actions = self.path.len().max(node.depth as usize + 1 + AHEAD);
        let held = vec_bytes(&self.stack, nodes - self.stack.len())
            + vec_bytes(&self.path, actions - self.path.len());
        meter.hold(held)?;
        self.stack.resize(nodes, node.clone());
        self.path.resize(actions, None);
        Ok(())
    }
}
