//! Is this solution right, and is it shortest?

use std::ops::ControlFlow;

use loyd_search::{CancelToken, Event, Observer};
use loyd_tiles::{Board, Cell, Move};

use crate::bounds::Bounds;
use crate::error::Error;
use crate::problem::Problem;
use crate::searches::Searches;
use crate::solver::Solver;

/// Where a solution goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WentWrong {
    /// A move cannot be made.
    Illegal {
        /// The number of the move, from 1.
        number: usize,
    },
    /// All moves are possible, but they end elsewhere.
    NotAtGoal {
        /// The cells that differ from the goal.
        wrong: Vec<Cell>,
        /// The number of moves after which the goal had been reached, if it was passed by.
        passed_goal_after: Option<usize>,
    },
}

/// What there is to say about a solution.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The number of moves given, in the metric.
    pub length: usize,
    /// The board on which the moves end: that before the first one which takes the blank off it.
    pub end: Board,
    /// Where it goes wrong; `None` for a solution.
    pub went_wrong: Option<WentWrong>,
    /// What is proved of the distance from the start to the goal; `None` for unsolvable boards.
    pub bounds: Option<Bounds>,
}

impl Verification {
    /// Whether the moves lead from start to goal.
    pub fn is_solution(&self) -> bool {
        self.went_wrong.is_none()
    }

    /// Whether they do so in the least number of moves; `None` when that could not be found out.
    pub fn is_shortest(&self) -> Option<bool> {
        let bounds = self.bounds?;
        match self.is_solution() {
            true if self.length == bounds.lower => Some(true),
            true if self.length == bounds.upper => None,
            _ => Some(false),
        }
    }

    /// The length of a shortest solution, where it is proved; `None` for unsolvable boards too.
    pub fn shortest(&self) -> Option<usize> {
        self.bounds?.proved()
    }
}

impl Solver {
    /// Replays `moves` from the start of `problem`, and compares them with the best solution that is found within the
    /// limits.
    ///
    /// # Errors
    /// When the configuration does not fit the board, or cannot prove that solutions are shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::notation::parse_moves;
    /// use loyd::{CancelToken, Solver};
    /// let (board, moves) = ("1 2 3/4 5 6/7 x 8".parse()?, parse_moves("lrr").unwrap());
    /// let found = Solver::default().verify(&board, &moves, &CancelToken::new(), None)?;
    /// assert_eq!((found.is_solution(), found.is_shortest()), (true, Some(false)));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn verify(
        &self,
        problem: &Problem,
        moves: &[Move],
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Verification, Error> {
        let length = self.config().metric.length(moves);
        let (end, went_wrong) = replay(problem, moves);
        let own = if went_wrong.is_none() { length } else { usize::MAX };
        let bounds = self.bounds(problem, cancel, observer, |known| known.lower >= own)?;
        let bounds = bounds.map(|Bounds { lower, upper }| Bounds { lower, upper: upper.min(own) });
        Ok(Verification { length, end, went_wrong, bounds })
    }
}

impl Solver {
    /// Bounds of the distance from the start of `problem` to its goal, as near to each other as they come within the
    /// limits, or until they are `enough`; `None` if it cannot be solved.
    ///
    /// # Errors
    /// When the configuration does not fit the board, or cannot prove that solutions are shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Solver};
    /// let problem = "8 6 7/2 5 4/3 x 1".parse()?;
    /// let bounds = Solver::default().bounds(&problem, &CancelToken::new(), None, |_| false)?;
    /// assert_eq!(bounds.and_then(|bounds| bounds.proved()), Some(31));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn bounds(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        mut observer: Option<&mut dyn Observer>,
        enough: impl Fn(Bounds) -> bool + Sync,
    ) -> Result<Option<Bounds>, Error> {
        let mut known = Bounds { lower: 0, upper: usize::MAX };
        let mut until_enough = |event: Event<'_>| {
            if let Some(observer) = &mut observer {
                observer.event(event)?;
            }
            match event {
                Event::LowerBound(bound) => known.lower = bound as usize,
                Event::Incumbent { cost, .. } => known.upper = cost as usize,
                _ => return ControlFlow::Continue(()),
            }
            if enough(known) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut searches = Searches::new(self, problem, cancel, Some(&mut until_enough))?;
        Ok(Bounds::of(&searches.best(problem.start())))
    }
}

/// Where the moves end, and where they go wrong.
fn replay(problem: &Problem, moves: &[Move]) -> (Board, Option<WentWrong>) {
    let goal = problem.goal();
    let mut board = problem.start().clone();
    let mut passed_goal_after = None;
    for (index, &direction) in moves.iter().enumerate() {
        if passed_goal_after.is_none() && problem.is_solved_by(&board) {
            passed_goal_after = Some(index);
        }
        if board.apply(direction).is_err() {
            return (board, Some(WentWrong::Illegal { number: index + 1 }));
        }
    }
    let required = |cell| match problem.partial_goal() {
        Some(partial) => partial.required(cell),
        None => Some(goal.tile(cell)),
    };
    let is_wrong = |&cell: &Cell| required(cell).is_some_and(|tile| board.tile(cell) != tile);
    let wrong: Vec<Cell> = goal.size().iter_cells().filter(is_wrong).collect();
    let is_goal = wrong.is_empty();
    (board, (!is_goal).then_some(WentWrong::NotAtGoal { wrong, passed_goal_after }))
}
