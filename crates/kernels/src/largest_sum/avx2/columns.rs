//! Columns: what a node has for the lanes of one tile, and back.

use std::arch::x86_64::*;

use super::load::{lanes_of, load, load_bytes, load_short, load_words, store_lanes};
use crate::largest_sum::node::{Child, LANES, Node};
use crate::largest_sum::tables::{Tables, TileLanes};

/// What a node has for the lanes of a tile.
#[inline]
#[target_feature(enable = "avx2")]
pub fn pick<const V: usize>(all: &[u32; LANES], lanes: &TileLanes) -> __m256i {
    let order = load(&lanes.lanes);
    let of = |vector: usize| _mm256_permutevar8x32_epi32(lanes_of(all, vector), order);
    // Bits 3 and 4 of a lane tell the vector; they become signs.
    let odd = _mm256_slli_epi32::<28>(order);
    let late = _mm256_slli_epi32::<27>(order);
    match V {
        1 => of(0),
        3 => select(select(of(0), of(1), odd), of(2), late),
        _ => select(select(of(0), of(1), odd), select(of(2), of(3), odd), late),
    }
}

/// The ranks that a node has for the lanes of a tile.
#[inline]
#[target_feature(enable = "avx2")]
pub fn pick_ranks<const V: usize>(all: &[u16; LANES], lanes: &TileLanes) -> __m256i {
    let order = load(&lanes.lanes);
    // Two ranks a word.
    let word = _mm256_srli_epi32::<1>(order);
    let words: &[u32; 16] = bytemuck::cast_ref(all);
    let [low, high]: &[[u32; 8]; 2] = bytemuck::cast_ref(words);
    let mut own = _mm256_permutevar8x32_epi32(load_words(low), word);
    if V > 2 {
        let high = _mm256_permutevar8x32_epi32(load_words(high), word);
        own = select(own, high, _mm256_slli_epi32::<27>(order));
    }
    rank_of_two(own, order)
}

/// Ranks of lanes in words that have two of them, with more above 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub fn rank_of_two(words: __m256i, order: __m256i) -> __m256i {
    let shift = _mm256_slli_epi32::<4>(_mm256_and_si256(order, _mm256_set1_epi32(1)));
    _mm256_srlv_epi32(words, shift)
}

/// The words of `other` where `signs` are negative, and of `one` elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
fn select(one: __m256i, other: __m256i, signs: __m256i) -> __m256i {
    let [one, other, signs] = [one, other, signs].map(|words| _mm256_castsi256_ps(words));
    _mm256_castps_si256(_mm256_blendv_ps(one, other, signs))
}

/// The masks and ranks of a child of `node`: new ones for the lanes of the tile.
#[inline]
#[target_feature(enable = "avx2")]
pub fn change<const V: usize>(node: &Node, child: &Child, lanes: &TileLanes, into: &mut Node) {
    let masks = load_words(&child.masks);
    for vector in 0..V {
        let places = lanes_of(&lanes.places.0, vector);
        let own = _mm256_permutevar8x32_epi32(masks, places);
        let own = select(own, lanes_of(&node.masks, vector), places);
        store_lanes(&mut into.masks, vector, own);
    }
    let ranks = _mm256_broadcastsi128_si256(load_short(&child.ranks));
    let before: &[[u16; 16]; 2] = bytemuck::cast_ref(&node.ranks);
    let after: &mut [[u16; 16]; 2] = bytemuck::cast_mut(&mut into.ranks);
    let bytes: &[[u8; 32]; 2] = bytemuck::cast_ref(&lanes.bytes.0);
    for half in 0..V.div_ceil(2) {
        // SAFETY: references to 32 bytes.
        unsafe {
            let bytes = _mm256_loadu_si256(bytes[half].as_ptr().cast());
            let before = _mm256_loadu_si256(before[half].as_ptr().cast());
            let own = _mm256_blendv_epi8(_mm256_shuffle_epi8(ranks, bytes), before, bytes);
            _mm256_storeu_si256(after[half].as_mut_ptr().cast(), own);
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn masks<const V: usize>(tables: &Tables, node: &mut Node) {
    let mut masks = [_mm256_setzero_si256(); V];
    for (cell, &tile) in node.board[..tables.size.cells()].iter().enumerate() {
        let images = &tables.images[usize::from(tile) & 31][cell & 31];
        for (mask, images) in masks.iter_mut().zip(images.as_chunks().0) {
            let bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), load_bytes(images));
            *mask = _mm256_or_si256(*mask, bits);
        }
    }
    for (vector, mask) in masks.into_iter().enumerate() {
        store_lanes(&mut node.masks, vector, mask);
    }
}

/// The tiles on eight cells, each times eight, in a byte each.
#[inline]
#[target_feature(enable = "avx2")]
pub fn tiles_on(board: &[u8; 32], cells: &[u8; 8]) -> u64 {
    let [low, high]: &[[u8; 16]; 2] = bytemuck::cast_ref(board);
    // SAFETY: references to 8 and 16 bytes.
    unsafe {
        let cells = _mm_loadl_epi64(cells.as_ptr().cast());
        // A negative byte asks for none.
        let of_low = _mm_adds_epu8(cells, _mm_set1_epi8(112));
        let of_high = _mm_sub_epi8(cells, _mm_set1_epi8(16));
        let low = _mm_shuffle_epi8(_mm_loadu_si128(low.as_ptr().cast()), of_low);
        let high = _mm_shuffle_epi8(_mm_loadu_si128(high.as_ptr().cast()), of_high);
        _mm_cvtsi128_si64(_mm_slli_epi16::<3>(_mm_or_si128(low, high))) as u64
    }
}
