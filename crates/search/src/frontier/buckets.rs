//! A stack for each pair of priority and g.

use super::Frontier;
use crate::closed::NodeId;
use crate::memory::vec_bytes;
use crate::space::Cost;

const NONE: u32 = u32::MAX;

/// A stack for each pair of priority and g: constant time, for small integer priorities.
///
/// The stacks are linked lists in one pool whose freed entries are used again.
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    rows: Vec<Row>,
    /// No row below this one has entries.
    lowest: usize,
    pool: Vec<(NodeId, u32)>,
    free: Option<u32>,
    /// Bytes of all rows' heads.
    head_bytes: u64,
}

/// The stacks of one priority: the top entry for each g.
#[derive(Clone, Debug, Default)]
struct Row {
    tops: Vec<u32>,
    /// All stacks from here up are empty.
    end: usize,
}

impl Buckets {
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
    fn push(&mut self, priority: u64, g: Cost, id: NodeId) {
        let (priority, g) = (priority as usize, g as usize);
        if priority >= self.rows.len() {
            self.rows.resize_with(priority + 1, Row::default);
        }
        let row = &mut self.rows[priority];
        if g >= row.tops.len() {
            let before = row.tops.capacity();
            row.tops.resize(g + 1, NONE);
            self.head_bytes += ((row.tops.capacity() - before) * size_of::<u32>()) as u64;
        }
        row.end = row.end.max(g + 1);
        let below = row.tops[g];
        self.lowest = self.lowest.min(priority);
        self.rows[priority].tops[g] = self.allocate((id, below));
    }

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

    fn bytes(&self, extra: usize) -> u64 {
        vec_bytes(&self.pool, extra) + vec_bytes(&self.rows, 0) + self.head_bytes
    }
}
