//! What a side of the search tells of its nodes.

use super::Side;
use super::open::Least;
use crate::closed::NodeId;
use crate::space::{Cost, Reversible};
use crate::stop::Stop;
use crate::trace::NodeEvent::{self, Duplicate};
use crate::trace::{TracedNode, Tracer, tell};

impl<S: Reversible, C, F> Side<'_, S, C, F> {
    /// The node `id`.
    pub fn traced(&self, id: NodeId) -> TracedNode<'_, S> {
        let node = self.nodes.get(id);
        self.estimated(TracedNode::of(id, node), node.extra.h)
    }

    /// A child whose state is that of the node `known`.
    pub fn duplicate<'c>(
        &self,
        known: NodeId,
        (parent, via): (NodeId, S::Action),
        child: &'c S::State,
        g: Cost,
    ) -> (NodeEvent, TracedNode<'c, S>) {
        let node = self.nodes.get(known);
        let child = TracedNode::child(parent, via, child, g);
        (Duplicate { known, g: node.g }, self.estimated(child, node.extra.h))
    }

    fn estimated<'c>(&self, node: TracedNode<'c, S>, h: Cost) -> TracedNode<'c, S> {
        let f = Some(Least::of(node.g, h).priority.into());
        TracedNode { h: Some(h), f, direction: self.direction, ..node }
    }

    /// Tells what happens to the node `id`.
    pub fn tell(
        &self,
        id: NodeId,
        event: NodeEvent,
        tracer: &mut impl Tracer<S>,
    ) -> Result<(), Stop> {
        tell(tracer, || (event, self.traced(id)))
    }
}
