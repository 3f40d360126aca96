//! Distances and shortest solutions for one goal, read from the table by walks down to the goal.

use std::convert::Infallible;
use std::sync::Arc;

use loyd_heuristics::pdb::{Orientation, Position};
use loyd_search::{Cost, Heuristic, IncrementalHeuristic, walk_interleaved};
use loyd_tiles::{BoardSpace, Move, MoveSet, Relabelling, StepSpace};

use super::states::RankedBoard;
use super::{BitLocation, ExactTable};

/// The distance from one goal, read from an [`ExactTable`].
///
/// Guarantees: exact, hence admissible and consistent. Defined only for states from which the goal can be reached; the
/// caller tests that first.
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
    /// All moves in the table's orientation, in the order in which the board's orientation lists them.
    order: [Move; 4],
}

/// A ranked state and its distance, updated along a path by [`ExactDistance`].
#[derive(Clone, Copy, Debug)]
pub struct DistanceMemo {
    ranked: RankedBoard,
    distance: Cost,
}

impl DistanceMemo {
    /// Returns the distance.
    #[inline]
    pub fn distance(&self) -> Cost {
        self.distance
    }
}

/// Number of boards that walk to the goal in turns, to overlap their cache misses.
const CONCURRENT_WALKS: usize = 16;

impl ExactDistance {
    /// Creates the heuristic for the goal of `labels`.
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

    /// Returns the table.
    pub fn table(&self) -> &Arc<ExactTable> {
        &self.table
    }

    /// Returns a shortest path from `start` to the goal. Each move is the first, in the order of the space, that leads
    /// nearer.
    ///
    /// Cost: a few hundred nanoseconds per move, mostly memory latency.
    ///
    /// # Panics
    /// If the goal cannot be reached from `start`.
    pub fn path<S: StepSpace>(&self, space: &S, start: &S::State) -> Vec<Move> {
        let mut path = Vec::new();
        self.paths(space, std::slice::from_ref(start), |_, moves| path = moves.to_vec());
        path
    }

    /// Calls `visit` with the index of each start and its [`path`](Self::path), in no particular order. Several boards
    /// are processed in turns to overlap their memory accesses.
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
            ((number, Vec::with_capacity(longest)), self.rank_board(space, start))
        });
        let step =
            |(_, path): &mut (_, Vec<Move>), m| path.push(self.orientation.from_canonical(m));
        self.walk(starts, step, |(number, path)| visit(number, &path));
    }

    /// Returns the orientation that maps boards to the table's orientation.
    pub fn orientation(&self) -> &Orientation {
        &self.orientation
    }

    /// Calls `visit` with the index and distance of each board, in no particular order. Boards are given in the
    /// [orientation](Self::orientation) of the table.
    ///
    /// Cost: about a microsecond for a board of 12 cells.
    ///
    /// # Panics
    /// If the goal cannot be reached from some board.
    pub fn distances(
        &self,
        boards: impl Iterator<Item = Position>,
        mut visit: impl FnMut(usize, Cost),
    ) {
        let ranked = |(number, board)| ((number, 0), self.table.states.rank_board(&board));
        let step = |(_, distance): &mut (_, Cost), _| *distance += 1;
        let arrived = |(number, distance)| visit(number, distance);
        self.walk(boards.enumerate().map(ranked), step, arrived);
    }

    /// Returns the first moves of all shortest paths from `state`; empty at the goal.
    ///
    /// Cost: one table look-up per move.
    pub fn first_moves<S: StepSpace>(&self, space: &S, state: &S::State) -> MoveSet {
        self.first_moves_from(&self.orientation.position(space, state))
    }

    /// Like [`first_moves`](Self::first_moves), for a board in the [orientation](Self::orientation) of the table.
    pub fn first_moves_from(&self, board: &Position) -> MoveSet {
        let (table, ranked) = (&self.table, self.table.states.rank_board(board));
        // The neighbours are at distance d − 1 or d + 1, which differ in bit 1.
        let nearer = table.modulo_4(ranked).wrapping_sub(1) >> 1 & 1;
        let moves = table.states.moves(ranked).into_iter();
        moves
            .filter(|&m| table.bit(table.states.moved(ranked, m)) == nearer)
            .map(|m| self.orientation.from_canonical(m))
            .collect()
    }

    /// Walks from each board to the goal. Calls `step` for each move and `arrived` at the end of each walk, both with
    /// the value that came with the board.
    fn walk<T>(
        &self,
        starts: impl Iterator<Item = (T, RankedBoard)>,
        mut step: impl FnMut(&mut T, Move),
        mut arrived: impl FnMut(T),
    ) {
        let walks = starts.map(|(what, ranked)| (what, Walk::new(&self.table, ranked)));
        let turn = |(what, walk): &mut (T, Walk)| {
            if walk.is_over(&self.table) {
                return Ok::<_, Infallible>(false);
            }
            if let Some(m) = walk.step(&self.table, &self.order) {
                step(what, m);
            }
            Ok(true)
        };
        let Ok(()) = walk_interleaved(walks, CONCURRENT_WALKS, turn, |(what, _)| arrived(what));
    }

    fn rank_board<S: BoardSpace>(&self, space: &S, state: &S::State) -> RankedBoard {
        self.table.states.rank_board(&self.orientation.position(space, state))
    }

    fn distance(&self, ranked: RankedBoard) -> Cost {
        let mut distance = 0;
        let start = std::iter::once((0, ranked));
        self.walk(start, |steps, _| *steps += 1, |steps| distance = steps);
        distance
    }
}

