//! Draws boards from a seed: uniformly, by a number of random moves, or by the length of the shortest solution.
//!
//! ```
//! use loyd::goal::Goal;
//! use loyd::scramble::{Random, Scrambler, random_board};
//! use loyd::{CancelToken, Config, Size};
//!
//! let goal = Goal::BlankLast.board(Size::EIGHT)?;
//! let board = random_board(&goal, &mut Random::new(7));
//! let mut scrambler = Scrambler::new(goal, 7, Config::default())?;
//! let hardest = scrambler.of_length(31, &CancelToken::new(), None)?.board;
//! assert_ne!(board, hardest);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::ops::ControlFlow;

use loyd_search::{CancelToken, Event, Limits, Meter, Observer, Stop};
use loyd_tiles::{Board, BoardSpace, Cell, Metric, Move, PartialGoal, Size, Tile};

use crate::attempt::meter;
use crate::board_source::{Layer, Source, board_bytes, layer};
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::exact;
use crate::problem::Problem;
use crate::report::Status;
use crate::solver::Solver;
use crate::space::{AnySpace, in_space};

pub use crate::board_source::{ScrambleError, ScrambledBoard};
pub use loyd_tiles::{
    Random, WalkTooLong, random_board, random_board_to, random_goal, random_walk, walk_randomly,
};

/// Maximum number of states of a space with a whole distance table: boards of up to 10 cells, and lines.
const TABLE_STATES: u64 = 2_000_000;

/// Number of uniform draws that may fail before a length counts as rare. With an exact table, which returns the
/// distance in microseconds, [`QUICK_DRAWS`] take about fifteen seconds.
const DRAWS: u32 = 100;
const QUICK_DRAWS: u32 = 1_000_000;

/// Maximum number of moves of a walk. Longer ones do not make the board more random.
const LONGEST_WALK: usize = 2000;

/// The largest distances known, for goals with the blank in a corner: width, height, distance, and whether a board has
/// exactly that distance (OEIS A151944, A087725). Where it is `false` the distance is an upper bound.
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

/// Draws boards that can reach one goal. The same seed and the same calls give the same boards in every version, since
/// a draw depends only on the lengths of shortest solutions, not on how a solver finds them.
#[derive(Debug)]
pub struct Scrambler(Source);

impl Scrambler {
    /// Returns a scrambler for `goal`. Boards without a whole distance table are solved with `config`, in single-tile
    /// moves; its limits apply to all searches of one draw together.
    ///
    /// # Errors
    /// Returns an error if options of `config` contradict each other.
    pub fn new(goal: Board, seed: u64, config: Config) -> Result<Self, Error> {
        let problem = Problem::between(goal.clone(), goal).expect("a board has the size of itself");
        Self::to_goal_of(problem, seed, config)
    }

    /// Returns a scrambler for a partial goal.
    ///
    /// # Errors
    /// Returns an error if options of `config` contradict each other, if the goal has equal tiles, or if the board is a
    /// single line.
    pub fn with_partial_goal(
        goal: &PartialGoal,
        seed: u64,
        config: Config,
    ) -> Result<Self, ScrambleError> {
        let size = goal.size();
        if size.is_line() {
            return Err(ScrambleError::Line(size));
        }
        if goal.equal_tiles().is_some() {
            return Err(Error::NotForEqualTiles("drawing boards").into());
        }
        let open = size.iter_cells().filter(|&cell| goal.required(cell).is_none()).count();
        // A goal that leaves one cell open is met by a single board.
        let partial = (open > 1).then_some(goal);
        let problem = Problem::to_goal_of(&goal.example(), partial);
        Ok(Self::to_goal_of(problem, seed, config)?)
    }

    fn to_goal_of(problem: Problem, seed: u64, config: Config) -> Result<Self, Error> {
        // Enough boards that the solver builds an exact table for 12 cells.
        let many = problem.goal().size().cells() == 12 && problem.partial_goal().is_none();
        let boards = if many { Some(exact::MANY) } else { config.boards };
        let solver = Solver::new(Config { metric: Metric::SingleTile, boards, ..config })?;
        Ok(Self(Source::new(problem, Random::new(seed), solver)))
    }

    /// Returns a solvable board, uniformly at random.
    pub fn uniform(&mut self) -> Board {
        self.0.uniform()
    }

    /// Makes `moves` random moves from the goal, none of which undoes the previous one, and returns the board and the
    /// moves. For a partial goal, the walk starts at one of the boards that meet it, chosen uniformly.
    ///
    /// # Errors
    /// Returns an error on a single line, if the blank would have to turn back.
    pub fn by_moves(&mut self, moves: usize) -> Result<(Board, Vec<Move>), ScrambleError> {
        Ok(self.0.by_moves(moves)?)
    }

