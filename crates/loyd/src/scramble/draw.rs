//! Drawing a board of one length, within limits that hold for the whole draw.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use loyd_search::{CancelToken, Cost, DistanceTable, Meter, Stop, retrograde};
use loyd_tiles::{
    Board, BoardSpace, Metric, Move, Random, Size, TurnsBack, random_board, random_walk,
};

use crate::attempt::meter;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::Status;
use crate::solver::Solver;
use crate::space::{AnySpace, in_space};

/// Spaces of up to so many states have a whole table of distances: boards of up to 10 cells, and lines.
const TABLE_STATES: u64 = 2_000_000;

/// Lengths that so few boards have, and no shorter one more, are drawn from all of them.
const FEW_BOARDS: usize = 250_000;

/// Uniform draws that may fail before a length counts as rare; where an exact table tells the distance in
/// microseconds, so many that they take some fifteen seconds.
const DRAWS: u32 = 100;
const QUICK_DRAWS: u32 = 1_000_000;

/// The most moves that a walk takes: after so many the board is as good as any.
const LONGEST_WALK: usize = 2000;

/// A board that was drawn for a length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrambled {
    /// The board.
    pub board: Board,
    /// Whether each board of this length was as likely as any other.
    pub uniform: bool,
}

/// Why there is no such board.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScrambleError {
    /// No board is so far away.
    #[error("no {size} board is {length} moves from this goal: {}{most}", if *.exact { "the farthest are " } else { "none is farther than " })]
    TooLong {
        /// The size.
        size: Size,
        /// The length asked for.
        length: u32,
        /// A length that no board exceeds.
        most: u32,
        /// Whether some board has that length.
        exact: bool,
    },
    /// The limit that was reached before a board was found; there may be one.
    #[error("no board of {length} moves was found: {stop}")]
    NotFound {
        /// The length asked for.
        length: u32,
        /// The limit.
        stop: Stop,
    },
    /// The walk is too long for a line.
    #[error(transparent)]
    TurnsBack(#[from] TurnsBack),
    /// The solver does not take such boards, or does not prove solutions shortest.
    #[error(transparent)]
    Solver(#[from] Error),
}

/// What boards are drawn from, and what is kept between draws.
#[derive(Debug)]
pub struct Source {
    pub goal: Board,
    random: Random,
    solver: Solver,
    table: Option<DistanceTable>,
    /// The ranks of the boards of the length that was drawn last from the table.
    ranks: (u32, Vec<u64>),
    /// All boards of the length that was drawn last, none if they are too many; once that is known.
    near: (u32, Option<Vec<Board>>),
    /// Lengths that uniform draws did not find.
    rare: BTreeSet<u32>,
}

/// Why a draw ends without a board.
enum Failure {
    /// The limit that was reached by the searches, together.
    Stopped(Stop),
    /// The solver does not take such boards.
    Solver(Error),
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Solver(error)
    }
}

/// A draw, and what is left of its limits.
pub(super) struct Draw<'a> {
    source: &'a mut Source,
    length: u32,
    cancel: &'a CancelToken,
    meter: Meter<'a>,
}

impl<'a> Draw<'a> {
    /// Starts the clock.
    pub fn new(source: &'a mut Source, length: u32, cancel: &'a CancelToken) -> Self {
        let config = source.solver.config();
        let meter = meter(config, config.limits, cancel, None);
        Self { source, length, cancel, meter }
    }

    /// A board of the length: see [`Scrambler::of_length`](super::Scrambler::of_length).
    pub fn board(mut self) -> Result<Scrambled, ScrambleError> {
        let length = self.length;
        let at_goal = Problem::to_itself(&self.source.goal);
        let space = AnySpace::new(&at_goal, Metric::SingleTile);
        if let Some(found) = in_space!(&space, space => self.by_table(space)) {
            return found;
        }
        let drawn = self.without_table(&at_goal, &space);
        drawn.map_err(|failure| match failure {
            Failure::Stopped(stop) => ScrambleError::NotFound { length, stop },
            Failure::Solver(error) => error.into(),
        })
    }

