//! A stack for each pair of priority and g.

use super::Frontier;
use crate::closed::NodeId;
use crate::memory::vec_bytes;
use crate::space::Cost;
use crate::stop::Stop;

const NONE: u32 = u32::MAX;

/// A stack for each pair of priority and g, for small integer priorities: pushes take constant time,
/// pops look at the empty stacks between one entry and the next too. There are as many as the
/// largest g at worst for each priority, and few where searches are: they push near what they pop.
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
    /// Makes heads in the row of `priority` up to that for `g`.
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
