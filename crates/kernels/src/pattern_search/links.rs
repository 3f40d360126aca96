//! Parent links: what the path to a node is read from.
//!
//! [`ParentLinks`] has an entry for each node that was on the stack: its parent and its last move.
//!
//! | bits of an entry | meaning |
//! |---|---|
//! | 0 and 1 | last move |
//! | 2 to 18 | number of the parent's entry |

use loyd_tiles::Move;

/// The entries of one engine, numbered from `base` on. Numbers below `base` are the links of the seeds, which all
/// engines share.
#[derive(Debug)]
pub struct ParentLinks {
    /// Number of links of the seeds.
    pub base: u32,
    /// The entries, with room for [`LIMIT`](Self::LIMIT) plus one vector.
    pub entries: Vec<u32>,
    /// Number of entries.
    pub len: usize,
    /// Maximum number of entries: [`LIMIT`](Self::LIMIT), or fewer in tests.
    pub limit: usize,
}

/// Width of the number of an entry in bits.
pub const LINK_BITS: u32 = 17;
/// Maximum number of links of the seeds: half of all numbers.
pub const MAX_SEED_LINKS: usize = 1 << (LINK_BITS - 1);
/// Number of entries that may be written past the last one: one vector.
const MARGIN: usize = 8;

/// Returns the entry of a node with this last move and its parent's link.
#[inline(always)]
pub fn entry(parent: u32, last_move: u32) -> u32 {
    parent << 2 | last_move
}

impl ParentLinks {
    /// Maximum number of entries of an engine: the other half of the numbers.
    pub const LIMIT: usize = 1 << (LINK_BITS - 1);

    /// Memory of the list in bytes.
    pub const BYTES: usize = (Self::LIMIT + MARGIN) * size_of::<u32>();

    /// Allocates an empty list.
    pub fn new() -> Self {
        Self { base: 0, entries: vec![0; Self::LIMIT + MARGIN], len: 0, limit: Self::LIMIT }
    }

    /// Removes all entries. New ones are numbered from `base`, the number of links of the seeds.
    pub fn clear(&mut self, base: usize) {
        (self.base, self.len) = (base as u32, 0);
    }

    /// Appends an entry and returns its number.
    #[inline(always)]
    pub fn push(&mut self, entry: u32) -> u32 {
        self.entries[self.len] = entry;
        self.len += 1;
        self.base + self.len as u32 - 1
    }

    /// Returns the `depth` moves that lead from the root to the node with entry `link`.
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

    /// Removes all entries except for `used` and their ancestors. Renumbers the rest, in `used` too. Cost: linear in
    /// the number of entries.
    pub fn compact(&mut self, used: &mut [u32]) {
        const DEAD: u32 = u32::MAX;
        let base = self.base;
        let own = |link: u32| link.checked_sub(base).map(|own| own as usize);
        let mut numbers = vec![DEAD; self.len];
        for &link in used.iter() {
            if let Some(index) = own(link) {
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
            // Parents precede their children, so the parent already has its new number.
            let parent = own(entry >> 2).map_or(entry >> 2, |parent| numbers[parent]);
            self.entries[kept] = parent << 2 | entry & 3;
            numbers[index] = base + kept as u32;
            kept += 1;
        }
        self.len = kept;
        for link in used {
            if let Some(index) = own(*link) {
                *link = numbers[index];
            }
        }
    }
}