    /// Returns the board of [`by_moves`](Self::by_moves), without storing the moves. The walk ends early if `cancel` is
    /// set.
    ///
    /// # Errors
    /// Returns an error on a single line, if the blank would have to turn back.
    pub fn end_of_walk(
        &mut self,
        moves: usize,
        cancel: &CancelToken,
    ) -> Result<Board, ScrambleError> {
        Ok(self.0.walk(moves, |_| match cancel.is_cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })?)
    }

    /// Returns a board whose shortest solution has exactly `length` moves.
    ///
    /// | board | draw |
    /// |---|---|
    /// | up to 10 cells, lines, partial goals of up to two million states | from the whole distance table |
    /// | at most 250,000 boards have this length | from all boards of the length |
    /// | up to 16 cells | random boards are solved until one has the length |
    /// | otherwise | random walks from the goal are lengthened or shortened until they have it |
    ///
    /// The last draw is not uniform. It also follows 100 failures of the third (a million if the solver has a table of
    /// all boards, which makes a distance a lookup).
    ///
    /// Memory: two bytes per state for a whole table; otherwise the boards of up to three lengths, and the solver. Both
    /// respect the limits of the configuration.
    ///
    /// Boards of up to 16 cells and of 5x5, and goals with a table, have a known maximum length; longer requests are
    /// refused. Elsewhere the draw continues until it reaches a limit.
    ///
    /// # Errors
    /// Returns an error if there is no such board, if none is found within the limits of the solver, or if the solver
    /// does not support boards of this size.
    pub fn of_length(
        &mut self,
        length: u32,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<ScrambledBoard, ScrambleError> {
        self.check_length(length)?;
        Draw::new(&mut self.0, length, cancel, observer.map(|watch| watch as _)).board()
    }

    /// Replaces the limits of all searches of one draw together.
    pub fn set_limits(&mut self, limits: Limits) {
        self.0.limits = limits;
    }

    /// Checks, without a table or a search, whether boards of `length` can be ruled out.
    ///
    /// # Errors
    /// Returns an error if no board is that far from the goal, or if boards for this goal cannot be drawn by length.
    pub fn check_length(&self, length: u32) -> Result<(), ScrambleError> {
        let (goal, partial) = (&self.0.goal, self.0.goal.partial_goal());
        if let Some(partial) = partial.filter(|partial| meets_both_halves(partial)) {
            return Err(ScrambleError::BothHalves(partial.clone()));
        }
        let size = goal.goal().size();
        let [short, long] = match (size.width() as u32, size.height() as u32) {
            (width, height) if width > height => [height, width],
            (width, height) => [width, height],
        };
        let known = KNOWN_DEPTHS.iter().find(|row| (row.0, row.1) == (short, long));
        let Some(&(_, _, most, exact)) = known else { return Ok(()) };
        // If the goal has its blank elsewhere, a solution may go through the goal with the blank in a corner.
        let blanks = partial.map_or(vec![goal.goal().blank()], PartialGoal::blank_cells);
        let way = blanks.iter().map(|&cell| steps_to_corner(size, cell)).max().unwrap_or(0);
        let (most, exact) = (most + way, exact && way == 0 && partial.is_none());
        match length > most {
            true => Err(ScrambleError::TooLong { size, length, most, exact }),
            false => Ok(()),
        }
    }
}

/// Returns whether the board that meets the goal depends on the parity class of the start: a tile and the blank may
/// exchange two cells that are an even number of steps apart.
fn meets_both_halves(goal: &PartialGoal) -> bool {
    match goal.blank_cells()[..] {
        [one, other] => goal.size().distance(one, other).is_multiple_of(2),
        _ => false,
    }
}

fn steps_to_corner(size: Size, cell: Cell) -> u32 {
    let to_edge = |place: usize, length: usize| place.min(length - 1 - place);
    let (row, column) = (size.row(cell), size.column(cell));
    (to_edge(row, size.height()) + to_edge(column, size.width())) as u32
}

/// The reason why a draw without a table fails.
enum Failure {
    /// The farthest boards have this length.
    Beyond(u32),
    /// The searches together reached this limit.
    Stopped(Stop),
    /// The solver does not support such boards.
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

/// A draw, with its remaining limits.
struct Draw<'a> {
    source: &'a mut Source,
    length: u32,
    cancel: &'a CancelToken,
    meter: Meter<'a>,
}

impl<'a> Draw<'a> {
    /// Starts the clock of the limits.
    pub fn new(
        source: &'a mut Source,
        length: u32,
        cancel: &'a CancelToken,
        observer: Option<&'a mut dyn Observer>,
    ) -> Self {
        let meter = meter(source.solver.config(), source.limits, cancel, observer);
        Self { source, length, cancel, meter }
    }

