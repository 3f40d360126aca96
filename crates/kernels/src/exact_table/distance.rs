//! Distances and shortest solutions for one goal.

use std::convert::Infallible;
use std::sync::Arc;

use loyd_heuristics::pdb::{Orientation, Position};
use loyd_search::{Cost, Heuristic, IncrementalHeuristic, walk_together};
use loyd_tiles::{BoardSpace, Move, MoveSet, Relabelling, StepSpace};

use super::ExactTable;
use super::states::Place;
use super::walk::Walk;

/// The distance from one goal, read in an [`ExactTable`].
///
/// Guarantees: exact, so admissible and consistent. It knows states from which the goal can be reached,
/// and nothing of others: whoever asks must have tested that first.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use loyd_heuristics::pdb::Orientation;
/// use loyd_kernels::{Cpu, ExactDistance, ExactTable};
/// use loyd_tiles::{ArraySpace, BoardSpace, Goal};
/// let space = ArraySpace::<16>::new(&Goal::BlankLast.board("2x5".parse()?).unwrap());
/// let orientation = Orientation::new(space.relabelling()).unwrap();
/// let table = ExactTable::build(&orientation, Cpu::detect(), &mut Default::default()).unwrap();
/// let exact = ExactDistance::new(Arc::new(table), space.relabelling());
/// let far = loyd_tiles::notation::parse_board("x 9/8 7/6 5/4 3/2 1", None).unwrap();
/// assert_eq!(exact.path(&space, &space.encode(&far)).len(), 45);
/// # Ok::<(), loyd_tiles::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExactDistance {
    table: Arc<ExactTable>,
    orientation: Orientation,
    /// All moves of the table, in the order of the board's.
    order: [Move; 4],
}

/// The number of a state and its distance, carried down a path by [`ExactDistance`].
#[derive(Clone, Copy, Debug)]
pub struct DistanceMemo {
    place: Place,
    distance: Cost,
}

impl DistanceMemo {
    /// The distance.
    #[inline]
    pub fn distance(&self) -> Cost {
        self.distance
    }
}

/// Boards that are walked to the goal together by [`ExactDistance::paths`].
const TOGETHER: usize = 16;

impl ExactDistance {
    /// The distance from the goal of `labels`.
    ///
    /// # Panics
    /// If the table is for boards of another size, or for another goal cell of the blank.
    pub fn new(table: Arc<ExactTable>, labels: &Relabelling) -> Self {
        let orientation =
            Orientation::new(labels).expect("boards with exact tables have at most 12 cells");
        assert_eq!(
            (table.states.size(), table.states.goal().blank()),
            (orientation.size(), orientation.blank()),
            "the table is for another orientation"
        );
        Self { table, order: Move::ALL.map(|m| orientation.to_canonical(m)), orientation }
    }

    /// The table.
    pub fn table(&self) -> &Arc<ExactTable> {
        &self.table
    }

    /// A shortest way from `start` to the goal: each move is the first, in the order of the space, that
    /// comes nearer.
    ///
    /// Cost: some hundred nanoseconds a move, most of which go by in waiting for memory.
    ///
    /// # Panics
    /// If the goal cannot be reached from `start`.
    pub fn path<S: StepSpace>(&self, space: &S, start: &S::State) -> Vec<Move> {
        let mut path = Vec::new();
        self.paths(space, std::slice::from_ref(start), |_, moves| path = moves.to_vec());
        path
    }

    /// Calls `visit` with the number of each start and its [`path`](Self::path), in no certain order:
    /// several boards wait for memory together.
    ///
    /// # Panics
    /// If the goal cannot be reached from some start.
    pub fn paths<S: StepSpace>(
        &self,
        space: &S,
        starts: &[S::State],
        mut visit: impl FnMut(usize, &[Move]),
    ) {
        let longest = self.table.depth() as usize;
        let starts = starts.iter().enumerate().map(|(number, start)| {
            ((number, Vec::with_capacity(longest)), self.place(space, start))
        });
        let step =
            |(_, path): &mut (_, Vec<Move>), m| path.push(self.orientation.from_canonical(m));
        self.walk(starts, step, |(number, path)| visit(number, &path));
    }

