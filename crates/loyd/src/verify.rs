//! Is this solution right, and is it shortest?

use loyd_search::CancelToken;
use loyd_tiles::{Board, Cell, Move};

use crate::config::Config;
use crate::error::Error;
use crate::problem::Problem;
use crate::solver::Solver;

/// Where a solution goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WentWrong {
    /// A move takes the blank off the board.
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The move.
        direction: Move,
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
    /// The length of a shortest solution, where it could be found; `None` for unsolvable boards too.
    pub shortest: Option<usize>,
}

impl Verification {
    /// Whether the moves lead from start to goal.
    pub fn is_solution(&self) -> bool {
        self.went_wrong.is_none()
    }

    /// Whether they do so in the least number of moves; `None` when that could not be found out.
    pub fn is_shortest(&self) -> Option<bool> {
        self.shortest.map(|shortest| self.is_solution() && self.length == shortest)
    }
}

/// Replays `moves` from the start of `problem` and compares them with a shortest solution, which is
/// searched for with `config`.
///
/// # Errors
/// When `config` does not fit the board.
pub fn verify(
    problem: &Problem,
    moves: &[Move],
    config: Config,
    cancel: &CancelToken,
) -> Result<Verification, Error> {
    let length = config.metric.length(moves);
    let report = Solver::new(config)?.solve_watched(problem, cancel, None)?;
    let shortest = report.length().filter(|_| report.optimal);
    let (end, went_wrong) = replay(problem, moves);
    Ok(Verification { length, end, went_wrong, shortest })
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
            return (board, Some(WentWrong::Illegal { number: index + 1, direction }));
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
