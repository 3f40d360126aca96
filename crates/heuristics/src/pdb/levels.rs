//! Breadth-first search from a goal over bit sets, one level at a time. All tables with one bit per state are built by
//! this loop.
//!
//! # Data layout
//! The states are divided into *layouts* of the same number of words. Each layout has a parity, and every move leads to
//! a layout of the other parity; the layouts of one parity form a [`Half`]. A half has:
//!
//! | field | size | contents |
//! |---|---|---|
//! | `reached[0]` | `width` words per layout | states found so far with an even value of ⌊distance / 2⌋ (bit 1 of the distance is 0) |
//! | `reached[1]` | `width` words per layout | states found so far with bit 1 of the distance set |
//! | `left` | `u32` per layout | number of states not found yet |
//! | `fresh` | `bool` per layout | whether the last level of this half added states to the layout |
//!
//! # Stages of a level
//! 1. The half that the last level has written is the [`Source`], the other one the destination.
//! 2. The layouts of the destination are cut into [`Piece`]s, which are distributed to threads. Layouts are
//!    independent of each other: each one pulls its new states from the source and writes only to itself.
//! 3. For each layout, [`Flow::advance`] collects the states reached from the `fresh` layouts of the source.
//!    [`add_new_states`] removes the known ones and adds the others to the set of the level's bit.
//!
//! The states of the last level are not stored separately. Instead, a level expands all states of
//! `reached[bit of the last level]` in the source, which includes the states found 4, 8, … levels earlier. Their
//! successors are already known, so they add nothing. Layouts that are not `fresh` are skipped.

use loyd_search::{Meter, Stop, breadth_first_levels};

use crate::threads::{self, sum_parallel};

/// Bytes of the destination processed between two limit checks (a few milliseconds of work).
const BATCH: usize = 1 << 22;

/// Minimum number of bytes of a piece, below which another thread does not pay off.
const PIECE: usize = 1 << 17;

/// The moves of a puzzle between the layouts of the two halves.
pub trait Flow<W>: Sync {
    /// Finds the new states of some layouts of the half with parity `half`, updates the fields of `piece`, and returns
    /// the number of new states.
    fn advance(&self, half: usize, source: &Source<'_, W>, piece: Piece<'_, W>) -> u64;
}

/// The half that the last level has written.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a, W> {
    /// The states found with the bit of the last level.
    pub reached: &'a [W],
    /// Whether the last level has added states, for each layout.
    pub fresh: &'a [bool],
}

/// Consecutive layouts of the destination half.
#[derive(Debug)]
pub struct Piece<'a, W> {
    /// Index in its half of the first layout.
    pub first: usize,
    /// The states found with the bit of this level.
    pub same: &'a mut [W],
    /// The states found with the other bit.
    pub other: &'a [W],
    /// The number of states not found yet, for each layout.
    pub left: &'a mut [u32],
    /// Whether this level adds states, for each layout. Set by [`Flow::advance`].
    pub fresh: &'a mut [bool],
}

/// The layouts of one parity: see the [module documentation](self).
#[derive(Debug)]
pub struct Half<'m, W> {
    /// The states found so far, by bit 1 of their distance.
    reached: [&'m mut [W]; 2],
    left: Vec<u32>,
    fresh: Vec<bool>,
    /// Words per layout.
    width: usize,
}

impl<'m, W: Send + Sync> Half<'m, W> {
    /// Bytes per layout, in addition to the two bit sets.
    pub const BYTES: usize = size_of::<u32>() + size_of::<bool>();

    /// Creates a half of layouts of `width` words and `states` states each. Both sets of `reached` must be empty.
    pub fn new(reached: [&'m mut [W]; 2], width: usize, states: u32) -> Self {
        let layouts = reached[0].len() / width;
        Self { reached, left: vec![states; layouts], fresh: vec![false; layouts], width }
    }

    /// Adds a goal at distance 0: `mark` must set its bit in the words of the layout.
    pub fn add_goal(&mut self, layout: usize, mark: impl FnOnce(&mut [W])) {
        mark(&mut self.reached[0][layout * self.width..][..self.width]);
        self.left[layout] -= 1;
        self.fresh[layout] = true;
    }

    /// Returns the states in whose distance bit 1 is 1.
    pub fn with_bit(self) -> &'m [W] {
        let [_, one] = self.reached;
        one
    }

    /// Returns all layouts for a level with this bit, in batches of about [`BATCH`] bytes. The pieces of a batch are
    /// distributed to threads, four per thread.
    fn batches(&mut self, bit: usize) -> impl Iterator<Item = Vec<Piece<'_, W>>> {
        let threads = threads::thread_count();
        let pieces = if threads == 1 { 1 } else { 4 * threads };
        let bytes = self.width * size_of::<W>();
        let (layouts, width) = ((BATCH / pieces).max(PIECE).div_ceil(bytes), self.width);
        let [zero, one] = &mut self.reached;
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

/// Runs the search until a level adds no state, and returns the number of states at each distance.
///
/// The `count` goals must have been added to the half `goals`. After each batch, `watch` is called with the number
/// of states found so far.
///
/// # Errors
/// Returns the error of `watch`.
pub fn search_levels<W: Send + Sync>(
    halves: &mut [Half<'_, W>; 2],
    (goals, count): (usize, u64),
    flow: &impl Flow<W>,
    meter: &mut Meter<'_>,
    mut watch: impl FnMut(&mut Meter<'_>, u64) -> Result<(), Stop>,
) -> Result<Vec<u64>, Stop> {
    breadth_first_levels(count, |level, found| {
        // Each move changes the parity of the layout.
        let half = (goals + level) % 2;
        let [even, odd] = &mut *halves;
        let (into, from) = if half == 0 { (even, odd) } else { (odd, even) };
        let source = Source { reached: &*from.reached[(level - 1) / 2 % 2], fresh: &from.fresh };
        let mut reached = 0;
        for batch in into.batches(level / 2 % 2) {
            reached += sum_parallel(batch, |piece| flow.advance(half, &source, piece));
            watch(meter, found + reached)?;
        }
        Ok(reached)
    })
}

/// Adds the states in `reached` to `same` unless they are already in `same` or `other`, and returns the number of new
/// states. Always inlined, so that it is compiled with the target features of the caller.
///
/// The loop does not skip empty words: mispredicted branches would cost more than they save.
#[inline(always)]
pub fn add_new_states(same: &mut [u64], other: &[u64], reached: &[u64]) -> u32 {
    let mut count = 0;
    for ((same, other), reached) in same.iter_mut().zip(other).zip(reached) {
        // Reached by this level, but found by neither an earlier level of the same bit nor one of the other bit.
        let new = reached & !(*same | other);
        *same |= new;
        count += new.count_ones();
    }
    count
}
