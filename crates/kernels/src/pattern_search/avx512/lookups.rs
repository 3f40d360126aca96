//! Look-ups of the AVX-512 kernel in tables and registers, and its loads, stores and truth tables.
//!
//! [`avx512`](super) explains the lanes and the names of the vectors; [`tables`](crate::pattern_search::tables) has the layout
//! of the tables.

use std::arch::x86_64::*;

use super::node::MARGIN;
use super::steps::ByKey;
use crate::pattern_search::tables::Tables;

/// Returns what each `ranks` word gains by the jump of its moving tile over three others. Bytes of `tiles` are selected
/// by a [move descriptor](super::steps): byte 1 is the moving tile, bytes 2, 3 and 5 are the jumped tiles.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn rank_gains(tables: &Tables, tiles: __m512i) -> __m512i {
    /// The jumped tiles: bytes 2, 3 and 5 of each 64-bit lane, 0b0010_1100 = 0x2c.
    const JUMPED: __mmask64 = 0x2c2c_2c2c_2c2c_2c2c;
    /// The pattern number in a code: bits 3 and 4.
    const PATTERN: i8 = 3 << 3;
    /// The bit of a weight index that adds the weight instead of subtracting it.
    const LARGER: i8 = 1 << 5;
    // Each byte: label and pattern number of the tile in its view, and BACKWARD in bit 5.
    let codes = _mm512_permutexvar_epi8(tiles, load_bytes(&tables.codes));
    // Copies byte 1 of each 64-bit lane, the moving tile, to all eight bytes. The shuffle works in 128-bit lanes: their
    // low half takes byte 1, their high half byte 9. `set4` lists the highest 32 bits first.
    let byte_1 = _mm512_set4_epi32(0x0909_0909, 0x0909_0909, 0x0101_0101, 0x0101_0101);
    let mover = _mm512_shuffle_epi8(codes, byte_1);
    // Within a pattern codes compare as labels do (bit 5 is equal). The smaller label gives the weight. A forward jump
    // adds it if the jumped label is the larger one, a backward jump if it is not: LARGER toggles bit 5, which holds
    // BACKWARD.
    let smaller = _mm512_min_epu8(codes, mover);
    let is_larger = _mm512_cmpgt_epu8_mask(codes, mover);
    let weight_index = _mm512_mask_blend_epi8(
        is_larger,
        smaller,
        _mm512_xor_si512(smaller, _mm512_set1_epi8(LARGER)),
    );
    // Only jumped tiles of the moving tile's own pattern count.
    let difference = _mm512_xor_si512(codes, mover);
    let same = _mm512_mask_testn_epi8_mask(JUMPED, difference, _mm512_set1_epi8(PATTERN));
    // Look up ± weight + BIAS as two bytes; all bytes that do not count get the bias alone, a change of 0.
    let [bias_low, bias_high] = Tables::BIAS.to_le_bytes().map(|b| _mm512_set1_epi8(b as i8));
    let [low, high] = &tables.weights;
    let low = _mm512_mask_permutexvar_epi8(bias_low, same, weight_index, load_bytes(low));
    let high = _mm512_mask_permutexvar_epi8(bias_high, same, weight_index, load_bytes(high));
    // `vpsadbw` against 0 adds the eight bytes of each 64-bit lane: once the low bytes, once the high bytes.
    let zero = _mm512_setzero_si512();
    let sum = _mm512_add_epi64(
        _mm512_sad_epu8(low, zero),
        _mm512_slli_epi64::<8>(_mm512_sad_epu8(high, zero)),
    );
    // Eight bytes, eight biases: what is left is the sum of at most three signed weights.
    let gain = _mm512_sub_epi64(sum, _mm512_set1_epi64(8 * i64::from(Tables::BIAS)));
    /// Byte 1 of each 64-bit lane: the moving tile in the view in which it jumps.
    const MOVER: __mmask64 = 0x0202_0202_0202_0202;
    // Move the gain to the position of the pattern's rank, in the low half for a move along a column and in the high
    // half for a move along a row. A shift by 64 (transpose not used) gives 0.
    let shifts = _mm512_maskz_permutexvar_epi8(MOVER, tiles, load_bytes(&tables.shifts));
    _mm512_sllv_epi64(gain, _mm512_srli_epi64::<8>(shifts))
}

