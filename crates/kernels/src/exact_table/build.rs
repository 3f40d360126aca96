//! Building the table: breadth-first from the goal, a set of bits a level.
//!
//! The states of a row are bits of some hundred words. What flows into a row by a move along a row of
//! the board, or by a move of a placed tile, comes from another row as it is; by another vertical move
//! its states come permuted, see [`Jumps`]. As a move changes the parity of the distance, a level writes rows
//! of one half and reads those of the other: any number of threads may share them.
//!
//! All that is kept of a state is whether it has been met with bit 1 of its distance 0, or with 1. What
//! flows out of a row are all states with the bit of the last level: those of older levels bring
//! nothing new, so the last level need not be kept apart. In the end every state has been met, and
//! the second of the two sets is the table.

use loyd_heuristics::pdb::Words;
use loyd_search::{Meter, Stop};
use rayon::prelude::*;

use super::edges::{Edge, Half};
use super::jumps::Jumps;
use super::states::States;
use crate::cpu::{Cpu, Level};

/// Words that are looked at between two looks at the meter: some milliseconds of work.
const BATCH: usize = 1 << 19;

/// Rows that one thread takes at a time.
const PIECE: usize = 64;

/// The table, and how many states there are at each distance.
pub fn build(
    states: &States,
    level: Level,
    meter: &mut Meter<'_>,
) -> Result<(Words, Vec<u64>), Stop> {
    let flow = Flow::new(states, level);
    let rows = flow.halves.each_ref().map(Half::rows);
    let words = states.row_words() * (rows[0] + rows[1]);
    meter.reserve(2 * Words::held_bytes(words) + states.bytes() + flow.bytes())?;
    meter.progress(0, states.count())?;
    let (mut zero, mut one) = (zeroed(words)?, zeroed(words)?);
    let census = {
        let even = states.row_words() * rows[0];
        let (zero, one) = (zero.split_at_mut(even), one.split_at_mut(even));
        let mut halves = [
            Met::new([zero.0, one.0], rows[0], flow.orders),
            Met::new([zero.1, one.1], rows[1], flow.orders),
        ];
        halves[0].meet_first(states.row_of(states.goal()), states.row_words());
        flow.fill(halves, |count| meter.progress(count, states.count()))?
    };
    Ok((one, census))
}

fn zeroed(words: usize) -> Result<Words, Stop> {
    Words::zeroed(words).map_err(|_| Stop::Memory)
}

/// The sum of what `run` says of each piece of work, on the threads of the current pool.
fn share<T: Send>(work: Vec<T>, run: impl Fn(T) -> u64 + Send + Sync) -> u64 {
    match rayon::current_num_threads() {
        1 => work.into_iter().map(run).sum(),
        _ => work.into_par_iter().map(run).sum(),
    }
}

/// What is known of the rows of a half.
struct Met<'a> {
    /// The states that were met, by bit 1 of their distance.
    met: [&'a mut [u64]; 2],
    /// How many states of each row have not been met.
    left: Vec<u32>,
    /// Which rows changed at the last level of this half.
    fresh: Vec<bool>,
}

/// What the last level has left behind.
struct Source<'a> {
    met: &'a [u64],
    fresh: &'a [bool],
}

/// Some rows in turn, whose new states have this bit.
struct Piece<'a> {
    first: usize,
    same: &'a mut [u64],
    other: &'a [u64],
    left: &'a mut [u32],
    fresh: &'a mut [bool],
}

impl<'a> Met<'a> {
    fn new(met: [&'a mut [u64]; 2], rows: usize, orders: u32) -> Self {
        Self { met, left: vec![orders; rows], fresh: vec![false; rows] }
    }

    /// Meets the first order of a row, the goal.
    fn meet_first(&mut self, row: usize, words: usize) {
        self.met[0][row * words] = 1;
        self.left[row] -= 1;
        self.fresh[row] = true;
    }

    /// All rows, in batches of pieces that threads may share.
    fn batches(&mut self, bit: usize, words: usize) -> impl Iterator<Item = Vec<Piece<'_>>> {
        let [zero, one] = &mut self.met;
        let (same, other) = if bit == 0 { (zero, &*one) } else { (one, &*zero) };
        let (same, other) = (same.chunks_mut(PIECE * words), other.chunks(PIECE * words));
        let rest = self.left.chunks_mut(PIECE).zip(self.fresh.chunks_mut(PIECE));
        let mut all = same.zip(other).zip(rest).enumerate().map(|(piece, slices)| {
            let ((same, other), (left, fresh)) = slices;
            Piece { first: piece * PIECE, same, other, left, fresh }
        });
        let pieces = (BATCH / (PIECE * words)).max(1);
        std::iter::from_fn(move || {
            let batch: Vec<_> = all.by_ref().take(pieces).collect();
            (!batch.is_empty()).then_some(batch)
        })
    }
}

