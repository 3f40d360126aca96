//! A round in its plainest form, which tells of each node.
//!
//! The searches that count are made for speed: in batches, by kinds of nodes. This one meets the same nodes and counts
//! the same, one child after the other.

use super::{Round, later_siblings};
use crate::closed::NodeId;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::meter::Meter;
use crate::outcome::{Path, replay};
use crate::prune::PathPruner;
use crate::space::{ActionSet, Cost, StateSpace};
use crate::stop::Stop;
use crate::trace::NodeEvent::{self, End, Generating, Pruned, Source};
use crate::trace::{Pruning, TracedNode, Tracer, tell_expanding};

/// A node on the path, and which of its children are left.
struct Level<S: StateSpace, M, P> {
    state: S::State,
    memo: M,
    pruned: P,
    via: Option<S::Action>,
    g: Cost,
    children: <S::Actions as IntoIterator>::IntoIter,
}

/// A round: what it needs, and the path that it is on.
struct TracedRound<'a, 'o, S: StateSpace, H: IncrementalHeuristic<S>, P: PathPruner<S>, T> {
    space: &'a S,
    heuristic: &'a H,
    pruner: &'a P,
    bound: Cost,
    meter: &'a mut Meter<'o>,
    tracer: &'a mut T,
    path: Vec<Level<S, H::Memo, P::Memory>>,
    least_overrun: Option<Cost>,
}

/// Searches all paths from `start` whose f stays within `bound`, depth first, as
/// [`bounded_search`](super::bounded_search), and tells `tracer` of each node.
///
/// # Errors
/// The limit that was reached; that of the tracer.
pub(crate) fn traced_round<S, H, P, T>(
    (space, heuristic, pruner): (&S, &H, &P),
    start: &S::State,
    bound: Cost,
    meter: &mut Meter<'_>,
    tracer: &mut T,
) -> Result<Round<S::Action>, Stop>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
    T: Tracer<S>,
{
    let (path, least_overrun) = (Vec::new(), None);
    let round = TracedRound { space, heuristic, pruner, bound, meter, tracer, path, least_overrun };
    round.run(start)
}

impl<S, H, P, T> TracedRound<'_, '_, S, H, P, T>
where
    S: StateSpace,
    H: IncrementalHeuristic<S>,
    P: PathPruner<S>,
    T: Tracer<S>,
{
    fn run(mut self, start: &S::State) -> Result<Round<S::Action>, Stop> {
        let memo = self.heuristic.memo(self.space, start);
        let pruned = self.pruner.start(self.space, start);
        let root = (start.clone(), memo, pruned);
        if self.arrive(root, None, 0, Source)? {
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
            let Some(pruned) = self.pruner.after(self.space, parent.pruned, action) else {
                self.refuse(action, &child, g)?;
                continue;
            };
            let memo =
                self.heuristic.update(self.space, parent.memo, &parent.state, action, &child);
            if self.arrive((child, memo, pruned), Some(action), g, Generating)? {
                return Ok(self.solved(start, Some(action)));
            }
        }
        Ok(Round::Failed { least_overrun: self.least_overrun })
    }

    /// Comes to a node, which is expanded if something below it may be within the bound; whether it is a goal.
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
            self.tracer.node(Pruned(Pruning::AboveBound), &TracedNode { id: None, ..node })?;
            self.overrun(f);
            return Ok(false);
        }
        self.tracer.node(event, &node)?;
        if self.space.is_goal(&state) {
            self.tracer.node(End, &node)?;
            return Ok(true);
        }
        if g == self.bound {
            // Every action costs at least 1.
            self.tracer.node(Pruned(Pruning::AtBound), &node)?;
            self.overrun(self.bound.saturating_add(1));
            return Ok(false);
        }
        let actions = self.pruner.allowed(self.space, pruned, via, self.space.actions(&state));
        self.meter.reserve(vec_bytes(&self.path, 1))?;
        self.meter.expand()?;
        self.meter.generate(actions.count());
        tell_expanding(self.tracer, self.space, actions, || node)?;
        let children = actions.into_iter();
        self.path.push(Level { state, memo, pruned, via, g, children });
        Ok(false)
    }

    /// Tells of a child that the pruner refuses, for the sake of the path to it.
    fn refuse(&mut self, via: S::Action, child: &S::State, g: Cost) -> Result<(), Stop> {
        let parent = self.path.len() as NodeId - 1;
        let child =
            TracedNode { bound: Some(self.bound), ..TracedNode::child(parent, via, child, g) };
        self.tracer.node(Pruned(Pruning::Equivalent), &child)
    }

    /// Notes that a path was cut off at this f.
    fn overrun(&mut self, f: Cost) {
        self.least_overrun = Some(self.least_overrun.map_or(f, |least| least.min(f)));
    }

    /// The solution along the path, and by a last action.
    fn solved(self, start: &S::State, last: Option<S::Action>) -> Round<S::Action> {
        let path: Path<S::Action> =
            self.path.iter().filter_map(|level| level.via).chain(last).collect();
        self.meter.not_generated(later_siblings(self.space, self.pruner, start, &path));
        let cost = replay(self.space, start, &path).expect("the path leads to a goal");
        Round::Solved { path, cost }
    }
}
