//! Exact distances on boards of up to twelve cells from a table of one bit per state, built by a breadth-first search
//! on bit sets.
//!
//! | part of the bit index | meaning |
//! |---|---|
//! | placement | cells of the blank and of the first few tiles; those at even distances from the goal come first |
//! | rank / 120 | word within the placement: positions of the first k − 5 permuted tiles |
//! | rank % 120 / 2 | bit of that word, 0 to 59: the order of the last five tiles |
//!
//! The rank is that of the permutation of the k permuted tiles. The lowest bit of the rank need not be stored, since
//! only one parity is reachable in a placement; see [`placement`].
//!
//! # Building
//! The table is built level by level, all permutations of a placement at once; see
//! [`levels`](loyd_heuristics::pdb::levels) for the loop. Two bit sets are kept: states met with bit 1 of their
//! distance 0, and with bit 1 equal to 1. Each level, for every placement, collects what one move reaches from the
//! other half:
//!
//! 1. For a move along a row, or of a placed tile: the words of the source placement as they are.
//! 2. For a vertical move of a permuted tile: its words permuted, see [`Jumps`].
//!
//! It then removes the states met before and adds the others to the set that the level's distance belongs to. In the
//! end every state has been met, and the second set is the table.
//!
//! A [`Database`](loyd_heuristics::pdb::Database) with one pattern of all tiles would take twice the time and memory,
//! because it also has the half of the permutations that cannot be reached.

mod distance;
mod states;
#[cfg(test)]
mod tests;

use std::fmt;

use loyd_heuristics::pdb::levels::{Flow, Half, Piece, Source, add_new_states, search_levels};
use loyd_heuristics::pdb::{Orientation, Words};
use loyd_search::{Cost, Meter, Stop};
use loyd_tiles::Size;

use crate::cpu::{Cpu, Level, prefetch};
use crate::placement::{self, Edges, Jumps, WORD_PERMUTATIONS};
pub use distance::{DistanceMemo, ExactDistance};
use states::{RankedBoard, States};

/// The distance of every board of a size from the goals whose blank is on a given cell of an [`Orientation`].
///
/// Stores bit 1 of the distance, one bit per state: 32 MB for 3x4 and 2x6. Bit 0 needs no table: every move changes the
/// distance by exactly one, so its parity is the chessboard colour of the blank's cell. Distances are thus known
/// modulo 4, which distinguishes moves towards the goal from moves away, and walking to the goal yields the distance
/// itself. [`ExactDistance`] does that.
pub struct ExactTable {
    states: States,
    bits: Words,
    census: Vec<u64>,
}

impl ExactTable {
    /// Maximum number of cells of a board.
    pub const MAX_CELLS: usize = states::MAX_CELLS;

    /// Computes the distance of every state on all [worker threads](loyd_heuristics::threads::thread_count), with the
    /// instructions of `cpu` or the highest level of this machine, whichever is lower.
    ///
    /// Cost: on one server thread 0.2 to 0.4 s for 3x4 and 2x6, milliseconds for smaller boards. During the build,
    /// twice the memory of the table.
    ///
    /// # Errors
    /// The limit that was reached.
    ///
    /// # Panics
    /// If the board has more than [`MAX_CELLS`](Self::MAX_CELLS) cells.
    pub fn build(orientation: &Orientation, cpu: Cpu, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let states = States::new(orientation.size(), orientation.blank());
        let (bits, census) = build_bits(&states, Level::at_most(cpu), meter)?;
        Ok(Self { states, bits, census })
    }

    /// Returns an upper bound on the memory needed to build the table for boards of `size`, in bytes.
    pub fn build_bytes(size: Size) -> u64 {
        // Two sets with one bit per state, 60 to a word, and a few hundred kilobytes of other tables.
        2 * Words::allocated_bytes(placement::state_count(size).div_ceil(60) as usize) + (1 << 20)
    }

    /// Returns the size of the boards in canonical orientation: at most as wide as high.
    pub fn size(&self) -> Size {
        self.states.size()
    }

    /// Returns the number of states at each distance, from 0 to the largest.
    pub fn census(&self) -> &[u64] {
        &self.census
    }

    /// Returns the largest distance.
    pub fn depth(&self) -> Cost {
        self.census.len() as Cost - 1
    }

    /// Returns the mean distance of all states.
    pub fn mean(&self) -> f64 {
        let moves =
            (0..).zip(&self.census).map(|(distance, states)| distance * states).sum::<u64>();
        moves as f64 / self.census.iter().sum::<u64>() as f64
    }

    /// Returns the memory used by the table, in bytes.
    pub fn bytes(&self) -> u64 {
        Words::allocated_bytes(self.bits.len()) + self.states.bytes()
    }

    /// Returns bit 1 of the distance.
    #[inline]
    fn bit(&self, ranked: RankedBoard) -> u32 {
        self.read(self.location(ranked))
    }

    /// Returns the distance modulo 4.
    #[inline]
    fn modulo_4(&self, ranked: RankedBoard) -> u32 {
        self.bit(ranked) << 1 | self.states.parity(ranked)
    }

    /// Returns the location of the board's bit.
    #[inline]
    fn location(&self, ranked: RankedBoard) -> BitLocation {
        let word = self.states.placement_of(ranked) * self.states.placement_words()
            + ranked.rank() / WORD_PERMUTATIONS;
        BitLocation { word: word as u32, bit: (ranked.rank() % WORD_PERMUTATIONS / 2) as u32 }
    }

    /// Reads a bit of the table.
    #[inline]
    fn read(&self, location: BitLocation) -> u32 {
        (self.bits[location.word as usize] >> location.bit) as u32 & 1
    }

