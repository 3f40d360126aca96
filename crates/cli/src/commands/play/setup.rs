//! The boards to play, which are the sequence of boards of a seed, and the solvers.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::anyhow;
use loyd::goal::PartialGoal;
use loyd::moves::Metric;
use loyd::scramble::Scrambler;
use loyd::search::{Limits, Observer, Quality};
use loyd::{Board, CancelToken, Config, Goal, Problem, Size, Solver};

use super::session::Session;
use super::watch::Job;
use crate::args::{PlayArgs, or_cores};
use crate::failure::Failure;
use crate::input::{self, Goals, goal_board, partial_goal};

/// Upper limit of random seeds, small enough to write down.
const MAX_SEED: u64 = 1_000_000;

/// Time limit of the search for a board of a given length.
const DRAW_TIME: Duration = Duration::from_secs(60);

/// Draws boards and solves them.
pub struct Setup {
    /// The board given as argument.
    pub given: Option<Problem>,
    /// The file that records solves.
    pub session: Option<Session>,
    /// Length of the shortest solutions of drawn boards, if specified.
    pub length: Option<u32>,
    goal: PlayGoal,
    series: Arc<Mutex<Series>>,
    /// Solver for hints, and for reviews in the single-tile metric.
    pub solver: Arc<Solver>,
    /// Solver for reviews in the multi-tile metric.
    pub slides: Arc<Solver>,
    /// Solver for watching, which improves and proves until it is cancelled.
    pub watched: Arc<Solver>,
}

impl Setup {
    /// Creates the setup from the arguments.
    ///
    /// # Errors
    /// Returns an error if the board, goal or length is invalid.
    pub fn new(args: &PlayArgs) -> Result<Self, Failure> {
        let (given, goal) = boards(args)?;
        let session = args.session.as_deref().map(Session::open).transpose()?;
        let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0) % MAX_SEED);
        let limits = args.limits.short();
        let config =
            Config { store: args.cache.store(), boards: Some(1), limits, ..Config::default() };
        let solver = Solver::new(config.clone())?;
        let slides = solver.sharing(Config { metric: Metric::MultiTile, ..config.clone() })?;
        let watched = solver.sharing(Config {
            quality: Some(Quality::Auto),
            threads: or_cores(None).get(),
            limits: Limits { max_time: None, ..limits },
            ..config.clone()
        })?;
        let limits = Limits { max_time: Some(DRAW_TIME), ..limits };
        let series = Series::new(goal.clone(), seed, args.length, Config { limits, ..config })?;
        Ok(Self {
            given,
            session,
            length: args.length,
            goal,
            series: Arc::new(Mutex::new(series)),
            solver: Arc::new(solver),
            slides: Arc::new(slides),
            watched: Arc::new(watched),
        })
    }

    /// Returns a board to show until one is drawn: the goal.
    pub fn example(&self) -> Problem {
        to_goal(self.goal.0.clone(), &self.goal)
    }

    /// Draws the next board.
    pub fn draw(&self, now: Duration) -> Job<DrawnBoard> {
        let series = Arc::clone(&self.series);
        Job::start(now, move |cancel, observer| {
            series.lock().unwrap_or_else(PoisonError::into_inner).next(cancel, observer)
        })
    }
}

/// Returns the given board, and the goal for all boards.
fn boards(args: &PlayArgs) -> Result<(Option<Problem>, PlayGoal), Failure> {
    let (size, goal) = (args.problem.size, args.problem.goal.as_deref());
    if !args.board.is_empty() {
        let board = input::board(&args.board, size)?;
        check_size(board.size())?;
        let problem =
            Goals::new(args.problem.goal.clone(), Goal::BlankLast).problem(board, None)?;
        let goal = (problem.goal().clone(), problem.partial_goal().cloned());
        return Ok((Some(problem), goal));
    }
    Ok(match partial_goal(size, goal)? {
        Some(partial) => {
            check_size(partial.size())?;
            (None, (partial.example(), Some(partial)))
        }
        None => {
            let goal = goal_board(size, goal)?;
            check_size(goal.size())?;
            (None, (goal, None))
        }
    })
}

/// Rejects boards that are too large for hints, reviews and a screen.
fn check_size(size: Size) -> Result<(), Failure> {
    match size.is_searchable() {
        true => Ok(()),
        false => {
            let (cells, most) = (size.cells(), Size::MAX_SEARCH_CELLS);
            Err(anyhow!("play supports boards of at most {most} cells; a {size} board has {cells}")
                .into())
        }
    }
}

/// The goal of the drawn boards. For a partial goal, the board is an example of it.
type PlayGoal = (Board, Option<PartialGoal>);

