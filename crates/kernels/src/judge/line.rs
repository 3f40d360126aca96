//! Parses regular lines, `2 3 4 1 5 x 7 6 8` and a line end, without a loop over their bytes.
//!
//! | bytes of a line | content |
//! |---|---|
//! | 0, 2, … 14 | the first eight tiles: `0` to `8` or `x` |
//! | 1, 3, … 15 | spaces |
//! | 16 | the last tile, any token for it |
//! | 17, or 17 and 18 | line feed, or carriage return and line feed |
//!
//! A tile and the space after it form a 16-bit lane: the tile in the low byte, the space in the high byte.
//! [`FourTiles`] decodes four lanes in a 64-bit word; [`group`] does the same with the 32 lanes of four lines. Both
//! multiply by powers of nine to get the [table](crate::tables::path_index) indices.
//!
//! Decoding a lane, after `^ 0x2030` (a space, and the digit 0):
//!
//! | lane | meaning | `letter` | `numbers` |
//! |---|---|---|---|
//! | 0x0000 to 0x0008 | digit 0 to 8 | 0 | the digit |
//! | 0x0048 | `x` (0x78 ^ 0x30) | 8 | 8 ^ 8 = 0, the blank |
//! | other bits than 0x004f | irregular | | |
//! | 0x0009 to 0x000f, or 0x0040 to 0x004f without 0x0048 | irregular | | `numbers + letter` > 8 |
//!
//! [`group`] has four lines in two vectors:
//!
//! | vector | low 128 bits | high 128 bits |
//! |---|---|---|
//! | `even` | first eight tiles of line 0, a 16-bit lane each | of line 2 |
//! | `odd` | of line 1 | of line 3 |
//! | `halves` | lines 0 and 1: first four tiles, next four tiles of each, as 32-bit numbers | lines 2 and 3 |
//!
//! This assignment of lines to vectors suits `vphaddd`, which works within 128-bit lanes: its result has the lines in
//! order.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use super::tokens::number;
#[cfg(target_arch = "x86_64")]
use crate::cpu::Cpu;
use crate::cpu::Level;
use crate::tables::{path_index, prefetch_path_word};

/// Maximum number of lines whose path words are prefetched before the first is used.
pub const BATCH: usize = 64;

/// The length of a regular line that ends in a line feed.
pub const UNIX: usize = 18;
/// The length of a regular line that ends in a carriage return and a line feed.
pub const WINDOWS: usize = 19;