    /// Draws a board of the length: see [`Scrambler::of_length`].
    pub fn board(mut self) -> Result<ScrambledBoard, ScrambleError> {
        let length = self.length;
        // A board of a table takes no search, but a caller may draw millions.
        let entered = self.meter.enter_stage("drawing", None).and_then(|()| self.meter.check());
        if let Err(stop) = entered {
            return Err(ScrambleError::NotFound { length, stop });
        }
        let at_goal = self.source.goal.clone();
        at_goal.check_searchable("a scramble of an exact length")?;
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

    fn without_table(
        &mut self,
        at_goal: &Problem,
        space: &AnySpace,
    ) -> Result<ScrambledBoard, Failure> {
        let plan = self.source.solver.proving_plan(at_goal)?;
        if let Some(board) = self.near_goal(space)? {
            return Ok(ScrambledBoard { board, uniform: true });
        }
        if space.size().cells() <= 16 && !self.source.rare.contains(&self.length) {
            for _ in 0..if plan.algorithm.uses_table { QUICK_DRAWS } else { DRAWS } {
                self.meter.check()?;
                let board = self.source.uniform();
                if self.distance(&board)? == self.length {
                    return Ok(ScrambledBoard { board, uniform: true });
                }
            }
            self.source.rare.insert(self.length);
        }
        let mut moves = LONGEST_WALK.min(self.length as usize);
        loop {
            self.meter.check()?;
            if let Some(board) = self.by_walk(moves)? {
                return Ok(ScrambledBoard { board, uniform: false });
            }
            moves = (moves + moves / 4 + 2).min(LONGEST_WALK);
        }
    }

    /// Draws a board from the whole table, if there are few enough states for one.
    fn by_table<S: BoardSpace>(
        &mut self,
        space: &S,
    ) -> Option<Result<ScrambledBoard, ScrambleError>> {
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
        let board = shuffled(space.decode(&space.unrank(*rank)), goal.partial_goal(), random);
        Some(Ok(ScrambledBoard { board, uniform: true }))
    }

    /// Draws one of all boards of the length, if there are few.
    fn near_goal(&mut self, space: &AnySpace) -> Result<Option<Board>, Failure> {
        let length = self.length;
        let near_now = match self.source.near.take().filter(|near| near.0 == length) {
            Some((_, near)) => near,
            None => self
                .meter
                .build_tables(|meter| in_space!(space, space => layer(space, length, meter)))?,
        };
        let Source { near, random, goal, .. } = &mut *self.source;
        match &near.insert((length, near_now)).1 {
            Layer::TooMany => Ok(None),
            Layer::Beyond(most) => Err(Failure::Beyond(*most)),
            Layer::Boards(boards) => {
                self.meter.reserve_tables(boards.len() as u64 * board_bytes(space.size()))?;
                let board = random.choose(boards).cloned();
                Ok(board.map(|board| shuffled(board, goal.partial_goal(), random)))
            }
        }
    }

    /// Makes `moves` random moves from the goal, then follows a shortest solution or moves away until the distance is
    /// right. Returns `None` if no move leads farther away.
    fn by_walk(&mut self, moves: usize) -> Result<Option<Board>, Failure> {
        let walk = self.source.by_moves(moves);
        // Walks fail only on lines, which have a table.
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

    /// Returns the number of moves of a shortest solution from `board`.
    fn distance(&mut self, board: &Board) -> Result<u32, Failure> {
        let (limits, problem) = (self.meter.remaining_limits(), self.problem(board));
        let mut watch = TableEvents(self.meter.swap_observer(None));
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

    /// Returns the first of all shortest solutions in the order of moves, which does not depend on the solver.
    fn first_solution(&mut self, board: &Board) -> Result<Vec<Move>, Failure> {
        let (limits, problem) = (self.meter.remaining_limits(), self.problem(board));
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
            Some(partial) => Problem::with_partial_goal(start, partial),
            None => Problem::between(start, goal.goal().clone()),
        };
        problem.expect("all boards are of one size")
    }
}

/// Forwards the progress of tables, but no events of the boards that are solved.
struct TableEvents<'a>(Option<&'a mut dyn Observer>);

impl Observer for TableEvents<'_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match (&mut self.0, event) {
            (Some(observer), Event::Table { .. }) => observer.event(event),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Shuffles the don't-care tiles of the board uniformly.
fn shuffled(board: Board, goal: Option<&PartialGoal>, random: &mut Random) -> Board {
    let Some(goal) = goal else { return board };
    let dont_care = goal.dont_care_tiles();
    let kept = |tile: &Tile| (!dont_care.contains(tile)).then(|| tile.number().into());
    let numbers: Vec<Option<u32>> = board.tiles().iter().map(kept).collect();
    let open = PartialGoal::new(board.size(), &numbers).expect("the tiles are those of a board");
    random_goal(&open, random)
}
