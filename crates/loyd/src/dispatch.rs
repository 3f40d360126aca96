//! From a problem to a compiled search: the only match on board size and heuristic.

use std::sync::Arc;

use loyd_heuristics::{LinearConflict, TileSum};
use loyd_kernels::ExactEight;
use loyd_search::{DistanceTable, IncrementalHeuristic, Meter, NoUndo, Outcome, Stop, Zero};
use loyd_tiles::{ArraySpace, Board, BoardSpace, Move, Packed3x3, Size};

use crate::heuristics::{Guide, Kind};
use crate::solver::Run;

/// A space that has an exact heuristic: compiled in for 3x3 boards, built when needed for others.
pub(crate) trait SolvedSpace: BoardSpace + Sized {
    type Exact: IncrementalHeuristic<Self>;

    fn exact(&self, run: &Run<'_>) -> Result<Self::Exact, Stop>;

    /// IDA* with a sum over the tiles: the generic search, unless a kernel does the same work faster.
    fn idastar(&self, sum: &TileSum, start: &Self::State, meter: &mut Meter<'_>) -> Outcome<Move> {
        loyd_search::idastar(self, sum, &NoUndo, start, meter)
    }
}

impl SolvedSpace for Packed3x3 {
    type Exact = ExactEight;

    fn exact(&self, _: &Run<'_>) -> Result<ExactEight, Stop> {
        Ok(ExactEight::new(self.relabelling().goal().blank()))
    }

    fn idastar(&self, sum: &TileSum, start: &u32, meter: &mut Meter<'_>) -> Outcome<Move> {
        loyd_kernels::idastar(self, sum, *start, meter)
    }
}

impl<const N: usize> SolvedSpace for ArraySpace<N> {
    type Exact = Arc<DistanceTable>;

    fn exact(&self, run: &Run<'_>) -> Result<Self::Exact, Stop> {
        run.tables.exact(self, run.limits, run.cancel.clone())
    }
}

/// Something to be done in the space that fits a board.
pub(crate) trait SpaceVisitor {
    type Output;

    fn visit<S: SolvedSpace>(self, space: &S) -> Self::Output;
}

/// Something to be done in a space and with a heuristic.
pub(crate) trait InstanceVisitor {
    type Output;

    fn visit<S: SolvedSpace, H: IncrementalHeuristic<S>>(self, space: &S, h: &H) -> Self::Output;

    /// The same for sums over the tiles, which some spaces know more about.
    fn visit_sum<S: SolvedSpace>(self, space: &S, sum: &TileSum) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(space, sum)
    }
}

/// Makes the space of boards that lead to `goal`.
pub(crate) fn with_space<V: SpaceVisitor>(goal: &Board, visitor: V) -> V::Output {
    match (goal.size(), goal.size().cells()) {
        (Size::EIGHT, _) => visitor.visit(&Packed3x3::new(goal)),
        (_, ..=16) => visitor.visit(&ArraySpace::<16>::new(goal)),
        (_, ..=64) => visitor.visit(&ArraySpace::<64>::new(goal)),
        _ => visitor.visit(&ArraySpace::<{ Size::MAX_CELLS }>::new(goal)),
    }
}

/// Makes the space and the heuristic of `run`.
///
/// # Errors
/// The limit that was reached while an exact table was built.
pub(crate) fn with_instance<V: InstanceVisitor>(
    run: &Run<'_>,
    guide: &Guide,
    visitor: V,
) -> Result<V::Output, Stop> {
    with_space(run.problem.goal(), WithHeuristic { run, guide, visitor })
}

struct WithHeuristic<'a, V> {
    run: &'a Run<'a>,
    guide: &'a Guide,
    visitor: V,
}

impl<V: InstanceVisitor> SpaceVisitor for WithHeuristic<'_, V> {
    type Output = Result<V::Output, Stop>;

    fn visit<S: SolvedSpace>(self, space: &S) -> Self::Output {
        let labels = space.relabelling();
        let visitor = self.visitor;
        Ok(match self.guide {
            Guide::Matrix(matrix) => visitor.visit_sum(space, &TileSum::new(labels, matrix)),
            Guide::Named(row) => match row.kind {
                Kind::Zero => visitor.visit(space, &Zero),
                Kind::Misplaced => visitor.visit_sum(space, &TileSum::misplaced(labels)),
                Kind::Manhattan => visitor.visit_sum(space, &TileSum::manhattan(labels)),
                Kind::LinearConflict => visitor.visit(space, &LinearConflict::new(labels)),
                Kind::Exact => visitor.visit(space, &space.exact(self.run)?),
            },
        })
    }
}
