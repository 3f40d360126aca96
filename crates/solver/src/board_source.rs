//! The source of scrambled boards: the state that is kept between draws, the errors of draws, and the enumeration of all
//! boards of one length.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use loyd_search::{Cost, DistanceTable, Limits, Meter, Stop, retrograde};
use loyd_tiles::{
    Board, BoardSpace, Move, PartialGoal, Random, Size, WalkTooLong, random_board, random_board_to,
    random_goal, walk_randomly,
};

use crate::error::Error;
use crate::problem::Problem;
use crate::solver::Solver;

/// A board drawn with a given length of its shortest solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScrambledBoard {
    /// The board.
    pub board: Board,
    /// Whether the draw was uniform over the boards of this length.
    pub uniform: bool,
}

/// The reason why no board was drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScrambleError {
    /// No board is that far from the goal.
    #[error("no {size} board is {length} moves from this goal: {}{most}", if *.exact { "the farthest are " } else { "none is farther than " })]
    TooLong {
        /// The size.
        size: Size,
        /// The requested length.
        length: u32,
        /// An upper bound on the length of any board.
        most: u32,
        /// Whether some board has length `most`.
        exact: bool,
    },
    /// A limit was reached before a board was found. There may be one.
    #[error("no board of {length} moves was found: {stop}")]
    NotFound {
        /// The requested length.
        length: u32,
        /// The limit.
        stop: Stop,
    },
    /// A partial goal on a single line, on which the order of the tiles never changes.
    #[error(
        "boards cannot be drawn for a goal with `*` on a {0} board, a single line: every cell needs a tile"
    )]
    Line(Size),
    /// Boards of a given length cannot be drawn for this goal.
    #[error(
        "the goal {0} leaves two cells open, and the board decides on which of them the blank ends: to draw boards by \
         length, fix the cell of the blank, or leave another cell open"
    )]
    BothHalves(PartialGoal),
    /// The walk does not fit on a line.
    #[error(transparent)]
    WalkTooLong(#[from] WalkTooLong),
    /// The solver does not support such boards, or does not prove solutions shortest.
    #[error(transparent)]
    Solver(#[from] Error),
}

/// The source of the boards, with the state that is kept between draws.
#[derive(Debug)]
pub struct Source {
    /// The goal, as a problem that starts at its goal.
    pub goal: Problem,
    pub random: Random,
    pub solver: Solver,
    /// Limits of the next draw.
    pub limits: Limits,
    pub table: Option<DistanceTable>,
    /// The length drawn last from `table`, and the ranks of its boards.
    pub ranks: (u32, Vec<u64>),
    /// The length drawn last without a table, and its boards.
    pub near: Option<(u32, Layer)>,
    /// Lengths that uniform draws failed to find.
    pub rare: BTreeSet<u32>,
}

impl Source {
    /// Returns a source of boards that can reach the goal of `goal`.
    pub fn new(goal: Problem, random: Random, solver: Solver) -> Self {
        let (limits, ranks, rare) = (solver.config().limits, (0, Vec::new()), BTreeSet::new());
        Self { goal, random, solver, limits, table: None, ranks, near: None, rare }
    }

    /// Returns the error for a `length` beyond that of the farthest boards, `most`.
    pub fn too_long(&self, length: u32, most: u32) -> ScrambleError {
        let size = self.goal.goal().size();
        ScrambleError::TooLong { size, length, most, exact: true }
    }

    /// Draws a solvable board uniformly.
    pub fn uniform(&mut self) -> Board {
        match self.goal.partial_goal() {
            Some(partial) => {
                random_board_to(partial, &mut self.random).expect("no partial goal is a line here")
            }
            None => random_board(self.goal.goal(), &mut self.random),
        }
    }

    /// Makes `moves` random moves from the goal, and returns the board and the moves.
    pub fn by_moves(&mut self, moves: usize) -> Result<(Board, Vec<Move>), WalkTooLong> {
        let mut walk = Vec::new();
        let board = self.walk(moves, |m| {
            walk.push(m);
            ControlFlow::Continue(())
        })?;
        Ok((board, walk))
    }

    /// Makes `moves` random moves from the goal, calls `visit` after each until it breaks, and returns the board.
    pub fn walk(
        &mut self,
        moves: usize,
        visit: impl FnMut(Move) -> ControlFlow<()>,
    ) -> Result<Board, WalkTooLong> {
        let mut board = match self.goal.partial_goal() {
            Some(partial) => random_goal(partial, &mut self.random),
            None => self.goal.goal().clone(),
        };
        walk_randomly(&mut board, moves, &mut self.random, visit)?;
        Ok(board)
    }

    /// Builds the distance table and the list of the ranks of all boards of a length, unless they exist already. The
    /// list is empty if no board has that length.
    pub fn make_ready<S: BoardSpace>(
        &mut self,
        space: &S,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let table = match &mut self.table {
            Some(table) => table,
            table => table.insert(meter.build_tables(|meter| retrograde(space, meter))?),
        };
        let ranks = table.census().get(length as usize).copied().unwrap_or(0);
        let bytes = table.distances().len() * size_of::<u16>() + ranks as usize * size_of::<u64>();
        meter.reserve_tables(bytes as u64)?;
        if self.ranks.0 != length || self.ranks.1.is_empty() {
            self.ranks = (length, Vec::new());
            self.ranks.1.reserve_exact(ranks as usize);
            let all = (0..).zip(table.distances()).filter(|&(_, d): &(u64, Cost)| d == length);
            self.ranks.1.extend(all.map(|(rank, _)| rank));
        }
        Ok(())
    }
}

/// Maximum number of boards per layer. A length is enumerated if neither its layer nor a shorter one is larger.
const FEW_BOARDS: usize = 250_000;

/// The boards of one length.
#[derive(Debug)]
pub enum Layer {
    /// All of them, one of each set that differs only in don't-care tiles.
    Boards(Vec<Board>),
    /// This layer or a shorter one is too large.
    TooMany,
    /// There are none: the farthest boards have this length.
    Beyond(u32),
}

/// Returns the memory of a board of this size, in bytes.
pub fn board_bytes(size: Size) -> u64 {
    /// Overhead of the allocator.
    const OVERHEAD: usize = 16;
    (size_of::<Board>() + size.cells() + OVERHEAD) as u64
}

/// Enumerates the boards of a length, ordered by their packed states.
pub fn layer<S: BoardSpace>(space: &S, length: u32, meter: &mut Meter<'_>) -> Result<Layer, Stop> {
    let mut before = Vec::new();
    let mut layer: Vec<S::Key> = space.goals().iter().map(|goal| space.pack(goal)).collect();
    layer.sort_unstable();
    for distance in 0..length {
        let next = next_layer(space, &before, &layer, meter)?;
        if next.is_empty() {
            return Ok(Layer::Beyond(distance));
        }
        if next.len() > FEW_BOARDS {
            return Ok(Layer::TooMany);
        }
        before = std::mem::replace(&mut layer, next);
    }
    drop(before);
    let boards = layer.len() as u64 * board_bytes(space.relabelling().goal().size());
    meter.reserve(size_of_val(&layer[..]) as u64 + boards)?;
    let boards = layer.iter().map(|key| space.decode(&space.unpack(*key)));
    Ok(Layer::Boards(boards.collect()))
}

/// Returns the sorted keys of the states one step beyond `layer`, given the previous layer `before`; both are sorted.
fn next_layer<S: BoardSpace>(
    space: &S,
    before: &[S::Key],
    layer: &[S::Key],
    meter: &mut Meter<'_>,
) -> Result<Vec<S::Key>, Stop> {
    let children = |key: &S::Key| space.actions(&space.unpack(*key)).into_iter().count();
    let most = layer.iter().map(children).sum();
    let reserve = |keys: usize, meter: &mut Meter<'_>| {
        meter.reserve(((before.len() + layer.len() + keys) * size_of::<S::Key>()) as u64)
    };
    reserve(most, meter)?;
    let mut next = Vec::with_capacity(most);
    for state in layer.iter().map(|key| space.unpack(*key)) {
        for action in space.actions(&state) {
            // If the blank may end on several cells, a neighbour may be as far away as the state itself.
            let key = space.pack(&space.successor(&state, action));
            if before.binary_search(&key).is_err() && layer.binary_search(&key).is_err() {
                next.push(key);
            }
        }
    }
    meter.check()?;
    next.sort_unstable();
    next.dedup();
    // Shrinking copies the keys, so both allocations exist for a moment.
    reserve(most + next.len(), meter)?;
    next.shrink_to_fit();
    meter.check()?;
    Ok(next)
}