/// Returns the layout number q in each half, for a pattern on the cells of `masks` and the blank described by
/// `blank_descriptor`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn layout_numbers(tables: &Tables, masks: __m512i, blank_descriptor: __m512i) -> __m512i {
    let layouts = tables.layouts.as_ptr().cast::<i64>();
    assert_eq!(tables.layouts.len(), 1 << 16);
    // The layout words of both cell sets of a node, each in a 64-bit lane.
    let low = _mm512_and_si512(masks, _mm512_set1_epi64(0xffff));
    let high = _mm512_srli_epi64::<32>(masks);
    // SAFETY: both halves of a mask have sixteen bits, and there is a word for each mask.
    let (low, high) = unsafe {
        (_mm512_i64gather_epi64::<8>(low, layouts), _mm512_i64gather_epi64::<8>(high, layouts))
    };
    /// Bytes 4 to 7 of each 64-bit lane: the high half.
    const HIGH: __mmask64 = 0xf0f0_f0f0_f0f0_f0f0;
    // Select bytes of the board's layout word into the low half and of the transpose's into the high half. In each
    // half: bits 0 to 15 the first layout number of the cell set, bits 24 to 26 the region of the blank's cell.
    let both = _mm512_multishift_epi64_epi8(blank_descriptor, low);
    let both = _mm512_mask_multishift_epi64_epi8(both, HIGH, blank_descriptor, high);
    let regions = _mm512_and_si512(_mm512_srli_epi32::<24>(both), _mm512_set1_epi32(7));
    _mm512_add_epi32(_mm512_and_si512(both, _mm512_set1_epi32(0xffff)), regions)
}

// Truth tables for `vpternlog`: bit 4a + 2b + c is the result for the operand bits a, b, c.

/// `a ? b : c`.
pub const SELECT: i32 = 0xca;
/// `a ^ (b & c)`.
pub const XOR_AND: i32 = 0x78;
/// `!(a ^ b)`.
pub const XNOR: i32 = 0xc3;
/// `(a ^ b) & c`.
pub const XOR_THEN_AND: i32 = 0x28;
/// `a ^ b ^ c`.
pub const XOR: i32 = 0x96;
/// `!(a ^ b ^ c)`.
pub const XNOR_3: i32 = 0x69;
/// `(a & b) | c`.
pub const AND_OR: i32 = 0xea;

/// Loads eight words from `at` on.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn load(words: &[u64], at: usize) -> __m512i {
    let eight: &[u64; MARGIN] = words[at..].first_chunk().expect("columns have a margin");
    // SAFETY: `eight` refers to 64 bytes.
    unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) }
}

/// Stores eight words from `at` on.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn store(words: &mut [u64], at: usize, value: __m512i) {
    let eight: &mut [u64; MARGIN] = words[at..].first_chunk_mut().expect("columns have a margin");
    // SAFETY: `eight` refers to 64 bytes.
    unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), value) };
}

/// Loads the constants of sixteen tiles.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn load_halves(halves: &[u32]) -> __m512i {
    let halves: &[u32; 16] = halves.first_chunk().expect("sixteen tiles");
    // SAFETY: `halves` refers to 64 bytes.
    unsafe { _mm512_loadu_si512(halves.as_ptr().cast()) }
}

/// Loads a table of 64 bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: `bytes` refers to 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Looks up one word per lane by the cell in its lowest four bits: a permute of the two registers that hold `words`.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn by_cell(words: &[u64; 16], cells: __m512i) -> __m512i {
    let (low, high) = words.split_at(8);
    _mm512_permutex2var_epi64(load(low, 0), cells, load(high, 0))
}

/// Looks up one word per lane by key.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn by_key(words: &ByKey, keys: __m512i) -> __m512i {
    // SAFETY: keys have seven bits, and there is a word for each.
    unsafe { _mm512_i64gather_epi64::<8>(keys, words.as_ptr().cast()) }
}
