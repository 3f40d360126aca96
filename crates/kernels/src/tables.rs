//! The 8-puzzle tables computed by the build script, as statics.
//!
//! | table | size | index | entry |
//! |---|---|---|---|
//! | `BITS` (not in WebAssembly) | 9 × 22,680 bytes | goal cell of the blank, dense rank | bit 1 of the distance |
//! | `FIRST_FOUR` | 26 KB | tiles on cells 0 to 3, base 9 | partial index and tile set, see below |
//! | `LAST_FIVE` | 118 KB | tiles on cells 4 to 8, base 9 | partial index and tile set, see below |
//! | `PATHS` | 726 KB | sum of the two partial indices | first moves of the path word; index into `PATH_ENDS` |
//! | `PATH_ENDS` | 181 KB | from `PATHS` | remaining moves of the path word |
//!
//! | bits of `FIRST_FOUR` and `LAST_FIVE` | meaning |
//! |---|---|
//! | 0 to 8 | set of the tiles on these cells, 0 being the blank |
//! | 9 | parity: of the inversions that involve the first four cells, or of those among the last five |
//! | 10 and up | partial index; the two parts add up |
//!
//! An entry is 0 if a tile repeats. The goal has the blank last, and a board is solvable if its inversions, the blank
//! not counted, are even: if bit 9 of both entries is equal.
//!
//! Entries are little-endian on every machine; the functions here convert them.

#[cfg(target_family = "wasm")]
use std::sync::OnceLock;

#[cfg(any(test, target_family = "wasm"))]
use loyd_search::{Meter, retrograde};
use loyd_tiles::Cell;
#[cfg(any(test, target_family = "wasm"))]
use loyd_tiles::{Board, Packed3x3, Size};

use crate::cpu::prefetch;

/// Number of solvable boards: 9!/2.
pub const STATES: usize = 181_440;

/// Number of words in one table of bits: 22,680 bytes.
const BIT_WORDS: usize = STATES / 64;

/// Aligns a table to a cache line.
#[repr(C, align(64))]
struct Aligned<T>(T);

/// Includes a file written by the build script as an array of integers.
macro_rules! table {
    ($file:literal: $array:ty) => {{
        const BYTES: [u8; size_of::<$array>()] = *include_bytes!(concat!(env!("OUT_DIR"), $file));
        // SAFETY: both types are arrays of integers of the same size, and every bit pattern is valid.
        Aligned(unsafe { std::mem::transmute::<[u8; size_of::<$array>()], $array>(BYTES) })
    }};
}

#[cfg(not(target_family = "wasm"))]
static BITS: Aligned<[[u64; BIT_WORDS]; 9]> = table!("/bits.bin": [[u64; BIT_WORDS]; 9]);
static FIRST_FOUR: Aligned<[u32; 6561]> = table!("/first_four.bin": [u32; 6561]);
static LAST_FIVE: Aligned<[u16; 59_049]> = table!("/last_five.bin": [u16; 59_049]);
static PATHS: Aligned<[[u16; 2]; STATES + 1]> = table!("/paths.bin": [[u16; 2]; STATES + 1]);
static PATH_ENDS: Aligned<[u64; 22_596]> = table!("/path_ends.bin": [u64; 22_596]);

/// Bit 1 of the distance of every board from one goal, by dense rank.
#[derive(Clone, Copy)]
pub struct SecondBits(&'static [u64; BIT_WORDS]);

impl SecondBits {
    /// Returns the table for goals with the blank on `goal_blank`.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(goal_blank: Cell) -> Self {
        Self(&BITS.0[goal_blank.index()])
    }

    /// Returns the table for goals with the blank on `goal_blank`. It is computed when it is needed first: in a module,
    /// the tables would be a fifth of the bytes that a browser loads.
    #[cfg(target_family = "wasm")]
    pub fn new(goal_blank: Cell) -> Self {
        static TABLES: [OnceLock<[u64; BIT_WORDS]>; 9] = [const { OnceLock::new() }; 9];
        Self(TABLES[goal_blank.index()].get_or_init(|| second_bits(goal_blank)))
    }

    /// Returns the bit of the board with this rank.
    #[inline]
    pub fn bit(self, rank: u64) -> u32 {
        (u64::from_le(self.0[(rank / 64) as usize]) >> (rank % 64)) as u32 & 1
    }
}

/// Computes the table for goals with the blank on `goal_blank`, in some milliseconds, by solving all boards.
#[cfg(any(test, target_family = "wasm"))]
fn second_bits(goal_blank: Cell) -> [u64; BIT_WORDS] {
    let mut numbers: Vec<u32> = (1..9).collect();
    numbers.insert(goal_blank.index(), 0);
    let goal = Board::new(Size::EIGHT, &numbers).expect("the numbers are a board");
    let solved = retrograde(&Packed3x3::new(&goal), &mut Meter::default());
    let solved = solved.expect("there are no limits");
    let mut words = [0; BIT_WORDS];
    for (rank, distance) in solved.distances().enumerate() {
        words[rank / 64] |= u64::from(distance >> 1 & 1) << (rank % 64);
    }
    words.map(u64::to_le)
}

/// Index for [`path_word`] shared by all unsolvable boards.
pub const UNSOLVABLE: u32 = STATES as u32;

/// Returns the index of a board's path word, or [`UNSOLVABLE`] if the board is unsolvable.
///
/// `first` and `last` are the tiles on the first four and the last five cells as numbers in base nine, the first cell
/// as the highest digit and the blank as 0. Returns `None` if a tile repeats or a number is out of range.
#[inline(always)]
pub fn path_index(first: u32, last: u32) -> Option<u32> {
    const SET: u32 = 0x1ff;
    const ODD: u32 = 0x200;
    let first = u32::from_le(*FIRST_FOUR.0.get(first as usize)?);
    let last = u32::from(u16::from_le(*LAST_FIVE.0.get(last as usize)?));
    let both = first ^ last;
    let index = (first >> 10) + (last >> 10);
    // The two sets have four and five tiles. If they are disjoint, their symmetric difference is all nine; if a tile
    // repeats, bits are missing.
    (both & SET == SET).then_some(if both & ODD == 0 { index } else { UNSOLVABLE })
}

/// Prefetches the `PATHS` entry of a path word. `PATH_ENDS` fits into L2 and needs no prefetch.
#[inline(always)]
pub fn prefetch_path_word(index: u32) {
    prefetch(&PATHS.0, index as usize);
}

/// Returns a shortest path with two bits per move (the index of the [`Move`](loyd_tiles::Move)), the first move in the
/// lowest bits, and a sentinel bit above the last move. The path word of [`UNSOLVABLE`] has ten moves, the length of
/// the text `unsolvable`.
#[inline(always)]
pub fn path_word(index: u32) -> u64 {
    // The lowest 16 bits hold the first eight moves. The rest is stored once for all paths that end alike.
    let [start, end] = PATHS.0[index as usize].map(u16::from_le);
    u64::from_le(PATH_ENDS.0[usize::from(end)]) | u64::from(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That of the build script and that of WebAssembly.
    #[test]
    fn tables_of_bits_are_the_same_on_all_machines() {
        for (index, bits) in BITS.0.iter().enumerate() {
            assert!(*bits == second_bits(Cell::new(index)), "{index}");
        }
    }
}