/// What flows from the rows of one half into those of the other.
struct Flow {
    halves: [Half; 2],
    jumps: Jumps,
    row_words: usize,
    /// The states of a row.
    orders: u32,
    level: Level,
}

impl Flow {
    fn new(states: &States, level: Level) -> Self {
        let jumps = Jumps::new(states.ordered());
        let halves = [0, 1].map(|half| Half::new(states, &jumps, half));
        let rows = (halves[0].rows() + halves[1].rows()) as u64;
        Self {
            halves,
            row_words: states.row_words(),
            orders: (states.count() / rows) as u32,
            jumps,
            level,
        }
    }

    /// The bytes of this, and of what is kept of each row beside its states.
    fn bytes(&self) -> u64 {
        let rows = self.halves.each_ref().map(Half::rows).iter().sum::<usize>();
        let counts = rows * (size_of::<u32>() + size_of::<bool>());
        let halves = self.halves.each_ref().map(Half::bytes).iter().sum::<u64>();
        halves + self.jumps.bytes() + counts as u64
    }

    /// Meets all states, level by level; returns how many there are in each. `watch` is told how many
    /// have been met.
    fn fill(
        &self,
        mut halves: [Met<'_>; 2],
        mut watch: impl FnMut(u64) -> Result<(), Stop>,
    ) -> Result<Vec<u64>, Stop> {
        let (mut census, mut count) = (vec![1], 1);
        loop {
            let level = census.len();
            let [even, odd] = &mut halves;
            let (into, from) = if level % 2 == 0 { (even, odd) } else { (odd, even) };
            let source = Source { met: &*from.met[(level - 1) / 2 % 2], fresh: &from.fresh };
            let mut reached = 0;
            for batch in into.batches(level / 2 % 2, self.row_words) {
                reached += share(batch, |mut piece| self.advance(level % 2, &source, &mut piece));
                watch(count + reached)?;
            }
            if reached == 0 {
                return Ok(census);
            }
            census.push(reached);
            count += reached;
        }
    }

    /// Finds the new states of some rows of a half; returns how many they are.
    fn advance(&self, half: usize, source: &Source<'_>, piece: &mut Piece<'_>) -> u64 {
        match self.level.cpu() {
            Cpu::Scalar => self.advance_inlined(half, source, piece),
            // SAFETY: the machine has this level.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => unsafe { self.advance_avx2(half, source, piece) },
            // SAFETY: the machine has this level.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => unsafe { self.advance_avx512(half, source, piece) },
            #[cfg(not(target_arch = "x86_64"))]
            Cpu::Avx512 | Cpu::Avx2 => unreachable!("no such level on this machine"),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance_avx2(&self, half: usize, source: &Source<'_>, piece: &mut Piece<'_>) -> u64 {
        self.advance_inlined(half, source, piece)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn advance_avx512(&self, half: usize, source: &Source<'_>, piece: &mut Piece<'_>) -> u64 {
        self.advance_inlined(half, source, piece)
    }

    /// It is inlined, as all that it calls, to be compiled for each level.
    #[inline(always)]
    fn advance_inlined(&self, half: usize, source: &Source<'_>, piece: &mut Piece<'_>) -> u64 {
        let (half, words) = (&self.halves[half], self.row_words);
        let mut reached = vec![0; words];
        let rows = piece.same.chunks_exact_mut(words).zip(piece.other.chunks_exact(words));
        let mut count = 0;
        for (row, (same, other)) in rows.enumerate() {
            piece.fresh[row] = false;
            if piece.left[row] > 0 && self.gather(half, piece.first + row, source, &mut reached) {
                let new = meet(same, other, &reached);
                piece.fresh[row] = new > 0;
                piece.left[row] -= new;
                count += u64::from(new);
            }
        }
        count
    }

    /// Puts what flows into a row of `half` together, if anything does.
    #[inline(always)]
    fn gather(&self, half: &Half, row: usize, source: &Source<'_>, reached: &mut [u64]) -> bool {
        let is_fresh = |edge: &&Edge| source.fresh[usize::from(edge.from)];
        let mut edges = half.edges(row).iter().filter(is_fresh).peekable();
        if edges.peek().is_none() {
            return false;
        }
        reached.fill(0);
        for edge in edges {
            let from = &source.met[usize::from(edge.from) * reached.len()..][..reached.len()];
            match edge.jump {
                Some(jump) => self.jumps.flow(jump, half.parity(row), from, reached),
                None => reached.iter_mut().zip(from).for_each(|(into, from)| *into |= from),
            }
        }
        true
    }
}

/// Adds the states that are reached to the `same` ones unless they are known; returns how many are new.
#[inline(always)]
fn meet(same: &mut [u64], other: &[u64], reached: &[u64]) -> u32 {
    let mut count = 0;
    for ((same, other), reached) in same.iter_mut().zip(other).zip(reached) {
        let new = reached & !(*same | other);
        *same |= new;
        count += new.count_ones();
    }
    count
}
