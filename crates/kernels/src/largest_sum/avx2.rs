//! The operations with AVX2, and with AVX-512 where the machine has it.
//!
//! * [`lane_vectors`] moves data between the lanes of a node and the slots of a tile: with AVX2 in vectors of eight
//!   lanes, with AVX-512 all lanes at once;
//! * [`slot_vectors`] computes table addresses, bits and slack by slot; eight slots fill an AVX2 vector, so both levels
//!   share it.
//!
//! The whole loops [`Engine::run`] and [`Engine::expand_batch`] are compiled for each level, so that everything they
//! call is inlined with its instructions.

use super::engine::{Engine, PathLimit};
use super::node::{Child, Node, SUMS};
use super::steps::{Steps, Unpack};
use super::tables::{Tables, TileLanes};
use super::{lane_vectors, slot_vectors};

/// Declares [`Engine::run`] and [`Engine::expand_batch`] with the instructions `$features`, for tables of up to `8 * V`
/// lanes. If `$wide`, the AVX-512 versions of [`lane_vectors`] are used, and a `V` of 4 serves all tables.
macro_rules! for_machine {
    ($(#[$docs:meta])* $module:ident, $features:literal, $wide:literal) => {
        $(#[$docs])*
        pub mod $module {
            use super::*;

            #[target_feature(enable = $features)]
            pub fn run<const V: usize>(
                engine: &mut Engine,
                tables: &Tables,
                rows: &[[u32; 4]],
                (limit, most): (PathLimit, u64),
            ) -> u64 {
                engine.run(Vectors::<V, $wide>, tables, rows, (limit, most))
            }

            #[target_feature(enable = $features)]
            pub fn expand_batch<const V: usize>(
                engine: &mut Engine,
                tables: &Tables,
                rows: &[[u32; 4]],
                batch: &[impl Unpack],
                each: &mut dyn FnMut(&Node),
            ) {
                engine.expand_batch(Vectors::<V, $wide>, tables, rows, batch, each);
            }
        }
    };
}

for_machine! {
    /// For AVX2 with BMI2.
    v3, "avx2,bmi1,bmi2,lzcnt,popcnt", false
}
for_machine! {
    /// For AVX-512 with VBMI.
    v4, "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt", true
}

/// The operations with AVX2, or with AVX-512 if `WIDE`. Only the functions of [`v3`] and [`v4`] may use them, whose
/// callers have checked that the machine has the instructions.
#[derive(Clone, Copy)]
struct Vectors<const V: usize, const WIDE: bool>;

impl<const V: usize, const WIDE: bool> Steps for Vectors<V, WIDE> {
    #[inline(always)]
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child) {
        child.blank = tables.target::<STEP>(node.blank);
        child.tile = node.board[usize::from(child.blank)] & 31;
        let lanes = &tables.tiles[usize::from(child.tile)];
        // SAFETY: the functions that use these operations are for machines that have the instructions.
        unsafe {
            let jumps = &tables.jumps[STEP][usize::from(node.blank) & 31];
            let (masks, ranks, jumped) = match WIDE {
                true => (
                    lane_vectors::pick_masks_wide(&node.masks, lanes),
                    lane_vectors::pick_ranks_wide(&node.ranks, lanes),
                    lane_vectors::jumped_tiles_wide(&node.board, jumps),
                ),
                false => (
                    lane_vectors::pick_masks::<V>(&node.masks, lanes),
                    lane_vectors::pick_ranks::<V>(&node.ranks, lanes),
                    lane_vectors::jumped_tiles(&node.board, jumps),
                ),
            };
            slot_vectors::make_child::<STEP>(tables, node, child, (masks, ranks, jumped));
        }
    }

    #[inline(always)]
    fn lookup(self, tables: &Tables, words: &[u64], child: &Child) -> u32 {
        // SAFETY: as above.
        unsafe { slot_vectors::lookup(tables, words, child) }
    }

    #[inline(always)]
    fn off_region(self, tables: &Tables, child: &Child) -> u8 {
        // SAFETY: as above.
        unsafe { slot_vectors::off_region(tables, child) }
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
        let sum_slots = &tables.tiles[usize::from(child.tile) & 31].sum_slots;
        // SAFETY: as above.
        unsafe { slot_vectors::decrement_slack(&node.slack, sum_slots, grown, (slack, overdraft)) }
    }

    #[inline(always)]
    fn apply(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
        // SAFETY: as above.
        unsafe {
            let lanes = &tables.tiles[usize::from(child.tile) & 31];
            match WIDE {
                true => lane_vectors::merge_wide(node, child, lanes, into),
                false => lane_vectors::merge::<V>(node, child, lanes, into),
            }
        }
        // The tile and the blank exchange cells.
        into.board = node.board;
        into.board[usize::from(child.blank) & 31] = tables.blank();
        into.board[usize::from(node.blank) & 31] = child.tile;
    }

    #[inline(always)]
    fn rebuild_masks(self, tables: &Tables, node: &mut Node) {
        // SAFETY: as above.
        unsafe { lane_vectors::rebuild_masks::<V>(tables, node) }
    }

    #[inline(always)]
    fn extract(self, from: u32, lanes: &TileLanes) -> u32 {
        // SAFETY: as above.
        unsafe { slot_vectors::extract(from, lanes.set) }
    }

    #[inline(always)]
    fn deposit(self, from: u32, lanes: &TileLanes) -> u32 {
        // SAFETY: as above.
        unsafe { slot_vectors::deposit(from, lanes.set) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Cpu;
    use crate::largest_sum::node::LANES;
    use crate::largest_sum::steps::Scalar;
    use crate::largest_sum::tests::{many, random};

    /// Returns 32 random bits.
    fn bits(seed: &mut u64) -> u32 {
        random(seed, 1 << 31) as u32 ^ (random(seed, 1 << 31) as u32) << 1
    }

    /// Returns the masks and ranks of `node` by slot, with AVX2 or with AVX-512.
    #[target_feature(enable = "avx2")]
    fn picked(wide: bool, node: &Node, lanes: &TileLanes) -> ([u32; 8], [u16; 8]) {
        let (mut masks, mut ranks) = ([0; 8], [0; 8]);
        // SAFETY: callers pass `wide` only if the machine has AVX-512.
        let (own, numbers) = unsafe {
            match wide {
                true => (
                    lane_vectors::pick_masks_wide(&node.masks, lanes),
                    lane_vectors::pick_ranks_wide(&node.ranks, lanes),
                ),
                false => (
                    lane_vectors::pick_masks::<4>(&node.masks, lanes),
                    lane_vectors::pick_ranks::<4>(&node.ranks, lanes),
                ),
            }
        };
        lane_vectors::store(&mut masks, own);
        let mut words = [0; 8];
        lane_vectors::store(&mut words, numbers);
        for (rank, word) in ranks.iter_mut().zip(words) {
            *rank = word as u16;
        }
        (masks, ranks)
    }

    #[test]
    fn picks_and_merges_equal_scalar_code() {
        let machines: Vec<bool> = Cpu::available()
            .filter(|cpu| *cpu != Cpu::Scalar)
            .map(|cpu| cpu == Cpu::Avx512)
            .collect();
        let tables = Tables::new(many()).unwrap();
        let seed = &mut 5;
        for _ in 0..2000 {
            let (mut node, mut child) = (Node::EMPTY, Child::EMPTY);
            node.masks.fill_with(|| bits(seed));
            node.ranks.fill_with(|| bits(seed) as u16);
            child.masks.fill_with(|| bits(seed));
            child.ranks.fill_with(|| bits(seed) as u16);
            let cells = tables.size.cells();
            (child.tile, child.blank) =
                (1 + random(seed, cells - 1) as u8, random(seed, cells) as u8);
            let lanes = &tables.tiles[usize::from(child.tile)];
            let mut expected = Node::EMPTY;
            Scalar.apply(&tables, &node, &child, &mut expected);
            let lane_of_slot = lanes.lanes.0.map(|lane| lane as usize);
            let own = (
                lane_of_slot.map(|lane| node.masks[lane]),
                lane_of_slot.map(|lane| node.ranks[lane]),
            );
            for &wide in &machines {
                // SAFETY: the machine has AVX2.
                assert_eq!(unsafe { picked(wide, &node, lanes) }, own);
                let mut after = Node::EMPTY;
                match wide {
                    true => Vectors::<4, true>.apply(&tables, &node, &child, &mut after),
                    false => Vectors::<4, false>.apply(&tables, &node, &child, &mut after),
                }
                assert_eq!(after.masks[..LANES], expected.masks[..LANES]);
                assert_eq!(after.ranks[..LANES], expected.ranks[..LANES]);
                assert_eq!(after.board, expected.board);
            }
        }
    }

    #[test]
    fn store_u16_keeps_all_values() {
        if Cpu::detect() == Cpu::Scalar {
            return;
        }
        for first in (0..1 << 16).step_by(8) {
            let words: [u32; 8] = std::array::from_fn(|lane| first + lane as u32);
            let mut short = [0; 8];
            // SAFETY: the machine has AVX2.
            unsafe { lane_vectors::store_u16(&mut short, lane_vectors::load_words(&words)) };
            assert_eq!(short.map(u32::from), words);
        }
    }
}
