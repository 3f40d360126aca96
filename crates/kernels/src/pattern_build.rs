//! Building pattern databases: sets of permutations are permuted with vector instructions.
//!
//! A permutation takes each bit of a word from some bit of another word. AVX-512 has an instruction for that
//! (`vpshufbitqmb`: 64 times, a bit of 64); with AVX2 each of 64 bytes asks for the byte that has its
//! bit, and looks at that bit.

use loyd_heuristics::pdb::{Database, Partition, Plain};
use loyd_search::{Meter, Stop};

use crate::cpu::{Cpu, Level};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod fetch;

/// [`Database::build`] with the instructions of `cpu`, or the best of this machine if those are less.
///
/// Cost: on one thread of a server 0.1 s for `7-7-1`, some seconds for `7-8`; beside the tables, twice
/// the largest one.
///
/// # Errors
/// The limit that was reached.
pub fn build_patterns(
    partition: Partition,
    cpu: Cpu,
    meter: &mut Meter<'_>,
) -> Result<Database, Stop> {
    match Level::at_most(cpu).cpu() {
        Cpu::Scalar => Database::build::<Plain>(partition, meter),
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 if avx512::is_available() => Database::build::<avx512::Mover>(partition, meter),
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 | Cpu::Avx2 => Database::build::<avx2::Mover>(partition, meter),
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::Avx512 | Cpu::Avx2 => unreachable!("no such level on this machine"),
    }
}

#[cfg(test)]
mod tests;
