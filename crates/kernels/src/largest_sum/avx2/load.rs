//! What lies in memory as vectors, and back.

use std::arch::x86_64::*;

use crate::largest_sum::node::LANES;
use crate::largest_sum::tables::{Aligned, Lanes};

#[inline]
#[target_feature(enable = "avx2")]
pub fn load<T: Copy>(lanes: &Aligned<Lanes<T>>) -> __m256i {
    const { assert!(size_of::<T>() == 4) }
    // SAFETY: a reference to 32 bytes.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(lanes).cast()) }
}

/// Sixteen bits a lane.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load_short<T: Copy>(lanes: &Lanes<T>) -> __m128i {
    const { assert!(size_of::<T>() == 2) }
    // SAFETY: a reference to 16 bytes.
    unsafe { _mm_loadu_si128(std::ptr::from_ref(lanes).cast()) }
}

/// Bytes as words.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load_bytes(bytes: &[u8; 8]) -> __m256i {
    // SAFETY: a reference to 8 bytes.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes.as_ptr().cast())) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn load_words(words: &[u32; 8]) -> __m256i {
    // SAFETY: a reference to 32 bytes.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn lanes_of(all: &[u32; LANES], vector: usize) -> __m256i {
    let eight: &[u32; 8] = all[8 * vector..].first_chunk().expect("four vectors");
    load_words(eight)
}

#[inline]
#[target_feature(enable = "avx512f")]
pub fn load_ranks(all: &[u16; LANES]) -> __m512i {
    // SAFETY: a reference to 64 bytes.
    unsafe { _mm512_loadu_si512(all.as_ptr().cast()) }
}

/// All lanes, in two vectors.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn halves(all: &[u32; LANES]) -> [__m512i; 2] {
    // SAFETY: a reference to 128 bytes.
    unsafe {
        let from = all.as_ptr().cast::<__m512i>();
        [_mm512_loadu_si512(from), _mm512_loadu_si512(from.add(1))]
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn store(words: &mut [u32; 8], value: __m256i) {
    // SAFETY: a reference to 32 bytes.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) };
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn store_lanes(all: &mut [u32; LANES], vector: usize, value: __m256i) {
    let eight: &mut [u32; 8] = all[8 * vector..].first_chunk_mut().expect("four vectors");
    store(eight, value);
}

/// Words below 2^16 as 16 bits a lane.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store_short(lanes: &mut Lanes<u16>, words: __m256i) {
    let short = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi32(words, words));
    // SAFETY: a reference to 16 bytes.
    unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), _mm256_castsi256_si128(short)) };
}