    fn without_table(&mut self, at_goal: &Problem, space: &AnySpace) -> Result<Scrambled, Failure> {
        let plan = self.source.solver.proving_plan(at_goal)?;
        if let Some(board) = self.near_goal(space)? {
            return Ok(Scrambled { board, uniform: true });
        }
        if self.source.goal.size().cells() <= 16 && !self.source.rare.contains(&self.length) {
            for _ in 0..if plan.algorithm.uses_table { QUICK_DRAWS } else { DRAWS } {
                self.meter.check()?;
                let board = self.source.any();
                if self.distance(&board)? == self.length {
                    return Ok(Scrambled { board, uniform: true });
                }
            }
            self.source.rare.insert(self.length);
        }
        let mut moves = LONGEST_WALK.min(self.length as usize);
        loop {
            self.meter.check()?;
            if let Some(board) = self.by_walk(moves)? {
                return Ok(Scrambled { board, uniform: false });
            }
            moves = (moves + moves / 4 + 2).min(LONGEST_WALK);
        }
    }

    /// One from the whole table, if the states are few enough for one.
    fn by_table<S: BoardSpace>(&mut self, space: &S) -> Option<Result<Scrambled, ScrambleError>> {
        space.state_count().filter(|&states| states <= TABLE_STATES)?;
        let length = self.length;
        if let Err(stop) = self.source.make_ready(space, length, &mut self.meter) {
            return Some(Err(ScrambleError::NotFound { length, stop }));
        }
        let Source { table, ranks, random, goal, .. } = &mut *self.source;
        let Some(rank) = random.choose(&ranks.1) else {
            let longest = table.as_ref().map_or(0, |table| table.census().len() - 1);
            let (size, most) = (goal.size(), longest as u32);
            return Some(Err(ScrambleError::TooLong { size, length, most, exact: true }));
        };
        let board = space.decode(&space.unrank(*rank));
        Some(Ok(Scrambled { board, uniform: true }))
    }

    /// One of all boards of the length, if they are few.
    fn near_goal(&mut self, space: &AnySpace) -> Result<Option<Board>, Stop> {
        let near = &mut self.source.near;
        if near.0 != self.length || near.1.is_none() {
            *near = (self.length, None);
            let (length, tables) = (self.length, self.source.solver.held_bytes());
            near.1 = Some(self.meter.off_the_clock(|meter| {
                meter.reserve_tables(tables)?;
                in_space!(space, space => layer(space, length, meter))
            })?);
        }
        let boards = near.1.as_deref().unwrap_or_default();
        self.meter.reserve_tables(boards.len() as u64 * board_bytes(space.size()))?;
        Ok(self.source.random.choose(boards).cloned())
    }

    /// Makes `moves` random moves from the goal, then goes back on a shortest solution or farther away until
    /// the distance is right; gives up where every way on is a way back.
    fn by_walk(&mut self, moves: usize) -> Result<Option<Board>, Failure> {
        let walk = self.source.by_moves(moves);
        // Lines have a table, so that there are no walks on them.
        let Ok((mut board, _)) = walk else { return Ok(None) };
        let mut distance = self.distance(&board)?;
        while distance < self.length {
            let mut farther = Vec::new();
            for m in board.moves() {
                let mut child = board.clone();
                child.apply(m).expect("the move was one of the board's");
                if self.distance(&child)? > distance {
                    farther.push(child);
                }
            }
            match self.source.random.choose(&farther) {
                Some(chosen) => board = chosen.clone(),
                None => return Ok(None),
            }
            distance += 1;
        }
        let surplus = (distance - self.length) as usize;
        if surplus > 0 {
            let solution = self.first_solution(&board)?;
            board.walk(&solution[..surplus]).expect("a solution stays on the board");
        }
        Ok(Some(board))
    }