    /// Prefetches the word that holds the board's bit and returns the location of the bit.
    #[inline]
    fn prefetch_bit(&self, ranked: RankedBoard) -> BitLocation {
        let location = self.location(ranked);
        prefetch(&self.bits, location.word as usize);
        location
    }
}

/// The location of a bit in the table.
#[derive(Clone, Copy, Debug)]
struct BitLocation {
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

/// Builds the table. Returns its words and the number of states at each distance.
fn build_bits(
    states: &States,
    level: Level,
    meter: &mut Meter<'_>,
) -> Result<(Words, Vec<u64>), Stop> {
    let flow = Inflows::new(states, level, meter)?;
    let placements = flow.halves.each_ref().map(Edges::placements);
    let words = states.placement_words() * (placements[0] + placements[1]);
    meter.reserve(2 * Words::allocated_bytes(words) + states.bytes() + flow.bytes())?;
    meter.progress(0, states.count())?;
    let (mut zero, mut one) = (zeroed(words)?, zeroed(words)?);
    let census = {
        let even = states.placement_words() * placements[0];
        let (zero, one) = (zero.split_at_mut(even), one.split_at_mut(even));
        let half = |reached| Half::new(reached, states.placement_words(), flow.permutations);
        let mut halves = [half([zero.0, one.0]), half([zero.1, one.1])];
        halves[0].add_goal(states.placement_of(states.goal()), |placement| placement[0] = 1);
        let progress = |meter: &mut Meter<'_>, met| meter.progress(met, states.count());
        search_levels(&mut halves, (0, 1), &flow, meter, progress)?
    };
    Ok((one, census))
}

fn zeroed(words: usize) -> Result<Words, Stop> {
    Words::zeroed(words).map_err(|_| Stop::Memory)
}

/// Collects the edges into the placements at distances of this parity (`half`).
fn edges(
    states: &States,
    jumps: &Jumps,
    half: usize,
    meter: &mut Meter<'_>,
) -> Result<Edges, Stop> {
    let placements = states.codes()[half].iter().map(|&code| states.cells(code));
    let number = |cells: &[u8]| {
        let first = states.half(cells[0].into()) * states.codes()[0].len();
        (states.placement(states.code(cells)) - first) as u32
    };
    Edges::new((states.size(), states.goal().blank()), jumps, placements, number, meter)
}

/// The moves between the placements of both halves.
struct Inflows {
    /// By parity of the distance: the edges into the placements of that half, from the other half.
    halves: [Edges; 2],
    jumps: Jumps,
    placement_words: usize,
    /// Number of states in a placement.
    permutations: u32,
    level: Level,
}

impl Inflows {
    fn new(states: &States, level: Level, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let jumps = Jumps::new(states.permuted());
        let halves = [edges(states, &jumps, 0, meter)?, edges(states, &jumps, 1, meter)?];
        let placements = (halves[0].placements() + halves[1].placements()) as u64;
        Ok(Self {
            halves,
            placement_words: states.placement_words(),
            permutations: (states.count() / placements) as u32,
            jumps,
            level,
        })
    }

    /// Returns the memory used, in bytes, including what [`Half`] stores for each placement besides its states.
    fn bytes(&self) -> u64 {
        let placements = self.halves.each_ref().map(Edges::placements).iter().sum::<usize>();
        let counts = placements * Half::<u64>::BYTES;
        let halves = self.halves.each_ref().map(Edges::bytes).iter().sum::<u64>();
        halves + self.jumps.bytes() + counts as u64
    }

    /// [`advance_inlined`](Self::advance_inlined), compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance_avx2(
        &self,
        half: usize,
        source: &Source<'_, u64>,
        piece: &mut Piece<'_, u64>,
    ) -> u64 {
        self.advance_inlined(half, source, piece)
    }

    /// [`advance_inlined`](Self::advance_inlined), compiled for AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance_avx512(
        &self,
        half: usize,
        source: &Source<'_, u64>,
        piece: &mut Piece<'_, u64>,
    ) -> u64 {
        self.advance_inlined(half, source, piece)
    }

    /// Finds the new states of some placements and returns their number. This function and all that it calls are
    /// inlined, so that the compiler vectorizes a copy for each instruction level.
    #[inline(always)]
    fn advance_inlined(
        &self,
        half: usize,
        source: &Source<'_, u64>,
        piece: &mut Piece<'_, u64>,
    ) -> u64 {
        let (half, words) = (&self.halves[half], self.placement_words);
        let mut reached = vec![0; words];
        let placements = piece.same.chunks_exact_mut(words).zip(piece.other.chunks_exact(words));
        let mut count = 0;
        for (placement, (same, other)) in placements.enumerate() {
            piece.fresh[placement] = false;
            // Skip placements whose states have all been met, and those with no source that changed.
            if piece.left[placement] > 0
                && half.gather(&self.jumps, piece.first + placement, source, &mut reached)
            {
                let new = add_new_states(same, other, &reached);
                piece.fresh[placement] = new > 0;
                piece.left[placement] -= new;
                count += u64::from(new);
            }
        }
        count
    }
}

impl Flow<u64> for Inflows {
    fn advance(&self, half: usize, source: &Source<'_, u64>, mut piece: Piece<'_, u64>) -> u64 {
        let piece = &mut piece;
        match self.level.cpu() {
            Cpu::Scalar => self.advance_inlined(half, source, piece),
            // SAFETY: a `Level` is never above what the machine has.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => unsafe { self.advance_avx2(half, source, piece) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => unsafe { self.advance_avx512(half, source, piece) },
            #[cfg(not(target_arch = "x86_64"))]
            Cpu::Avx512 | Cpu::Avx2 => unreachable!("no such level on this machine"),
        }
    }
}
