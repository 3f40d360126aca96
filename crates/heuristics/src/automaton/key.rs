//! What an automaton is about, and how it is made.

use loyd_search::{Automaton, Meter, Stop};
use loyd_tiles::{ArraySpace, Board, Cell, Metric, Packed3x3, Packed4x4, Size, Slides, StepSpace};

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
}

/// How many moves there are, legal or not.
pub(super) fn actions(size: Size, metric: Metric) -> usize {
    match metric {
        Metric::SingleTile => 4,
        Metric::MultiTile => 2 * (size.width() + size.height() - 2),
    }
}
