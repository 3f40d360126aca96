//! The operations of the search that depend on the instruction set, and their portable version [`Scalar`].
//!
//! For a batch of nodes the [engine](super::engine) calls them in this order:
//!
//! 1. [`child`](Steps::child) computes the masks, ranks and table addresses of a child, as if the blank were in the
//!    largest region everywhere;
//! 2. [`off_region`](Steps::off_region) finds the slots for which that is wrong, and the engine corrects their
//!    addresses;
//! 3. [`lookup`](Steps::lookup) reads the bits, after the engine has prefetched all addresses of the batch;
//! 4. [`slack`](Steps::slack) updates the slack of the sums and decides whether the child is within the bound;
//! 5. [`apply`](Steps::apply) writes the node of a child that is.
//!
//! See [`node`](super::node) for the layout of nodes and children, [`tables`](super::tables) for the address of a bit.

use super::node::{Child, LANES, Node, SUMS};
use super::tables::{Tables, TileLanes};

/// The operations for one instruction set.
pub trait Steps: Copy {
    /// Computes the child of `node` by the move with index `STEP`, which must be legal: all fields but `parent`,
    /// `automaton`, `step` and `off_region`. `q` is the rank of the mask.
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child);
    /// Returns the table bit of each slot; `words` are all tables.
    fn lookup(self, tables: &Tables, words: &[u64], child: &Child) -> u32;
    /// Returns the slots of a child in which the blank is outside the largest region.
    fn off_region(self, tables: &Tables, child: &Child) -> u8;
    /// Computes the slack of a child of `node` whose distances grow in the slots of `grown`. Returns whether all of it
    /// is at least `-overdraft`.
    fn slack(
        self,
        tables: &Tables,
        node: &Node,
        child: &Child,
        grown: u32,
        slack: &mut [i8; SUMS],
        overdraft: i8,
    ) -> bool;
    /// Writes masks, ranks and board of the child of `node` to `into`.
    fn apply(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node);
    /// Computes the masks of a node from its board.
    fn rebuild_masks(self, tables: &Tables, node: &mut Node);
    /// Packs the bits of `from` of the lanes of a tile into the lowest bits: lanes to slots. Bits of unused slots are
    /// arbitrary.
    fn extract(self, from: u32, lanes: &TileLanes) -> u32;
    /// Spreads the lowest bits of `from`, which are 0 for unused slots: slots to lanes.
    fn deposit(self, from: u32, lanes: &TileLanes) -> u32;
}

/// A representation of a node.
pub trait Unpack {
    /// Writes all fields of the node to `node`.
    fn unpack(&self, steps: impl Steps, tables: &Tables, node: &mut Node);
}

impl Unpack for Node {
    #[inline]
    fn unpack(&self, _: impl Steps, _: &Tables, node: &mut Node) {
        node.clone_from(self);
    }
}

/// The operations for any machine, one slot or lane at a time: the reference for the vector versions.
#[derive(Clone, Copy)]
pub struct Scalar;

