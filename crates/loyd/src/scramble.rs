//! Boards to be solved, drawn by seed: any, so many random moves away, or exactly so many shortest moves
//! away.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use loyd_search::{CancelToken, Cost, DistanceTable, Meter, Stop, retrograde};
use loyd_tiles::{
    Board, BoardSpace, Cell, Metric, Move, Random, Size, TurnsBack, random_board, random_walk,
};

use crate::config::Config;
use crate::error::Error;
use crate::heuristics::exact;
use crate::problem::Problem;
use crate::report::Status;
use crate::solver::Solver;
use crate::space::{AnySpace, SpaceVisitor};

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

/// The greatest distances that are known, for goals with the blank in a corner, and whether a board is so
/// far indeed (OEIS A151944, A087725).
const KNOWN_DEPTHS: [(u32, u32, u32, bool); 12] = [
    (2, 2, 6, true),
    (2, 3, 21, true),
    (2, 4, 36, true),
    (3, 3, 31, true),
    (2, 5, 55, true),
    (3, 4, 53, true),
    (2, 6, 80, true),
    (2, 7, 108, true),
    (3, 5, 84, true),
    (2, 8, 140, true),
    (4, 4, 80, true),
    (5, 5, 208, false),
];

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
    /// The solver does not take such boards, or does not prove answers shortest.
    #[error(transparent)]
    Solver(#[from] Error),
}

/// Draws boards that lead to one goal. The same seed and the same calls give the same boards for ever:
/// only lengths of shortest answers matter, not how a solver finds them.
///
/// # Examples
/// ```
/// use loyd::{CancelToken, Config, Goal, Problem, Scrambler, Size, Solver};
/// let goal = Goal::BlankLast.board(Size::EIGHT)?;
/// let mut scrambler = Scrambler::new(goal, 7, Config::default())?;
/// let scrambled = scrambler.of_length(20, &CancelToken::new())?;
/// let problem = Problem::new(scrambled.board, &Goal::BlankLast)?;
/// assert_eq!(Solver::default().solve(&problem)?.length(), Some(20));
/// assert!(scrambled.uniform && scrambler.of_length(32, &CancelToken::new()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scrambler {
    goal: Board,
    random: Random,
    solver: Solver,
    table: Option<DistanceTable>,
    /// The ranks of the boards of the length that was drawn last from the table.
    ranks: (u32, Vec<u64>),
    /// All boards of the length near the goal that was drawn last.
    near: (u32, Vec<Board>),
    /// Lengths that uniform draws did not find.
    rare: BTreeSet<u32>,
}

impl Scrambler {
    /// Draws boards that lead to `goal`. Boards without a whole table are solved as `config` says, in
    /// single-tile moves; its limits are those of each search for a board.
    ///
    /// # Errors
    /// When choices of `config` do not go together.
    pub fn new(goal: Board, seed: u64, config: Config) -> Result<Self, Error> {
        // So many that an exact table is made for boards of 12 cells.
        let boards = if goal.size().cells() == 12 { Some(exact::MANY) } else { config.boards };
        let solver = Solver::new(Config { metric: Metric::SingleTile, boards, ..config })?;
        Ok(Self {
            goal,
            random: Random::new(seed),
            solver,
            table: None,
            ranks: (0, Vec::new()),
            near: (0, Vec::new()),
            rare: BTreeSet::new(),
        })
    }

    /// A board that can be solved, each as likely as any other.
    pub fn any(&mut self) -> Board {
        random_board(&self.goal, &mut self.random)
    }

    /// The board to which so many random moves lead from the goal, none of which undoes the one before,
    /// and the moves.
    ///
    /// # Errors
    /// On a single line, where the blank would have to turn back.
    pub fn by_moves(&mut self, moves: usize) -> Result<(Board, Vec<Move>), ScrambleError> {
        let walk = random_walk(&self.goal, moves, &mut self.random)?;
        Ok((self.after(&walk), walk))
    }

