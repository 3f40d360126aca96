//! An open list whose kind is chosen at run time.

use super::{Buckets, Frontier, Heap};
use crate::closed::NodeId;
use crate::space::Cost;
use crate::stop::Stop;

/// Which open list a best-first search uses. Node counts do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpenList {
    /// A stack for each priority and depth, for priorities that are small whole numbers: [`Buckets`].
    #[default]
    Buckets,
    /// A binary heap: [`Heap`].
    Heap,
}

/// An open list of either kind: one compiled search serves both, for a predictable branch a node.
#[derive(Clone, Debug)]
pub enum AnyFrontier {
    /// See [`Buckets`].
    Buckets(Buckets),
    /// See [`Heap`].
    Heap(Heap),
}

impl AnyFrontier {
    /// An empty list of this kind.
    pub fn new(kind: OpenList) -> Self {
        match kind {
            OpenList::Buckets => Self::Buckets(Buckets::default()),
            OpenList::Heap => Self::Heap(Heap::default()),
        }
    }
}

impl Frontier for AnyFrontier {
    #[inline]
    fn push(
        &mut self,
        priority: u64,
        g: Cost,
        id: NodeId,
        reserve: impl FnOnce(u64) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        match self {
            Self::Buckets(list) => list.push(priority, g, id, reserve),
            Self::Heap(list) => list.push(priority, g, id, reserve),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(NodeId, Cost)> {
        match self {
            Self::Buckets(list) => list.pop(),
            Self::Heap(list) => list.pop(),
        }
    }

    #[inline]
    fn bytes(&self, extra: usize) -> u64 {
        match self {
            Self::Buckets(list) => list.bytes(extra),
            Self::Heap(list) => list.bytes(extra),
        }
    }
}
