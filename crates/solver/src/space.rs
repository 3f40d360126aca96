//! Selects the state space of a problem: the only match on the size of the board.

use loyd_heuristics::AutomatonKey;
use loyd_search::{Outcome, Rankable};
use loyd_tiles::{
    ArraySpace, BoardSpace, Metric, Move, Packed3x3, Packed4x4, PartialGoal, Relabelling, Size,
    Slides, StepSpace,
};

use crate::problem::Problem;

const LARGEST: usize = Size::MAX_SEARCH_CELLS;

/// The space of the boards that can reach a goal, in a metric.
pub(crate) enum AnySpace {
    Eight(Packed3x3),
    Fifteen(Packed4x4),
    /// Boards of at most 16 cells, including partial goals.
    Small(ArraySpace<16>),
    Medium(ArraySpace<64>),
    Large(ArraySpace<LARGEST>),
    EightSlides(Slides<Packed3x3>),
    FifteenSlides(Slides<Packed4x4>),
    SmallSlides(Slides<ArraySpace<16>>),
    MediumSlides(Slides<ArraySpace<64>>),
    LargeSlides(Slides<ArraySpace<LARGEST>>),
}

/// A computation in a space of any type.
pub(crate) trait SpaceVisitor: Sized {
    type Output;

    fn visit<S: ForGoal>(self, space: &S) -> Self::Output;
}

/// A space that can be constructed for the goal of any problem whose boards it can represent.
pub(crate) trait ForGoal: BoardSpace {
    /// Returns the space of the boards that can reach the goal of `problem`.
    fn for_goal(problem: &Problem) -> Self;
}

impl ForGoal for Packed3x3 {
    fn for_goal(problem: &Problem) -> Self {
        Self::new(problem.goal())
    }
}

impl ForGoal for Packed4x4 {
    fn for_goal(problem: &Problem) -> Self {
        Self::new(problem.goal())
    }
}

impl<const N: usize> ForGoal for ArraySpace<N> {
    fn for_goal(problem: &Problem) -> Self {
        match problem.partial_goal() {
            Some(partial) => Self::with_partial_goal(partial, problem.goal()),
            None => Self::new(problem.goal()),
        }
    }
}

impl<S: ForGoal + StepSpace> ForGoal for Slides<S> {
    fn for_goal(problem: &Problem) -> Self {
        Self::new(S::for_goal(problem))
    }
}

/// Evaluates `$body` with the space inside `$space`, an [`AnySpace`]. The body is compiled for each type of space.
macro_rules! in_space {
    ($space:expr, $inside:ident => $body:expr) => {
        match $space {
            $crate::space::AnySpace::Eight($inside) => $body,
            $crate::space::AnySpace::Fifteen($inside) => $body,
            $crate::space::AnySpace::Small($inside) => $body,
            $crate::space::AnySpace::Medium($inside) => $body,
            $crate::space::AnySpace::Large($inside) => $body,
            $crate::space::AnySpace::EightSlides($inside) => $body,
            $crate::space::AnySpace::FifteenSlides($inside) => $body,
            $crate::space::AnySpace::SmallSlides($inside) => $body,
            $crate::space::AnySpace::MediumSlides($inside) => $body,
            $crate::space::AnySpace::LargeSlides($inside) => $body,
        }
    };
}
pub(crate) use in_space;

impl AnySpace {
    /// Returns the space for boards with the goal of `problem`.
    pub fn new(problem: &Problem, metric: Metric) -> Self {
        let cells = problem.goal().size().cells();
        let is = |size| problem.goal().size() == size && problem.partial_goal().is_none();
        match metric {
            Metric::SingleTile if is(Size::EIGHT) => Self::Eight(ForGoal::for_goal(problem)),
            Metric::SingleTile if is(Size::FIFTEEN) => Self::Fifteen(ForGoal::for_goal(problem)),
            Metric::SingleTile if cells <= 16 => Self::Small(ForGoal::for_goal(problem)),
            Metric::SingleTile if cells <= 64 => Self::Medium(ForGoal::for_goal(problem)),
            Metric::SingleTile => Self::Large(ForGoal::for_goal(problem)),
            Metric::MultiTile if is(Size::EIGHT) => Self::EightSlides(ForGoal::for_goal(problem)),
            Metric::MultiTile if is(Size::FIFTEEN) => {
                Self::FifteenSlides(ForGoal::for_goal(problem))
            }
            Metric::MultiTile if cells <= 16 => Self::SmallSlides(ForGoal::for_goal(problem)),
            Metric::MultiTile if cells <= 64 => Self::MediumSlides(ForGoal::for_goal(problem)),
            Metric::MultiTile => Self::LargeSlides(ForGoal::for_goal(problem)),
        }
    }

