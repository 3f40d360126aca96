//! Vectors of slots: from a move to the addresses of its table bits, and from the bits to the slack of the child.
//!
//! All vectors hold one 32-bit element per *slot*, that is, per lane with the tile that moves, unless noted
//! otherwise. The [engine](super::engine) runs each stage for all children of a batch before the next:
//!
//! | stage | output per slot | memory |
//! |---|---|---|
//! | [`make_child`] | mask, rank, `q` = rank of the mask, word | 8 rows of rank gains; gathers: `high`, `low` |
//! | [`off_region`] | whether the blank is outside the largest region | gather: `small_regions` |
//! | [`fix_up`] | `q` and word of the actual region | gathers: `first_small`, `region_row`, `region_numbers` |
//! | [`lookup`] | bit 1 of the new distance | gather: database |
//! | [`decrement_slack`] | slack, per sum | none |
//!
//! Names of arrays and the address formula: [`tables`](super::tables).

use std::arch::x86_64::*;

use super::lane_vectors::{load, load_bytes, load_u16, load_words, store, store_u16};
use super::node::{Child, Node, SUMS};
use super::tables::{Slots, Tables};

/// Computes masks, ranks, `q` and words of `child`, whose `tile` and `blank` are set.
///
/// `masks` and `ranks` are taken from `node`, by slot; the upper 16 bits of `ranks` are ignored. `jumped` are the tiles
/// on the [jumped cells](super::lanes::Jumps), times 8: bytes 0 to 3 for plain tables, 4 to 7 for mirrored
/// ones. All slots are treated as if the blank were in the largest region.
#[inline]
#[target_feature(enable = "avx2")]
pub fn make_child<const STEP: usize>(
    tables: &Tables,
    node: &Node,
    child: &mut Child,
    (masks, ranks, jumped): (__m256i, __m256i, u64),
) {
    let tile = usize::from(child.tile) & 31;
    let lanes = &tables.tiles[tile];
    // New mask: the tile leaves the new cell of the blank and enters its old one, so both bits flip.
    let one = _mm256_set1_epi32(1);
    let bit = |blank: u8| {
        let cells = load_bytes(&tables.slot_cells[tile][usize::from(blank) & 31]);
        _mm256_sllv_epi32(one, cells)
    };
    let masks = _mm256_xor_si256(masks, _mm256_or_si256(bit(node.blank), bit(child.blank)));

    // Gain in rank: the sum over the jumped tiles, 16 bits per slot, for both kinds of tables; each slot takes the sum
    // for its kind. Tiles outside the pattern, and cells off the board, gain 0.
    let by_tile = match STEP {
        0 | 3 => &tables.up[tile],
        _ => &tables.left[tile],
    };
    let (mut plain, mut mirrored) = (_mm_setzero_si128(), _mm_setzero_si128());
    for place in 0..4 {
        plain = _mm_add_epi16(plain, gain_row(by_tile, jumped >> (8 * place)));
        mirrored = _mm_add_epi16(mirrored, gain_row(by_tile, jumped >> (8 * (4 + place))));
    }
    let gain = _mm_blendv_epi8(plain, mirrored, load_u16(&lanes.mirrored));
    let gain = _mm256_cvtepi16_epi32(gain);
    // Right and down are left and up reversed: the same pairs of tiles change order the other way.
    let ranks = match STEP {
        0 | 1 => _mm256_add_epi32(ranks, gain),
        _ => _mm256_sub_epi32(ranks, gain),
    };
    // Drops the upper 16 bits, which hold the rank of another lane.
    let ranks = _mm256_and_si256(ranks, _mm256_set1_epi32(0xFFFF));
    // First word of the new permutation.
    let first = load(&lanes.table_words);
    let base = _mm256_add_epi32(first, _mm256_mullo_epi32(ranks, load(&lanes.strides)));

    // Rank of the mask: upper and lower half of its cells index one table each.
    let low_bits = _mm_cvtsi32_si128(tables.low_bits as i32);
    let high = _mm256_add_epi32(_mm256_srl_epi32(masks, low_bits), load(&lanes.high_base));
    let low = _mm256_and_si256(masks, _mm256_set1_epi32((1 << tables.low_bits) - 1));
    // SAFETY: masks have no cells beyond the board, so both halves are indices of their tables, from `high_base` on for
    // the upper one. A four-byte gather of 16-bit entries reads two bytes past the last one, where `low` has padding.
    let set = unsafe {
        let high = _mm256_i32gather_epi32::<4>(tables.high.as_ptr().cast(), high);
        let low = _mm256_i32gather_epi32::<2>(tables.low.as_ptr().cast(), low);
        // Drops the next entry, which the gather read too.
        _mm256_add_epi32(high, _mm256_and_si256(low, _mm256_set1_epi32(0xFFFF)))
    };
    // With the blank in the largest region, `q` is that rank: bit `q % 32` of word `q / 32` of the permutation.
    store(&mut child.masks, masks);
    store(&mut child.q, set);
    store(&mut child.words, _mm256_add_epi32(base, _mm256_srli_epi32::<5>(set)));
    store_u16(&mut child.ranks, ranks);
}

