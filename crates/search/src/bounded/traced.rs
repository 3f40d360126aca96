//! An iteration in its simplest form, which reports each node to a tracer.
//!
//! The other implementation is written for speed: in batches, with code for each kind of node. This one makes one child
//! at a time, meets the same nodes and has the same counts.

use super::{IterationEnd, count_later_siblings};
use crate::closed::NodeId;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::{Path, Stop, replay};
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, StateSpace};
use crate::trace::NodeEvent::{self, Generated, Pruned, Root, Solution};
use crate::trace::{Pruning, TracedNode, Tracer, emit_expansion};

/// A node on the current path, and its children that have not been tried.
struct Level<S: StateSpace, M, P> {
    state: S::State,
    memo: M,
    pruned: P,
    via: Option<S::Action>,
    g: Cost,
    children: <S::Actions as IntoIterator>::IntoIter,
}

/// An iteration, and its current path.
struct TracedIteration<'a, 'o, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>, T> {
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    bound: Cost,
    meter: &'a mut Meter<'o>,
    tracer: &'a mut T,
    path: Vec<Level<S, H::Memo, P::Memory>>,
    next_bound: Option<Cost>,
}

/// Searches all paths from `start` whose f stays within `bound`, depth first, like
/// [`bounded_search`](super::bounded_search), and reports each node to `tracer`.
///
/// # Errors
/// The limit that was reached, or the error of the tracer.
pub(crate) fn traced_iteration<S, H, P, T>(
    (space, heuristic, pruner): (&S, &H, &P),
    start: &S::State,
    bound: Cost,
    meter: &mut Meter<'_>,
    tracer: &mut T,
) -> Result<IterationEnd<S::Action>, Stop>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
    T: Tracer<S>,
{
    let (path, next_bound) = (Vec::new(), None);
    let iteration =
        TracedIteration { space, heuristic, pruner, bound, meter, tracer, path, next_bound };
    iteration.run(start)
}

impl<S, H, P, T> TracedIteration<'_, '_, S, H, P, T>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
    T: Tracer<S>,
{
    fn run(mut self, start: &S::State) -> Result<IterationEnd<S::Action>, Stop> {
        let memo = self.heuristic.memo(self.space, start);
        let pruned = self.pruner.start(self.space, start);
        let root = (start.clone(), memo, pruned);
        if self.arrive(root, None, 0, Root)? {
            return Ok(self.solved(start, None));
        }
        while let Some(parent) = self.path.last_mut() {
            let Some(action) = parent.children.next() else {
                self.path.pop();
                continue;
            };
            let child = self.space.successor(&parent.state, action);
            let cost = self.space.action_cost(&parent.state, action);
            let g = parent.g.saturating_add(cost);
            let Some(pruned) = self.pruner.extend(self.space, parent.pruned, action) else {
                self.report_refused(action, &child, g)?;
                continue;
            };
            let memo =
                self.heuristic.update(self.space, parent.memo, &parent.state, action, &child);
            if self.arrive((child, memo, pruned), Some(action), g, Generated)? {
                return Ok(self.solved(start, Some(action)));
            }
        }
        Ok(IterationEnd::Unsolved { next_bound: self.next_bound })
    }

    /// Tests a node and expands it if a child may be within the bound; returns whether it is a goal.
    fn arrive(
        &mut self,
        (state, memo, pruned): (S::State, H::Memo, P::Memory),
        via: Option<S::Action>,
        g: Cost,
        event: NodeEvent,
    ) -> Result<bool, Stop> {
        let h = self.heuristic.value(&memo);
        let depth = self.path.len() as NodeId;
        let f = g.saturating_add(h);
        let from = via.map(|via| (depth - 1, via));
        let node = TracedNode::<S> {
            id: Some(depth),
            from,
            h: Some(h),
            f: Some(f.into()),
            bound: Some(self.bound),
            ..TracedNode::root(&state, g)
        };
        if f > self.bound {
            self.tracer.on_event(Pruned(Pruning::AboveBound), &TracedNode { id: None, ..node })?;
            self.overrun(f);
            return Ok(false);
        }
        self.tracer.on_event(event, &node)?;
        if self.space.is_goal(&state) {
            self.tracer.on_event(Solution, &node)?;
            return Ok(true);
        }
        if g == self.bound {
            // Every action costs at least 1.
            self.tracer.on_event(Pruned(Pruning::AtBound), &node)?;
            self.overrun(self.bound.saturating_add(1));
            return Ok(false);
        }
        let actions = self.pruner.allowed(self.space, pruned, via, self.space.actions(&state));
        self.meter.reserve(vec_bytes(&self.path, 1))?;
        self.meter.expand()?;
        self.meter.generate(actions.count());
        emit_expansion(self.tracer, self.space, actions, || node)?;
        let children = actions.into_iter();
        self.path.push(Level { state, memo, pruned, via, g, children });
        Ok(false)
    }

    /// Reports a child that the pruner refuses because of the path to it.
    fn report_refused(&mut self, via: S::Action, child: &S::State, g: Cost) -> Result<(), Stop> {
        let parent = self.path.len() as NodeId - 1;
        let child =
            TracedNode { bound: Some(self.bound), ..TracedNode::child(parent, via, child, g) };
        self.tracer.on_event(Pruned(Pruning::Equivalent), &child)
    }

    /// Records that a node with this f was pruned.
    fn overrun(&mut self, f: Cost) {
        self.next_bound = Some(self.next_bound.map_or(f, |least| least.min(f)));
    }

    /// Returns the solution: the current path, followed by the action `last`.
    fn solved(self, start: &S::State, last: Option<S::Action>) -> IterationEnd<S::Action> {
        let path: Path<S::Action> =
            self.path.iter().filter_map(|level| level.via).chain(last).collect();
        self.meter.subtract_generated(count_later_siblings(self.space, self.pruner, start, &path));
        let cost = replay(self.space, start, &path).expect("the path leads to a goal");
        IterationEnd::Solved { path, cost }
    }
}
