//! Lines of the usual form, `2 3 4 1 5 x 7 6 8` and a line end, without a loop over their bytes.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod common;

#[cfg(target_arch = "x86_64")]
use crate::cpu::Cpu;
use crate::cpu::Level;
use common::path_index_of;

pub use common::{BATCH, UNIX, WINDOWS};

/// Finds the path words of the regular lines of `LENGTH` bytes that `bytes` begins with, and asks for
/// their cache lines; returns how many there are, [`BATCH`] at most.
pub fn path_indices<const LENGTH: usize>(
    level: Level,
    bytes: &[u8],
    indices: &mut [u32; BATCH],
) -> usize {
    let (lines, _) = bytes.as_chunks::<LENGTH>();
    #[cfg(target_arch = "x86_64")]
    if level.cpu() >= Cpu::Avx2 {
        // SAFETY: the machine has this level.
        let count = unsafe { avx2::path_indices(lines, indices) };
        // It stops at groups with an irregular line: which line that is, the plain code finds.
        return count + plain_path_indices(&lines[count..], &mut indices[count..]);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    plain_path_indices(lines, indices)
}

fn plain_path_indices<const LENGTH: usize>(lines: &[[u8; LENGTH]], indices: &mut [u32]) -> usize {
    let mut count = 0;
    for (line, slot) in lines.iter().zip(indices) {
        let first = Four::read(line, 0);
        let second = Four::read(line, 8);
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

/// Four tiles with a space after each, as four lanes of 16 bits.
struct Four {
    /// The tile numbers, 0 for the blank.
    numbers: u64,
    /// Not 0 if any of the eight bytes is not as it should be.
    irregular: u64,
}

/// The same 16 bits in each lane.
const fn lanes(bits: u64) -> u64 {
    bits * 0x0001_0001_0001_0001
}

impl Four {
    /// Reads eight bytes from `at`. Digits 0 to 8 and `x` are tiles here.
    #[inline(always)]
    fn read(line: &[u8], at: usize) -> Self {
        let word = u64::from_le_bytes(*line[at..].first_chunk().expect("a line has 16 bytes"));
        // A lane is now 0 to 8, or 0x48 for `x`: 0x40 in a lane makes 8 there, and takes the 8 away.
        let word = word ^ lanes(0x2030);
        let letter = word >> 3 & lanes(8);
        let numbers = word & lanes(15) ^ letter;
        // A digit may be 8 at most, and beside a letter bit the number must be 0: bit 4 says if not.
        let excess = numbers + letter + lanes(7);
        Self { numbers, irregular: word & lanes(0xffb0) | excess & lanes(16) }
    }

    /// The four numbers as digits, the first highest.
    #[inline(always)]
    fn in_base_nine(&self) -> u32 {
        // The highest lane of the product is the sum of each lane times its weight; a lower one
        // stays below 2^16, so that nothing is carried into it.
        const WEIGHTS: u64 = 1 | 9 << 16 | 81 << 32 | 729 << 48;
        (self.numbers.wrapping_mul(WEIGHTS) >> 48) as u32
    }
}