/// Loads the gains in rank, 16 bits per slot, by jumping the tile in the lowest byte of `tiles` (tile × 8).
#[inline]
#[target_feature(enable = "avx2")]
fn gain_row(by_tile: &[Slots<i16>; 32], tiles: u64) -> __m128i {
    // SAFETY: a row has 16 bytes. The byte is a multiple of 8 and at most 248, also by the mask 0xF8, so twice that is
    // the offset of one of the 32 rows.
    unsafe {
        let row = by_tile.as_ptr().cast::<u8>().add(2 * usize::from(tiles as u8 & 0xF8));
        _mm_loadu_si128(row.cast())
    }
}

/// Returns the slots in which the blank is outside the largest region of the mask; `child.q` are ranks of masks.
#[inline]
#[target_feature(enable = "avx2")]
pub fn off_region(tables: &Tables, child: &Child) -> u8 {
    let tile = usize::from(child.tile) & 31;
    // The cell of the blank in each table.
    let cells = load_bytes(&tables.slot_cells[tile][usize::from(child.blank) & 31]);
    let entry = _mm256_add_epi32(load_words(&child.q), load(&tables.tiles[tile].set_base));
    // The free cells outside the largest region, as a set. SAFETY: a mask has as many cells as its pattern has tiles,
    // so `q` is a rank of such a set (see `make_child`), and the part of the array from `set_base` on has an entry for
    // each.
    let small = unsafe { _mm256_i32gather_epi32::<4>(tables.small_regions.as_ptr().cast(), entry) };
    // Shifting left by 31 - cell moves the bit of the blank to the sign, which `movmskps` collects.
    let signs = _mm256_sllv_epi32(small, _mm256_sub_epi32(_mm256_set1_epi32(31), cells));
    _mm256_movemask_ps(_mm256_castsi256_ps(signs)) as u8
}

