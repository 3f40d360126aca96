//! What a round hands on to the next, and the nodes that wait in it.

use super::layers::Layers;
use crate::outcome::Path;
use crate::space::{Cost, StateSpace};

/// A node within the bound that waits to be searched.
pub(super) struct Frame<S: StateSpace, M, P> {
    pub state: S::State,
    pub memo: M,
    pub pruned: P,
    pub last: Option<S::Action>,
    /// The number of actions from the start.
    pub depth: usize,
    /// What is left of the bound after the actions to here.
    pub left: Cost,
}

impl<S: StateSpace, M: Copy, P: Copy> Clone for Frame<S, M, P> {
    fn clone(&self) -> Self {
        let &Self { ref state, memo, pruned, last, depth, left } = self;
        Self { state: state.clone(), memo, pruned, last, depth, left }
    }
}

/// What the rounds of a search share.
pub(crate) struct Batches<S: StateSpace, M, P> {
    pub(super) layers: Option<Box<Layers<S, M>>>,
    /// Nodes with so much of the bound left are gathered.
    pub(super) left: Cost,
    /// Budgets until the beginning of a round ends; `u32::MAX` if there is no end.
    pub(super) budgets: u32,
    pub(super) begun: Mark<S, M, P>,
}

/// Where a batch begins.
pub(super) struct Mark<S: StateSpace, M, P> {
    pub(super) stack: Vec<Frame<S, M, P>>,
    pub(super) path: Path<S::Action>,
    pub(super) counts: (u64, u64),
}

impl<S: StateSpace, M: Copy, P: Copy> Batches<S, M, P> {
    pub fn new() -> Self {
        let begun = Mark { stack: Vec::new(), path: Path::new(), counts: (0, 0) };
        Self { layers: None, left: 8, budgets: u32::MAX, begun }
    }

    /// Counts a budget; whether the beginning of a round ends with it.
    pub(super) fn ends_beginning(&mut self) -> bool {
        self.budgets -= u32::from(self.budgets < u32::MAX);
        self.budgets == 0
    }

    /// What the batches hold when the search itself holds `held`, and its stack is copied.
    pub(super) fn bytes(&self, held: u64) -> u64 {
        if self.layers.is_some() { held + Layers::<S, M>::bytes() } else { 0 }
    }
}
