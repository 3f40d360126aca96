//! Open lists: which node is expanded next.
//!
//! There are two kinds: a stack for each pair of priority and g, and a binary heap. [`AnyFrontier`] chooses the kind at
//! run time. Both pop in the same order, so node counts do not depend on the choice: the least priority first; among
//! equal ones the largest g; among those the node pushed last.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::closed::NodeId;
use crate::memory::{grown_bytes, vec_bytes};
use crate::outcome::Stop;
use crate::space::Cost;

/// The open list of a best-first search. Entries are never removed or changed: when the path to a node is improved, the
/// node is pushed again, and the search skips the stale entry.
pub trait Frontier {
    /// Adds a node that was reached at cost `g`.
    ///
    /// Before it grows by more than [`bytes`](Self::bytes) announced, calls `reserve` with the additional bytes. This
    /// happens when the first entry of a priority and `g` needs a new bucket.
    ///
    /// # Errors
    /// The error of `reserve`; nothing is added then.
    fn push(
        &mut self,
        priority: u64,
        g: Cost,
        id: NodeId,
        reserve: impl FnOnce(u64) -> Result<(), Stop>,
    ) -> Result<(), Stop>;

    /// Removes the next node, and returns it with the `g` with which it was pushed.
    fn pop(&mut self) -> Option<(NodeId, Cost)>;

    /// Returns the bytes held once `extra` more entries are in.
    fn bytes(&self, extra: usize) -> u64;
}

/// Ends a list of [`Buckets`].
const NONE: u32 = u32::MAX;

/// A stack for each pair of priority and g, for small integer priorities.
///
/// A push takes constant time. A pop also skips the empty stacks between the last entry and the next: at worst as many
/// as the largest g for each priority, but few in practice, since searches push near what they pop.
///
/// The stacks are linked lists in one pool, which reuses freed entries.
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    rows: Vec<Row>,
    /// Index of the first row that may have entries.
    lowest: usize,
    pool: Vec<(NodeId, u32)>,
    free: Option<u32>,
    /// Bytes of `tops` of all rows.
    head_bytes: u64,
}

/// The stacks of one priority: the top entry for each g.
#[derive(Clone, Debug, Default)]
struct Row {
    tops: Vec<u32>,
    /// All stacks from this index up are empty.
    end: usize,
}

impl Buckets {
    /// Extends the row of `priority` to hold a stack for `g`.
    #[cold]
    fn add_heads(
        &mut self,
        priority: usize,
        g: usize,
        reserve: impl FnOnce(u64) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let rows = priority.saturating_add(1).saturating_sub(self.rows.len());
        let empty = Vec::new();
        let tops = self.rows.get(priority).map_or(&empty, |row| &row.tops);
        let added = |after: u64, now: u64| after - now;
        let row_bytes = added(vec_bytes(&self.rows, rows), vec_bytes(&self.rows, 0));
        let top_bytes = added(vec_bytes(tops, g + 1 - tops.len()), vec_bytes(tops, 0));
        reserve(row_bytes.saturating_add(top_bytes))?;
        if rows > 0 {
            self.rows.resize_with(priority + 1, Row::default);
        }
        let tops = &mut self.rows[priority].tops;
        let before = tops.capacity();
        tops.resize(g + 1, NONE);
        self.head_bytes += ((tops.capacity() - before) * size_of::<u32>()) as u64;
        Ok(())
    }

    #[inline]
    fn allocate(&mut self, entry: (NodeId, u32)) -> u32 {
        match self.free {
            Some(place) => {
                let next = self.pool[place as usize].1;
                self.free = (next != NONE).then_some(next);
                self.pool[place as usize] = entry;
                place
            }
            None => {
                self.pool.push(entry);
                self.pool.len() as u32 - 1
            }
        }
    }
}

impl Frontier for Buckets {
    #[inline]
    fn push(
        &mut self,
        priority: u64,
        g: Cost,
        id: NodeId,
        reserve: impl FnOnce(u64) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let (priority, g) = (priority as usize, g as usize);
        if self.rows.get(priority).is_none_or(|row| g >= row.tops.len()) {
            self.add_heads(priority, g, reserve)?;
        }
        let row = &mut self.rows[priority];
        row.end = row.end.max(g + 1);
        let below = row.tops[g];
        self.lowest = self.lowest.min(priority);
        self.rows[priority].tops[g] = self.allocate((id, below));
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> Option<(NodeId, Cost)> {
        while let Some(row) = self.rows.get_mut(self.lowest) {
            while let Some(g) = row.end.checked_sub(1) {
                let top = row.tops[g];
                if top != NONE {
                    let (id, below) = self.pool[top as usize];
                    row.tops[g] = below;
                    self.pool[top as usize].1 = self.free.unwrap_or(NONE);
                    self.free = Some(top);
                    return Some((id, g as Cost));
                }
                row.end = g;
            }
            self.lowest += 1;
        }
        None
    }

    #[inline]
    fn bytes(&self, extra: usize) -> u64 {
        vec_bytes(&self.pool, extra) + vec_bytes(&self.rows, 0) + self.head_bytes
    }
}

/// An entry of a [`Heap`]. Ordered by priority, then larger g, then later push, then number of the node.
type Entry = Reverse<(u64, Reverse<Cost>, Reverse<u32>, NodeId)>;

/// A binary heap, for priorities of any size. Cost: logarithmic time per entry.
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
        // After 2^32 pushes the counter wraps, which affects only the order of ties.
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

/// The kind of an open list. Node counts do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FrontierKind {
    /// A stack for each pair of priority and g, for small integer priorities: [`Buckets`].
    #[default]
    Buckets,
    /// A binary heap: [`Heap`].
    Heap,
}

/// An open list of either kind. One compiled search serves both, at the cost of a predictable branch per node.
#[derive(Clone, Debug)]
pub enum AnyFrontier {
    /// See [`Buckets`].
    Buckets(Buckets),
    /// See [`Heap`].
    Heap(Heap),
}

impl AnyFrontier {
    /// Creates an empty list of this kind.
    pub fn new(kind: FrontierKind) -> Self {
        match kind {
            FrontierKind::Buckets => Self::Buckets(Buckets::default()),
            FrontierKind::Heap => Self::Heap(Heap::default()),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pushes a node, and checks that no more memory is used than was reserved.
    fn push_within_reserve<F: Frontier>(
        frontier: &mut F,
        priority: u64,
        g: Cost,
        id: NodeId,
    ) -> Result<(), TestCaseError> {
        let mut reserved = frontier.bytes(1);
        let reserve = |bytes| {
            reserved += bytes;
            Ok(())
        };
        frontier.push(priority, g, id, reserve).expect("memory is not limited");
        prop_assert!(frontier.bytes(0) <= reserved);
        Ok(())
    }

    proptest! {
        #[test]
        fn heap_and_buckets_pop_alike(
            steps in prop::collection::vec((0..12_u64, 0..6_u32, any::<bool>()), 0..200),
        ) {
            let (mut heap, mut buckets) = (Heap::default(), Buckets::default());
            for (id, (priority, g, pop)) in (0..).zip(steps) {
                push_within_reserve(&mut heap, priority, g, id)?;
                push_within_reserve(&mut buckets, priority, g, id)?;
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
