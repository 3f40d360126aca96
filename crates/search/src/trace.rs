//! What happens to the nodes of a search, one by one, for those who want to see a search as it happens.
//!
//! Searches are generic over a [`Tracer`]. Nobody listens to [`Untraced`], so nothing is left of the telling once
//! it is compiled.

use crate::closed::NodeId;
use crate::direction::Direction;
use crate::nodes::Node;
use crate::space::{Cost, StateSpace};
use crate::stop::Stop;

/// What happens to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeEvent {
    /// The search, or a round of it, begins here.
    Source,
    /// Its successors are enumerated.
    Expanding,
    /// It is a new node.
    Generating,
    /// The state is known: a child that becomes no node.
    Duplicate {
        /// The node of the state.
        known: NodeId,
        /// The cost of the cheapest known way to it, which is no more than that of the child.
        g: Cost,
    },
    /// A cheaper way to an open node was found.
    Updating,
    /// A cheaper way to a closed node was found, which is opened again.
    Reopening,
    /// A child that becomes no node, or a node that is not expanded.
    Pruned(Pruning),
    /// The solution leads here; of searches from both sides, a node of each.
    End,
}

/// Why a search does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// The action takes the last one back, or is needless after it for another reason that the domain has.
    Undo,
    /// The last actions do the same as others that are no more, by which the search goes instead.
    Equivalent,
    /// f is above the bound.
    AboveBound,
    /// The node is within the bound, but no child can be.
    AtBound,
    /// The cost is above the depth limit.
    Depth,
}

/// A node, or a child that becomes none, to which something happens.
#[derive(Debug)]
pub struct TracedNode<'a, S: StateSpace> {
    /// The state.
    pub state: &'a S::State,
    /// Its number among the nodes that the search holds; none if it becomes no node. A search that only holds the path
    /// counts from the root, and so uses a number again.
    pub id: Option<NodeId>,
    /// The number of the node from which it was reached, and the action that did so; none at the root.
    pub from: Option<(NodeId, S::Action)>,
    /// The cost from the root.
    pub g: Cost,
    /// The estimate of the cost that remains, where one was made.
    pub h: Option<Cost>,
    /// What the search orders its nodes by, or compares with the bound.
    pub f: Option<u64>,
    /// The bound of the round.
    pub bound: Option<Cost>,
    /// Which search it belongs to.
    pub direction: Direction,
}

impl<S: StateSpace> Clone for TracedNode<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace> Copy for TracedNode<'_, S> {}

impl<'a, S: StateSpace> TracedNode<'a, S> {
    /// A node without estimates.
    pub(crate) fn of<X>(id: NodeId, node: &'a Node<S, X>) -> Self {
        let from = node.via.map(|via| (node.parent, via));
        Self { id: Some(id), from, ..Self::root(&node.state, node.g) }
    }

    /// A child of the node `parent` that becomes no node.
    pub(crate) fn child(parent: NodeId, via: S::Action, state: &'a S::State, g: Cost) -> Self {
        Self { id: None, from: Some((parent, via)), ..Self::root(state, g) }
    }

    /// The node 0, without estimates.
    pub(crate) fn root(state: &'a S::State, g: Cost) -> Self {
        let direction = Direction::Forward;
        Self { state, id: Some(0), from: None, g, h: None, f: None, bound: None, direction }
    }
}

/// Is told what happens to the nodes of a search.
pub trait Tracer<S: StateSpace> {
    /// Whether it wants to know.
    const LISTENS: bool = true;

    /// Called for each event, in the order in which they happen.
    ///
    /// # Errors
    /// The reason to stop the search.
    fn node(&mut self, event: NodeEvent, node: &TracedNode<'_, S>) -> Result<(), Stop>;
}

/// Does not listen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Untraced;

impl<S: StateSpace> Tracer<S> for Untraced {
    const LISTENS: bool = false;

    #[inline(always)]
    fn node(&mut self, _: NodeEvent, _: &TracedNode<'_, S>) -> Result<(), Stop> {
        Ok(())
    }
}

/// Tells `tracer`, if it listens.
///
/// # Errors
/// That of the tracer.
#[inline(always)]
pub(crate) fn tell<'a, S: StateSpace + 'a, T: Tracer<S>>(
    tracer: &mut T,
    what: impl FnOnce() -> (NodeEvent, TracedNode<'a, S>),
) -> Result<(), Stop> {
    if !T::LISTENS {
        return Ok(());
    }
    let (event, node) = what();
    tracer.node(event, &node)
}

/// Tells `tracer` that `node` is expanded with the actions `allowed`, and that the others are left out.
///
/// # Errors
/// That of the tracer.
#[inline(always)]
pub(crate) fn tell_expanding<'a, S: StateSpace + 'a, T: Tracer<S>>(
    tracer: &mut T,
    space: &S,
    allowed: S::Actions,
    node: impl FnOnce() -> TracedNode<'a, S>,
) -> Result<(), Stop> {
    if !T::LISTENS {
        return Ok(());
    }
    let node = node();
    tracer.node(NodeEvent::Expanding, &node)?;
    let is_left_out = |action: &S::Action| !allowed.into_iter().any(|other| other == *action);
    for action in space.actions(node.state).into_iter().filter(is_left_out) {
        let child = space.successor(node.state, action);
        let parent = node.id.expect("what is expanded is a node");
        let g = node.g.saturating_add(space.action_cost(node.state, action));
        let TracedNode { bound, direction, .. } = node;
        let child = TracedNode { bound, direction, ..TracedNode::child(parent, action, &child, g) };
        tracer.node(NodeEvent::Pruned(Pruning::Undo), &child)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