/// Parses the regular lines of `LENGTH` bytes at the start of `bytes`, writes the indices of their path words and
/// prefetches these. Returns the number of lines, at most [`BATCH`].
pub fn path_indices<const LENGTH: usize>(
    level: Level,
    bytes: &[u8],
    indices: &mut [u32; BATCH],
) -> usize {
    let (lines, _) = bytes.as_chunks::<LENGTH>();
    #[cfg(target_arch = "x86_64")]
    if level.cpu() >= Cpu::Avx2 {
        // SAFETY: a `Level` is never above what the machine has.
        let count = unsafe { avx2_path_indices(lines, indices) };
        // It stops at the first group of four with an irregular line. The plain code parses the lines before that one.
        return count + plain_path_indices(&lines[count..], &mut indices[count..]);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    plain_path_indices(lines, indices)
}

/// Returns the index of the path word of a line and prefetches it, or returns `None` if the line end is wrong or the
/// tiles are not a board.
///
/// `first` has the first four tiles as digits in base nine. `second` has the next four, followed by a digit 0 in place
/// of the last tile.
#[inline(always)]
fn path_index_of<const LENGTH: usize>(line: &[u8; LENGTH], first: u32, second: u32) -> Option<u32> {
    let ends = if LENGTH == UNIX { line[17] == b'\n' } else { line[17..] == *b"\r\n" };
    if !ends {
        return None;
    }
    let index = path_index(first, second + LAST_TILE[usize::from(line[16])])?;
    prefetch_path_word(index);
    Some(index)
}

/// The number of the last tile by its byte. For other bytes 9⁵, which makes the index of the last five cells too high
/// for its table.
const LAST_TILE: [u32; 256] = {
    let mut numbers = [9_u32.pow(5); 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(number) = number(byte as u8) {
            numbers[byte] = number as u32;
        }
        byte += 1;
    }
    numbers
};

/// Does what [`path_indices`] does, one line at a time.
fn plain_path_indices<const LENGTH: usize>(lines: &[[u8; LENGTH]], indices: &mut [u32]) -> usize {
    let mut count = 0;
    for (line, slot) in lines.iter().zip(indices) {
        let first = FourTiles::read(line, 0);
        let second = FourTiles::read(line, 8);
        if first.irregular | second.irregular != 0 {
            break;
        }
        let (first, second) = (first.in_base_nine(), second.in_base_nine() * 9);
        let Some(index) = path_index_of(line, first, second) else { break };
        *slot = index;
        count += 1;
    }
    count
}

/// Four tiles with a space after each, in four lanes of 16 bits.
struct FourTiles {
    /// The tile number in each lane, 0 for the blank.
    numbers: u64,
    /// Nonzero if any of the eight bytes is irregular.
    irregular: u64,
}

/// Returns the same 16 bits in each of four lanes.
const fn lanes(bits: u64) -> u64 {
    bits * 0x0001_0001_0001_0001
}

impl FourTiles {
    /// Decodes eight bytes from `at`. Accepts the digits 0 to 8 and `x` as tiles.
    #[inline(always)]
    fn read(line: &[u8], at: usize) -> Self {
        let word = u64::from_le_bytes(*line[at..].first_chunk().expect("a line has 16 bytes"));
        // A regular lane is now 0 to 8, or 0x48 for `x`.
        let word = word ^ lanes(0x2030);
        // Bit 6, set for letters, moved to bit 3: cancels the 8 of 0x48.
        let letter = word >> 3 & lanes(8);
        let numbers = word & lanes(15) ^ letter;
        // numbers + letter must be at most 8; adding 7 sets bit 4 if it is more. The sum is at most 15 + 8 + 7 = 30, so
        // nothing carries beyond bit 4. The mask 0xffb0 covers all bits but 6 and 0 to 3.
        let excess = numbers + letter + lanes(7);
        Self { numbers, irregular: word & lanes(0xffb0) | excess & lanes(16) }
    }

    /// Returns the four numbers as digits in base nine, the first one highest.
    #[inline(always)]
    fn in_base_nine(&self) -> u32 {
        // Lane 3 of the product is the sum of lane i times the weight in lane 3 - i: 729 for the first tile, 1 for the
        // fourth. All lanes stay below 2^16, so nothing carries into it.
        const WEIGHTS: u64 = 1 | 9 << 16 | 81 << 32 | 729 << 48;
        (self.numbers.wrapping_mul(WEIGHTS) >> 48) as u32
    }
}

/// Parses lines with AVX2 in groups of four, up to the first group with an irregular line. Returns the number of lines
/// parsed, a multiple of four.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2_path_indices<const LENGTH: usize>(
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

/// Parses four lines. Returns the indices of their path words, or `None` if one of the lines is irregular.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn group<const LENGTH: usize>(lines: &[[u8; LENGTH]; 4]) -> Option<[u32; 4]> {
    let even = numbers(load(&lines[0], &lines[2]));
    let odd = numbers(load(&lines[1], &lines[3]));
    let irregular = _mm256_or_si256(even.1, odd.1);
    if _mm256_testz_si256(irregular, irregular) == 0 {
        return None;
    }
    // Digits in base nine: weights 9^3 to 9^0 for the first four tiles, and 9^4 to 9^1 for the next four, which leaves
    // a digit 0 for the last tile. `setr` lists the lowest lane, the first tile, first.
    let weights = _mm256_broadcastsi128_si256(_mm_setr_epi16(729, 81, 9, 1, 6561, 729, 81, 9));
    // Multiplies tiles by their weights and adds neighbours: four 32-bit sums per line.
    let pairs = |numbers| _mm256_madd_epi16(numbers, weights);
    // Adds neighbouring sums again. Each 128-bit lane gets two sums of the even line, then two of the odd one.
    let halves = to_array(_mm256_hadd_epi32(pairs(even.0), pairs(odd.0)));
    let mut indices = [0; 4];
    for ((index, line), half) in indices.iter_mut().zip(lines).zip(halves.as_chunks::<2>().0) {
        *index = path_index_of(line, half[0], half[1])?;
    }
    Some(indices)
}

/// Decodes sixteen lanes as [`FourTiles::read`] does four. Returns the tile numbers, 0 for the blank, and lanes that
/// are nonzero where irregular.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn numbers(bytes: __m256i) -> (__m256i, __m256i) {
    let lanes = |bits: u16| _mm256_set1_epi16(bits as i16);
    // A regular lane is now 0 to 8, or 0x48 for `x`.
    let word = _mm256_xor_si256(bytes, lanes(0x2030));
    // Bit 6, set for letters, moved to bit 3: cancels the 8 of 0x48.
    let letter = _mm256_and_si256(_mm256_srli_epi16::<3>(word), lanes(8));
    let numbers = _mm256_xor_si256(_mm256_and_si256(word, lanes(15)), letter);
    // Bit 4 of the sum is set if a digit is above 8, or a letter is not `x`.
    let excess = _mm256_add_epi16(_mm256_add_epi16(numbers, letter), lanes(7));
    let irregular =
        _mm256_or_si256(_mm256_and_si256(word, lanes(0xffb0)), _mm256_and_si256(excess, lanes(16)));
    (numbers, irregular)
}

/// Loads the first sixteen bytes of two lines.
#[cfg(target_arch = "x86_64")]
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

/// Stores a vector as eight 32-bit numbers.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn to_array(vector: __m256i) -> [u32; 8] {
    let mut array = [0; 8];
    // SAFETY: the array has the 32 bytes that are written; they need no alignment.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), vector) };
    array
}
