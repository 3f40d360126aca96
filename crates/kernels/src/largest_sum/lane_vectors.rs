//! Vectors of lanes: from the lanes of a node to the slots of one tile and back, and the loads and stores of both.
//!
//! | function | from | to | instruction that does the work |
//! |---|---|---|---|
//! | [`pick_masks`] | 32 lanes × 32 bits | 8 slots × 32 bits | one `vpermd` per vector of lanes, blended |
//! | [`pick_ranks`] | 32 lanes × 16 bits | 8 slots × 32 bits | `vpermd` on pairs of ranks, then a shift |
//! | [`merge`] | 8 slots | 32 lanes | `vpermd` for masks, `pshufb` for ranks, blended with the parent |
//! | [`rebuild_masks`] | board | 32 lanes | one variable shift per cell and vector |
//! | [`jumped_tiles`] | board, 8 cells | 8 bytes | `pshufb` on each half of the board |
//!
//! `V` is the number of vectors of eight lanes in use. Bits 3 and 4 of a lane number are its vector; bits 0 to 2 are
//! its element, and the only bits that `vpermd` reads. Variable blends read only the sign bit of each element, so a bit
//! is shifted there to serve as a condition.
//!
//! The functions with the suffix `_wide` do the same with AVX-512 on all 32 lanes at once. Two vectors hold all masks
//! and one all ranks, so two-source permutes and write masks replace the blends. A set of lanes is a write mask as it
//! is: bit `i` for lane `i`. Slots still fill vectors of 256 bits; casting those to 512 leaves the upper half
//! undefined, and no result depends on it.

use std::arch::x86_64::*;

use super::node::{Child, LANES, Node};
use super::tables::{Aligned, Slots, Tables, TileLanes};

/// Returns, per slot, the element of `all` for its lane.
#[inline]
#[target_feature(enable = "avx2")]
pub fn pick_masks<const V: usize>(all: &[u32; LANES], lanes: &TileLanes) -> __m256i {
    // Per slot: its lane.
    let order = load(&lanes.lanes);
    // Per slot: the candidate if its lane were in this vector.
    let of = |vector: usize| _mm256_permutevar8x32_epi32(load_vector(all, vector), order);
    // Bit 3 of the lane (vectors 1 and 3) and bit 4 (vectors 2 and 3), shifted to the sign, choose the candidate.
    let odd = _mm256_slli_epi32::<28>(order);
    let late = _mm256_slli_epi32::<27>(order);
    match V {
        1 => of(0),
        // Lanes with bit 4 set are all in vector 2.
        3 => select(select(of(0), of(1), odd), of(2), late),
        _ => select(select(of(0), of(1), odd), select(of(2), of(3), odd), late),
    }
}

/// Returns, per slot, the rank of its lane in bits 0 to 15. Bits 16 to 31 are arbitrary.
#[inline]
#[target_feature(enable = "avx2")]
pub fn pick_ranks<const V: usize>(all: &[u16; LANES], lanes: &TileLanes) -> __m256i {
    let order = load(&lanes.lanes);
    // The 32 ranks are 16 words of two: lane `i` is in word `i / 2`.
    let word = _mm256_srli_epi32::<1>(order);
    let words: &[u32; 16] = bytemuck::cast_ref(all);
    let [low, high]: &[[u32; 8]; 2] = bytemuck::cast_ref(words);
    let mut own = _mm256_permutevar8x32_epi32(load_words(low), word);
    // Words 8 to 15 hold lanes 16 to 31: bit 4 of the lane, shifted to the sign, chooses them.
    if V > 2 {
        let high = _mm256_permutevar8x32_epi32(load_words(high), word);
        own = select(own, high, _mm256_slli_epi32::<27>(order));
    }
    select_rank(own, order)
}

/// Moves the rank of each lane of `order` to the lowest 16 bits of its word, which holds the ranks of two lanes. The
/// upper 16 bits are arbitrary.
#[inline]
#[target_feature(enable = "avx2")]
fn select_rank(words: __m256i, order: __m256i) -> __m256i {
    // Odd lanes are in the upper half: shift right by 16 * (lane % 2).
    let shift = _mm256_slli_epi32::<4>(_mm256_and_si256(order, _mm256_set1_epi32(1)));
    _mm256_srlv_epi32(words, shift)
}

/// Returns, per word, `other` where `signs` is negative and `one` elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
fn select(one: __m256i, other: __m256i, signs: __m256i) -> __m256i {
    let [one, other, signs] = [one, other, signs].map(|words| _mm256_castsi256_ps(words));
    _mm256_castps_si256(_mm256_blendv_ps(one, other, signs))
}

