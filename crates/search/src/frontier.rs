//! Open lists: which node is expanded next.
//!
//! Both kinds pop in the same order, so node counts do not depend on the choice: least priority
//! first, among equals the larger g, among those the one pushed last.

mod any;
mod buckets;
mod heap;

pub use any::{AnyFrontier, OpenList};
pub use buckets::Buckets;
pub use heap::Heap;

use crate::closed::NodeId;
use crate::space::Cost;
use crate::stop::Stop;

/// The open list of a best-first search. Entries are never removed or changed: a node that was
/// improved is pushed again, and the search skips the stale entry when it comes up.
pub trait Frontier {
    /// Adds a node that was reached at cost `g`.
    ///
    /// Asks `reserve` first for the bytes that it takes beyond what [`bytes`](Self::bytes) announced,
    /// because there has been no entry like it so far.
    ///
    /// # Errors
    /// That of `reserve`; nothing is added then.
    fn push(
        &mut self,
        priority: u64,
        g: Cost,
        id: NodeId,
        reserve: impl FnOnce(u64) -> Result<(), Stop>,
    ) -> Result<(), Stop>;

    /// Takes the next node and the `g` with which it was pushed.
    fn pop(&mut self) -> Option<(NodeId, Cost)>;

    /// Bytes held once `extra` more entries are in.
    fn bytes(&self, extra: usize) -> u64;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pushes, and checks that no more memory is taken than was announced.
    fn push_as_told<F: Frontier>(
        frontier: &mut F,
        priority: u64,
        g: Cost,
        id: NodeId,
    ) -> Result<(), TestCaseError> {
        let mut told = frontier.bytes(1);
        let reserve = |bytes| {
            told += bytes;
            Ok(())
        };
        frontier.push(priority, g, id, reserve).expect("it is allowed");
        prop_assert!(frontier.bytes(0) <= told);
        Ok(())
    }

    proptest! {
        #[test]
        fn heap_and_buckets_pop_alike(
            steps in prop::collection::vec((0..12_u64, 0..6_u32, any::<bool>()), 0..200),
        ) {
            let (mut heap, mut buckets) = (Heap::default(), Buckets::default());
            for (id, (priority, g, pop)) in (0..).zip(steps) {
                push_as_told(&mut heap, priority, g, id)?;
                push_as_told(&mut buckets, priority, g, id)?;
                if pop {
                    prop_assert_eq!(heap.pop(), buckets.pop());
                }
            }
            loop {
                let next = heap.pop();
                prop_assert_eq!(next, buckets.pop());
                if next.is_none() {
                    break;
                }
            }
        }
    }

    #[test]
    fn ties_go_to_the_larger_g_then_to_the_last_pushed() {
        let mut heap = Heap::default();
        for (id, (priority, g)) in (0..).zip([(5, 1), (4, 2), (4, 3), (4, 3), (6, 9)]) {
            heap.push(priority, g, id, |_| Ok(())).unwrap();
        }
        let order: Vec<_> = std::iter::from_fn(|| heap.pop()).collect();
        assert_eq!(order, [(3, 3), (2, 3), (1, 2), (0, 1), (4, 9)]);
    }
}
