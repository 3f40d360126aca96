//! The states of a level, as a set of bits.

use loyd_heuristics::pdb::Words;
use loyd_heuristics::pdb::levels::Source;
use loyd_heuristics::threads::{self, share};
use loyd_search::Stop;

use super::flow::{Inflow, Piece, advance};
use crate::cpu::Level;

/// The bytes of a batch of pieces: some milliseconds of work.
const BATCH: usize = 1 << 25;

/// The least bytes that are worth another thread.
const PIECE: usize = 1 << 17;

/// States in the placements of a part.
#[derive(Debug)]
pub struct Set {
    pub words: Words,
    /// Which placements have any.
    pub occupied: Vec<bool>,
}

impl Set {
    /// No states in so many placements of `words` words.
    pub fn empty(placements: usize, words: usize) -> Result<Self, Stop> {
        let words = Words::zeroed(placements * words).map_err(|_| Stop::Memory)?;
        Ok(Self { words, occupied: vec![false; placements] })
    }

    /// The words of a placement.
    pub fn width(&self) -> usize {
        self.words.len() / self.occupied.len()
    }

    /// Finds out which placements have states; returns how many states there are.
    pub fn count(&mut self) -> u64 {
        let width = self.width();
        let mut count = 0;
        for (words, occupied) in self.words.chunks_exact(width).zip(&mut self.occupied) {
            let states = words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            *occupied = states > 0;
            count += states;
        }
        count
    }

    /// Replaces the states, those of the level before the last, by those of the next; `last` are those of the last
    /// level in this part, if it has any. Returns how many they are, after telling `watch` of more and more of them.
    pub fn advance(
        &mut self,
        (source, last): (&Self, Option<&Self>),
        flow: &impl Inflow,
        level: Level,
        mut watch: impl FnMut(u64) -> Result<(), Stop>,
    ) -> Result<u64, Stop> {
        let source = Source { met: &source.words, fresh: &source.occupied };
        let threads = threads::count();
        let pieces = if threads == 1 { 1 } else { 4 * threads };
        let (width, group) = (self.width(), flow.group());
        let bytes = width * group * size_of::<u64>();
        let groups = (BATCH / pieces).max(PIECE).div_ceil(bytes);
        let words = self.words.chunks_mut(groups * group * width);
        let mut last = last.map(|last| last.words.chunks(groups * group * width));
        let mut work = words.zip(self.occupied.chunks_mut(groups * group)).enumerate();
        let mut reached = 0;
        loop {
            let batch = work.by_ref().take(pieces).map(|(piece, (words, occupied))| {
                let last = last.as_mut().and_then(Iterator::next);
                Piece { first: piece * groups, words, occupied, last }
            });
            let batch: Vec<_> = batch.collect();
            if batch.is_empty() {
                return Ok(reached);
            }
            reached += share(batch, |piece| advance(flow, level, &source, piece));
            watch(reached)?;
        }
    }
}
