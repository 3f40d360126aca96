//! From a problem to a compiled search: the only match on board size and heuristic.

use std::sync::Arc;

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::PatternSum;
use loyd_heuristics::pdb::tile_classes::TileClassDistance;
use loyd_heuristics::{LinearConflict, SmallLinearConflict, TileSum};
use loyd_kernels::{ExactEight, TileClassSearch};
use loyd_search::{DistanceTable, IncrementalHeuristic, Meter, NoUndo, Outcome, Stop, Zero};
use loyd_tiles::{
    ArraySpace, BoardSpace, Metric, Move, Packed3x3, Packed4x4, PartialSpace, Relabelling, Size,
    Slide, Slides, StepSpace,
};

use crate::exact::Exact;
use crate::heuristics::{Guide, Kind};
use crate::pattern_tables::{PatternTables, idastar_with};
use crate::problem::Problem;
use crate::solver::Run;
use crate::tables::Tables;
use crate::wide::wide_sum;

const LARGEST: usize = Size::MAX_CELLS;

/// A space that has an exact heuristic: compiled in for 3x3 boards, built when needed for others.
pub(crate) trait SolvedSpace: BoardSpace + Sized {
    type Exact: IncrementalHeuristic<Self>;

    /// The most bytes that the exact heuristic takes for each state; none if it is compiled in.
    const EXACT_BYTES: u64;

    fn exact(&self, tables: &Tables, meter: &mut Meter<'_>) -> Result<Self::Exact, Stop>;
}

/// A space of single steps, for which all heuristics hold but one, and kernels for some.
pub(crate) trait SolvedSteps: SolvedSpace + StepSpace {
    /// IDA* in the slides over this space, led by alike tiles: a kernel where there is one, else the
    /// generic search.
    fn alike_idastar(
        space: &Slides<Self>,
        alike: &TileClassDistance,
        start: &Self::State,
        meter: &mut Meter<'_>,
    ) -> Outcome<Slide> {
        loyd_search::idastar(space, alike, &NoUndo, start, meter)
    }

    /// IDA* with a sum over the tiles: the generic search, unless a kernel does the same work faster.
    fn idastar(&self, sum: &TileSum, start: &Self::State, meter: &mut Meter<'_>) -> Outcome<Move> {
        loyd_search::idastar(self, sum, &NoUndo, start, meter)
    }

    /// IDA* with pattern databases on up to so many threads: a kernel where there is one for these
    /// boards and tables, else the generic search.
    fn pattern_idastar(
        &self,
        sum: &PatternSum,
        start: &Self::State,
        (tables, threads): (&PatternTables, usize),
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        let position = sum.orientation().position(self, start);
        tables
            .kernel(sum, &position, threads, meter)
            .unwrap_or_else(|| idastar_with(self, sum, start, meter))
    }
}

impl SolvedSpace for Packed3x3 {
    type Exact = ExactEight;
    const EXACT_BYTES: u64 = 0;

    fn exact(&self, _: &Tables, _: &mut Meter<'_>) -> Result<ExactEight, Stop> {
        Ok(ExactEight::new(self))
    }
}

impl SolvedSteps for Packed3x3 {
    fn idastar(&self, sum: &TileSum, start: &u32, meter: &mut Meter<'_>) -> Outcome<Move> {
        loyd_kernels::idastar(self, sum, *start, meter)
    }
}

impl SolvedSpace for Packed4x4 {
    type Exact = Arc<DistanceTable>;
    const EXACT_BYTES: u64 = 2;

    fn exact(&self, tables: &Tables, meter: &mut Meter<'_>) -> Result<Self::Exact, Stop> {
        tables.exact(self, meter)
    }
}

impl SolvedSteps for Packed4x4 {
    fn alike_idastar(
        space: &Slides<Self>,
        alike: &TileClassDistance,
        start: &Self::State,
        meter: &mut Meter<'_>,
    ) -> Outcome<Slide> {
        match TileClassSearch::new(alike) {
            Some(mut kernel) => kernel.solve(space, start, meter),
            None => loyd_search::idastar(space, alike, &NoUndo, start, meter),
        }
    }
}

impl<const N: usize> SolvedSpace for ArraySpace<N> {
    type Exact = Exact;
    const EXACT_BYTES: u64 = 2;

    fn exact(&self, tables: &Tables, meter: &mut Meter<'_>) -> Result<Self::Exact, Stop> {
        Exact::new(self, tables, meter)
    }
}

impl<const N: usize> SolvedSteps for ArraySpace<N> {}

impl<const N: usize> SolvedSpace for PartialSpace<N> {
    type Exact = Arc<DistanceTable>;
    const EXACT_BYTES: u64 = 2;

