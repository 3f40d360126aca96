//! The steps with vectors of eight lanes, or of more where there is AVX-512.

mod children;
mod columns;
mod load;
mod wide;

use super::engine::{Engine, Within};
use super::kept::Unfold;
use super::node::{Child, Node, SUMS};
use super::steps::Steps;
use super::tables::Tables;

/// Declares [`Engine::run`] and [`Engine::expand_batch`] for tables of up to `8 * V` lanes: with vectors of eight lanes, or of
/// sixteen if they are `$wide`, which serve all tables with a `V` of 4.
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
                (within, most): (Within, u64),
            ) -> u64 {
                engine.run(Vectors::<V, $wide>, tables, rows, (within, most))
            }

            #[target_feature(enable = $features)]
            pub fn expand_batch<const V: usize>(
                engine: &mut Engine,
                tables: &Tables,
                rows: &[[u32; 4]],
                batch: &[impl Unfold],
                each: &mut dyn FnMut(&Node),
            ) {
                engine.expand_batch(Vectors::<V, $wide>, tables, rows, batch, each);
            }
        }
    };
}

for_machine! {
    /// For machines with AVX2.
    v3, "avx2,bmi1,bmi2,lzcnt,popcnt", false
}
for_machine! {
    /// For machines with AVX-512 too, whose vectors have sixteen lanes.
    v4, "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt", true
}

/// The steps, for those who have checked that the machine has AVX2, or AVX-512 if they are `WIDE`.
#[derive(Clone, Copy)]
struct Vectors<const V: usize, const WIDE: bool>;

impl<const V: usize, const WIDE: bool> Steps for Vectors<V, WIDE> {
    #[inline(always)]
    fn child<const STEP: usize>(self, tables: &Tables, node: &Node, child: &mut Child) {
        let width = tables.size.width() as u8;
        let offset = [width.wrapping_neg(), u8::MAX, 1, width][STEP];
        child.blank = node.blank.wrapping_add(offset) & 31;
        child.tile = node.board[usize::from(child.blank)] & 31;
        let lanes = &tables.tiles[usize::from(child.tile)];
        // SAFETY: only functions for such machines make use of these steps.
        unsafe {
            let jumps = &tables.jumps[STEP][usize::from(node.blank) & 31];
            let (masks, ranks, jumped) = match WIDE {
                true => (
                    wide::pick(&node.masks, lanes),
                    wide::pick_ranks(&node.ranks, lanes),
                    wide::tiles_on(&node.board, jumps),
                ),
                false => (
                    columns::pick::<V>(&node.masks, lanes),
                    columns::pick_ranks::<V>(&node.ranks, lanes),
                    columns::tiles_on(&node.board, jumps),
                ),
            };
            children::make::<STEP>(tables, node, child, (masks, ranks, jumped));
        }
    }

    #[inline(always)]
    fn look(self, _: &Tables, words: &[u64], child: &Child) -> u32 {
        // SAFETY: as above.
        unsafe { children::look(words, child) }
    }

    #[inline(always)]
    fn pockets(self, tables: &Tables, child: &Child) -> u8 {
        // SAFETY: as above.
        unsafe { children::pockets(tables, child) }
    }

    #[inline(always)]
    fn mend(self, tables: &Tables, child: &mut Child) {
        // SAFETY: as above.
        unsafe { children::mend(tables, child) }
    }

    #[inline(always)]
    fn slack(
        self,
        tables: &Tables,
        node: &Node,
        child: &Child,
        grown: u32,
        slack: &mut [i8; SUMS],
        beyond: i8,
    ) -> bool {
        let sums = &tables.tiles[usize::from(child.tile) & 31].sums;
        // SAFETY: as above.
        unsafe { children::lose(&node.slack, sums, grown, (slack, beyond)) }
    }

    #[inline(always)]
    fn place(self, tables: &Tables, node: &Node, child: &Child, into: &mut Node) {
        // SAFETY: as above.
        unsafe {
            let lanes = &tables.tiles[usize::from(child.tile) & 31];
            match WIDE {
                true => wide::change(node, child, lanes, into),
                false => columns::change::<V>(node, child, lanes, into),
            }
        }
        into.board = node.board;
        into.board[usize::from(child.blank) & 31] = tables.blank();
        into.board[usize::from(node.blank) & 31] = child.tile;
    }

    #[inline(always)]
    fn masks(self, tables: &Tables, node: &mut Node) {
        // SAFETY: as above.
        unsafe { columns::masks::<V>(tables, node) }
    }

    #[inline(always)]
    fn extract(self, from: u32, set: u32) -> u32 {
        // SAFETY: as above.
        unsafe { children::extract(from, set) }
    }

    #[inline(always)]
    fn deposit(self, from: u32, set: u32) -> u32 {
        // SAFETY: as above.
        unsafe { children::deposit(from, set) }
    }
}

#[cfg(test)]
mod tests;
