//! Vectors of slots: from a move to the addresses of its table bits, and from the bits to the slack of the child.
//!
//! All vectors hold one 32-bit element per *slot*, that is, per lane with the tile that moves, unless noted
//! otherwise. The [engine](super::engine) runs each stage for all children of a batch before the next:
//!
//! | stage | output per slot | rows read per child | words read per slot |
//! |---|---|---|---|
//! | [`make_child`] | mask, rank, `q` = rank of the mask, word | 8 of rank gains | `high`, `low` |
//! | [`off_region`] | whether the blank is outside the largest region | | `region_row`, `small_regions` |
//! | [`lookup`] | bit 1 of the new distance | | database |
//! | [`decrement_slack`] | slack, per sum | | |
//!
//! Words are read by a gather or, where that takes longer, by eight loads: see [`Tables::gathers`].
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
    // the upper one. `low` ends with padding.
    let set = unsafe {
        if tables.gathers {
            _mm256_add_epi32(gather_words(&tables.high, high), gather_shorts(&tables.low, low))
        } else {
            let (high, low) = (stored(high), stored(low));
            let word = |slot: usize| {
                let rest = u32::from(*tables.low.get_unchecked(low[slot] as usize));
                (*tables.high.get_unchecked(high[slot] as usize) + rest) as i32
            };
            vector(word)
        }
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
    // The free cells outside the largest region, as a set.
    // SAFETY: a mask has as many cells as its pattern has tiles, so `q` is a rank of such a set (see `make_child`), and
    // the part of `region_row` from `set_base` on has an entry for each: an index of `small_regions`. `region_row` ends
    // with padding.
    let small = unsafe {
        let (rows, regions) = (&tables.region_row, &tables.small_regions);
        if tables.gathers {
            gather_words(regions, gather_shorts(rows, entry))
        } else {
            // The row goes from one load to the next without being in a vector.
            let entry = stored(entry);
            let word = |slot: usize| {
                let row = *rows.get_unchecked(entry[slot] as usize);
                *regions.get_unchecked(usize::from(row)) as i32
            };
            vector(word)
        }
    };
    // Shifting left by 31 - cell moves the bit of the blank to the sign, which `movmskps` collects.
    let signs = _mm256_sllv_epi32(small, _mm256_sub_epi32(_mm256_set1_epi32(31), cells));
    _mm256_movemask_ps(_mm256_castsi256_ps(signs)) as u8
}

/// Returns, per slot, the word of `table` at the place of the slot.
///
/// # Safety
/// The places must be indices of `table`, and below 2³¹.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn gather_words(table: &[u32], places: __m256i) -> __m256i {
    // SAFETY: guaranteed by the caller.
    unsafe { _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), places) }
}

/// Like [`gather_words`], for words of 16 bits, which become the lower half of words of 32 bits.
///
/// # Safety
/// The places must be below the last index of `table`: the gather reads the next entry too.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn gather_shorts(table: &[u16], places: __m256i) -> __m256i {
    // SAFETY: guaranteed by the caller.
    let pairs = unsafe { _mm256_i32gather_epi32::<2>(table.as_ptr().cast(), places) };
    // Drops the next entry.
    _mm256_and_si256(pairs, _mm256_set1_epi32(0xFFFF))
}

/// Returns a vector of `word(slot)`.
#[inline]
#[target_feature(enable = "avx2")]
fn vector(word: impl Fn(usize) -> i32) -> __m256i {
    _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
}

/// Returns the words of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn stored(words: __m256i) -> [u32; 8] {
    let mut stored = [0; 8];
    store(&mut stored, words);
    stored
}

/// Returns the table bit of each slot: bit 1 of the distance after the move. `table` are all tables.
#[inline]
#[target_feature(enable = "avx2")]
pub fn lookup(tables: &Tables, table: &[u64], child: &Child) -> u32 {
    let halves: &[u32] = bytemuck::cast_slice(table);
    // SAFETY: the rank of a child is that of a permutation and its `q` that of a layout, so its words are within its
    // table. All tables together have at most 2³¹ words, so no index is negative.
    let found = unsafe {
        match tables.gathers {
            true => gather_words(halves, load_words(&child.words)),
            false => vector(|slot| *halves.get_unchecked(child.words[slot] as usize) as i32),
        }
    };
    // Shifting left by 31 - q % 32, which is !q & 31, moves the bit to the sign, which `movmskps` collects.
    let shift = _mm256_andnot_si256(load_words(&child.q), _mm256_set1_epi32(31));
    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(found, shift))) as u32
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