    fn exact(&self, tables: &Tables, meter: &mut Meter<'_>) -> Result<Self::Exact, Stop> {
        tables.exact(self, meter)
    }
}

impl<const N: usize> SolvedSteps for PartialSpace<N> {
    /// The kernels know but one goal.
    fn pattern_idastar(
        &self,
        sum: &PatternSum,
        start: &Self::State,
        _: (&PatternTables, usize),
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        idastar_with(self, sum, start, meter)
    }
}

impl<S: StepSpace> SolvedSpace for Slides<S> {
    type Exact = Arc<DistanceTable>;
    const EXACT_BYTES: u64 = 2;

    fn exact(&self, tables: &Tables, meter: &mut Meter<'_>) -> Result<Self::Exact, Stop> {
        tables.exact(self, meter)
    }
}

/// Something to be done in the space that fits a board and a metric.
pub(crate) trait SpaceVisitor: Sized {
    type Output;

    fn visit<S: SolvedSpace>(self, space: &S) -> Self::Output;

    /// The same in spaces of single steps, where more can be done.
    fn visit_steps<S: SolvedSteps>(self, space: &S) -> Self::Output {
        self.visit(space)
    }

    /// The same in spaces of slides, where other things can be done.
    fn visit_slides<S: SolvedSteps>(self, space: &Slides<S>) -> Self::Output {
        self.visit(space)
    }
}

/// Something to be done in a space and with a heuristic.
pub(crate) trait InstanceVisitor {
    type Output;

    fn visit<S: SolvedSpace, H: IncrementalHeuristic<S>>(
        self,
        space: &S,
        h: &H,
        meter: &mut Meter<'_>,
    ) -> Self::Output;

    /// The same for sums over the tiles, which some spaces know more about.
    fn visit_sum<S: SolvedSteps>(
        self,
        space: &S,
        sum: &TileSum,
        meter: &mut Meter<'_>,
    ) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(space, sum, meter)
    }

    /// The same for pattern databases, for which there are kernels. Visitors look at tables only if these
    /// lead from `start` to the goal.
    ///
    /// # Errors
    /// [`Stop::Tables`] if they do not.
    fn visit_patterns<S: SolvedSteps>(
        self,
        space: &S,
        sum: &PatternSum,
        start: &S::State,
        meter: &mut Meter<'_>,
    ) -> Result<Self::Output, Stop>
    where
        Self: Sized,
    {
        match sum.leads_from(&sum.orientation().position(space, start)) {
            true => Ok(self.visit(space, sum, meter)),
            false => Err(Stop::Tables),
        }
    }

    /// The same for alike tiles, for which there is a kernel.
    fn visit_alike<S: SolvedSteps>(
        self,
        space: &Slides<S>,
        alike: &TileClassDistance,
        meter: &mut Meter<'_>,
    ) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(space, alike, meter)
    }
}

/// Makes the space of boards that lead to the goal of `problem`.
pub(crate) fn with_space<V: SpaceVisitor>(
    problem: &Problem,
    metric: Metric,
    visitor: V,
) -> V::Output {
    let (goal, cells) = (problem.goal(), problem.goal().size().cells());
    if let Some(part) = problem.part() {
        return match cells {
            ..=16 => in_metric(PartialSpace::<16>::new(part, goal), metric, visitor),
            17..=64 => in_metric(PartialSpace::<64>::new(part, goal), metric, visitor),
            _ => in_metric(PartialSpace::<LARGEST>::new(part, goal), metric, visitor),
        };
    }
    match (goal.size(), cells) {
        (Size::EIGHT, _) => in_metric(Packed3x3::new(goal), metric, visitor),
        (Size::FIFTEEN, _) => in_metric(Packed4x4::new(goal), metric, visitor),
        (_, ..=16) => in_metric(ArraySpace::<16>::new(goal), metric, visitor),
        (_, ..=64) => in_metric(ArraySpace::<64>::new(goal), metric, visitor),
        _ => in_metric(ArraySpace::<LARGEST>::new(goal), metric, visitor),
    }
}

/// Visits the steps of `space`, or the slides over it.
fn in_metric<S: SolvedSteps, V: SpaceVisitor>(space: S, metric: Metric, visitor: V) -> V::Output {
    match metric {
        Metric::SingleTile => visitor.visit_steps(&space),
        Metric::MultiTile => visitor.visit_slides(&Slides::new(space)),
    }
}

/// A path as moves; its cost stays that of the space.
pub(crate) fn in_moves<S: BoardSpace>(outcome: Outcome<S::Action>) -> Outcome<Move> {
    match outcome {
        Outcome::Solved { path, cost } => Outcome::Solved { path: S::moves(&path), cost },
        Outcome::Exhausted => Outcome::Exhausted,
        Outcome::Stopped(stop) => Outcome::Stopped(stop),
    }
}