    /// A board whose shortest answer has exactly `length` moves.
    ///
    /// Up to 10 cells, and on lines, it is drawn from the whole table, and from all boards of a length if
    /// these are up to a quarter of a million. Of up to 16 cells, random boards are solved until one has the length. Where that fails a hundred times (a million times where a table
    /// of all boards tells the lengths), and on larger boards, random
    /// walks from the goal are drawn out or shortened until they have it: then the draw is not uniform.
    ///
    /// That there is no such board is known up to 16 cells and of 5x5 boards; of other sizes, lengths are
    /// looked for until a limit is reached.
    ///
    /// # Errors
    /// When there is no such board, when none is found within the limits of the solver, and when the
    /// solver does not take boards of this size.
    pub fn of_length(
        &mut self,
        length: u32,
        cancel: &CancelToken,
    ) -> Result<Scrambled, ScrambleError> {
        self.check_length(length)?;
        let mut meter = Meter::new(self.solver.config().limits, cancel.clone());
        let at_goal = Problem::to_itself(&self.goal);
        let space = AnySpace::new(&at_goal, Metric::SingleTile);
        let from_table = FromTable { scrambler: self, length, meter: &mut meter };
        let plan = match space.visit(from_table) {
            Some(found) => return found,
            None => self.solver.proving_plan(&at_goal)?,
        };
        if self.near.0 != length || self.near.1.is_empty() {
            let all = Layer { length, meter: &mut meter };
            self.near = (length, space.visit(all));
        }
        if let Some(board) = self.random.choose(&self.near.1) {
            return Ok(Scrambled { board: board.clone(), uniform: true });
        }
        let not_found = |stop| ScrambleError::NotFound { length, stop };
        if self.goal.size().cells() <= 16 && !self.rare.contains(&length) {
            let draws = if plan.algorithm.uses_table { QUICK_DRAWS } else { DRAWS };
            for _ in 0..draws {
                meter.check().map_err(not_found)?;
                let board = self.any();
                if self.distance(&board, length, cancel)? == length {
                    return Ok(Scrambled { board, uniform: true });
                }
            }
            self.rare.insert(length);
        }
        let mut moves = LONGEST_WALK.min(length as usize);
        loop {
            meter.check().map_err(not_found)?;
            if let Some(board) = self.near(moves, length, cancel)? {
                return Ok(Scrambled { board, uniform: false });
            }
            moves = (moves + moves / 4 + 2).min(LONGEST_WALK);
        }
    }

    /// Makes `moves` random moves from the goal, then goes back on a shortest answer or farther away until
    /// the distance is `length`; gives up where every way on is a way back.
    fn near(
        &mut self,
        moves: usize,
        length: u32,
        cancel: &CancelToken,
    ) -> Result<Option<Board>, ScrambleError> {
        let mut board = self.by_moves(moves)?.0;
        let mut distance = self.distance(&board, length, cancel)?;
        while distance < length {
            let mut farther = Vec::new();
            for m in board.moves() {
                let mut child = board.clone();
                child.apply(m).expect("the move was one of the board's");
                if self.distance(&child, length, cancel)? > distance {
                    farther.push(child);
                }
            }
            match self.random.choose(&farther) {
                Some(chosen) => board = chosen.clone(),
                None => return Ok(None),
            }
            distance += 1;
        }
        let surplus = (distance - length) as usize;
        if surplus > 0 {
            let answer = self.first_answer(&board, length, cancel)?;
            board.walk(&answer[..surplus]).expect("an answer stays on the board");
        }
        Ok(Some(board))
    }

    /// The number of moves of a shortest answer to `board`; `length` is what errors are about.
    fn distance(
        &self,
        board: &Board,
        length: u32,
        cancel: &CancelToken,
    ) -> Result<u32, ScrambleError> {
        let report = self.solver.solve_watched(&self.problem(board), cancel, None)?;
        match (report.status, report.length()) {
            (Status::Stopped(stop), _) => Err(ScrambleError::NotFound { length, stop }),
            (_, moves) => Ok(moves.map_or(0, |moves| moves as u32)),
        }
    }

    /// The first of all shortest answers in the order of moves: the same whatever solver finds it.
    fn first_answer(
        &self,
        board: &Board,
        length: u32,
        cancel: &CancelToken,
    ) -> Result<Vec<Move>, ScrambleError> {
        let mut first = Vec::new();
        let found = self.solver.all_shortest(&self.problem(board), cancel, None, |moves| {
            first = moves.to_vec();
            ControlFlow::Break(())
        })?;
        match found.report.status {
            Status::Stopped(stop) if first.is_empty() => {
                Err(ScrambleError::NotFound { length, stop })
            }
            _ => Ok(first),
        }
    }