impl Steps for Scalar {
    #[inline(always)]
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child) {
        let blank = tables.target::<STEP>(node.blank);
        let tile = node.board[usize::from(blank)] & 31;
        (child.tile, child.blank) = (tile, blank);
        let tile = usize::from(tile);
        let lanes = &tables.tiles[tile];
        // Gain in rank: the sum over the jumped tiles, for plain and for mirrored tables.
        let jumps = &tables.jumps[STEP][usize::from(node.blank) & 31];
        let by_tile = match STEP {
            0 | 3 => &tables.up[tile],
            _ => &tables.left[tile],
        };
        let row = |cell: u8| &by_tile[usize::from(node.board[usize::from(cell & 31)] & 31)];
        let (mut plain, mut mirrored) = ([0_i16; 8], [0_i16; 8]);
        for place in 0..4 {
            let (for_plain, for_mirrored) = (row(jumps[place]), row(jumps[4 + place]));
            for slot in 0..8 {
                plain[slot] = plain[slot].wrapping_add(for_plain[slot]);
                mirrored[slot] = mirrored[slot].wrapping_add(for_mirrored[slot]);
            }
        }
        // The tile goes to the old cell of the blank and leaves its new one.
        let to = &tables.slot_cells[tile][usize::from(node.blank) & 31];
        let from = &tables.slot_cells[tile][usize::from(blank)];
        for slot in 0..8 {
            let lane = lanes.lanes.0[slot] as usize % LANES;
            let mask = node.masks[lane] ^ (1 << (to[slot] & 31) | 1 << (from[slot] & 31));
            let is_mirrored = lanes.mirrored[slot] as i16;
            let gain = plain[slot] & !is_mirrored | mirrored[slot] & is_mirrored;
            // Opposite moves jump the same cells in opposite directions.
            let gain = if STEP < 2 { gain } else { gain.wrapping_neg() };
            let rank = node.ranks[lane].wrapping_add_signed(gain);
            let base = lanes.table_words.0[slot]
                .wrapping_add(u32::from(rank).wrapping_mul(lanes.strides.0[slot]));
            let low = mask & ((1 << tables.low_bits) - 1);
            let high = lanes.high_base.0[slot] + (mask >> tables.low_bits);
            let set = tables.high[high as usize] + u32::from(tables.low[low as usize]);
            child.masks[slot] = mask;
            child.ranks[slot] = rank;
            child.q[slot] = set;
            child.words[slot] = base.wrapping_add(set / 32);
        }
    }

    #[inline(always)]
    fn off_region(self, tables: &Tables, child: &Child) -> u8 {
        let tile = usize::from(child.tile) & 31;
        let cells = &tables.slot_cells[tile][usize::from(child.blank) & 31];
        let bases = &tables.tiles[tile].set_base.0;
        let is_off_region = |slot: usize| {
            let row = tables.region_row[(bases[slot] + child.q[slot]) as usize];
            (tables.small_regions[usize::from(row)] >> (cells[slot] & 31) & 1) as u8
        };
        (0..8).fold(0, |all, slot| all | is_off_region(slot) << slot)
    }

    #[inline(always)]
    fn lookup(self, _: &Tables, words: &[u64], child: &Child) -> u32 {
        let bit = |slot: usize| {
            let (word, q) = (child.words[slot], child.q[slot]);
            // The 32-bit word is the lower or the upper half of an element.
            words[word as usize / 2] >> (32 * (word % 2) + q % 32) & 1
        };
        (0..8).fold(0, |all, slot| all | (bit(slot) as u32) << slot)
    }

    #[inline(always)]
    fn slack(
        self,
        tables: &Tables,
        node: &Node,
        child: &Child,
        grown: u32,
        slack: &mut [i8; SUMS],
        overdraft: i8,
    ) -> bool {
        // A sum whose lane grows by 1 with this move exhausts one unit of slack: f grows by 2. Otherwise f stays.
        let sum_slots = &tables.tiles[usize::from(child.tile) & 31].sum_slots;
        let mut signs = 0;
        for sum in 0..SUMS {
            slack[sum] = node.slack[sum] - i8::from(grown as u8 & sum_slots[sum] != 0);
            // `NO_SUM`, the maximum, does not wrap.
            signs |= slack[sum].saturating_add(overdraft);
        }
        signs >= 0
    }

    #[inline(always)]
    fn apply(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
        let lanes = &tables.tiles[usize::from(child.tile) & 31].lanes.0;
        (into.masks, into.ranks, into.board) = (node.masks, node.ranks, node.board);
        // Unused slots repeat slot 0, which is written last.
        for slot in (0..8).rev() {
            let lane = lanes[slot] as usize % LANES;
            (into.masks[lane], into.ranks[lane]) = (child.masks[slot], child.ranks[slot]);
        }
        into.board[usize::from(child.blank) & 31] = tables.blank();
        into.board[usize::from(node.blank) & 31] = child.tile;
    }

    fn rebuild_masks(self, tables: &Tables, node: &mut Node) {
        node.masks = [0; LANES];
        for (cell, &tile) in node.board[..tables.size.cells()].iter().enumerate() {
            let images = &tables.lane_cells[usize::from(tile)][cell];
            for (mask, &image) in node.masks.iter_mut().zip(images) {
                // `NO_CELL` is out of range and sets no bit.
                *mask |= 1_u32.checked_shl(image.into()).unwrap_or(0);
            }
        }
    }

    #[inline(always)]
    fn extract(self, from: u32, lanes: &TileLanes) -> u32 {
        let bit = |slot: usize| (from >> (lanes.lanes.0[slot] & 31) & 1) << slot;
        (0..8).fold(0, |all, slot| all | bit(slot))
    }

    #[inline(always)]
    fn deposit(self, from: u32, lanes: &TileLanes) -> u32 {
        let bit = |slot: usize| (from >> slot & 1) << (lanes.lanes.0[slot] & 31);
        (0..8).fold(0, |all, slot| all | bit(slot))
    }
}
