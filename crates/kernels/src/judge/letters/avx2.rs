//! Letters in one vector: AVX2.

use std::arch::x86_64::*;

use super::common::{LONGEST, NO_PATH, write_lines};

/// See [`write`](super::write).
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn write(indices: &[u32], out: &mut [u8]) -> usize {
    // Byte i of the answer looks at byte i / 4 of the word, and there at bits 2 (i % 4) and up.
    let spread = _mm256_setr_epi64x(
        0x0101_0101_0000_0000,
        0x0303_0303_0202_0202,
        0x0505_0505_0404_0404,
        0x0707_0707_0606_0606,
    );
    let own_bits = _mm256_set1_epi32(0xc030_0c03_u32 as i32);
    let nibble = _mm256_set1_epi8(15);
    // A move stands in the lower or in the upper half of a nibble, the other half being 0.
    let letters = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        b'u' as i8, b'l' as i8, b'r' as i8, b'd' as i8, b'l' as i8, 0, 0, 0, b'r' as i8, 0, 0, 0,
        b'd' as i8, 0, 0, 0,
    ));
    let no_path_text = load(&NO_PATH);
    write_lines(indices, out, |word, no_path, line| {
        let moves = _mm256_shuffle_epi8(_mm256_set1_epi64x(word as i64), spread);
        let moves = _mm256_and_si256(moves, own_bits);
        let moves = _mm256_or_si256(moves, _mm256_srli_epi16::<4>(moves));
        let path = _mm256_shuffle_epi8(letters, _mm256_and_si256(moves, nibble));
        let choice = _mm256_set1_epi64x(-i64::from(no_path));
        store(line, _mm256_blendv_epi8(path, no_path_text, choice));
    })
}

/// 32 bytes as a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(bytes: &[u8; LONGEST]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; they need no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// A vector to 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(bytes: &mut [u8; LONGEST], vector: __m256i) {
    // SAFETY: the array has the 32 bytes that are written; they need no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
}
