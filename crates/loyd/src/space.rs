//! From a problem to a space of states: the only match on the size of the board.

use loyd_heuristics::AutomatonKey;
use loyd_search::{Outcome, Rankable};
use loyd_tiles::{
    ArraySpace, BoardSpace, Metric, Move, Packed3x3, Packed4x4, PartialGoal, Relabelling, Size,
    Slides, StepSpace,
};

use crate::problem::Problem;

const LARGEST: usize = Size::MAX_CELLS;

/// The space of the boards that lead to a goal, with what counts as a move.
pub(crate) enum AnySpace {
    Eight(Packed3x3),
    Fifteen(Packed4x4),
    /// Boards of at most 16 cells, and partial goals.
    Small(ArraySpace<16>),
    Medium(ArraySpace<64>),
    Large(ArraySpace<LARGEST>),
    EightSlides(Slides<Packed3x3>),
    FifteenSlides(Slides<Packed4x4>),
    SmallSlides(Slides<ArraySpace<16>>),
    MediumSlides(Slides<ArraySpace<64>>),
    LargeSlides(Slides<ArraySpace<LARGEST>>),
}

/// Something to be done in a space of any type.
pub(crate) trait SpaceVisitor: Sized {
    type Output;

    fn visit<S: ForGoal>(self, space: &S) -> Self::Output;
}

/// A space that can be made for the goal of any problem whose boards it can hold.
pub(crate) trait ForGoal: BoardSpace {
    /// The space of the boards that lead to the goal of `problem`.
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
            Some(partial) => Self::to_partial(partial, problem.goal()),
            None => Self::new(problem.goal()),
        }
    }
}

impl<S: ForGoal + StepSpace> ForGoal for Slides<S> {
    fn for_goal(problem: &Problem) -> Self {
        Self::new(S::for_goal(problem))
    }
}

/// Does `$body` with the space inside `$space`, an [`AnySpace`]: it is compiled for each type of space.
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
    /// The space for boards with the goal of `problem`.
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

    /// Does what `visitor` is for.
    pub fn visit<V: SpaceVisitor>(&self, visitor: V) -> V::Output {
        in_space!(self, space => visitor.visit(space))
    }

    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        fn metric<S: BoardSpace>(_: &S) -> Metric {
            S::METRIC
        }
        in_space!(self, space => metric(space))
    }

    /// The goal, and the labels that it gives to the tiles.
    pub fn relabelling(&self) -> &Relabelling {
        in_space!(self, space => space.relabelling())
    }

    /// The size of all boards.
    pub fn size(&self) -> Size {
        self.relabelling().goal().size()
    }

    /// The partial goal, if only some cells matter.
    pub fn partial_goal(&self) -> Option<&PartialGoal> {
        in_space!(self, space => space.partial_goal())
    }

    /// Whether the goal asks for the tile with this label on a certain cell.
    pub fn is_constrained(&self, label: u8) -> bool {
        in_space!(self, space => space.is_constrained(label))
    }

    /// How many states there are, or `None` when the number does not fit 64 bits.
    pub fn state_count(&self) -> Option<u64> {
        in_space!(self, space => space.state_count())
    }

    /// The automaton for words of so many moves, by default as many as take a fraction of a second to find; `None` if they
    /// may not be as long.
    pub fn automaton(&self, words: Option<u32>) -> Option<AutomatonKey> {
        let (size, metric) = (self.size(), self.metric());
        let words = words.unwrap_or_else(|| AutomatonKey::quick_words(size, metric));
        AutomatonKey::new(size, metric, words)
    }

    /// Whether an array with `bytes` for each state takes at most `limit` bytes.
    pub fn fits(&self, bytes: u64, limit: u64) -> bool {
        let needed = self.state_count().and_then(|states| states.checked_mul(bytes));
        needed.is_some_and(|needed| needed <= limit)
    }
}

/// The plain space for boards of any size: searches that tell of each node are compiled for it alone, in either metric.
pub(crate) enum PlainSpace {
    Steps(ArraySpace<LARGEST>),
    Slides(Slides<ArraySpace<LARGEST>>),
}

impl PlainSpace {
    /// The space for boards with the goal of `problem`.
    pub fn new(problem: &Problem, metric: Metric) -> Self {
        match metric {
            Metric::SingleTile => Self::Steps(ForGoal::for_goal(problem)),
            Metric::MultiTile => Self::Slides(ForGoal::for_goal(problem)),
        }
    }
}

/// Does `$body` with the plain space of `$run`.
macro_rules! in_plain_space {
    ($run:expr, $inside:ident => $body:expr) => {
        match &$crate::space::PlainSpace::new($run.problem, $run.plan.metric()) {
            $crate::space::PlainSpace::Steps($inside) => $body,
            $crate::space::PlainSpace::Slides($inside) => $body,
        }
    };
}
pub(crate) use in_plain_space;

/// A path as moves; its cost stays that of the space.
pub(crate) fn in_moves<S: BoardSpace>(outcome: Outcome<S::Action>) -> Outcome<Move> {
    match outcome {
        Outcome::Solved { path, cost } => Outcome::Solved { path: S::moves(&path), cost },
        Outcome::Exhausted => Outcome::Exhausted,
        Outcome::Stopped(stop) => Outcome::Stopped(stop),
    }
}
