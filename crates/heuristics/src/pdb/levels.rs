//! Breadth-first search from a goal on sets of bits, a level at a time: the loop that all tables of one bit a
//! state are built by.
//!
//! States lie in *layouts* of equally many words, and each move leads from a layout of one parity to one of
//! the other. A level asks each layout of one half for what flows into it from the other half and has not
//! been met before: layouts are independent of each other, and any number of threads may share them.
//!
//! All that is kept of a state is whether it has been met with bit 1 of its distance 0, or with 1. What
//! flows out of a layout are all states with the bit of the last level. Those of older levels bring
//! nothing new, so the last level need not be kept apart; it is enough to know which layouts it changed.

use loyd_search::{Meter, Stop, level_by_level};

use crate::threads::{self, share};

/// Bytes that are looked at between two looks at the meter: some milliseconds of work.
const BATCH: usize = 1 << 22;

/// The least bytes that are worth another thread.
const PIECE: usize = 1 << 17;

/// What flows from the layouts of one half into those of the other.
pub trait Flow<W>: Sync {
    /// Finds the new states of some layouts of the half with this parity; returns how many they are.
    fn advance(&self, half: usize, source: &Source<'_, W>, piece: Piece<'_, W>) -> u64;
}

/// The half that the last level has changed.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a, W> {
    /// The states that were met with the bit of that level.
    pub met: &'a [W],
    /// Which layouts that level has changed.
    pub fresh: &'a [bool],
}

/// Some layouts that follow each other.
#[derive(Debug)]
pub struct Piece<'a, W> {
    /// The index of the first one in its half.
    pub first: usize,
    /// The states that were met with the bit of this level.
    pub same: &'a mut [W],
    /// Those that were met with the other bit.
    pub other: &'a [W],
    /// How many states of each layout have not been met.
    pub left: &'a mut [u32],
    /// Which layouts this level changes: to be told.
    pub fresh: &'a mut [bool],
}

/// What is known of the layouts of one parity.
#[derive(Debug)]
pub struct Half<'m, W> {
    /// The states that were met, by bit 1 of their distance.
    met: [&'m mut [W]; 2],
    left: Vec<u32>,
    fresh: Vec<bool>,
    /// The words of a layout.
    width: usize,
}

impl<'m, W: Send + Sync> Half<'m, W> {
    /// The bytes that are kept for a layout beside its states.
    pub const BYTES: usize = size_of::<u32>() + size_of::<bool>();

    /// Layouts of `width` words and `states` states each, none of which has been met: both sets are empty.
    pub fn new(met: [&'m mut [W]; 2], width: usize, states: u32) -> Self {
        let layouts = met[0].len() / width;
        Self { met, left: vec![states; layouts], fresh: vec![false; layouts], width }
    }

    /// Meets a goal: `mark` sets its bit in the words of a layout.
    pub fn meet_goal(&mut self, layout: usize, mark: impl FnOnce(&mut [W])) {
        mark(&mut self.met[0][layout * self.width..][..self.width]);
        self.left[layout] -= 1;
        self.fresh[layout] = true;
    }

    /// The states with bit 1 of their distance set.
    pub fn with_bit(self) -> &'m [W] {
        let [_, one] = self.met;
        one
    }

    /// All layouts, in batches of pieces that threads may share, to be advanced to a level with this bit.
    fn batches(&mut self, bit: usize) -> impl Iterator<Item = Vec<Piece<'_, W>>> {
        let threads = threads::count();
        let pieces = if threads == 1 { 1 } else { 4 * threads };
        let bytes = self.width * size_of::<W>();
        let (layouts, width) = ((BATCH / pieces).max(PIECE).div_ceil(bytes), self.width);
        let [zero, one] = &mut self.met;
        let (same, other) = if bit == 0 { (zero, &*one) } else { (one, &*zero) };
        let (same, other) = (same.chunks_mut(layouts * width), other.chunks(layouts * width));
        let rest = self.left.chunks_mut(layouts).zip(self.fresh.chunks_mut(layouts));
        let mut all = same.zip(other).zip(rest).enumerate().map(move |(piece, slices)| {
            let ((same, other), (left, fresh)) = slices;
            Piece { first: piece * layouts, same, other, left, fresh }
        });
        std::iter::from_fn(move || {
            let batch: Vec<_> = all.by_ref().take(pieces).collect();
            (!batch.is_empty()).then_some(batch)
        })
    }
}

/// Meets all states, from the goals on, which have been met and lie in the half `goals`; returns how many
/// there are at each distance. `watch` is told after each piece of work how many have been met.
///
/// # Errors
/// What `watch` fails with.
pub fn meet_all<W: Send + Sync>(
    halves: &mut [Half<'_, W>; 2],
    (goals, count): (usize, u64),
    flow: &impl Flow<W>,
    meter: &mut Meter<'_>,
    mut watch: impl FnMut(&mut Meter<'_>, u64) -> Result<(), Stop>,
) -> Result<Vec<u64>, Stop> {
    level_by_level(count, |level, met| {
        let half = (goals + level) % 2;
        let [even, odd] = &mut *halves;
        let (into, from) = if half == 0 { (even, odd) } else { (odd, even) };
        let source = Source { met: &*from.met[(level - 1) / 2 % 2], fresh: &from.fresh };
        let mut reached = 0;
        for batch in into.batches(level / 2 % 2) {
            reached += share(batch, |piece| flow.advance(half, &source, piece));
            watch(meter, met + reached)?;
        }
        Ok(reached)
    })
}

/// Adds the states that are reached to the `same` ones unless they are known; returns how many are new. It
/// is inlined, to be compiled for the machine that the caller is meant for.
///
/// There are no branches on what words hold: to guess them wrong would cost more than they save.
#[inline(always)]
pub fn meet(same: &mut [u64], other: &[u64], reached: &[u64]) -> u32 {
    let mut count = 0;
    for ((same, other), reached) in same.iter_mut().zip(other).zip(reached) {
        let new = reached & !(*same | other);
        *same |= new;
        count += new.count_ones();
    }
    count
}
