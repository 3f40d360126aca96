//! The parameters of the automata that prune duplicates, by board size and metric, and their construction.

use loyd_search::{Automaton, Meter, Stop};
use loyd_tiles::{ArraySpace, Board, Cell, Metric, Packed3x3, Packed4x4, Size, Slides, StepSpace};

/// The parameters of an [`Automaton`]: board size, metric and word length. The goal is not among them, because the
/// automaton is valid for every goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AutomatonKey {
    size: Size,
    metric: Metric,
    max_word_length: u32,
}

impl AutomatonKey {
    /// Creates the key of the automaton for words of up to `max_word_length` moves. Returns `None` if `max_word_length`
    /// exceeds [`word_length_limit`](Self::word_length_limit) or the boards are too large to search.
    pub fn new(size: Size, metric: Metric, max_word_length: u32) -> Option<Self> {
        (size.is_searchable() && max_word_length <= Self::word_length_limit(size, metric))
            .then_some(Self { size, metric, max_word_length })
    }

    /// Returns the maximum number of moves in a word, for any automaton of this size and metric.
    pub fn word_length_limit(size: Size, metric: Metric) -> u32 {
        Automaton::max_supported_length(actions(size, metric))
    }

    /// Returns the number of moves in a word up to which the automaton takes only some tenths of a second to build.
    pub fn quick_word_length(size: Size, metric: Metric) -> u32 {
        match (metric, size.cells()) {
            (Metric::SingleTile, ..=16) => 14,
            (Metric::SingleTile, ..=36) => 12,
            (Metric::SingleTile, _) => 8,
            (Metric::MultiTile, ..=16) => 8,
            (Metric::MultiTile, ..=36) => 6,
            (Metric::MultiTile, _) => 3,
        }
        .min(Self::word_length_limit(size, metric))
    }

    /// Returns the size of the boards.
    pub fn size(self) -> Size {
        self.size
    }

    /// Returns the metric: what counts as a move.
    pub fn metric(self) -> Metric {
        self.metric
    }

    /// Returns the maximum number of moves in a word of this automaton.
    pub fn max_word_length(self) -> u32 {
        self.max_word_length
    }

    /// Builds the automaton.
    ///
    /// # Errors
    /// Returns the limit of `meter` that was reached.
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
            Metric::SingleTile => Automaton::generate(&space, self.max_word_length, meter),
            Metric::MultiTile => {
                Automaton::generate(&Slides::new(space), self.max_word_length, meter)
            }
        }
    }
}

/// Returns the number of distinct actions, legal or not.
pub(crate) fn actions(size: Size, metric: Metric) -> usize {
    match metric {
        Metric::SingleTile => 4,
        Metric::MultiTile => 2 * (size.width() + size.height() - 2),
    }
}