/// Corrects `q` and words in the slots of `child.off_region`: `q` becomes the number of the layout with the region of
/// the blank. Other slots keep their values.
#[inline]
#[target_feature(enable = "avx2")]
pub fn fix_up(tables: &Tables, child: &mut Child) {
    let tile = usize::from(child.tile) & 31;
    // All ones in the slots to correct: bit `i` of the set is tested in slot `i`. Gathers leave the other slots alone.
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let own = _mm256_and_si256(_mm256_set1_epi32(child.off_region.into()), bits);
    let own = _mm256_cmpeq_epi32(own, bits);
    let set = load_words(&child.q);
    let entry = _mm256_add_epi32(set, load(&tables.tiles[tile].set_base));
    let cell = load_bytes(&tables.slot_cells[tile][usize::from(child.blank) & 31]);
    // SAFETY: `entry` is an index of the arrays per mask, see `off_region`; `row` is one of the rows of 32 cells, and
    // `cell` is below 32. Four-byte gathers read past the last entry: two bytes of `region_row` and three of
    // `region_numbers`, which have that much padding.
    let q = unsafe {
        let [firsts, rows]: [*const i32; 2] =
            [tables.first_small.as_ptr().cast(), tables.region_row.as_ptr().cast()];
        // `q` of the first smaller region; in the other slots the old `q`.
        let first = _mm256_mask_i32gather_epi32::<4>(set, firsts, entry, own);
        // The row that numbers the smaller regions; in the other slots 0, from `own`. The mask drops the next entry.
        let row = _mm256_mask_i32gather_epi32::<2>(own, rows, entry, own);
        let row = _mm256_and_si256(row, _mm256_set1_epi32(0xFFFF));
        // The number of the region of the blank, a byte; in the other slots 0.
        let place = _mm256_add_epi32(_mm256_slli_epi32::<5>(row), cell);
        let all = tables.region_numbers.as_ptr().cast();
        let number = _mm256_mask_i32gather_epi32::<1>(own, all, place, own);
        let number = _mm256_and_si256(number, _mm256_and_si256(own, _mm256_set1_epi32(0xFF)));
        _mm256_add_epi32(first, number)
    };
    // The word moves along with `q`: subtracting the old q / 32 gives back the first word of the permutation.
    let base = _mm256_sub_epi32(load_words(&child.words), _mm256_srli_epi32::<5>(set));
    store(&mut child.q, q);
    store(&mut child.words, _mm256_add_epi32(base, _mm256_srli_epi32::<5>(q)));
}

/// Returns the table bit of each slot: bit 1 of the distance after the move.
#[inline]
#[target_feature(enable = "avx2")]
pub fn lookup(words: &[u64], child: &Child) -> u32 {
    // SAFETY: the rank of a child is that of a permutation and its `q` that of a layout, so its words are within its
    // table. All tables together have at most 2³¹ words, so no index is negative.
    let words =
        unsafe { _mm256_i32gather_epi32::<4>(words.as_ptr().cast(), load_words(&child.words)) };
    // Shifting left by 31 - q % 32, which is !q & 31, moves the bit to the sign, which `movmskps` collects.
    let shift = _mm256_andnot_si256(load_words(&child.q), _mm256_set1_epi32(31));
    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, shift))) as u32
}

/// Decrements the slack of each sum whose slot is in `grown`. Returns whether all of it is at least `-overdraft`, which
/// is 0 or −1.
///
/// Vectors hold one byte per sum. A move of the tile changes exactly one slot of each sum, by ±1, so f grows by 2 or
/// stays.
#[inline]
#[target_feature(enable = "avx2")]
pub fn decrement_slack(
    before: &[i8; SUMS],
    sum_slots: &[u8; SUMS],
    grown: u32,
    (after, overdraft): (&mut [i8; SUMS], i8),
) -> bool {
    // SAFETY: the references cover 16 bytes.
    unsafe {
        let before = _mm_loadu_si128(before.as_ptr().cast());
        // Per sum: the bit of its slot if that has grown, else 0. Unused sums have no bit and keep their slack.
        let slots = _mm_loadu_si128(sum_slots.as_ptr().cast());
        let own = _mm_and_si128(_mm_set1_epi8(grown as i8), slots);
        // -1 where the sum has not grown: before - 1 - (-1) = before.
        let stays = _mm_cmpeq_epi8(own, _mm_setzero_si128());
        let slack = _mm_sub_epi8(_mm_sub_epi8(before, _mm_set1_epi8(1)), stays);
        _mm_storeu_si128(after.as_mut_ptr().cast(), slack);
        // The saturating sum is negative exactly where slack < -overdraft; `NO_SUM`, 127, does not wrap.
        _mm_movemask_epi8(_mm_adds_epi8(slack, _mm_set1_epi8(overdraft))) == 0
    }
}

/// Packs the bits of `from` at the positions of `set` into the lowest bits.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
pub fn extract(from: u32, set: u32) -> u32 {
    _pext_u32(from, set)
}

/// Spreads the lowest bits of `from` to the positions of `set`.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
pub fn deposit(from: u32, set: u32) -> u32 {
    _pdep_u32(from, set)
}
