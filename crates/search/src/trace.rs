//! Events for every node of a search, to show or record a search step by step.
//!
//! Searches are generic over a [`Tracer`]. With [`NoTracer`], the compiler removes all tracing.

use crate::closed::NodeId;
use crate::nodes::Node;
use crate::outcome::{Direction, Stop};
use crate::space::{Cost, StateSpace};

/// An event in the life of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeEvent {
    /// The search, or an iteration of it, starts at this node.
    Root,
    /// The successors of the node were enumerated.
    Expanded,
    /// The node is new.
    Generated,
    /// The state of the child is already known; the child is discarded.
    Duplicate {
        /// The node that already holds the state.
        known: NodeId,
        /// The cost of the cheapest known path to it, at most that of the child.
        g: Cost,
    },
    /// A cheaper path to an open node was found.
    Updated,
    /// A cheaper path to a closed node was found, so the node is opened again.
    Reopened,
    /// The child is discarded, or the node is not expanded.
    Pruned(Pruning),
    /// The solution ends at this node. Searches from both ends send one event for each.
    Solution,
}

/// Why a child or a node was pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// The action undoes the last one, or is needless after it for another reason specific to the domain.
    Undo,
    /// The last actions have the same effect as another word of at most the same length, which the search follows
    /// instead.
    Equivalent,
    /// f exceeds the bound.
    AboveBound,
    /// The node is within the bound, but no child can be.
    AtBound,
    /// The cost exceeds the depth limit.
    Depth,
}

/// The subject of an event: a node, or a child that is discarded.
#[derive(Debug)]
pub struct TracedNode<'a, S: StateSpace> {
    /// The state.
    pub state: &'a S::State,
    /// Its number among the nodes that the search stores; `None` if it is discarded. Searches that store only the
    /// current path number the nodes by depth, and so reuse numbers.
    pub id: Option<NodeId>,
    /// The number of its parent, and the action that leads from there; `None` at the root.
    pub from: Option<(NodeId, S::Action)>,
    /// The cost from the root.
    pub g: Cost,
    /// The estimated cost to the goal, if the search computes one.
    pub h: Option<Cost>,
    /// The value by which the search orders its nodes or that it compares with the bound, if it does.
    pub f: Option<u64>,
    /// The bound of the iteration, if the search has one.
    pub bound: Option<Cost>,
    /// The direction of the search that the node belongs to.
    pub direction: Direction,
}

impl<S: StateSpace> Clone for TracedNode<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace> Copy for TracedNode<'_, S> {}

impl<'a, S: StateSpace> TracedNode<'a, S> {
    /// Describes a stored node, without estimates.
    pub(crate) fn of<X>(id: NodeId, node: &'a Node<S, X>) -> Self {
        let from = node.via.map(|via| (node.parent, via));
        Self { id: Some(id), from, ..Self::root(&node.state, node.g) }
    }

    /// Describes a child of the node `parent` that the search does not store.
    pub(crate) fn child(parent: NodeId, via: S::Action, state: &'a S::State, g: Cost) -> Self {
        Self { id: None, from: Some((parent, via)), ..Self::root(state, g) }
    }

    /// Describes node 0, without estimates.
    pub(crate) fn root(state: &'a S::State, g: Cost) -> Self {
        let direction = Direction::Forward;
        Self { state, id: Some(0), from: None, g, h: None, f: None, bound: None, direction }
    }
}

/// Receives the events of the nodes of a search.
pub trait Tracer<S: StateSpace> {
    /// Whether the tracer uses the events; if not, searches do not create any.
    const ENABLED: bool = true;

    /// Called for each event, in order of occurrence.
    ///
    /// # Errors
    /// The reason to stop the search.
    fn on_event(&mut self, event: NodeEvent, node: &TracedNode<'_, S>) -> Result<(), Stop>;
}

/// Ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTracer;

impl<S: StateSpace> Tracer<S> for NoTracer {
    const ENABLED: bool = false;

