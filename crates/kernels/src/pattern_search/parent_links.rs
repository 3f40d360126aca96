//! Parent links: for each node that was put on the stack, its parent and its move.

use loyd_tiles::Move;

use super::node::{LINK_BITS, MARGIN, link, linked};

/// An append-only list of entries, a parent above two bits of the move. Entries are numbered from
/// `base` on: those before it are the links of the seeds, which all threads share.
#[derive(Debug)]
pub struct ParentLinks {
    /// The number of links of the seeds.
    pub base: u32,
    /// Entries, with room for a vector more than [`LIMIT`](Self::LIMIT).
    pub entries: Vec<u32>,
    /// How many entries there are.
    pub len: usize,
    /// How many there may be: [`LIMIT`](Self::LIMIT), or fewer.
    pub limit: usize,
}

/// Links that the seeds of a round may have.
pub const MAX_SEED_LINKS: usize = 1 << (LINK_BITS - 1);

impl ParentLinks {
    /// Entries that a thread may have on top of the links of the seeds.
    pub const LIMIT: usize = 1 << (LINK_BITS - 1);

    /// No links.
    pub fn new() -> Self {
        Self { base: 0, entries: vec![0; Self::LIMIT + MARGIN], len: 0, limit: Self::LIMIT }
    }

    /// Forgets all entries; the next ones come after the `base` links of the seeds.
    pub fn clear(&mut self, base: usize) {
        (self.base, self.len) = (base as u32, 0);
    }

    /// Adds an entry and returns its number.
    pub fn push(&mut self, entry: u32) -> u32 {
        self.entries[self.len] = entry;
        self.len += 1;
        self.base + self.len as u32 - 1
    }

    /// The moves that lead to the entry `link`, of which there are `depth`.
    pub fn path(&self, seed_links: &[u32], mut link: u32, depth: u32) -> Vec<Move> {
        let mut path = Vec::with_capacity(depth as usize);
        for _ in 0..depth {
            let entry = match link.checked_sub(self.base) {
                Some(own) => self.entries[own as usize],
                None => seed_links[link as usize],
            };
            path.push(Move::ALL[entry as usize & 3]);
            link = entry >> 2;
        }
        path.reverse();
        path
    }

    /// Drops all entries but those that the nodes with these meta words link to, and their ancestors;
    /// links are renumbered.
    pub fn compact(&mut self, mut metas: [&mut [u64]; 2]) {
        const DEAD: u32 = u32::MAX;
        let base = self.base;
        let own = |link: u32| link.checked_sub(base).map(|own| own as usize);
        let mut numbers = vec![DEAD; self.len];
        for &meta in metas.iter().flat_map(|column| column.iter()) {
            if let Some(index) = own(link(meta)) {
                numbers[index] = 0;
            }
        }
        for index in (0..self.len).rev() {
            if numbers[index] != DEAD
                && let Some(parent) = own(self.entries[index] >> 2)
            {
                numbers[parent] = 0;
            }
        }
        let mut kept = 0;
        for index in 0..self.len {
            if numbers[index] == DEAD {
                continue;
            }
            let entry = self.entries[index];
            // A parent comes before its children, so it has its new number by now.
            let parent = own(entry >> 2).map_or(entry >> 2, |parent| numbers[parent]);
            self.entries[kept] = parent << 2 | entry & 3;
            numbers[index] = base + kept as u32;
            kept += 1;
        }
        self.len = kept;
        for meta in metas.iter_mut().flat_map(|column| column.iter_mut()) {
            if let Some(index) = own(link(*meta)) {
                *meta = linked(*meta, numbers[index]);
            }
        }
    }
}
