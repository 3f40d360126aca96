//! Exact distances on boards of up to twelve cells, from one bit a state: built by a breadth-first
//! search that works on sets of bits.

mod build;
mod distance;
mod states;
mod walk;

use std::fmt;

use loyd_heuristics::pdb::{Orientation, Words};
use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::Size;

use crate::cpu::{Cpu, Level};
use crate::placement;
use crate::prefetch::prefetch;
pub use distance::{DistanceMemo, ExactDistance};
use states::{Place, States};

/// The distance of every board of a size from the goals whose blank is on some cell of a [`Orientation`].
///
/// Shape: bit 1 of the distance, one bit a state: 32 MB for 3x4 and 2x6. Bit 0 needs no table: every
/// move changes the distance by exactly one, and the colour of the blank's cell as on a chessboard
/// tells odd from even. So distances are known modulo 4, which tells a move that comes nearer from one
/// that goes away, and a walk to the goal has the distance itself. [`ExactDistance`] does that.
pub struct ExactTable {
    states: States,
    bits: Words,
    census: Vec<u64>,
}

/// The permutations that share a word of the table.
const WORD_PERMUTATIONS: usize = 120;

impl ExactTable {
    /// The most cells of a board.
    pub const MAX_CELLS: usize = states::MAX_CELLS;

    /// Finds the distance of every state, on all [threads](loyd_heuristics::threads::count) that share work, with the
    /// instructions of `cpu`, or the best of this machine if those are less.
    ///
    /// Cost: on one thread of a server 0.2 to 0.4 s for 3x4 and 2x6, milliseconds for smaller boards;
    /// while it is built, twice the memory of the table.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Panics
    /// If the board has more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn build(orientation: &Orientation, cpu: Cpu, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let states = States::new(orientation.size(), orientation.blank());
        let (bits, census) = build::build(&states, Level::at_most(cpu), meter)?;
        Ok(Self { states, bits, census })
    }

    /// Enough memory to build the table of boards of `size`, in bytes.
    pub fn build_bytes(size: Size) -> u64 {
        // Two sets of a bit a state in words of 60, and some hundred kilobytes.
        2 * Words::held_bytes(placement::count(size).div_ceil(60) as usize) + (1 << 20)
    }

    /// The size of the boards: at most as wide as high.
    pub fn size(&self) -> Size {
        self.states.size()
    }

    /// How many states there are at each distance, from 0 to the largest.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// The largest distance.
    pub fn depth(&self) -> Cost {
        self.census.len() as Cost - 1
    }

    /// The mean distance of all states.
    pub fn mean(&self) -> f64 {
        let moves =
            (0..).zip(&self.census).map(|(distance, states)| distance * states).sum::<u64>();
        moves as f64 / self.census.iter().sum::<u64>() as f64
    }

    /// The bytes that the table takes.
    pub fn bytes(&self) -> u64 {
        Words::held_bytes(self.bits.len()) + self.states.bytes()
    }

    /// Bit 1 of the distance.
    #[inline]
    fn bit(&self, place: Place) -> u32 {
        self.look(self.spot(place))
    }

    /// The distance modulo 4.
    #[inline]
    fn modulo_4(&self, place: Place) -> u32 {
        self.bit(place) << 1 | self.states.parity(place)
    }

    /// Where the bit of `place` is.
    #[inline]
    fn spot(&self, place: Place) -> Spot {
        let word = self.states.placement_of(place) * self.states.placement_words()
            + place.rank() / WORD_PERMUTATIONS;
        Spot { word: word as u32, bit: (place.rank() % WORD_PERMUTATIONS / 2) as u32 }
    }

    /// The bit there.
    #[inline]
    fn look(&self, spot: Spot) -> u32 {
        (self.bits[spot.word as usize] >> spot.bit) as u32 & 1
    }

    /// Asks for the memory that has the bit of `place`, and tells where it is.
    #[inline]
    fn fetch(&self, place: Place) -> Spot {
        let spot = self.spot(place);
        prefetch(&self.bits, spot.word as usize);
        spot
    }
}

/// Where a bit of the table is.
#[derive(Clone, Copy, Debug)]
struct Spot {
    word: u32,
    bit: u32,
}

impl fmt::Debug for ExactTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, depth) = (self.size(), self.depth());
        f.debug_struct("ExactTable")
            .field("size", &size)
            .field("depth", &depth)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
