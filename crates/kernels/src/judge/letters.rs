//! Path words as letters, on every level of instructions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod common;
mod scalar;

pub use common::LONGEST;

use crate::cpu::{Cpu, Level};

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