/// Makes the space of boards that lead to the goal of `run`, and the heuristic `guide`.
///
/// # Errors
/// The limit that was reached while tables were made.
pub(crate) fn with_instance<V: InstanceVisitor>(
    run: &Run<'_>,
    guide: &Guide,
    meter: &mut Meter<'_>,
    visitor: V,
) -> Result<V::Output, Stop> {
    with_space(run.problem, run.plan.metric, WithHeuristic { run, guide, meter, visitor })
}

struct WithHeuristic<'a, 'm, 'o, V> {
    run: &'a Run<'a>,
    guide: &'a Guide,
    meter: &'m mut Meter<'o>,
    visitor: V,
}

impl<V: InstanceVisitor> WithHeuristic<'_, '_, '_, V> {
    fn visit_patterns<S: SolvedSteps>(self, space: &S) -> Result<V::Output, Stop> {
        let Self { run, meter, visitor, .. } = self;
        let start = space.encode(run.problem.start());
        match run.tables_of(Kind::Patterns)? {
            Contents::Patterns(partition) => {
                let sum = run.tables.patterns.sum(space, &partition, meter)?;
                visitor.visit_patterns(space, &sum, &start, meter)
            }
            Contents::Wide(set) => {
                let sum = wide_sum(&run.tables.wide, space, &set, meter)?;
                match sum.leads_from(space, &start) {
                    true => Ok(visitor.visit(space, &sum, meter)),
                    false => Err(Stop::Tables),
                }
            }
            Contents::TileClasses(_) => unreachable!("pattern databases are of single tiles"),
        }
    }
}

impl<V: InstanceVisitor> SpaceVisitor for WithHeuristic<'_, '_, '_, V> {
    type Output = Result<V::Output, Stop>;

    /// The heuristics that hold whatever counts as a move; a plan has no other ones.
    fn visit<S: SolvedSpace>(self, space: &S) -> Self::Output {
        let Self { run, guide, meter, visitor } = self;
        if guide.is_kind(Kind::Exact) {
            let exact = space.exact(run.tables, meter)?;
            return Ok(visitor.visit(space, &exact, meter));
        }
        if guide.is_kind(Kind::Subgoals) {
            let subgoals = run.tables.subgoals(space, meter)?;
            return Ok(visitor.visit(space, &subgoals, meter));
        }
        Ok(visitor.visit(space, &Zero, meter))
    }

    fn visit_slides<S: SolvedSteps>(self, space: &Slides<S>) -> Self::Output {
        let Self { run, guide, meter, visitor } = self;
        if !guide.is_kind(Kind::Alike) {
            return Self { run, guide, meter, visitor }.visit(space);
        }
        let Contents::TileClasses(classes) = run.tables_of(Kind::Alike)? else {
            return Err(Stop::Memory);
        };
        let alike = run.tables.alike(space.relabelling(), &classes, meter)?;
        match alike.seen(space, &space.encode(run.problem.start())) {
            Some(_) => Ok(visitor.visit_alike(space, &alike, meter)),
            None => Err(Stop::Tables),
        }
    }

    fn visit_steps<S: SolvedSteps>(self, space: &S) -> Self::Output {
        let Self { run, guide, meter, visitor } = self;
        let tables = run.tables;
        let labels = space.relabelling();
        let sum = |make: &dyn Fn(&Relabelling) -> TileSum| {
            tables.sum(space, guide.name(), |labels| {
                make(labels).of_constrained(|label| space.is_constrained(label))
            })
        };
        Ok(match guide {
            Guide::Matrix(matrix) => {
                visitor.visit_sum(space, &sum(&|labels| TileSum::new(labels, matrix)), meter)
            }
            Guide::Named(row) => match row.kind {
                Kind::Misplaced => visitor.visit_sum(space, &sum(&TileSum::misplaced), meter),
                Kind::Manhattan => visitor.visit_sum(space, &sum(&TileSum::manhattan), meter),
                Kind::LinearConflict
                    if SmallLinearConflict::fits(BoardSpace::size(space))
                        && space.part().is_none() =>
                {
                    visitor.visit(space, &SmallLinearConflict::new(labels), meter)
                }
                Kind::LinearConflict => {
                    let conflicts = LinearConflict::new(labels);
                    let conflicts = conflicts.of_constrained(|label| space.is_constrained(label));
                    visitor.visit(space, &conflicts, meter)
                }
                Kind::WalkingDistance => {
                    let walking = tables.walking_distance(labels, meter)?;
                    visitor.visit(space, &walking, meter)
                }
                Kind::Patterns => {
                    return Self { run, guide, meter, visitor }.visit_patterns(space);
                }
                Kind::Zero | Kind::Subgoals | Kind::Exact => {
                    return Self { run, guide, meter, visitor }.visit(space);
                }
                Kind::Alike => unreachable!("a plan has no slides for single tiles"),
            },
        })
    }
}
