//! Letters in one vector: AVX-512 with byte permutations.

use std::arch::x86_64::*;

use super::avx2::{load, store};
use super::common::{NO_PATH, ULRD, write_lines};

/// See [`write`](super::write).
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn write(indices: &[u32], out: &mut [u8]) -> usize {
    // Byte i of the answer is bits 2i and up of the word.
    let shifts = _mm256_setr_epi64x(
        0x0e0c_0a08_0604_0200,
        0x1e1c_1a18_1614_1210,
        0x2e2c_2a28_2624_2220,
        0x3e3c_3a38_3634_3230,
    );
    // Only the lowest two bits of a byte are its move: the letters repeat for what the others say.
    let letters = _mm256_set1_epi32(i32::from_le_bytes(ULRD));
    let no_path_text = load(&NO_PATH);
    write_lines(indices, out, |word, no_path, line| {
        let moves = _mm256_multishift_epi64_epi8(shifts, _mm256_set1_epi64x(word as i64));
        let path = _mm256_permutexvar_epi8(moves, letters);
        let choice = u32::from(no_path).wrapping_neg();
        store(line, _mm256_mask_mov_epi8(path, choice, no_path_text));
    })
}