/// A drawn board, its name, and its seed.
pub struct DrawnBoard {
    pub problem: Problem,
    pub name: String,
    /// The seed as in the page, followed by the number of the board if it is not the first.
    pub seed: String,
}

/// Draws the same boards in the same order as `loyd scramble` with this seed.
struct Series {
    goal: PlayGoal,
    seed: u64,
    /// Length of the shortest solutions, if specified.
    length: Option<u32>,
    config: Config,
    scrambler: Scrambler,
    /// Number of boards drawn.
    drawn: u64,
}

impl Series {
    /// # Errors
    /// Returns an error if there are no such boards.
    pub fn new(
        goal: PlayGoal,
        seed: u64,
        length: Option<u32>,
        config: Config,
    ) -> Result<Self, Failure> {
        let scrambler = match &goal.1 {
            Some(partial) => Scrambler::with_partial_goal(partial, seed, config.clone())?,
            None => Scrambler::new(goal.0.clone(), seed, config.clone())?,
        };
        if let Some(length) = length {
            scrambler.check_length(length)?;
        }
        Ok(Self { goal, seed, length, config, scrambler, drawn: 0 })
    }

    /// Draws the next board that is not already solved, if there is one.
    ///
    /// # Errors
    /// Returns an error if none was found within the limits, or before `cancel` was set. The state of the random
    /// generator then depends on how far the search came on this machine, so the following boards are drawn from the
    /// next seed.
    pub fn next(
        &mut self,
        cancel: &CancelToken,
        observer: &mut dyn Observer,
    ) -> Result<DrawnBoard, String> {
        /// One in twelve solvable 2x2 boards is solved, and one in two on a line of two cells.
        const TRIES: u32 = 100;
        let (mut drawn, mut tries) = (self.draw(cancel, observer)?, 1);
        let is_solved = |problem: &Problem| problem.is_solved_by(problem.start());
        while is_solved(&drawn.problem) && self.length != Some(0) && tries < TRIES {
            drawn = self.draw(cancel, observer)?;
            tries += 1;
        }
        Ok(drawn)
    }

    fn draw(
        &mut self,
        cancel: &CancelToken,
        observer: &mut dyn Observer,
    ) -> Result<DrawnBoard, String> {
        let board = match self.length {
            None => self.scrambler.uniform(),
            Some(length) => match self.scrambler.of_length(length, cancel, Some(observer)) {
                Ok(drawn) => drawn.board,
                Err(error) => {
                    self.start_next_seed();
                    return Err(error.to_string());
                }
            },
        };
        self.drawn += 1;
        let name = format!("seed {}, board {}", self.seed, self.drawn);
        let seed = match self.drawn {
            1 => self.seed.to_string(),
            drawn => format!("{}, board {drawn}", self.seed),
        };
        Ok(DrawnBoard { problem: to_goal(board, &self.goal), name, seed })
    }

    fn start_next_seed(&mut self) {
        let seed = self.seed.wrapping_add(1);
        let next = Self::new(self.goal.clone(), seed, self.length, self.config.clone());
        *self =
            next.unwrap_or_else(|_| unreachable!("the arguments were valid for the previous seed"));
    }
}

/// Returns the problem of a board and a goal of the same size.
pub fn to_goal(board: Board, (goal, partial): &PlayGoal) -> Problem {
    match partial {
        Some(partial) => Problem::with_partial_goal(board, partial),
        None => Problem::between(board, goal.clone()),
    }
    .expect("drawn boards have the size of the goal")
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use loyd::search::Event;
    use loyd::{Goal, Size};

    use super::*;

    fn series(seed: u64, length: Option<u32>) -> Series {
        let goal = Goal::BlankLast.board(Size::new(4, 4).unwrap()).unwrap();
        Series::new((goal, None), seed, length, Config::default()).unwrap_or_else(|_| panic!())
    }

    fn next(series: &mut Series, cancel: &CancelToken) -> Result<DrawnBoard, String> {
        series.next(cancel, &mut |_: Event<'_>| ControlFlow::Continue(()))
    }

    #[test]
    fn cancelled_draw_continues_with_next_seed() {
        let (on, off) = (CancelToken::new(), CancelToken::new());
        off.cancel();
        let mut one = series(7, Some(40));
        assert_eq!(next(&mut one, &on).unwrap().name, "seed 7, board 1");
        assert!(next(&mut one, &off).is_err());
        let drawn = next(&mut one, &on).unwrap();
        let other = next(&mut series(8, Some(40)), &on).unwrap();
        assert_eq!((drawn.name, drawn.problem.start()), (other.name, other.problem.start()));
    }
}
