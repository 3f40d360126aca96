//! A binary heap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Frontier;
use crate::closed::NodeId;
use crate::memory::grown_bytes;
use crate::space::Cost;
use crate::stop::Stop;

/// Smallest first: priority, then larger g, then the later push, then the node.
type Entry = Reverse<(u64, Reverse<Cost>, Reverse<u32>, NodeId)>;

/// A binary heap: any priorities, logarithmic time.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    entries: BinaryHeap<Entry>,
    pushes: u32,
}

impl Frontier for Heap {
    fn push(
        &mut self,
        priority: u64,
        g: Cost,
        id: NodeId,
        _: impl FnOnce(u64) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        self.entries.push(Reverse((priority, Reverse(g), Reverse(self.pushes), id)));
        // Past 2^32 pushes the last tie-break wraps; the order stays a valid one.
        self.pushes = self.pushes.wrapping_add(1);
        Ok(())
    }

    fn pop(&mut self) -> Option<(NodeId, Cost)> {
        self.entries.pop().map(|Reverse((_, Reverse(g), _, id))| (id, g))
    }

    fn bytes(&self, extra: usize) -> u64 {
        grown_bytes::<Entry>(self.entries.len(), self.entries.capacity(), extra)
    }
}