    /// How boards are turned for the table.
    pub fn orientation(&self) -> &Orientation {
        &self.orientation
    }

    /// Calls `visit` with the number of each board, given in the [orientation](Self::orientation) of the table, and
    /// its distance, in no certain order.
    ///
    /// Cost: a microsecond for a board of 12 cells.
    ///
    /// # Panics
    /// If the goal cannot be reached from some board.
    pub fn distances(
        &self,
        boards: impl Iterator<Item = Position>,
        mut visit: impl FnMut(usize, Cost),
    ) {
        let place = |(number, board)| ((number, 0), self.table.states.place(&board));
        let step = |(_, distance): &mut (_, Cost), _| *distance += 1;
        let arrived = |(number, distance)| visit(number, distance);
        self.walk(boards.enumerate().map(place), step, arrived);
    }

    /// All moves with which a shortest way from `state` begins; none at the goal.
    ///
    /// Cost: a look at one bit for each move.
    pub fn first_moves<S: StepSpace>(&self, space: &S, state: &S::State) -> MoveSet {
        self.first_moves_from(&self.orientation.position(space, state))
    }

    /// The same for a board in the [orientation](Self::orientation) of the table.
    pub fn first_moves_from(&self, board: &Position) -> MoveSet {
        let (table, place) = (&self.table, self.table.states.place(board));
        // One nearer and one farther differ in this bit.
        let nearer = table.modulo_4(place).wrapping_sub(1) >> 1 & 1;
        let moves = table.states.moves(place).into_iter();
        moves
            .filter(|&m| table.bit(table.states.moved(place, m)) == nearer)
            .map(|m| self.orientation.from_canonical(m))
            .collect()
    }

    /// Walks from each place to the goal. `step` is told each move, `arrived` when a walk is over, with what came
    /// with the place.
    fn walk<T>(
        &self,
        starts: impl Iterator<Item = (T, Place)>,
        mut step: impl FnMut(&mut T, Move),
        mut arrived: impl FnMut(T),
    ) {
        let walks = starts.map(|(what, place)| (what, Walk::new(&self.table, place)));
        let turn = |(what, walk): &mut (T, Walk)| {
            if walk.is_over(&self.table) {
                return Ok::<_, Infallible>(false);
            }
            if let Some(m) = walk.go(&self.table, &self.order) {
                step(what, m);
            }
            Ok(true)
        };
        let Ok(()) = walk_together(walks, TOGETHER, turn, |(what, _)| arrived(what));
    }

    fn place<S: BoardSpace>(&self, space: &S, state: &S::State) -> Place {
        self.table.states.place(&self.orientation.position(space, state))
    }

    fn distance(&self, place: Place) -> Cost {
        let mut distance = 0;
        let start = std::iter::once((0, place));
        self.walk(start, |steps, _| *steps += 1, |steps| distance = steps);
        distance
    }
}

impl<S: StepSpace> Heuristic<S> for ExactDistance {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.distance(self.place(space, state))
    }
}

/// A move costs a look at one bit: the child is at d + 1 if bit 1 of its distance is that of d + 1,
/// and at d − 1 otherwise.
impl<S: StepSpace> IncrementalHeuristic<S> for ExactDistance {
    type Memo = DistanceMemo;

    fn memo(&self, space: &S, state: &S::State) -> DistanceMemo {
        let place = self.place(space, state);
        DistanceMemo { place, distance: self.distance(place) }
    }

    #[inline]
    fn update(
        &self,
        _: &S,
        memo: DistanceMemo,
        _: &S::State,
        m: Move,
        _: &S::State,
    ) -> DistanceMemo {
        let place = self.table.states.moved(memo.place, self.orientation.to_canonical(m));
        let away = memo.distance + 1;
        let nearer = (away >> 1 ^ self.table.bit(place)) & 1;
        DistanceMemo { place, distance: away - 2 * nearer }
    }

    #[inline]
    fn value(&self, memo: &DistanceMemo) -> Cost {
        memo.distance
    }
}