    /// Calls `visitor` with the space.
    pub fn visit<V: SpaceVisitor>(&self, visitor: V) -> V::Output {
        in_space!(self, space => visitor.visit(space))
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        fn metric<S: BoardSpace>(_: &S) -> Metric {
            S::METRIC
        }
        in_space!(self, space => metric(space))
    }

    /// Returns the goal with the labels of its tiles.
    pub fn relabelling(&self) -> &Relabelling {
        in_space!(self, space => space.relabelling())
    }

    /// Returns the size of the boards.
    pub fn size(&self) -> Size {
        self.relabelling().goal().size()
    }

    /// Returns the partial goal, if the goal is one.
    pub fn partial_goal(&self) -> Option<&PartialGoal> {
        in_space!(self, space => space.partial_goal())
    }

    /// Returns whether the goal requires the tile with this label on a specific cell.
    pub fn is_constrained(&self, label: u8) -> bool {
        in_space!(self, space => space.is_constrained(label))
    }

    /// Returns the number of states, or `None` if it exceeds 64 bits.
    pub fn state_count(&self) -> Option<u64> {
        in_space!(self, space => space.state_count())
    }

    /// Returns the key of the automaton for words of up to `words` moves, by default as many as are found in a
    /// fraction of a second. Returns `None` if `words` exceeds the maximum.
    pub fn automaton(&self, words: Option<u32>) -> Option<AutomatonKey> {
        let (size, metric) = (self.size(), self.metric());
        let words = words.unwrap_or_else(|| AutomatonKey::quick_word_length(size, metric));
        AutomatonKey::new(size, metric, words)
    }

    /// Returns whether an array with `bytes` per state takes at most `limit` bytes.
    pub fn fits(&self, bytes: u64, limit: u64) -> bool {
        let needed = self.state_count().and_then(|states| states.checked_mul(bytes));
        needed.is_some_and(|needed| needed <= limit)
    }
}

/// The plain space for boards of any size, in either metric. Traced searches are compiled for this space only.
pub(crate) enum PlainSpace {
    Steps(ArraySpace<LARGEST>),
    Slides(Slides<ArraySpace<LARGEST>>),
}

impl PlainSpace {
    /// Returns the space for boards with the goal of `problem`.
    pub fn new(problem: &Problem, metric: Metric) -> Self {
        match metric {
            Metric::SingleTile => Self::Steps(ForGoal::for_goal(problem)),
            Metric::MultiTile => Self::Slides(ForGoal::for_goal(problem)),
        }
    }
}

/// Evaluates `$body` with the plain space of `$run`.
macro_rules! in_plain_space {
    ($run:expr, $inside:ident => $body:expr) => {
        match &$crate::space::PlainSpace::new($run.problem, $run.plan.metric()) {
            $crate::space::PlainSpace::Steps($inside) => $body,
            $crate::space::PlainSpace::Slides($inside) => $body,
        }
    };
}
pub(crate) use in_plain_space;

/// Converts the path of an outcome to moves. The cost remains that of the space.
pub(crate) fn in_moves<S: BoardSpace>(outcome: Outcome<S::Action>) -> Outcome<Move> {
    match outcome {
        Outcome::Solved { path, cost } => Outcome::Solved { path: S::moves(&path), cost },
        Outcome::Exhausted => Outcome::Exhausted,
        Outcome::Stopped(stop) => Outcome::Stopped(stop),
    }
}
