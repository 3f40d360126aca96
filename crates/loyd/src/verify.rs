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

#[cfg(test)]
mod tests {
    use loyd_tiles::notation::{parse_board, parse_moves, parse_partial_goal};

    use super::*;

    fn check(board: &str, moves: &str) -> Verification {
        let problem: Problem = board.parse().unwrap();
        let moves = parse_moves(moves).unwrap();
        verify(&problem, &moves, Config::default(), &CancelToken::new()).unwrap()
    }

    #[test]
    fn tells_solutions_from_the_rest() {
        let shortest = check("2 3 4 1 5 x 7 6 8", "ullddrurdllurdruldr");
        assert_eq!((shortest.is_solution(), shortest.is_shortest()), (true, Some(true)));

        let detour = check("1 2 3 4 5 6 7 x 8", "lrr");
        assert_eq!((detour.is_solution(), detour.is_shortest()), (true, Some(false)));
        assert_eq!(detour.shortest, Some(1));

        let off = check("1 2 3 4 5 6 7 x 8", "rd");
        let Some(WentWrong::Illegal { number, direction }) = off.went_wrong else { panic!() };
        assert_eq!((number, direction), (2, Move::Down));
        assert_eq!(off.end.to_string(), "1 2 3 4 5 6 7 8 x");

        let past = check("1 2 3 4 5 6 7 x 8", "rl");
        let Some(WentWrong::NotAtGoal { wrong, passed_goal_after }) = past.went_wrong else {
            panic!()
        };
        assert_eq!(wrong, [Cell::new(7), Cell::new(8)]);
        assert_eq!(passed_goal_after, Some(1));

        let hopeless = check("1 2 3 4 5 6 8 7 x", "");
        assert_eq!((hopeless.is_solution(), hopeless.is_shortest()), (false, None));

        let nothing_to_do = check("1 2 3 4 5 6 7 8 x", "");
        assert_eq!((nothing_to_do.is_solution(), nothing_to_do.is_shortest()), (true, Some(true)));
    }

    #[test]
    fn moves_to_a_partial_goal_end_where_they_lead() {
        let goal = parse_partial_goal("1 2 3/* * */* * *", None).unwrap();
        let start = parse_board("4 1 3/x 2 5/7 8 6", None).unwrap();
        let problem = Problem::to_partial(start.clone(), &goal).unwrap();
        let moves = parse_moves("urd").unwrap();
        let found = verify(&problem, &moves, Config::default(), &CancelToken::new()).unwrap();
        let mut end = start;
        end.walk(&moves).unwrap();
        assert_eq!((found.is_shortest(), found.end), (Some(true), end));
    }
}