impl<S: StepSpace> Heuristic<S> for ExactDistance {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        self.distance(self.rank_board(space, state))
    }
}

/// An update costs one table look-up: the child is at d + 1 if bit 1 of its distance equals that of d + 1, and at
/// d − 1 otherwise.
impl<S: StepSpace> IncrementalHeuristic<S> for ExactDistance {
    type Memo = DistanceMemo;

    fn memo(&self, space: &S, state: &S::State) -> DistanceMemo {
        let ranked = self.rank_board(space, state);
        DistanceMemo { ranked, distance: self.distance(ranked) }
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
        let ranked = self.table.states.moved(memo.ranked, self.orientation.to_canonical(m));
        let away = memo.distance + 1;
        let nearer = (away >> 1 ^ self.table.bit(ranked)) & 1;
        DistanceMemo { ranked, distance: away - 2 * nearer }
    }

    #[inline]
    fn value(&self, memo: &DistanceMemo) -> Cost {
        memo.distance
    }
}

/// A board on its way to the goal.
///
/// The bits of all neighbours are prefetched one step before they are read, so that several walks taking turns overlap
/// their cache misses.
///
/// Illegal moves are computed too: the direction of a walk is unpredictable, and a mispredicted branch costs more than
/// an unused neighbour.
#[derive(Clone, Debug)]
struct Walk {
    ranked: RankedBoard,
    /// Number of moves made.
    steps: Cost,
    /// Distance modulo 4, once its bit has been read.
    modulo_4: Option<u32>,
    /// By move, in the order of the walk: the board it leads to and the location of its bit.
    neighbours: [(RankedBoard, BitLocation); Move::ALL.len()],
    /// Bit i is set if move i is legal.
    legal: u32,
}

impl Walk {
    /// Starts a walk and prefetches the bit of its first board.
    #[inline]
    fn new(table: &ExactTable, ranked: RankedBoard) -> Self {
        let location = table.prefetch_bit(ranked);
        let neighbours = [(ranked, location); Move::ALL.len()];
        Self { ranked, steps: 0, modulo_4: None, neighbours, legal: 0 }
    }

    /// Reads the bits prefetched by the last call and prefetches the next ones. Returns the move made, if any: the
    /// first in `order` that leads nearer to the goal. The first call makes no move.
    #[inline]
    fn step(&mut self, table: &ExactTable, order: &[Move; 4]) -> Option<Move> {
        let made = match self.modulo_4 {
            None => {
                self.modulo_4 = Some(table.modulo_4(self.ranked));
                None
            }
            Some(modulo_4) => Some(order[self.descend(table, modulo_4)]),
        };
        let moves = table.states.moves(self.ranked);
        self.legal = 0;
        for (index, &m) in order.iter().enumerate() {
            let ranked = table.states.moved(self.ranked, m);
            self.neighbours[index] = (ranked, table.prefetch_bit(ranked));
            self.legal |= u32::from(moves.contains(m)) << index;
        }
        made
    }

    /// Moves to the first neighbour nearer to the goal. Returns the index of the move.
    ///
    /// # Panics
    /// If there is none, or the walk is longer than the depth of the table: the goal cannot be reached.
    #[inline]
    fn descend(&mut self, table: &ExactTable, modulo_4: u32) -> usize {
        let nearer = modulo_4.wrapping_sub(1) & 3;
        // The neighbours are at distance d − 1 or d + 1, which differ in bit 1.
        let mut farther = 0;
        for (index, (_, location)) in self.neighbours.iter().enumerate() {
            farther |= (table.read(*location) ^ nearer >> 1) << index;
        }
        let index = (self.legal & !farther).trailing_zeros() as usize;
        self.steps += 1;
        assert!(
            index < Move::ALL.len() && self.steps <= table.depth(),
            "the goal cannot be reached"
        );
        (self.ranked, self.modulo_4) = (self.neighbours[index].0, Some(nearer));
        index
    }

    /// Returns whether the walk has reached the goal.
    #[inline]
    fn is_over(&self, table: &ExactTable) -> bool {
        self.ranked == table.states.goal()
    }
}
