//! Boards to be solved, drawn by seed: any, so many random moves away, or exactly so many shortest moves
//! away.
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

mod draw;

use loyd_search::{CancelToken, Observer};
use loyd_tiles::{Board, Cell, Metric, Move, PartialGoal, Size};

use crate::config::Config;
use crate::error::Error;
use crate::heuristics::exact;
use crate::problem::Problem;
use crate::solver::Solver;
use draw::{Draw, Source};

pub use draw::{ScrambleError, Scrambled};
pub use loyd_tiles::{Random, TurnsBack, random_board, random_board_to, random_goal, random_walk};

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

/// Draws boards that lead to one goal. The same seed and the same calls give the same boards for ever:
/// only lengths of shortest solutions matter, not how a solver finds them.
#[derive(Debug)]
pub struct Scrambler(Source);

impl Scrambler {
    /// Draws boards that lead to `goal`. Boards without a whole table are solved as `config` says, in
    /// single-tile moves; its limits hold for all searches of one draw together.
    ///
    /// # Errors
    /// When choices of `config` do not go together.
    pub fn new(goal: Board, seed: u64, config: Config) -> Result<Self, Error> {
        let problem = Problem::between(goal.clone(), goal).expect("a board has the size of itself");
        Self::to_goal_of(problem, seed, config)
    }

    /// Draws boards that lead to a partial goal.
    ///
    /// # Errors
    /// When choices of `config` do not go together, and on a single line.
    pub fn to_partial(
        goal: &PartialGoal,
        seed: u64,
        config: Config,
    ) -> Result<Self, ScrambleError> {
        let size = goal.size();
        if size.is_line() {
            return Err(ScrambleError::Line(size));
        }
        let open = size.iter_cells().filter(|&cell| goal.required(cell).is_none()).count();
        // A single board meets a goal that leaves one cell open.
        let partial = (open > 1).then_some(goal);
        let problem = Problem::to_goal_of(&goal.example(), partial);
        Ok(Self::to_goal_of(problem, seed, config)?)
    }

    fn to_goal_of(problem: Problem, seed: u64, config: Config) -> Result<Self, Error> {
        // So many that an exact table is made for boards of 12 cells.
        let many = problem.goal().size().cells() == 12 && problem.partial_goal().is_none();
        let boards = if many { Some(exact::MANY) } else { config.boards };
        let solver = Solver::new(Config { metric: Metric::SingleTile, boards, ..config })?;
        Ok(Self(Source::new(problem, Random::new(seed), solver)))
    }

    /// A board that can be solved, each as likely as any other.
    pub fn any(&mut self) -> Board {
        self.0.any()
    }

    /// The board to which so many random moves lead from the goal, none of which undoes the one before,
    /// and the moves. If the goal is a partial one, they begin on one of the boards that meet it, each as likely
    /// as any other.
    ///
    /// # Errors
    /// On a single line, where the blank would have to turn back.
    pub fn by_moves(&mut self, moves: usize) -> Result<(Board, Vec<Move>), ScrambleError> {
        Ok(self.0.by_moves(moves)?)
    }

    /// A board whose shortest solution has exactly `length` moves.
    ///
    /// Up to 10 cells, on lines, and to partial goals of up to two million states, it is drawn from the whole
    /// table, and from all boards of a length if these are up to a quarter of a million. Of up to 16 cells, random
    /// boards are solved until one has the length. Where that fails a hundred times (a million times where a table
    /// of all boards tells the lengths), and on larger boards, random walks from the goal are drawn out or
    /// shortened until they have it: then the draw is not uniform.
    ///
    /// Memory: two bytes a state where there is a whole table, elsewhere the boards of up to three lengths, and
    /// what the solver takes; both keep within the limits of the configuration.
    ///
    /// That there is no such board is known up to 16 cells, of 5x5 boards, and where there is a table; elsewhere
    /// lengths are looked for until a limit is reached.
    ///
    /// # Errors
    /// When there is no such board, when none is found within the limits of the solver, and when the
    /// solver does not take boards of this size.
    pub fn of_length(
        &mut self,
        length: u32,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Scrambled, ScrambleError> {
        self.check_length(length)?;
        Draw::new(&mut self.0, length, cancel, observer.map(|watch| watch as _)).board()
    }

    /// Refuses a length that no board has, as far as that is known without a table or a search.
    ///
    /// # Errors
    /// When no board is so far from the goal, or no length can be had for such a goal.
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
        // With the blank elsewhere, one can go by the goal that is reached from it with the blank in a corner.
        let blanks = partial.map_or(vec![goal.goal().blank()], PartialGoal::blank_cells);
        let way = blanks.iter().map(|&cell| steps_to_corner(size, cell)).max().unwrap_or(0);
        let (most, exact) = (most + way, exact && way == 0 && partial.is_none());
        match length > most {
            true => Err(ScrambleError::TooLong { size, length, most, exact }),
            false => Ok(()),
        }
    }
}

/// Whether which board meets the goal depends on the half of all boards in which the start is: only where one tile
/// and the blank may exchange two cells that are not an odd number of steps apart.
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
