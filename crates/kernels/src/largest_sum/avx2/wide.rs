//! What AVX-512 does in one step: [`columns`](super::columns) of all lanes.

use std::arch::x86_64::*;

use super::columns::rank_of_two;
use super::load::{halves, load, load_ranks, load_short, load_words};
use crate::largest_sum::node::{Child, LANES, Node};
use crate::largest_sum::tables::TileLanes;

/// [`pick`](super::columns::pick) with vectors of sixteen lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub fn pick(all: &[u32; LANES], lanes: &TileLanes) -> __m256i {
    let [low, high] = halves(all);
    let order = _mm512_castsi256_si512(load(&lanes.lanes));
    _mm512_castsi512_si256(_mm512_permutex2var_epi32(low, order, high))
}

/// [`pick_ranks`](super::columns::pick_ranks) with a vector of all ranks.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub fn pick_ranks(all: &[u16; LANES], lanes: &TileLanes) -> __m256i {
    let order = load(&lanes.lanes);
    let word = _mm512_castsi256_si512(_mm256_srli_epi32::<1>(order));
    let own = _mm512_permutexvar_epi32(word, load_ranks(all));
    rank_of_two(_mm512_castsi512_si256(own), order)
}

/// [`change`](super::columns::change) with vectors of sixteen lanes, and one of all ranks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub fn change(node: &Node, child: &Child, lanes: &TileLanes, into: &mut Node) {
    let own = _mm512_castsi256_si512(load_words(&child.masks));
    let [low, high] = halves(&node.masks);
    let [places_low, places_high] = halves(&lanes.places.0);
    let low = _mm512_mask_permutexvar_epi32(low, lanes.set as u16, places_low, own);
    let high = _mm512_mask_permutexvar_epi32(high, (lanes.set >> 16) as u16, places_high, own);
    let ranks = _mm512_broadcast_i32x4(load_short(&child.ranks));
    // SAFETY: references to 64 bytes, and to twice as many.
    unsafe {
        let to = into.masks.as_mut_ptr().cast::<__m512i>();
        _mm512_storeu_si512(to, low);
        _mm512_storeu_si512(to.add(1), high);
        let bytes = _mm512_loadu_si512(lanes.bytes.0.as_ptr().cast());
        let own = _mm512_shuffle_epi8(ranks, bytes);
        let own = _mm512_mask_mov_epi16(load_ranks(&node.ranks), lanes.set, own);
        _mm512_storeu_si512(into.ranks.as_mut_ptr().cast(), own);
    }
}

/// [`tiles_on`](super::columns::tiles_on) with all cells in one vector.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
pub fn tiles_on(board: &[u8; 32], cells: &[u8; 8]) -> u64 {
    // SAFETY: references to 8 and 32 bytes.
    unsafe {
        let cells = _mm256_castsi128_si256(_mm_loadl_epi64(cells.as_ptr().cast()));
        let board = _mm256_loadu_si256(board.as_ptr().cast());
        let tiles = _mm256_castsi256_si128(_mm256_permutexvar_epi8(cells, board));
        _mm_cvtsi128_si64(_mm_slli_epi16::<3>(tiles)) as u64
    }
}