    /// The number of moves of a shortest solution to `board`.
    fn distance(&mut self, board: &Board) -> Result<u32, Failure> {
        let (limits, problem) = (self.meter.left(), self.problem(board));
        let report = self.source.solver.solve_within(limits, &problem, self.cancel, None)?;
        self.meter.charge(&report.stats);
        match (report.status, report.length()) {
            (Status::Stopped(stop), _) => Err(stop.into()),
            (_, moves) => Ok(moves.map_or(0, |moves| moves as u32)),
        }
    }

    /// The first of all shortest solutions in the order of moves: the same whatever solver finds it.
    fn first_solution(&mut self, board: &Board) -> Result<Vec<Move>, Failure> {
        let (limits, problem) = (self.meter.left(), self.problem(board));
        let (solver, mut first) = (&self.source.solver, Vec::new());
        let found =
            solver.all_shortest_within(limits, &problem, self.cancel, None, &mut |moves| {
                first = moves.to_vec();
                ControlFlow::Break(())
            })?;
        self.meter.charge(&found.report.stats);
        match found.report.status {
            Status::Stopped(stop) if first.is_empty() => Err(stop.into()),
            _ => Ok(first),
        }
    }

    fn problem(&self, board: &Board) -> Problem {
        let goal = self.source.goal.clone();
        Problem::between(board.clone(), goal).expect("all boards are of one size")
    }
}

/// What a board of this size takes in memory.
fn board_bytes(size: Size) -> u64 {
    /// What an allocator adds.
    const BESIDES: usize = 16;
    (size_of::<Board>() + size.cells() + BESIDES) as u64
}

/// All boards of a length, in their order; none if they are too many.
fn layer<S: BoardSpace>(space: &S, length: u32, meter: &mut Meter<'_>) -> Result<Vec<Board>, Stop> {
    let mut before = Vec::new();
    let mut layer: Vec<S::Key> = space.goals().iter().map(|goal| space.pack(goal)).collect();
    layer.sort_unstable();
    for _ in 0..length {
        let next = next_layer(space, &before, &layer, meter)?;
        if next.len() > FEW_BOARDS {
            return Ok(Vec::new());
        }
        before = std::mem::replace(&mut layer, next);
    }
    drop(before);
    let boards = layer.len() as u64 * board_bytes(space.relabelling().goal().size());
    meter.reserve(size_of_val(&layer[..]) as u64 + boards)?;
    Ok(layer.iter().map(|key| space.decode(&space.unpack(*key))).collect())
}

/// The keys of the states that are one step farther than those of `layer`, which are one step farther than
/// those `before`; in order, as these are.
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
            // A neighbour is one nearer or one farther.
            let key = space.pack(&space.successor(&state, action));
            if before.binary_search(&key).is_err() {
                next.push(key);
            }
        }
    }
    meter.check()?;
    next.sort_unstable();
    next.dedup();
    // What is left over is given back, by way of a copy.
    reserve(most + next.len(), meter)?;
    next.shrink_to_fit();
    meter.check()?;
    Ok(next)
}

impl Source {
    pub fn new(goal: Board, random: Random, solver: Solver) -> Self {
        let (ranks, near, rare) = ((0, Vec::new()), (0, None), BTreeSet::new());
        Self { goal, random, solver, table: None, ranks, near, rare }
    }

    /// Any board that can be solved.
    pub fn any(&mut self) -> Board {
        random_board(&self.goal, &mut self.random)
    }

    /// The board to which so many random moves lead from the goal, and the moves.
    pub fn by_moves(&mut self, moves: usize) -> Result<(Board, Vec<Move>), TurnsBack> {
        let walk = random_walk(&self.goal, moves, &mut self.random)?;
        let mut board = self.goal.clone();
        board.walk(&walk).expect("a walk stays on the board");
        Ok((board, walk))
    }

    /// Makes the table of distances and the list of the ranks of all boards of a length, which is empty if
    /// there is none, unless they are there.
    fn make_ready<S: BoardSpace>(
        &mut self,
        space: &S,
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let table = match &mut self.table {
            Some(table) => table,
            table => table.insert(meter.off_the_clock(|meter| retrograde(space, meter))?),
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
