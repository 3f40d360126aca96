//! What boards are played, and how they are solved.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use loyd::moves::Metric;
use loyd::search::{Limits, Quality};
use loyd::{Config, Goal, Problem, Solver};

use super::job::Job;
use super::series::{Aim, Drawn, Series, to_goal};
use crate::args::{PlayArgs, or_cores};
use crate::failure::Failure;
use crate::input::{self, Goals, goal_board, partial_goal};

/// Seeds that are chosen here are below this: short enough to be written down.
const SEEDS: u64 = 1_000_000;

/// How long a board of a given length is looked for.
const LONGEST_DRAW: Duration = Duration::from_secs(60);

/// Draws boards, and solves them.
pub struct Setup {
    /// The board that was given.
    pub given: Option<Problem>,
    /// The length of shortest solutions of boards that are drawn, if it was chosen.
    pub length: Option<u32>,
    goal: Aim,
    series: Arc<Mutex<Series>>,
    /// For hints and reviews in single tiles.
    pub solver: Arc<Solver>,
    /// For reviews in slides.
    pub slides: Arc<Solver>,
    /// Goes on improving and proving until it is told to stop.
    pub watched: Arc<Solver>,
}

impl Setup {
    /// Reads what the arguments ask for.
    ///
    /// # Errors
    /// When there is no such board, goal or length.
    pub fn new(args: &PlayArgs) -> Result<Self, Failure> {
        let (given, goal) = boards(args)?;
        let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one(0) % SEEDS);
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
        let limits = Limits { max_time: Some(LONGEST_DRAW), ..limits };
        let series = Series::new(goal.clone(), seed, args.length, Config { limits, ..config })?;
        Ok(Self {
            given,
            length: args.length,
            goal,
            series: Arc::new(Mutex::new(series)),
            solver: Arc::new(solver),
            slides: Arc::new(slides),
            watched: Arc::new(watched),
        })
    }

    /// A board to look at until one is drawn: the goal.
    pub fn example(&self) -> Problem {
        to_goal(self.goal.0.clone(), &self.goal)
    }

    /// Draws the next board.
    pub fn draw(&self, now: Duration) -> Job<Drawn> {
        let series = Arc::clone(&self.series);
        Job::start(now, move |cancel, observer| {
            series.lock().unwrap_or_else(PoisonError::into_inner).next(cancel, observer)
        })
    }
}

/// The board that is given, and the goal of those that are drawn: the same.
fn boards(args: &PlayArgs) -> Result<(Option<Problem>, Aim), Failure> {
    let (size, goal) = (args.problem.size, args.problem.goal.as_deref());
    if !args.board.is_empty() {
        let board = input::board(&args.board, size)?;
        let problem =
            Goals::new(args.problem.goal.clone(), Goal::BlankLast).problem(board, None)?;
        let goal = (problem.goal().clone(), problem.partial_goal().cloned());
        return Ok((Some(problem), goal));
    }
    Ok(match partial_goal(size, goal)? {
        Some(partial) => (None, (partial.example(), Some(partial))),
        None => (None, (goal_board(size, goal)?, None)),
    })
}
