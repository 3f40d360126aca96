//! The stages. Each handles up to eight nodes.

use super::engine::BatchEngine;
use super::lookups::{bit_of, layout, layout_number, permutation, step_of, tile_of, update};
use super::node::{BATCH, HALF, Halves, Node, SLACK, STATE, TESTED};
use super::tables::PortableTables;
use crate::cpu::prefetch;
use crate::pattern_search::links::entry;
use crate::pattern_search::tables::Tables;

impl BatchEngine {
    /// Expands the top `count` nodes of the stack, at most [`BATCH`].
    ///
    /// # Safety
    /// All numbers in the engine refer to nodes in the pool, and the nodes belong to a search with these tables. There
    /// is room for [`ADDED`](super::node::ADDED) entries in the first queue.
    #[inline(always)]
    pub unsafe fn expand(&mut self, tables: &PortableTables, words: &[u64], count: usize) {
        self.candidates.len = 0;
        for index in (self.stack.len - count..self.stack.len).rev() {
            // SAFETY: the stack holds numbers of nodes, and each state has a row.
            unsafe {
                let parent = *self.stack.numbers.get_unchecked(index);
                let node = &*self.pool.nodes.as_ptr().byte_add(parent as usize);
                let row = tables.rows.get_unchecked((node.last >> STATE) as usize);
                self.candidates.add(parent, row);
                self.generated += row.counted();
            }
        }
        self.stack.len -= count;
        // SAFETY: as above.
        unsafe { self.make_children(tables, words) };
        self.pool.release(&self.stack.numbers[self.stack.len..self.stack.len + count]);
    }

    /// Creates the candidates, and appends them to the first queue.
    ///
    /// # Safety
    /// See [`expand`](Self::expand).
    #[inline(always)]
    pub unsafe fn make_children(&mut self, tables: &PortableTables, words: &[u64]) {
        self.pool.reserve();
        let count = self.candidates.len;
        self.pool.free.len -= count;
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
                let tile = board >> (step.to_shift & 63) & 15;
                let jumps = jumps.add(usize::from(step.jumps) + 16 * tile as usize);
                let gain = |cell: u8| *jumps.add((board >> (cell & 63)) as usize & 15);
                let ranks = (parent.ranks.word())
                    .wrapping_add(gain(step.jumped_shifts[0]))
                    .wrapping_add(gain(step.jumped_shifts[1]))
                    .wrapping_add(gain(step.jumped_shifts[2]));
                let planes =
                    parent.planes.word() ^ step.cells & tables.planes.get_unchecked(tile as usize);
                let meta = parent.meta;
                // The half without slack prunes every child whose distance rises.
                let offset = (tile as u32) << 5 | if meta.get(0) >> SLACK != 0 { HALF } else { 0 };
                let child = &mut *pool.byte_add(number as usize);
                // The blank's cell holds the blank's own goal cell: exchanging the nibbles means toggling both.
                child.board = board ^ ((tile ^ tables.blank) * step.both);
                child.planes = Halves::of(planes);
                child.ranks = Halves::of(ranks);
                child.meta = meta;
                child.path = parent.path + (1 << 32);
                child.last = word;
                child.tile = offset;
                let (tile, half) = (tile_of(tables, offset), Node::half(offset));
                let layout = layout(tables, tile, child.planes.get(half));
                prefetch(&tables.layouts, layout);
                let region = *step.regions.get_unchecked(half);
                *self.candidates.layouts.get_unchecked_mut(index) =
                    (layout as u64) << 32 | u64::from(region);
                *queue.add(index) =
                    u64::from(number) << 32 | u64::from(permutation(tile, child.ranks.get(half)));
            }
            for index in 0..count {
                let word = *self.candidates.layouts.get_unchecked(index);
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
    pub unsafe fn test_first(&mut self, tables: &PortableTables, words: &[u64]) {
        let count = self.first.waiting().min(BATCH);
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
                let is_pruned = update(tables, words, node, entry as u32);
                node.tile ^= HALF;
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
    pub unsafe fn test_second(&mut self, tables: &PortableTables, words: &[u64]) {
        let count = self.second.waiting().min(BATCH);
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
                let is_pruned = update(tables, words, node, waiting as u32);
                node.last |= TESTED;
                *pruned.add(index - kept) = node.path & !0xffff_ffff | u64::from(number);
                *stack.add(kept) = number;
                *links.add(kept) = entry(node.path as u32, node.last >> 5 & 3);
                kept += 1 - is_pruned;
            }
            for index in 0..kept {
                let node = &mut *pool.byte_add(*stack.add(index) as usize);
                let own = link + index as u32;
                node.path = node.path & !0xffff_ffff | u64::from(own);
                if node.board == Tables::GOAL {
                    self.goal = Some((own, (node.path >> 32) as u32));
                }
            }
        }
        self.stack.len += kept;
        self.links.len += kept;
        self.add_pruned(count - kept);
        self.second.remove(count);
    }
}
