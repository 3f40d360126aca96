//! Path words as letters, on every level of instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

use crate::cpu::{Cpu, Level};
use crate::tables::{UNSOLVABLE, path_word};

/// The longest answer: 31 moves and a line end. Each is written as so many bytes, of which those
/// after the line end are then overwritten by the next.
pub const LONGEST: usize = 32;

/// The letters of the moves by index.
const ULRD: [u8; 4] = *b"ulrd";

/// What is said of a board without a path, filled up.
const NO_PATH: [u8; LONGEST] = *b"unsolvable\n                     ";

/// Writes a line for each index of a path word; returns the number of bytes.
///
/// # Panics
/// If `out` has fewer than [`LONGEST`] bytes an index.
pub fn write(level: Level, indices: &[u32], out: &mut [u8]) -> usize {
    match level.cpu() {
        Cpu::Scalar => scalar::write(indices, out),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has this level.
        Cpu::Avx2 => unsafe { avx2::write(indices, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the machine has this level.
        Cpu::Avx512 => unsafe { avx512::write(indices, out) },
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::Avx2 | Cpu::Avx512 => scalar::write(indices, out),
    }
}

/// The structure that the levels share: `spell` writes the letters of a path word, the word of the
/// unsolvable boards if the flag is set; what follows them does not matter.
#[inline(always)]
fn write_lines(
    indices: &[u32],
    out: &mut [u8],
    spell: impl Fn(u64, bool, &mut [u8; LONGEST]),
) -> usize {
    let mut used = 0;
    for &index in indices {
        let word = path_word(index);
        let line = out[used..].first_chunk_mut().expect("there is room for the longest answer");
        spell(word, index == UNSOLVABLE, line);
        // The sentinel is bit 2n of a path of n moves.
        let length = (63 - word.leading_zeros() as usize) / 2;
        line[length % LONGEST] = b'\n';
        used += length + 1;
    }
    used
}