/// Writes the masks and ranks of a child to `into`: lanes of the tile come from `child`, all others from its parent
/// `node`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn merge<const V: usize>(node: &Node, child: &Child, lanes: &TileLanes, into: &mut Node) {
    let masks = load_words(&child.masks);
    for vector in 0..V {
        // Per lane: its slot. The sign of `NO_SLOT` selects the mask of the parent.
        let slots = load_vector(&lanes.slots.0, vector);
        let own = _mm256_permutevar8x32_epi32(masks, slots);
        let own = select(own, load_vector(&node.masks, vector), slots);
        store_vector(&mut into.masks, vector, own);
    }
    // The eight ranks in both 128-bit halves, because the byte shuffle does not cross halves. Sixteen lanes at a time.
    let ranks = _mm256_broadcastsi128_si256(load_u16(&child.ranks));
    let before: &[[u16; 16]; 2] = bytemuck::cast_ref(&node.ranks);
    let after: &mut [[u16; 16]; 2] = bytemuck::cast_mut(&mut into.ranks);
    let bytes: &[[u8; 32]; 2] = bytemuck::cast_ref(&lanes.rank_bytes.0);
    for half in 0..V.div_ceil(2) {
        // SAFETY: the references cover 32 bytes.
        unsafe {
            let bytes = _mm256_loadu_si256(bytes[half].as_ptr().cast());
            let before = _mm256_loadu_si256(before[half].as_ptr().cast());
            // Per byte of a rank: its source byte, or the sign bit to keep the byte of the parent.
            let own = _mm256_blendv_epi8(_mm256_shuffle_epi8(ranks, bytes), before, bytes);
            _mm256_storeu_si256(after[half].as_mut_ptr().cast(), own);
        }
    }
}

/// Computes the masks of a node from its board.
#[inline]
#[target_feature(enable = "avx2")]
pub fn rebuild_masks<const V: usize>(tables: &Tables, node: &mut Node) {
    let mut masks = [_mm256_setzero_si256(); V];
    for (cell, &tile) in node.board[..tables.size.cells()].iter().enumerate() {
        // Per lane: the cell in the table, or 32 if the lane lacks the tile. A shift by 32 gives 0: no bit is set.
        let images = &tables.lane_cells[usize::from(tile) & 31][cell & 31];
        for (mask, images) in masks.iter_mut().zip(images.as_chunks().0) {
            let bits = _mm256_sllv_epi32(_mm256_set1_epi32(1), load_bytes(images));
            *mask = _mm256_or_si256(*mask, bits);
        }
    }
    for (vector, mask) in masks.into_iter().enumerate() {
        store_vector(&mut node.masks, vector, mask);
    }
}

/// Returns, per byte, the tile on each of eight cells, times 8: half of the byte offset of its row in
/// [`Tables::up`](super::tables::Tables::up).
#[inline]
#[target_feature(enable = "avx2")]
pub fn jumped_tiles(board: &[u8; 32], cells: &[u8; 8]) -> u64 {
    let [low, high]: &[[u8; 16]; 2] = bytemuck::cast_ref(board);
    // SAFETY: the references cover 8 and 16 bytes.
    unsafe {
        let cells = _mm_loadl_epi64(cells.as_ptr().cast());
        // The shuffle indexes by bits 0 to 3 and gives 0 if bit 7 is set. Adding 112 = 0x70 leaves bits 0 to 3 alone
        // and sets bit 7 from cell 16 on; subtracting 16 does so below cell 16.
        let of_low = _mm_adds_epu8(cells, _mm_set1_epi8(112));
        let of_high = _mm_sub_epi8(cells, _mm_set1_epi8(16));
        let low = _mm_shuffle_epi8(_mm_loadu_si128(low.as_ptr().cast()), of_low);
        let high = _mm_shuffle_epi8(_mm_loadu_si128(high.as_ptr().cast()), of_high);
        // Tiles are below 32, so the shift carries nothing from one byte into the next.
        _mm_cvtsi128_si64(_mm_slli_epi16::<3>(_mm_or_si128(low, high))) as u64
    }
}

/// Like [`pick_masks`], with AVX-512.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub fn pick_masks_wide(all: &[u32; LANES], lanes: &TileLanes) -> __m256i {
    let [low, high] = load_halves(all);
    // Per slot: its lane. Bits 0 to 3 index one half of the lanes and bit 4 selects the half.
    let order = _mm512_castsi256_si512(load(&lanes.lanes));
    _mm512_castsi512_si256(_mm512_permutex2var_epi32(low, order, high))
}

/// Like [`pick_ranks`], with AVX-512.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub fn pick_ranks_wide(all: &[u16; LANES], lanes: &TileLanes) -> __m256i {
    let order = load(&lanes.lanes);
    // All ranks are 16 words of two: lane `i` is in word `i / 2`.
    let word = _mm512_castsi256_si512(_mm256_srli_epi32::<1>(order));
    let own = _mm512_permutexvar_epi32(word, load_ranks(all));
    select_rank(_mm512_castsi512_si256(own), order)
}

