//! Drawing a board of one length, within limits that hold for the whole draw.

mod layer;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use loyd_search::{CancelToken, Cost, DistanceTable, Event, Meter, Observer, Stop, retrograde};
use loyd_tiles::{
    Board, BoardSpace, Metric, Move, PartialGoal, Random, Size, Tile, TurnsBack, random_board,
    random_board_to, random_goal, random_walk,
};

use crate::attempt::meter;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::Status;
use crate::solver::Solver;
use crate::space::{AnySpace, in_space};
use layer::{Layer, board_bytes, layer};

/// Spaces of up to so many states have a whole table of distances: boards of up to 10 cells, and lines.
const TABLE_STATES: u64 = 2_000_000;

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
    /// A partial goal of a single line, where the order of the tiles never changes.
    #[error(
        "no boards are drawn for a goal with `*` on a {0} board, a single line: every cell needs a tile"
    )]
    Line(Size),
    /// No length is had for this goal.
    #[error(
        "the goal {0} leaves two cells open, and on which of them the blank ends depends on the board: for boards \
         of a length, say where the blank goes, or leave another cell open"
    )]
    BothHalves(PartialGoal),
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
    /// The goal, as a problem that is solved.
    pub goal: Problem,
    random: Random,
    solver: Solver,
    table: Option<DistanceTable>,
    /// The ranks of the boards of the length that was drawn last from the table.
    ranks: (u32, Vec<u64>),
    /// The boards of the length that was drawn last.
    near: Option<(u32, Layer)>,
    /// Lengths that uniform draws did not find.
    rare: BTreeSet<u32>,
}

/// Why a draw ends without a board.
enum Failure {
    /// No board has a greater length than this.
    Beyond(u32),
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
    pub fn new(
        source: &'a mut Source,
        length: u32,
        cancel: &'a CancelToken,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let config = source.solver.config();
        let meter = meter(config, config.limits, cancel, observer);
        Self { source, length, cancel, meter }
    }

    /// A board of the length: see [`Scrambler::of_length`](super::Scrambler::of_length).
    pub fn board(mut self) -> Result<Scrambled, ScrambleError> {
        let length = self.length;
        if let Err(stop) = self.meter.stage("drawing", None) {
            return Err(ScrambleError::NotFound { length, stop });
        }
        let at_goal = self.source.goal.clone();
        let space = AnySpace::new(&at_goal, Metric::SingleTile);
        if let Some(found) = in_space!(&space, space => self.by_table(space)) {
            return found;
        }
        let drawn = self.without_table(&at_goal, &space);
        drawn.map_err(|failure| match failure {
            Failure::Beyond(most) => self.source.too_long(length, most),
            Failure::Stopped(stop) => ScrambleError::NotFound { length, stop },
            Failure::Solver(error) => error.into(),
        })
    }

    fn without_table(&mut self, at_goal: &Problem, space: &AnySpace) -> Result<Scrambled, Failure> {
        let plan = self.source.solver.proving_plan(at_goal)?;
        if let Some(board) = self.near_goal(space)? {
            return Ok(Scrambled { board, uniform: true });
        }
        if space.size().cells() <= 16 && !self.source.rare.contains(&self.length) {
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
            return Some(Err(self.source.too_long(length, longest as u32)));
        };
        let board = mixed(space.decode(&space.unrank(*rank)), goal.partial_goal(), random);
        Some(Ok(Scrambled { board, uniform: true }))
    }

    /// One of all boards of the length, if they are few.
    fn near_goal(&mut self, space: &AnySpace) -> Result<Option<Board>, Failure> {
        let (length, tables) = (self.length, self.source.solver.held_bytes());
        let near_now = match self.source.near.take().filter(|near| near.0 == length) {
            Some((_, near)) => near,
            None => self.meter.off_the_clock(|meter| {
                meter.reserve_tables(tables)?;
                in_space!(space, space => layer(space, length, meter))
            })?,
        };
        let Source { near, random, goal, .. } = &mut *self.source;
        match &near.insert((length, near_now)).1 {
            Layer::TooMany => Ok(None),
            Layer::Beyond(most) => Err(Failure::Beyond(*most)),
            Layer::Boards(boards) => {
                self.meter.reserve_tables(boards.len() as u64 * board_bytes(space.size()))?;
                let board = random.choose(boards).cloned();
                Ok(board.map(|board| mixed(board, goal.partial_goal(), random)))
            }
        }
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
        let mut watch = TablesAlone(self.meter.swap_observer(None));
        let solver = &self.source.solver;
        let report = solver.solve_within(limits, &problem, self.cancel, Some(&mut watch));
        self.meter.swap_observer(watch.0);
        let report = report?;
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
        let (goal, start) = (&self.source.goal, board.clone());
        let problem = match goal.partial_goal() {
            Some(partial) => Problem::to_partial(start, partial),
            None => Problem::between(start, goal.goal().clone()),
        };
        problem.expect("all boards are of one size")
    }
}

/// Passes on how far tables are, and nothing of the boards that are solved.
struct TablesAlone<'a>(Option<&'a mut dyn Observer>);

impl Observer for TablesAlone<'_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match (&mut self.0, event) {
            (Some(observer), Event::Table { .. }) => observer.event(event),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The board with its don't-care tiles in any order, each as likely as any other.
fn mixed(board: Board, goal: Option<&PartialGoal>, random: &mut Random) -> Board {
    let Some(goal) = goal else { return board };
    let dont_care = goal.dont_care_tiles();
    let kept = |tile: &Tile| (!dont_care.contains(tile)).then(|| tile.number().into());
    let numbers: Vec<Option<u32>> = board.tiles().iter().map(kept).collect();
    let open = PartialGoal::new(board.size(), &numbers).expect("the tiles are those of a board");
    random_goal(&open, random)
}

impl Source {
    /// A source of boards that lead to the goal of `goal`.
    pub fn new(goal: Problem, random: Random, solver: Solver) -> Self {
        let (ranks, rare) = ((0, Vec::new()), BTreeSet::new());
        Self { goal, random, solver, table: None, ranks, near: None, rare }
    }

    /// The failure to draw a board of `length`, where the farthest boards have `most`.
    fn too_long(&self, length: u32, most: u32) -> ScrambleError {
        let size = self.goal.goal().size();
        ScrambleError::TooLong { size, length, most, exact: true }
    }

    /// Any board that can be solved.
    pub fn any(&mut self) -> Board {
        match self.goal.partial_goal() {
            Some(partial) => {
                random_board_to(partial, &mut self.random).expect("no partial goal is a line here")
            }
            None => random_board(self.goal.goal(), &mut self.random),
        }
    }

    /// The board to which so many random moves lead from the goal, and the moves.
    pub fn by_moves(&mut self, moves: usize) -> Result<(Board, Vec<Move>), TurnsBack> {
        let mut board = match self.goal.partial_goal() {
            Some(partial) => random_goal(partial, &mut self.random),
            None => self.goal.goal().clone(),
        };
        let walk = random_walk(&board, moves, &mut self.random)?;
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
