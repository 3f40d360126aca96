//! The nodes of a graph search: states, each linked to its parent.

use crate::closed::{ClosedList, NodeId};
use crate::memory::vec_bytes;
use crate::outcome::{Path, Stop};
use crate::space::{Cost, StateSpace};

/// A state that the search has met, with the cheapest known path to it.
pub(crate) struct Node<S: StateSpace, X> {
    pub state: S::State,
    pub g: Cost,
    pub parent: NodeId,
    /// The action that leads from the parent; `None` for a root.
    pub via: Option<S::Action>,
    /// Data of the specific algorithm.
    pub extra: X,
}

impl<S: StateSpace, X> Node<S, X> {
    pub fn root(state: S::State, extra: X) -> Self {
        Self { state, g: 0, parent: 0, via: None, extra }
    }
}

/// All nodes of a search, by number.
pub(crate) struct Nodes<S: StateSpace, X>(Vec<Node<S, X>>);

impl<S: StateSpace, X> Nodes<S, X> {
    pub fn empty() -> Self {
        Self(Vec::new())
    }

    pub fn with_root(state: S::State, extra: X) -> Self {
        Self(vec![Node::root(state, extra)])
    }

    #[inline]
    pub fn len(&self) -> NodeId {
        self.0.len() as NodeId
    }

    #[inline]
    pub fn get(&self, id: NodeId) -> &Node<S, X> {
        &self.0[id as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, id: NodeId) -> &mut Node<S, X> {
        &mut self.0[id as usize]
    }

    /// Adds a node.
    ///
    /// # Errors
    /// [`Stop::Memory`] if the numbers run out.
    #[inline]
    pub fn push(&mut self, node: Node<S, X>) -> Result<(), Stop> {
        if self.0.len() == NodeId::MAX as usize {
            return Err(Stop::Memory);
        }
        self.0.push(node);
        Ok(())
    }

    /// Returns the actions from the root to the node `id`.
    pub fn path(&self, mut id: NodeId) -> Path<S::Action> {
        let mut path = Path::new();
        while let Some(action) = self.get(id).via {
            path.push(action);
            id = self.get(id).parent;
        }
        path.reverse();
        path
    }

    /// Returns the bytes held by the nodes and `closed` once `extra` more states have been met.
    #[inline]
    pub fn bytes_with<C: ClosedList<S>>(&self, closed: &C, extra: u64) -> u64 {
        vec_bytes(&self.0, extra as usize) + closed.bytes(extra as usize)
    }
}
