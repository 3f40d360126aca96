//! The tables that the build script makes, as statics.
//!
//! Entries are little-endian whatever the machine; the functions here give them out as numbers.

use loyd_tiles::Cell;

/// Boards that can be solved: 9!/2.
pub const STATES: usize = 181_440;

/// The words of one table of bits: 22,680 bytes.
const BIT_WORDS: usize = STATES / 64;

/// Starts a table on a cache line.
#[repr(C, align(64))]
struct Aligned<T>(T);

/// A table from a file of the build script, as an array of integers.
macro_rules! table {
    ($file:literal: $array:ty) => {{
        const BYTES: [u8; size_of::<$array>()] = *include_bytes!(concat!(env!("OUT_DIR"), $file));
        // SAFETY: both are arrays of integers of the same size, for which any bits are valid.
        Aligned(unsafe { std::mem::transmute::<[u8; size_of::<$array>()], $array>(BYTES) })
    }};
}

static BITS: Aligned<[[u64; BIT_WORDS]; 9]> = table!("/bits.bin": [[u64; BIT_WORDS]; 9]);

/// Bit 1 of the distance of every board from one goal, by dense rank.
#[derive(Clone, Copy)]
pub struct SecondBits(&'static [u64; BIT_WORDS]);

impl SecondBits {
    /// The table of the goal whose blank is on `goal_blank`.
    pub fn new(goal_blank: Cell) -> Self {
        Self(&BITS.0[goal_blank.index()])
    }

    /// The bit of the board with this rank.
    #[inline]
    pub fn bit(self, rank: u64) -> u32 {
        (u64::from_le(self.0[(rank / 64) as usize]) >> (rank % 64)) as u32 & 1
    }
}
