//! Children: where their tables are looked up, and what comes of it.

use std::arch::x86_64::*;

use super::load::{load, load_bytes, load_short, load_words, store, store_short};
use crate::largest_sum::node::{Child, Node, SUMS};
use crate::largest_sum::tables::{Lanes, Tables};

/// Finds what to look up of the child of `node` whose tile and blank are known, where `masks` and `ranks` are those that
/// the node has for the lanes of the tile, and `jumped` the tiles that it may jump.
#[inline]
#[target_feature(enable = "avx2")]
pub fn make<const STEP: usize>(
    tables: &Tables,
    node: &Node,
    child: &mut Child,
    (masks, ranks, jumped): (__m256i, __m256i, u64),
) {
    let tile = usize::from(child.tile) & 31;
    let lanes = &tables.tiles[tile];
    let one = _mm256_set1_epi32(1);
    let bit = |blank: u8| {
        let cells = load_bytes(&tables.cells[tile][usize::from(blank) & 31]);
        _mm256_sllv_epi32(one, cells)
    };
    let masks = _mm256_xor_si256(masks, _mm256_or_si256(bit(node.blank), bit(child.blank)));

    let by_tile = match STEP {
        0 | 3 => &tables.up[tile],
        _ => &tables.left[tile],
    };
    let (mut plain, mut mirrored) = (_mm_setzero_si128(), _mm_setzero_si128());
    for place in 0..4 {
        plain = _mm_add_epi16(plain, row_of(by_tile, jumped >> (8 * place)));
        mirrored = _mm_add_epi16(mirrored, row_of(by_tile, jumped >> (8 * (4 + place))));
    }
    let gain = _mm_blendv_epi8(plain, mirrored, load_short(&lanes.mirrored));
    let gain = _mm256_cvtepi16_epi32(gain);
    let ranks = match STEP {
        0 | 1 => _mm256_add_epi32(ranks, gain),
        _ => _mm256_sub_epi32(ranks, gain),
    };
    let ranks = _mm256_and_si256(ranks, _mm256_set1_epi32(0xFFFF));
    let first = load(&lanes.firsts);
    let base = _mm256_add_epi32(first, _mm256_mullo_epi32(ranks, load(&lanes.strides)));

    let count = _mm_cvtsi32_si128(tables.low_bits as i32);
    let high = _mm256_add_epi32(_mm256_srl_epi32(masks, count), load(&lanes.high_first));
    let low = _mm256_and_si256(masks, _mm256_set1_epi32((1 << tables.low_bits) - 1));
    // SAFETY: a node has as many cells in each mask as its pattern has tiles, so the sets of cells are among those that the
    // tables have been made for; and `low` has an entry more, of which two bytes are read.
    let number = unsafe {
        let high = _mm256_i32gather_epi32::<4>(tables.high.as_ptr().cast(), high);
        let low = _mm256_i32gather_epi32::<2>(tables.low.as_ptr().cast(), low);
        _mm256_add_epi32(high, _mm256_and_si256(low, _mm256_set1_epi32(0xFFFF)))
    };
    store(&mut child.masks, masks);
    store(&mut child.places, number);
    store(&mut child.words, _mm256_add_epi32(base, _mm256_srli_epi32::<5>(number)));
    store_short(&mut child.ranks, ranks);
}

