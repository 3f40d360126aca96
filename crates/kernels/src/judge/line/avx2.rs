//! Four lines at a time: AVX2.
//!
//! The arithmetic of [`Four`](super::Four) in sixteen lanes: the first sixteen bytes of two lines.

use std::arch::x86_64::*;

use super::common::{BATCH, path_index_of};

/// Finds the path words of lines in groups of four, up to the first group that has an irregular one.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn path_indices<const LENGTH: usize>(
    lines: &[[u8; LENGTH]],
    indices: &mut [u32; BATCH],
) -> usize {
    let mut count = 0;
    for (lines, slots) in lines.as_chunks().0.iter().zip(indices.as_chunks_mut().0) {
        let Some(group) = group(lines) else { break };
        *slots = group;
        count += slots.len();
    }
    count
}

#[inline]
#[target_feature(enable = "avx2")]
fn group<const LENGTH: usize>(lines: &[[u8; LENGTH]; 4]) -> Option<[u32; 4]> {
    let even = numbers(load(&lines[0], &lines[2]));
    let odd = numbers(load(&lines[1], &lines[3]));
    let irregular = _mm256_or_si256(even.1, odd.1);
    if _mm256_testz_si256(irregular, irregular) == 0 {
        return None;
    }
    let weights = _mm256_broadcastsi128_si256(_mm_setr_epi16(729, 81, 9, 1, 6561, 729, 81, 9));
    let pairs = |numbers| _mm256_madd_epi16(numbers, weights);
    // Sums of neighbours, those of the two vectors in turn: the lines are in order again.
    let halves = to_array(_mm256_hadd_epi32(pairs(even.0), pairs(odd.0)));
    let mut indices = [0; 4];
    for ((index, line), half) in indices.iter_mut().zip(lines).zip(halves.as_chunks::<2>().0) {
        *index = path_index_of(line, half[0], half[1])?;
    }
    Some(indices)
}

/// The tile numbers, 0 for the blank, and what is irregular.
#[inline]
#[target_feature(enable = "avx2")]
fn numbers(bytes: __m256i) -> (__m256i, __m256i) {
    let lanes = |bits: u16| _mm256_set1_epi16(bits as i16);
    let word = _mm256_xor_si256(bytes, lanes(0x2030));
    let letter = _mm256_and_si256(_mm256_srli_epi16::<3>(word), lanes(8));
    let numbers = _mm256_xor_si256(_mm256_and_si256(word, lanes(15)), letter);
    let excess = _mm256_add_epi16(_mm256_add_epi16(numbers, letter), lanes(7));
    let irregular =
        _mm256_or_si256(_mm256_and_si256(word, lanes(0xffb0)), _mm256_and_si256(excess, lanes(16)));
    (numbers, irregular)
}

/// The first sixteen bytes of two lines.
#[inline]
#[target_feature(enable = "avx2")]
fn load<const LENGTH: usize>(low: &[u8; LENGTH], high: &[u8; LENGTH]) -> __m256i {
    let half = |line: &[u8; LENGTH]| {
        let bytes: &[u8; 16] = line.first_chunk().expect("a line has 16 bytes");
        // SAFETY: the array has the 16 bytes that are read; they need no alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    };
    _mm256_set_m128i(half(high), half(low))
}

#[inline]
#[target_feature(enable = "avx2")]
fn to_array(vector: __m256i) -> [u32; 8] {
    let mut array = [0; 8];
    // SAFETY: the array has the 32 bytes that are written; they need no alignment.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), vector) };
    array
}
