//! Path words as letters, on every level of instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

use crate::cpu::Cpu;
use crate::tables::path_word;

/// The longest answer: 31 moves and a line end. Each is written as so many bytes, of which those
/// after the line end are then overwritten by the next.
pub const LONGEST: usize = 32;

/// The letters of the moves by index.
const ULRD: [u8; 4] = *b"ulrd";

/// What is said of a board without a path, filled up.
const NO_PATH: [u8; LONGEST] = *b"unsolvable\n                     ";

/// Turns path words into letters with instructions that this machine has.
#[derive(Clone, Copy)]
pub struct Letters {
    /// At most [`Cpu::detect`]: that makes the calls below sound.
    level: Cpu,
}

impl Letters {
    /// With the instructions of `cpu`, or those of this machine if it lacks some of them.
    pub fn new(cpu: Cpu) -> Self {
        // What every machine has need not be asked for.
        let level = if cpu == Cpu::Scalar { cpu } else { cpu.min(Cpu::detect()) };
        Self { level }
    }

    /// Writes a line for each index of a path word; returns the number of bytes.
    ///
    /// # Panics
    /// If `out` has fewer than [`LONGEST`] bytes an index.
    pub fn write(self, indices: &[u32], out: &mut [u8]) -> usize {
        match self.level {
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
        spell(word, index == crate::tables::UNSOLVABLE, line);
        // The sentinel is bit 2n of a path of n moves.
        let length = (63 - word.leading_zeros() as usize) / 2;
        line[length % LONGEST] = b'\n';
        used += length + 1;
    }
    used
}
