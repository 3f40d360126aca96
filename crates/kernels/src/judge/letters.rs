//! Expands path words into letters, on every instruction level.
//!
//! | bits of a path word | meaning |
//! |---|---|
//! | 2i and 2i + 1, for i < n | move i: up 0, left 1, right 2, down 3 |
//! | 2n | 1, the sentinel above the last of n moves |
//!
//! A line is expanded to [`MAX_ANSWER`] letters at once, without a loop over its moves. Its length follows from the
//! position of the sentinel; the surplus letters are overwritten by the next line.
//!
//! One function per instruction level spells a word, all in [`write_lines`]:
//!
//! * [`spell`] looks up the letters of four moves at a time in a table.
//! * [`write_avx2`] and [`write_avx512`] make a vector whose byte i is letter i.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use crate::cpu::{Cpu, Level};
use crate::tables::{UNSOLVABLE, path_word};

/// Length of the longest answer in bytes: 31 moves and a line end. Every answer is written at this length; the bytes
/// after its line end are overwritten by the next one.
pub const MAX_ANSWER: usize = 32;

/// The letters of the moves by index.
const ULRD: [u8; 4] = *b"ulrd";

/// The answer for unsolvable boards, padded with spaces.
const NO_PATH: [u8; MAX_ANSWER] = *b"unsolvable\n                     ";

