//! The operations of the search that depend on the instruction set, and their portable version [`Scalar`].
//!
//! For a batch of nodes the [engine](super::engine) calls them in this order:
//!
//! 1. [`child`](Steps::child) computes the masks, ranks and table addresses of a child, as if the blank were in the
//!    largest region everywhere;
//! 2. [`off_region`](Steps::off_region) finds the slots for which that is wrong;
//! 3. [`fix_up`](Steps::fix_up) corrects the addresses of those slots;
//! 4. [`lookup`](Steps::lookup) reads the bits, after the engine has prefetched all addresses of the batch;
//! 5. [`slack`](Steps::slack) updates the slack of the sums and decides whether the child is within the bound;
//! 6. [`apply`](Steps::apply) writes the node of a child that is.
//!
//! See [`node`](super::node) for the layout of nodes and children, [`tables`](super::tables) for the address of a bit.

use super::node::{Child, LANES, Node, SUMS};
use super::tables::Tables;

/// The operations for one instruction set.
pub trait Steps: Copy {
    /// Computes the child of `node` by the move with index `STEP`, which must be legal: all fields but `parent`,
    /// `automaton`, `step` and `off_region`. `q` is the rank of the mask.
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child);
    /// Returns the table bit of each slot; `words` are all tables.
    fn lookup(self, tables: &Tables, words: &[u64], child: &Child) -> u32;
    /// Returns the slots of a child in which the blank is outside the largest region.
    fn off_region(self, tables: &Tables, child: &Child) -> u8;
    /// Corrects `q` and `words` in the slots of `child.off_region` for the region that the blank is in.
    fn fix_up(self, tables: &Tables, child: &mut Child);
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
    /// Packs the bits of `from` at the positions of `set` into the lowest bits: lanes to slots.
    fn extract(self, from: u32, set: u32) -> u32;
    /// Spreads the lowest bits of `from` to the positions of `set`: slots to lanes.
    fn deposit(self, from: u32, set: u32) -> u32;
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
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child) {
        let blank = tables.target(node.blank, STEP).expect("the move is legal");
        let tile = usize::from(node.board[usize::from(blank)]);
        let lanes = &tables.tiles[tile];
        (child.tile, child.blank) = (tile as u8, blank);
        // The tile goes to the old cell of the blank and leaves its new one.
        let (to, from) = (
            tables.slot_cells[tile][usize::from(node.blank)],
            tables.slot_cells[tile][usize::from(blank)],
        );
        let jumps = &tables.jumps[STEP][usize::from(node.blank)];
        // Opposite moves jump the same cells in opposite directions.
        let (by_tile, sign) = match STEP {
            0 => (&tables.up[tile], 1),
            1 => (&tables.left[tile], 1),
            2 => (&tables.left[tile], -1),
            _ => (&tables.up[tile], -1),
        };
        for slot in 0..8 {
            let lane = lanes.lanes.0[slot] as usize;
            let mask = node.masks[lane] ^ 1 << to[slot] ^ 1 << from[slot];
            let first = if lanes.mirrored[slot] == 0 { 0 } else { 4 };
            let gains = jumps[first..first + 4].iter().map(|&cell| {
                let jumped = node.board[usize::from(cell)];
                by_tile[usize::from(jumped)][slot]
            });
            let gain = gains.fold(0, i16::wrapping_add);
            let rank = node.ranks[lane].wrapping_add_signed(sign * gain);
            let base = lanes.table_words.0[slot] + u32::from(rank) * lanes.strides.0[slot];
            let low = mask & ((1 << tables.low_bits) - 1);
            let high = lanes.high_base.0[slot] + (mask >> tables.low_bits);
            let set = tables.high[high as usize] + u32::from(tables.low[low as usize]);
            child.masks[slot] = mask;
            child.ranks[slot] = rank;
            child.q[slot] = set;
            child.words[slot] = base + set / 32;
        }
    }

    fn lookup(self, _: &Tables, words: &[u64], child: &Child) -> u32 {
        let bit = |slot: usize| {
            let word = words[child.words[slot] as usize / 2];
            let half = (word >> (32 * (child.words[slot] % 2))) as u32;
            (half >> (child.q[slot] % 32) & 1) << slot
        };
        (0..8).map(bit).sum()
    }

    fn off_region(self, tables: &Tables, child: &Child) -> u8 {
        let tile = usize::from(child.tile);
        let (cells, bases) =
            (tables.slot_cells[tile][usize::from(child.blank)], tables.tiles[tile].set_base.0);
        let is_off_region = |slot: usize| {
            let small = tables.small_regions[(bases[slot] + child.q[slot]) as usize];
            small >> cells[slot] & 1 == 1
        };
        (0..8).map(|slot| u8::from(is_off_region(slot)) << slot).sum()
    }

    fn fix_up(self, tables: &Tables, child: &mut Child) {
        let tile = usize::from(child.tile);
        let cells = &tables.slot_cells[tile][usize::from(child.blank)];
        let bases = &tables.tiles[tile].set_base.0;
        for slot in (0..8).filter(|slot| child.off_region >> slot & 1 == 1) {
            let entry = (bases[slot] + child.q[slot]) as usize;
            let cell = 32 * usize::from(tables.region_row[entry]) + usize::from(cells[slot]);
            let q = tables.first_small[entry] + u32::from(tables.region_numbers[cell]);
            child.words[slot] = child.words[slot] - child.q[slot] / 32 + q / 32;
            child.q[slot] = q;
        }
    }

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
        let sum_slots = &tables.tiles[usize::from(child.tile)].sum_slots;
        let loss = |sum: usize| i8::from(grown & u32::from(sum_slots[sum]) != 0);
        *slack = std::array::from_fn(|sum| node.slack[sum] - loss(sum));
        slack.iter().all(|&slack| slack >= -overdraft)
    }

    fn apply(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
        let lanes = &tables.tiles[usize::from(child.tile)];
        for lane in 0..LANES {
            let slot = lanes.slots.0[lane] as usize;
            let changes = slot < 8;
            into.masks[lane] = if changes { child.masks[slot] } else { node.masks[lane] };
            into.ranks[lane] = if changes { child.ranks[slot] } else { node.ranks[lane] };
        }
        into.board = node.board;
        into.board[usize::from(child.blank)] = tables.blank();
        into.board[usize::from(node.blank)] = child.tile;
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

    fn extract(self, from: u32, set: u32) -> u32 {
        let positions = (0..32).filter(|position| set >> position & 1 == 1).enumerate();
        positions.map(|(to, position)| (from >> position & 1) << to).sum()
    }

    fn deposit(self, from: u32, set: u32) -> u32 {
        let positions = (0..32).filter(|position| set >> position & 1 == 1).enumerate();
        positions.map(|(at, position)| (from >> at & 1) << position).sum()
    }
}