/// The row of a tile, which is in the lowest byte of `tiles`, times eight.
#[inline]
#[target_feature(enable = "avx2")]
fn row_of(by_tile: &[Lanes<i16>; 32], tiles: u64) -> __m128i {
    // SAFETY: what stands for a tile is a multiple of eight below 256, so twice as much is the place of a row.
    unsafe {
        let row = by_tile.as_ptr().cast::<u8>().add(2 * usize::from(tiles as u8 & 0xF8));
        _mm_loadu_si128(row.cast())
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn pockets(tables: &Tables, child: &Child) -> u8 {
    let tile = usize::from(child.tile) & 31;
    let cells = load_bytes(&tables.cells[tile][usize::from(child.blank) & 31]);
    let place =
        _mm256_add_epi32(load_words(&child.places), load(&tables.tiles[tile].pockets_first));
    // SAFETY: these are ranks of sets of cells: see `make`.
    let pockets = unsafe { _mm256_i32gather_epi32::<4>(tables.pockets.as_ptr().cast(), place) };
    // The cell that is asked for becomes the sign.
    let signs = _mm256_sllv_epi32(pockets, _mm256_sub_epi32(_mm256_set1_epi32(31), cells));
    _mm256_movemask_ps(_mm256_castsi256_ps(signs)) as u8
}

/// Looks in another layout where the blank is not in the largest region.
#[inline]
#[target_feature(enable = "avx2")]
pub fn mend(tables: &Tables, child: &mut Child) {
    let tile = usize::from(child.tile) & 31;
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let own = _mm256_and_si256(_mm256_set1_epi32(child.pockets.into()), bits);
    let own = _mm256_cmpeq_epi32(own, bits);
    let rank = load_words(&child.places);
    let place = _mm256_add_epi32(rank, load(&tables.tiles[tile].pockets_first));
    let cell = load_bytes(&tables.cells[tile][usize::from(child.blank) & 31]);
    // SAFETY: these are ranks of sets of cells, see `make`, and each has numbers for all cells; and of what lies behind the
    // last entry, `shape` has two bytes and `numbers` three.
    let number = unsafe {
        let [firsts, rows]: [*const i32; 2] =
            [tables.first_pocket.as_ptr().cast(), tables.shape.as_ptr().cast()];
        let first = _mm256_mask_i32gather_epi32::<4>(rank, firsts, place, own);
        let row = _mm256_mask_i32gather_epi32::<2>(own, rows, place, own);
        let row = _mm256_and_si256(row, _mm256_set1_epi32(0xFFFF));
        let place = _mm256_add_epi32(_mm256_slli_epi32::<5>(row), cell);
        let all = tables.numbers.as_ptr().cast();
        let number = _mm256_mask_i32gather_epi32::<1>(own, all, place, own);
        let number = _mm256_and_si256(number, _mm256_and_si256(own, _mm256_set1_epi32(0xFF)));
        _mm256_add_epi32(first, number)
    };
    let base = _mm256_sub_epi32(load_words(&child.words), _mm256_srli_epi32::<5>(rank));
    store(&mut child.places, number);
    store(&mut child.words, _mm256_add_epi32(base, _mm256_srli_epi32::<5>(number)));
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn look(words: &[u64], child: &Child) -> u32 {
    // SAFETY: the words of a child are among those of its tables, see `make`, of which there are no more than 2^31.
    let words =
        unsafe { _mm256_i32gather_epi32::<4>(words.as_ptr().cast(), load_words(&child.words)) };
    // The bit that is asked for becomes the sign.
    let places = _mm256_andnot_si256(load_words(&child.places), _mm256_set1_epi32(31));
    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, places))) as u32
}

/// Takes one away from the slack of each sum whose place has grown; whether none is below `-beyond`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn lose(
    before: &[i8; SUMS],
    sums: &[u8; SUMS],
    grown: u32,
    (after, beyond): (&mut [i8; SUMS], i8),
) -> bool {
    // SAFETY: references to 16 bytes.
    unsafe {
        let before = _mm_loadu_si128(before.as_ptr().cast());
        let own = _mm_and_si128(_mm_set1_epi8(grown as i8), _mm_loadu_si128(sums.as_ptr().cast()));
        let stays = _mm_cmpeq_epi8(own, _mm_setzero_si128());
        let slack = _mm_sub_epi8(_mm_sub_epi8(before, _mm_set1_epi8(1)), stays);
        _mm_storeu_si128(after.as_mut_ptr().cast(), slack);
        _mm_movemask_epi8(_mm_adds_epi8(slack, _mm_set1_epi8(beyond))) == 0
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
pub fn extract(from: u32, set: u32) -> u32 {
    _pext_u32(from, set)
}

#[inline]
#[target_feature(enable = "avx2,bmi2")]
pub fn deposit(from: u32, set: u32) -> u32 {
    _pdep_u32(from, set)
}