    #[inline(always)]
    fn on_event(&mut self, _: NodeEvent, _: &TracedNode<'_, S>) -> Result<(), Stop> {
        Ok(())
    }
}

/// Sends an event to `tracer`, if it listens.
///
/// # Errors
/// The error of the tracer.
#[inline(always)]
pub(crate) fn emit<'a, S: StateSpace + 'a, T: Tracer<S>>(
    tracer: &mut T,
    what: impl FnOnce() -> (NodeEvent, TracedNode<'a, S>),
) -> Result<(), Stop> {
    if const { !T::ENABLED } {
        return Ok(());
    }
    let (event, node) = what();
    tracer.on_event(event, &node)
}

/// Sends the expansion of `node` by the actions `allowed` to `tracer`, and all other legal actions as pruned.
///
/// # Errors
/// The error of the tracer.
#[inline(always)]
pub(crate) fn emit_expansion<'a, S: StateSpace + 'a, T: Tracer<S>>(
    tracer: &mut T,
    space: &S,
    allowed: S::Actions,
    node: impl FnOnce() -> TracedNode<'a, S>,
) -> Result<(), Stop> {
    if const { !T::ENABLED } {
        return Ok(());
    }
    let node = node();
    tracer.on_event(NodeEvent::Expanded, &node)?;
    let is_left_out = |action: &S::Action| !allowed.into_iter().any(|other| other == *action);
    for action in space.actions(node.state).into_iter().filter(is_left_out) {
        let child = space.successor(node.state, action);
        let parent = node.id.expect("only stored nodes are expanded");
        let g = node.g.saturating_add(space.action_cost(node.state, action));
        let TracedNode { bound, direction, .. } = node;
        let child = TracedNode { bound, direction, ..TracedNode::child(parent, action, &child, g) };
        tracer.on_event(NodeEvent::Pruned(Pruning::Undo), &child)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{Gap, Pancakes, Stack};
    use crate::*;

    /// Counts events.
    #[derive(Debug, Default, PartialEq, Eq)]
    struct EventCounts {
        expanding: u64,
        children: u64,
    }

    impl Tracer<Pancakes> for &mut EventCounts {
        fn on_event(
            &mut self,
            event: NodeEvent,
            node: &TracedNode<'_, Pancakes>,
        ) -> Result<(), Stop> {
            assert!(node.h.is_none_or(|h| node.f == Some(u64::from(node.g + h))));
            match event {
                NodeEvent::Expanded => self.expanding += 1,
                NodeEvent::Generated | NodeEvent::Pruned(Pruning::AboveBound) => self.children += 1,
                _ => {}
            }
            Ok(())
        }
    }

    /// Runs both searches on several stacks, and compares their results, and the events of the second with its counts.
    fn compare(
        limits: Limits,
        plain: impl Fn(&Pancakes, &Stack, &mut Meter<'_>) -> Outcome<u8>,
        traced: impl Fn(&Pancakes, &Stack, &mut Meter<'_>, &mut EventCounts) -> Outcome<u8>,
    ) {
        let space = Pancakes::new(6);
        for start in (0..720).step_by(23).map(|rank| space.unrank(rank)) {
            let meter = || Meter::new(limits, CancelToken::new());
            let (mut one, mut two, mut events) = (meter(), meter(), EventCounts::default());
            assert_eq!(
                plain(&space, &start, &mut one),
                traced(&space, &start, &mut two, &mut events)
            );
            let [one, two] = [one, two].map(Meter::finish);
            assert_eq!((one.expanded, one.generated), (two.expanded, two.generated), "{start:?}");
            assert_eq!(one.iterations, two.iterations);
            assert_eq!(events.expanding, two.expanded);
            assert!(events.children <= two.generated);
            if limits.max_expanded.is_none() {
                assert_eq!(events.children, two.generated, "{start:?}");
            }
        }
    }

    #[test]
    fn traced_searches_equal_untraced_ones() {
        let depth = |max_depth| Limits { max_depth, ..Limits::default() };
        let few = Limits { max_expanded: Some(40), ..Limits::default() };
        for limits in [depth(None), depth(Some(4)), few] {
            compare(
                limits,
                |space, start, meter| idastar(space, &Gap, &NoUndo, start, meter),
                |space, start, meter, events| {
                    idastar_traced(space, &Gap, &NoUndo, start, (meter, events))
                },
            );
            compare(
                limits,
                |space, start, meter| idastar(space, &Gap, &NoPruning, start, meter),
                |space, start, meter, events| {
                    idastar_traced(space, &Gap, &NoPruning, start, (meter, events))
                },
            );
            for limit in [0, 3, 6] {
                compare(
                    limits,
                    |space, start, meter| depth_first(space, &NoUndo, start, limit, meter),
                    |space, start, meter, events| {
                        depth_first_traced(space, &Zero, &NoUndo, (start, limit), (meter, events))
                    },
                );
            }
        }
    }
}
