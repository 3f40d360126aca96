//! Automata that prune duplicates, by boards and metric.

use std::borrow::Cow;

use loyd_search::{Automaton, Meter, Stop};
use loyd_tiles::{ArraySpace, Board, Cell, Metric, Packed3x3, Packed4x4, Size, Slides, StepSpace};

use crate::file::{Contents, TableKey};
use crate::pdb::Words;

/// What an [`Automaton`] is about. It holds for every goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AutomatonKey {
    size: Size,
    metric: Metric,
    words: u32,
}

impl AutomatonKey {
    /// Words of up to so many moves on boards of a size; `None` if they may not be so long.
    pub fn new(size: Size, metric: Metric, words: u32) -> Option<Self> {
        (words <= Self::longest_words(size, metric)).then_some(Self { size, metric, words })
    }

    /// The most moves in a word.
    pub fn longest_words(size: Size, metric: Metric) -> u32 {
        Automaton::longest_words(actions(size, metric))
    }

    /// The most moves in words that are found in some tenths of a second.
    pub fn quick_words(size: Size, metric: Metric) -> u32 {
        match (metric, size.cells()) {
            (Metric::SingleTile, ..=16) => 14,
            (Metric::SingleTile, ..=36) => 12,
            (Metric::SingleTile, _) => 8,
            (Metric::MultiTile, ..=16) => 8,
            (Metric::MultiTile, ..=36) => 6,
            (Metric::MultiTile, _) => 3,
        }
        .min(Self::longest_words(size, metric))
    }

    /// The size of the boards.
    pub fn size(self) -> Size {
        self.size
    }

    /// What counts as a move.
    pub fn metric(self) -> Metric {
        self.metric
    }

    /// The most moves in a word.
    pub fn words(self) -> u32 {
        self.words
    }

    /// Makes the automaton.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn build(self, meter: &mut Meter<'_>) -> Result<Automaton, Stop> {
        let goal = Board::in_order(self.size, Cell::new(self.size.cells() - 1));
        match self.size.cells() {
            _ if self.size == Size::EIGHT => self.build_in(Packed3x3::new(&goal), meter),
            _ if self.size == Size::FIFTEEN => self.build_in(Packed4x4::new(&goal), meter),
            ..=64 => self.build_in(ArraySpace::<64>::new(&goal), meter),
            _ => self.build_in(ArraySpace::<256>::new(&goal), meter),
        }
    }

    fn build_in<S: StepSpace>(self, space: S, meter: &mut Meter<'_>) -> Result<Automaton, Stop> {
        match self.metric {
            Metric::SingleTile => Automaton::generate(&space, self.words, meter),
            Metric::MultiTile => Automaton::generate(&Slides::new(space), self.words, meter),
        }
    }

    /// The entries of the rows of an automaton with this census.
    fn entries(self, census: &[u64]) -> u64 {
        // Their numbers have 32 bits.
        let states = census.iter().fold(0, |sum: u64, &states| sum.saturating_add(states));
        states.min(u32::MAX.into()) * actions(self.size, self.metric) as u64
    }
}

/// How many moves there are, legal or not.
fn actions(size: Size, metric: Metric) -> usize {
    match metric {
        Metric::SingleTile => 4,
        Metric::MultiTile => 2 * (size.width() + size.height() - 2),
    }
}

/// The words hold two entries of the rows each, the first one in the lower half.
impl TableKey for AutomatonKey {
    type Table = Automaton;

    fn contents(&self) -> Contents {
        Contents::Automaton(*self)
    }

    fn is_filed(&self) -> bool {
        self.words >= Self::quick_words(self.size, self.metric) && !self.size.is_line()
    }

    fn lengths(&self, censuses: &[Vec<u64>]) -> Vec<u64> {
        vec![self.entries(&censuses.concat()).div_ceil(2)]
    }

    fn restore(&self, mut pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Option<Automaton> {
        let words = pieces.pop()?;
        let mut rows: Vec<u32> =
            words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        rows.truncate(self.entries(&censuses.concat()) as usize);
        let counts = (self.words, self.size.cells(), actions(self.size, self.metric));
        Automaton::from_rows(counts, rows).filter(|automaton| vec![automaton.census()] == censuses)
    }

    fn pieces(table: &Automaton) -> Vec<Cow<'_, [u64]>> {
        let word =
            |pair: &[u32]| pair.iter().rev().fold(0, |word, &half| word << 32 | u64::from(half));
        vec![table.entries().chunks(2).map(word).collect()]
    }

    fn censuses(table: &Automaton) -> Vec<Vec<u64>> {
        vec![table.census()]
    }

    fn bytes(table: &Automaton) -> u64 {
        table.bytes()
    }
}
