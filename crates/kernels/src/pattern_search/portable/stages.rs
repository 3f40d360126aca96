//! The stages. Each handles up to eight nodes.

use super::engine::BatchEngine;
use super::lookups::{bit_of, layout, layout_number, moved, permutation, step_of, updated_meta};
use super::node::{BATCH, HALF, TESTED, TILE};
use super::tables::PortableTables;
use crate::cpu::prefetch;
use crate::pattern_search::links::entry;
use crate::pattern_search::tables::{SLACK, Tables};

impl BatchEngine {
    /// Expands the top `count` nodes of the stack, at most [`BATCH`].
    ///
    /// # Safety
    /// All numbers in the engine refer to nodes in the pool, and the nodes belong to a search with these tables. There
    /// is room for [`ADDED`] entries in the first queue.
    #[inline(always)]
    pub unsafe fn expand(&mut self, tables: &PortableTables, count: usize) {
        self.candidates.len = 0;
        for index in (self.stack.len - count..self.stack.len).rev() {
            // SAFETY: the stack holds numbers of nodes, and each state has a row.
            unsafe {
                let parent = *self.stack.numbers.get_unchecked(index);
                let node = &*self.pool.nodes.as_ptr().byte_add(parent as usize);
                let state = (node.last >> 32) as usize;
                let cell = *tables.cells.get_unchecked(state);
                self.candidates.add(
                    parent,
                    *tables.rows.words().get_unchecked(state),
                    u64::from(cell >> 4),
                );
                self.generated += u64::from(cell & 15);
            }
        }
        self.stack.len -= count;
        // SAFETY: as above.
        unsafe { self.make_children(tables) };
        self.pool.release(&self.stack.numbers[self.stack.len..self.stack.len + count]);
    }

    /// Creates the candidates, and appends them to the first queue.
    ///
    /// # Safety
    /// See [`expand`](Self::expand).
    #[inline(always)]
    pub unsafe fn make_children(&mut self, tables: &PortableTables) {
        self.pool.reserve();
        let count = self.candidates.len;
        self.pool.free.len -= count;
        let words = tables.words();
        // SAFETY: the pool has `ADDED` free nodes, the queue has room for as many entries, and there are at most as many
        // candidates. A child's number comes from the free list, and parents are freed only after this stage, so the two
        // references never refer to one node. The steps and tiles of a node index the tables of constants.
        unsafe {
            let pool = self.pool.nodes.as_mut_ptr();
            let free = self.pool.free.numbers.as_ptr().add(self.pool.free.len);
            let queue = self.first.entries.as_mut_ptr().add(self.first.len);
            let jumps = tables.jumps.as_ptr();
            for index in 0..count {
                let word = *self.candidates.words.get_unchecked(index);
                let parent =
                    &*pool.byte_add(*self.candidates.parents.get_unchecked(index) as usize);
                let number = *free.add(index);
                let step = step_of(tables, word);
                let board = parent.board;
                let tile = board >> (step.to & 63) & 15;
                // The blank's cell holds the blank's own goal cell: exchanging the nibbles means toggling both.
                let change = tile ^ tables.blank;
                let jumps = jumps.add(usize::from(step.jumps) + 16 * tile as usize);
                let gain = |cell: u8| *jumps.add((board >> (cell & 63)) as usize & 15);
                let ranks = parent
                    .ranks
                    .wrapping_add(gain(step.jumped[0]))
                    .wrapping_add(gain(step.jumped[1]))
                    .wrapping_add(gain(step.jumped[2]));
                let planes =
                    parent.planes ^ step.cells & tables.planes.get_unchecked(tile as usize);
                let meta = parent.meta;
                // The half without slack prunes every child whose distance rises.
                let last = word | tile << TILE | if meta as u32 >> SLACK != 0 { HALF } else { 0 };
                let child = &mut *pool.byte_add(number as usize);
                child.board = board ^ change << (step.to & 63) ^ change << (step.from & 63);
                child.planes = planes;
                child.ranks = ranks;
                child.meta = meta;
                child.path = parent.path + (1 << 32);
                child.last = last;
                let (tile, half) = moved(tables, last);
                let layout = layout(tables, tile, half, planes);
                prefetch(&tables.layouts, layout);
                let region = step.regions[half as usize >> 5];
                *self.candidates.words.get_unchecked_mut(index) =
                    (layout as u64) << 32 | u64::from(region);
                *queue.add(index) = u64::from(number) << 32 | u64::from(permutation(tile, ranks));
            }
            for index in 0..count {
                let word = *self.candidates.words.get_unchecked(index);
                let layout = *tables.layouts.get_unchecked((word >> 32) as usize);
                // The bit number stays within the lower half.
                *queue.add(index) += u64::from(layout_number(layout, word as u8));
                prefetch(words, *queue.add(index) as u32 as usize >> 6);
            }
        }
        self.first.len += count;
    }

