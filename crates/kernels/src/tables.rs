//! The tables that the build script makes, as statics.
//!
//! Entries are little-endian whatever the machine; the functions here give them out as numbers.

use loyd_tiles::Cell;

use crate::prefetch::prefetch;

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
static FIRST_FOUR: Aligned<[u32; 6561]> = table!("/first_four.bin": [u32; 6561]);
static LAST_FIVE: Aligned<[u16; 59_049]> = table!("/last_five.bin": [u16; 59_049]);
static PATHS: Aligned<[[u16; 2]; STATES + 1]> = table!("/paths.bin": [[u16; 2]; STATES + 1]);
static PATH_ENDS: Aligned<[u64; 22_596]> = table!("/path_ends.bin": [u64; 22_596]);

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

/// The index of [`path_word`] that stands for all boards that cannot be solved.
pub const UNSOLVABLE: u32 = STATES as u32;

/// The index of a board in the table of path words, [`UNSOLVABLE`] if it has none.
///
/// `first` and `last` are the tiles on the first four and the last five cells as numbers in base
/// nine, first cell highest, the blank being 0. `None` if a tile repeats or a number is too high.
#[inline(always)]
pub fn path_index(first: u32, last: u32) -> Option<u32> {
    const SET: u32 = 0x1ff;
    const ODD: u32 = 0x200;
    let first = u32::from_le(*FIRST_FOUR.0.get(first as usize)?);
    let last = u32::from(u16::from_le(*LAST_FIVE.0.get(last as usize)?));
    let both = first ^ last;
    let index = (first >> 10) + (last >> 10);
    // Four tiles and five others are all nine.
    (both & SET == SET).then_some(if both & ODD == 0 { index } else { UNSOLVABLE })
}

/// Asks for the cache line with the entry of a path word. The ends of paths lie in the second cache.
#[inline(always)]
pub fn prefetch_path_word(index: u32) {
    prefetch(&PATHS.0, index as usize);
}

/// A shortest path in two bits a move (the index of [`Move`](loyd_tiles::Move)), the first move
/// lowest, and a 1 above the last; the word of [`UNSOLVABLE`] has the length of that word.
#[inline(always)]
pub fn path_word(index: u32) -> u64 {
    // Up to eight moves of its own, and the number of the rest, which other paths share.
    let [start, end] = PATHS.0[index as usize].map(u16::from_le);
    u64::from_le(PATH_ENDS.0[usize::from(end)]) | u64::from(start)
}