/// Like [`merge`], with AVX-512.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
pub fn merge_wide(node: &Node, child: &Child, lanes: &TileLanes, into: &mut Node) {
    let own = _mm512_castsi256_si512(load_words(&child.masks));
    let [low, high] = load_halves(&node.masks);
    let [slots_low, slots_high] = load_halves(&lanes.slots.0);
    // Lanes of the tile take the mask of their slot, below 8. The write mask keeps the mask of the parent elsewhere,
    // where the index is `NO_SLOT`.
    let low = _mm512_mask_permutexvar_epi32(low, lanes.set as u16, slots_low, own);
    let high = _mm512_mask_permutexvar_epi32(high, (lanes.set >> 16) as u16, slots_high, own);
    // The eight ranks in each 128-bit quarter, because the byte shuffle does not cross quarters.
    let ranks = _mm512_broadcast_i32x4(load_u16(&child.ranks));
    // SAFETY: the references cover 64 bytes, that to the masks 128.
    unsafe {
        let to = into.masks.as_mut_ptr().cast::<__m512i>();
        _mm512_storeu_si512(to, low);
        _mm512_storeu_si512(to.add(1), high);
        let bytes = _mm512_loadu_si512(lanes.rank_bytes.0.as_ptr().cast());
        let own = _mm512_shuffle_epi8(ranks, bytes);
        // One bit per rank of 16 bits: the set of lanes again.
        let own = _mm512_mask_mov_epi16(load_ranks(&node.ranks), lanes.set, own);
        _mm512_storeu_si512(into.ranks.as_mut_ptr().cast(), own);
    }
}

/// Like [`jumped_tiles`], with AVX-512.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512vbmi")]
pub fn jumped_tiles_wide(board: &[u8; 32], cells: &[u8; 8]) -> u64 {
    // SAFETY: the references cover 8 and 32 bytes.
    unsafe {
        let cells = _mm256_castsi128_si256(_mm_loadl_epi64(cells.as_ptr().cast()));
        let board = _mm256_loadu_si256(board.as_ptr().cast());
        // Cells are below 32: one permute reads them from the whole board.
        let tiles = _mm256_castsi256_si128(_mm256_permutexvar_epi8(cells, board));
        // Tiles are below 32, so the shift carries nothing from one byte into the next.
        _mm_cvtsi128_si64(_mm_slli_epi16::<3>(tiles)) as u64
    }
}

/// Loads a constant per slot, 32 bits each.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load<T: Copy>(slots: &Aligned<Slots<T>>) -> __m256i {
    const { assert!(size_of::<T>() == 4) }
    // SAFETY: the reference covers 32 bytes.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(slots).cast()) }
}

/// Loads 16 bits per slot.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load_u16<T: Copy>(slots: &Slots<T>) -> __m128i {
    const { assert!(size_of::<T>() == 2) }
    // SAFETY: the reference covers 16 bytes.
    unsafe { _mm_loadu_si128(std::ptr::from_ref(slots).cast()) }
}

/// Loads eight bytes and zero-extends them to 32 bits each.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load_bytes(bytes: &[u8; 8]) -> __m256i {
    // SAFETY: the reference covers 8 bytes.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes.as_ptr().cast())) }
}

/// Loads 32 bits per slot.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load_words(words: &[u32; 8]) -> __m256i {
    // SAFETY: the reference covers 32 bytes.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// Loads lanes `8 * vector` to `8 * vector + 7`.
#[inline]
#[target_feature(enable = "avx2")]
fn load_vector(all: &[u32; LANES], vector: usize) -> __m256i {
    let eight: &[u32; 8] = all[8 * vector..].first_chunk().expect("at most four vectors");
    load_words(eight)
}

/// Loads the ranks of all 32 lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_ranks(all: &[u16; LANES]) -> __m512i {
    // SAFETY: the reference covers 64 bytes.
    unsafe { _mm512_loadu_si512(all.as_ptr().cast()) }
}

/// Loads lanes 0 to 15 and lanes 16 to 31.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_halves(all: &[u32; LANES]) -> [__m512i; 2] {
    // SAFETY: the reference covers 128 bytes.
    unsafe {
        let from = all.as_ptr().cast::<__m512i>();
        [_mm512_loadu_si512(from), _mm512_loadu_si512(from.add(1))]
    }
}

/// Stores 32 bits per slot.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store(words: &mut [u32; 8], value: __m256i) {
    // SAFETY: the reference covers 32 bytes.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) };
}

/// Stores lanes `8 * vector` to `8 * vector + 7`.
#[inline]
#[target_feature(enable = "avx2")]
fn store_vector(all: &mut [u32; LANES], vector: usize, value: __m256i) {
    let eight: &mut [u32; 8] = all[8 * vector..].first_chunk_mut().expect("at most four vectors");
    store(eight, value);
}

/// Stores words below 2¹⁶ as 16 bits per slot.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store_u16(slots: &mut Slots<u16>, words: __m256i) {
    // The pack works within 128-bit halves and leaves slots 0 to 3 in quadword 0 and slots 4 to 7 in quadword 2
    // (packing a vector with itself). The selector 0b10_00 brings quadwords 0 and 2 together.
    let short = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi32(words, words));
    // SAFETY: the reference covers 16 bytes.
    unsafe { _mm_storeu_si128(slots.as_mut_ptr().cast(), _mm256_castsi256_si128(short)) };
}
