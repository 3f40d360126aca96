//! The estimates of the nodes of one side.

use crate::closed::NodeId;
use crate::heuristic::IncrementalHeuristic;
use crate::memory::vec_bytes;
use crate::space::{Cost, StateSpace};

/// The estimates of one side. Memos are stored separately from the nodes and hidden by this trait, so that the search
/// is compiled once for each space instead of for each pair of heuristics.
pub trait Estimates<S: StateSpace> {
    /// Adds the next node, a root, and returns its estimate.
    fn add_root(&mut self, space: &S, state: &S::State) -> Cost;

    /// Adds the next node, a child of `parent` (whose state is `state`), and returns its estimate.
    fn add_child(
        &mut self,
        space: &S,
        parent: NodeId,
        state: &S::State,
        action: S::Action,
        child: &S::State,
    ) -> Cost;

    /// Returns the bytes held once `children` more nodes have been added.
    fn bytes(&self, children: u64) -> u64;
}

/// The memos of all nodes, by number.
pub struct Memos<'a, S: StateSpace, H: IncrementalHeuristic<S>> {
    heuristic: &'a H,
    memos: Vec<H::Memo>,
}

impl<'a, S: StateSpace, H: IncrementalHeuristic<S>> Memos<'a, S, H> {
    /// Creates an empty list.
    pub fn of(heuristic: &'a H) -> Self {
        Self { heuristic, memos: Vec::new() }
    }

    fn add(&mut self, memo: H::Memo) -> Cost {
        self.memos.push(memo);
        self.heuristic.value(&memo)
    }
}

impl<S: StateSpace, H: IncrementalHeuristic<S>> Estimates<S> for Memos<'_, S, H> {
    fn add_root(&mut self, space: &S, state: &S::State) -> Cost {
        self.add(self.heuristic.memo(space, state))
    }

    fn add_child(
        &mut self,
        space: &S,
        parent: NodeId,
        state: &S::State,
        action: S::Action,
        child: &S::State,
    ) -> Cost {
        let memo = self.memos[parent as usize];
        self.add(self.heuristic.update(space, memo, state, action, child))
    }

    fn bytes(&self, children: u64) -> u64 {
        vec_bytes(&self.memos, children as usize)
    }
}