    fn problem(&self, board: &Board) -> Problem {
        Problem::between(board.clone(), self.goal.clone()).expect("all boards are of one size")
    }

    fn after(&self, walk: &[Move]) -> Board {
        let mut board = self.goal.clone();
        board.walk(walk).expect("a walk stays on the board");
        board
    }

    /// Refuses a length that no board has, as far as that is known without a table or a search.
    ///
    /// # Errors
    /// When no board is so far from the goal.
    pub fn check_length(&self, length: u32) -> Result<(), ScrambleError> {
        let size = self.goal.size();
        let [short, long] = match (size.width() as u32, size.height() as u32) {
            (width, height) if width > height => [height, width],
            (width, height) => [width, height],
        };
        let known = KNOWN_DEPTHS.iter().find(|row| (row.0, row.1) == (short, long));
        let Some(&(_, _, most, exact)) = known else { return Ok(()) };
        // With the blank elsewhere, one can go by the goal that is reached from it with the blank in a corner.
        let way = steps_to_corner(size, self.goal.blank());
        let (most, exact) = (most + way, exact && way == 0);
        match length > most {
            true => Err(ScrambleError::TooLong { size, length, most, exact }),
            false => Ok(()),
        }
    }
}

fn steps_to_corner(size: Size, cell: Cell) -> u32 {
    let to_edge = |place: usize, length: usize| place.min(length - 1 - place);
    let (row, column) = (size.row(cell), size.column(cell));
    (to_edge(row, size.height()) + to_edge(column, size.width())) as u32
}

/// All boards of a length, in their order; none if they are too many.
struct Layer<'m, 'o> {
    length: u32,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for Layer<'_, '_> {
    type Output = Vec<Board>;

    fn visit<S: BoardSpace>(self, space: &S) -> Vec<Board> {
        let mut before = BTreeSet::new();
        let mut layer: BTreeSet<S::Key> =
            space.goals().iter().map(|goal| space.pack(goal)).collect();
        for _ in 0..self.length {
            let mut next = BTreeSet::new();
            for state in layer.iter().map(|key| space.unpack(*key)) {
                for action in space.actions(&state) {
                    // A neighbour is one nearer or one farther.
                    let key = space.pack(&space.successor(&state, action));
                    if !before.contains(&key) {
                        next.insert(key);
                    }
                }
            }
            if next.len() > FEW_BOARDS || self.meter.check().is_err() {
                return Vec::new();
            }
            before = std::mem::replace(&mut layer, next);
        }
        layer.into_iter().map(|key| space.decode(&space.unpack(key))).collect()
    }
}

/// Draws from the whole table, if the states are few enough for one.
struct FromTable<'a, 'm, 'o> {
    scrambler: &'a mut Scrambler,
    length: u32,
    meter: &'m mut Meter<'o>,
}

impl SpaceVisitor for FromTable<'_, '_, '_> {
    type Output = Option<Result<Scrambled, ScrambleError>>;

    fn visit<S: BoardSpace>(self, space: &S) -> Self::Output {
        space.state_count().filter(|&states| states <= TABLE_STATES)?;
        let Scrambler { table, ranks, random, goal, .. } = self.scrambler;
        let length = self.length;
        let table = match table {
            Some(table) => table,
            None => match retrograde(space, self.meter) {
                Ok(made) => table.insert(made),
                Err(stop) => return Some(Err(ScrambleError::NotFound { length, stop })),
            },
        };
        if length as usize >= table.census().len() {
            let most = table.census().len() as u32 - 1;
            let error = ScrambleError::TooLong { size: goal.size(), length, most, exact: true };
            return Some(Err(error));
        }
        if ranks.0 != length || ranks.1.is_empty() {
            let all = (0..).zip(table.distances()).filter(|&(_, d): &(u64, Cost)| d == length);
            *ranks = (length, all.map(|(rank, _)| rank).collect());
        }
        let rank = random.choose(&ranks.1).expect("some board has every length up to the longest");
        let board = space.decode(&space.unrank(*rank));
        Some(Ok(Scrambled { board, uniform: true }))
    }
}
