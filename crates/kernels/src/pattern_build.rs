//! Builds pattern databases with vector instructions.
//!
//! The breadth-first search works on sets of states: for each cell set and region of the blank, a bit set of
//! permutations, cut into [`Block`](loyd_heuristics::pdb::Block)s.
//!
//! | word of a block | bits | meaning |
//! |---|---|---|
//! | 0 | 0 to 59 | bit i: the even one of the inner permutations with ranks 2i and 2i + 1 |
//! | 1 | 0 to 59 | bit i: the odd one |
//!
//! The inner permutation is the order of the pattern's last five tiles (5! = 120). The index of the block encodes the
//! positions of the other tiles. When a tile jumps over others in a vertical move, every block comes from one other
//! block, with its bits permuted in one of only 17 ways. Even and odd permutations have separate words: a jump changes
//! the parity of either all permutations of a block or none, so every new word comes from a single old word.
//!
//! Permuting the bits of a word is the hot operation, once for each word and jump:
//!
//! * AVX-512 BITALG has an instruction for it, `vpshufbitqmb`: each of 64 index bytes selects one bit of a word.
//! * With AVX2, each of 64 bytes fetches the byte that contains its source bit (`vpshufb`) and tests that bit.
//! * [`Plain`] exchanges neighbouring labels with shifts and masks.

use loyd_heuristics::pdb::{Database, Partition, Plain};
use loyd_search::{Meter, Stop};

use crate::cpu::{Cpu, Level};
#[cfg(target_arch = "x86_64")]
use crate::permuters::{Avx2Permuter, Avx512Permuter, has_bitalg};

/// Like [`Database::build`], with the instructions of `cpu` or the highest level of this machine, whichever is lower.
///
/// Cost: on one server thread 0.1 s for `7-7-1`, a few seconds for `7-8`. Memory: the tables, plus twice the largest
/// one.
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
        Cpu::Avx512 if has_bitalg() => Database::build::<Avx512Permuter>(partition, meter),
        #[cfg(target_arch = "x86_64")]
        Cpu::Avx512 | Cpu::Avx2 => Database::build::<Avx2Permuter>(partition, meter),
        #[cfg(not(target_arch = "x86_64"))]
        Cpu::Avx512 | Cpu::Avx2 => unreachable!("no such level on this machine"),
    }
}

#[cfg(test)]
mod tests {
    use loyd_search::{CancelToken, Limits};
    use loyd_tiles::Size;

    use super::*;

    fn build(text: &str, (width, height): (u32, u32), blank: u8, cpu: Cpu) -> Database {
        let size = Size::new(width, height).unwrap();
        let partition = Partition::parse(text, size, blank).unwrap();
        build_patterns(partition, cpu, &mut Meter::default()).unwrap()
    }

    #[test]
    fn every_level_builds_the_same_tables() {
        for (size, blank, text) in [
            ((4, 4), 0, "6-6-3"),
            ((4, 4), 5, "0,1,2/3,4/6,7,8,9/10,11,12,13/14,15"),
            ((3, 4), 1, "0,2,3,4,5,6,7/8,9,10,11"),
            ((2, 6), 0, "default"),
            ((3, 3), 4, "0,1,2,3,5,6,7,8"),
            ((2, 2), 0, "1,2/3"),
            ((1, 6), 2, "0,1/3,4,5"),
        ] {
            let plain = build(text, size, blank, Cpu::Scalar);
            for cpu in Cpu::available().skip(1) {
                let other = build(text, size, blank, cpu);
                assert!(plain.words() == other.words(), "{text} on {size:?}, {cpu}");
                for (plain, other) in plain.parts().iter().zip(other.parts()) {
                    assert_eq!(plain.census(), other.census(), "{text} on {size:?}, {cpu}");
                }
            }
        }
    }

    #[test]
    fn cancellation_stops_a_build() {
        let partition = Partition::parse("7-8", Size::new(4, 4).unwrap(), 0).unwrap();
        let cancel = CancelToken::new();
        cancel.cancel();
        for cpu in Cpu::available() {
            let mut meter = Meter::new(Limits::default(), cancel.clone());
            let stop = build_patterns(partition.clone(), cpu, &mut meter).unwrap_err();
            assert_eq!(stop, Stop::Cancelled);
        }
    }
}