    /// Looks up the first bit, for the board or the transpose, of up to eight of the oldest children.
    ///
    /// # Safety
    /// As for [`expand`](Self::expand), with room for [`BATCH`] entries in the second queue and among the pruned nodes.
    #[inline(always)]
    pub unsafe fn test_first(&mut self, tables: &PortableTables) {
        let count = self.first.waiting().min(BATCH);
        let words = tables.words();
        let mut kept = 0;
        // SAFETY: the numbers refer to nodes in the pool, and there is room.
        unsafe {
            let pool = self.pool.nodes.as_mut_ptr();
            let queue = self.first.entries.as_ptr().add(self.first.first);
            let survivors = self.second.entries.as_mut_ptr().add(self.second.len);
            let pruned = self.pruned.as_mut_ptr().add(self.pruned_len);
            for index in 0..count {
                let entry = *queue.add(index);
                let node = &mut *pool.byte_add((entry >> 32) as usize);
                let half = moved(tables, node.last);
                let (meta, is_pruned) = updated_meta(words, half, node.meta, entry as u32);
                node.meta = meta;
                node.last ^= HALF;
                *survivors.add(kept) = entry;
                *pruned.add(index - kept) = node.path & !0xffff_ffff | entry >> 32;
                kept += 1 - is_pruned;
            }
            for index in 0..kept {
                let number = *survivors.add(index) >> 32;
                let bit = bit_of(tables, &*pool.byte_add(number as usize));
                prefetch(words, bit as usize >> 6);
                *survivors.add(index) = number << 32 | u64::from(bit);
            }
        }
        self.second.len += kept;
        self.add_pruned(count - kept);
        self.first.remove(count);
    }

    /// Looks up the second bit of up to eight of the oldest children.
    ///
    /// # Safety
    /// As for [`expand`](Self::expand), with room for [`BATCH`] entries on the stack, among the parent links and among the
    /// pruned nodes.
    #[inline(always)]
    pub unsafe fn test_second(&mut self, tables: &PortableTables) {
        let count = self.second.waiting().min(BATCH);
        let words = tables.words();
        let mut kept = 0;
        let link = self.links.base + self.links.len as u32;
        // SAFETY: the numbers refer to nodes in the pool, and there is room.
        unsafe {
            let pool = self.pool.nodes.as_mut_ptr();
            let queue = self.second.entries.as_ptr().add(self.second.first);
            let stack = self.stack.numbers.as_mut_ptr().add(self.stack.len);
            let links = self.links.entries.as_mut_ptr().add(self.links.len);
            let pruned = self.pruned.as_mut_ptr().add(self.pruned_len);
            for index in 0..count {
                let waiting = *queue.add(index);
                let number = (waiting >> 32) as u32;
                let node = &mut *pool.byte_add(number as usize);
                let half = moved(tables, node.last);
                let (meta, is_pruned) = updated_meta(words, half, node.meta, waiting as u32);
                node.meta = meta;
                node.last |= TESTED;
                *pruned.add(index - kept) = node.path & !0xffff_ffff | u64::from(number);
                *stack.add(kept) = number;
                let parent = node.path as u32;
                *links.add(kept) = entry(parent, (node.last >> 5) as u32 & 3);
                let own = if is_pruned == 0 { link + kept as u32 } else { parent };
                node.path = node.path & !0xffff_ffff | u64::from(own);
                if node.board == Tables::GOAL && is_pruned == 0 {
                    self.goal = Some((own, (node.path >> 32) as u32));
                }
                kept += 1 - is_pruned;
            }
        }
        self.stack.len += kept;
        self.links.len += kept;
        self.add_pruned(count - kept);
        self.second.remove(count);
    }
}