/// Writes a line for each index of a path word and returns the number of bytes.
///
/// # Panics
/// If `out` has fewer than [`MAX_ANSWER`] bytes per index.
pub fn write(level: Level, indices: &[u32], out: &mut [u8]) -> usize {
    match level.cpu() {
        Cpu::Scalar => write_scalar(indices, out),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Level` is never above what the machine has.
        Cpu::Avx2 => unsafe { write_avx2(indices, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Cpu::Avx512 => unsafe { write_avx512(indices, out) },
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::Avx2 | Cpu::Avx512 => write_scalar(indices, out),
    }
}

/// Writes the lines for `indices` and returns the number of bytes.
///
/// `spell` writes the letters of a path word, or [`NO_PATH`] if its flag is set, to 32 bytes. It may write anything to
/// the bytes after the last letter.
#[inline(always)]
fn write_lines(
    indices: &[u32],
    out: &mut [u8],
    spell: impl Fn(u64, bool, &mut [u8; MAX_ANSWER]),
) -> usize {
    assert!(out.len() >= MAX_ANSWER * indices.len(), "`out` has no room for the longest answers");
    let mut used = 0;
    for &index in indices {
        let word = path_word(index);
        // SAFETY: each line takes at most `MAX_ANSWER` bytes, and the assertion ensures room for all of them.
        let line = unsafe { &mut *out.as_mut_ptr().add(used).cast() };
        spell(word, index == UNSOLVABLE, line);
        // With n moves the sentinel is bit 2n, so there are 63 - 2n leading zeros and 32 - (31 - n) = n + 1 bytes.
        used += MAX_ANSWER - word.leading_zeros() as usize / 2;
        // SAFETY: no path word is 0, so 1 <= n + 1 <= 32 and this byte is within the line just written.
        unsafe { *out.get_unchecked_mut(used - 1) = b'\n' };
    }
    used
}

/// The letters of four moves by their eight bits, the first move in the lowest bits.
static FOUR_MOVES: [[u8; 4]; 256] = {
    let mut letters = [[0; 4]; 256];
    let mut moves = 0;
    while moves < 256 {
        let mut i = 0;
        while i < 4 {
            letters[moves][i] = ULRD[moves >> (2 * i) & 3];
            i += 1;
        }
        moves += 1;
    }
    letters
};

/// [`write`] in plain code.
fn write_scalar(indices: &[u32], out: &mut [u8]) -> usize {
    write_lines(indices, out, spell)
}

/// Writes the letters of a path word, or [`NO_PATH`], to `out`.
#[inline(always)]
fn spell(word: u64, no_path: bool, out: &mut [u8; MAX_ANSWER]) {
    for (four, byte) in out.as_chunks_mut().0.iter_mut().zip(word.to_le_bytes()) {
        *four = FOUR_MOVES[usize::from(byte)];
    }
    // Half of all boards have no path, unpredictably: selecting by mask costs less than a mispredicted branch. `keep`
    // is all ones for a path and 0 for none. The first two groups of eight bytes cover `unsolvable` and the line end.
    let keep = u64::from(no_path).wrapping_sub(1);
    let eights = out.as_chunks_mut().0.iter_mut().zip(NO_PATH.as_chunks().0);
    for (eight, &other) in eights.take(2) {
        let chosen = u64::from_ne_bytes(*eight) & keep | u64::from_ne_bytes(other) & !keep;
        *eight = chosen.to_ne_bytes();
    }
}

/// [`write`] with AVX2. Steps, for byte i = 4j + k of a vector:
///
/// | step | content of the byte |
/// |---|---|
/// | `spread` | byte j of the path word, which has the moves 4j to 4j + 3 |
/// | `move_bits` | only move i: bits 2k and 2k + 1 |
/// | fold | high nibble moved onto the low one: `move` for even k, `move × 4` for odd k |
/// | `letters` | the letter, looked up by nibble |
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write_avx2(indices: &[u32], out: &mut [u8]) -> usize {
    // Byte i of the result takes byte i / 4 of the word, which is in every 64-bit lane.
    let spread = _mm256_setr_epi64x(
        0x0101_0101_0000_0000,
        0x0303_0303_0202_0202,
        0x0505_0505_0404_0404,
        0x0707_0707_0606_0606,
    );
    let move_bits = _mm256_set1_epi32(0xc030_0c03_u32 as i32);
    let nibble = _mm256_set1_epi8(15);
    // By nibble: a move in bits 0 and 1 (entries 0 to 3), or in bits 2 and 3 (entries 0, 4, 8, 12). The other bits are
    // 0, so the remaining entries are not used.
    let letters = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        b'u' as i8, b'l' as i8, b'r' as i8, b'd' as i8, b'l' as i8, 0, 0, 0, b'r' as i8, 0, 0, 0,
        b'd' as i8, 0, 0, 0,
    ));
    let no_path_text = load(&NO_PATH);
    write_lines(indices, out, |word, no_path, line| {
        let moves = _mm256_shuffle_epi8(_mm256_set1_epi64x(word as i64), spread);
        let moves = _mm256_and_si256(moves, move_bits);
        // The move is in one of the nibbles. The shift also brings in bits of the next byte, above the low nibble.
        let moves = _mm256_or_si256(moves, _mm256_srli_epi16::<4>(moves));
        let path = _mm256_shuffle_epi8(letters, _mm256_and_si256(moves, nibble));
        // All ones for an unsolvable board.
        let choice = _mm256_set1_epi64x(-i64::from(no_path));
        store(line, _mm256_blendv_epi8(path, no_path_text, choice));
    })
}

/// Loads 32 bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; MAX_ANSWER]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; they need no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Stores 32 bytes.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: &mut [u8; MAX_ANSWER], vector: __m256i) {
    // SAFETY: the array has the 32 bytes that are written; they need no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
}

/// [`write`] with AVX-512 VBMI. `vpmultishiftqb` extracts eight bits of the path word from bit 2i on, of which the low
/// two are move i; `vpermb` looks up the letter.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write_avx512(indices: &[u32], out: &mut [u8]) -> usize {
    // Shift count of byte i: 2i. The word is in every 64-bit lane.
    let shifts = _mm256_setr_epi64x(
        0x0e0c_0a08_0604_0200,
        0x1e1c_1a18_1614_1210,
        0x2e2c_2a28_2624_2220,
        0x3e3c_3a38_3634_3230,
    );
    // `vpermb` uses the low five bits of a byte as index, but only two of them are the move: the four letters repeat
    // eight times, so that the other bits do not matter.
    let letters = _mm256_set1_epi32(i32::from_le_bytes(ULRD));
    let no_path_text = load(&NO_PATH);
    write_lines(indices, out, |word, no_path, line| {
        let moves = _mm256_multishift_epi64_epi8(shifts, _mm256_set1_epi64x(word as i64));
        let path = _mm256_permutexvar_epi8(moves, letters);
        // All ones for an unsolvable board.
        let choice = u32::from(no_path).wrapping_neg();
        store(line, _mm256_mask_mov_epi8(path, choice, no_path_text));
    })
}
