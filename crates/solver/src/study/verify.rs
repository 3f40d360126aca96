//! Checks whether a solution is correct and whether it is shortest.

use std::ops::ControlFlow;

use loyd_search::{CancelToken, Event, Observer};
use loyd_tiles::{Board, Cell, Move};

use super::searches::Searches;
use crate::anytime::large_boards;
use crate::anytime::lower_bounds::lower_bound;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::Bounds;
use crate::solver::Solver;

/// The reason why moves are not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvalidSolution {
    /// A move takes the blank off the board.
    Illegal {
        /// The number of the move, from 1.
        number: usize,
    },
    /// All moves are legal, but they do not end at the goal.
    NotAtGoal {
        /// The cells that differ from the goal.
        wrong: Vec<Cell>,
        /// The number of moves after which the goal was first reached; `None` if it never was.
        passed_goal_after: Option<usize>,
    },
}

/// The result of checking a solution.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The number of moves given, in the metric.
    pub length: usize,
    /// The board on which the moves end; if a move is illegal, the board before it.
    pub end: Board,
    /// The reason why the moves do not solve the board; `None` if they do.
    pub fault: Option<InvalidSolution>,
    /// Bounds on the distance from the start to the goal; `None` for unsolvable boards.
    pub bounds: Option<Bounds>,
}

impl Verification {
    /// Returns whether the moves lead from the start to the goal.
    pub fn is_solution(&self) -> bool {
        self.fault.is_none()
    }

    /// Returns whether the moves are a shortest solution, or `None` if the limits did not suffice to decide that.
    pub fn is_shortest(&self) -> Option<bool> {
        let bounds = self.bounds?;
        match self.is_solution() {
            true if self.length == bounds.lower => Some(true),
            true if self.length == bounds.upper => None,
            _ => Some(false),
        }
    }

    /// Returns the length of a shortest solution, if it is proved. Returns `None` for unsolvable boards too.
    pub fn shortest(&self) -> Option<usize> {
        self.bounds?.exact_value()
    }
}

impl Solver {
    /// Replays `moves` from the start of `problem`, and compares them with the best solution found within the limits.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board, or cannot prove solutions shortest.
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
        let (end, fault) = replay(problem, moves);
        let own = if fault.is_none() { length } else { usize::MAX };
        if !problem.goal().size().is_searchable() && fault.is_none() {
            let least = lower_bound(problem, self.config().metric) as usize;
            let lower = if length == 0 { 0 } else { least.min(length) };
            let bounds = Some(Bounds { lower, upper: length });
            return Ok(Verification { length, end, fault, bounds });
        }
        let bounds = self.bounds(problem, cancel, observer, |known| known.lower >= own)?;
        let bounds = bounds.map(|Bounds { lower, upper }| Bounds { lower, upper: upper.min(own) });
        Ok(Verification { length, end, fault, bounds })
    }
}

impl Solver {
    /// Returns bounds on the distance from the start of `problem` to its goal, or `None` if the problem is
    /// unsolvable. The search ends when the bounds are equal, when `enough` returns `true` for them, or when a limit
    /// is reached.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board, or cannot prove solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Solver};
    /// let problem = "8 6 7/2 5 4/3 x 1".parse()?;
    /// let bounds = Solver::default().bounds(&problem, &CancelToken::new(), None, |_| false)?;
    /// assert_eq!(bounds.and_then(|bounds| bounds.exact_value()), Some(31));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn bounds(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        mut observer: Option<&mut dyn Observer>,
        enough: impl Fn(Bounds) -> bool + Sync,
    ) -> Result<Option<Bounds>, Error> {
        if !problem.goal().size().is_searchable() {
            self.check_bounds()?;
            return Ok(large_boards::bounds(self.config(), problem, cancel, observer));
        }
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

/// Replays the moves. Returns the board on which they end, and why they are not a solution.
fn replay(problem: &Problem, moves: &[Move]) -> (Board, Option<InvalidSolution>) {
    let goal = problem.goal();
    let mut board = problem.start().clone();
    let illegal = moves.iter().position(|&direction| board.apply(direction).is_err());
    if let Some(index) = illegal {
        return (board, Some(InvalidSolution::Illegal { number: index + 1 }));
    }
    let passed_goal_after = problem.solved_after(moves).filter(|&made| made < moves.len());
    let is_wrong = |&cell: &Cell| match problem.partial_goal() {
        Some(partial) => !partial.admits(cell, board.tile(cell)),
        None => board.tile(cell) != goal.tile(cell),
    };
    let wrong: Vec<Cell> = goal.size().iter_cells().filter(is_wrong).collect();
    let is_goal = wrong.is_empty();
    (board, (!is_goal).then_some(InvalidSolution::NotAtGoal { wrong, passed_goal_after }))
}
