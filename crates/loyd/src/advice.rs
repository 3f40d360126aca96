//! Advice for players: what to play next, and where a solution lost moves.

use std::collections::HashMap;
use std::ops::Range;

use loyd_search::{CancelToken, Meter, Stop};
use loyd_tiles::{Board, Metric, Move, runs};

use crate::attempt::meter;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::solver::Solver;

/// What to play next.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The search for a shortest solution.
    pub report: Report,
    /// All moves with which a shortest solution begins, each as the steps of the blank, which are several
    /// where slides count; in the order up, left, right, down. None at the goal.
    pub best: Vec<Vec<Move>>,
    /// Why there may be more of them: the limit that a search for one reached.
    pub stopped: Option<Stop>,
}

/// Where a solution lost moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// What counts as a move.
    pub metric: Metric,
    /// The moves that were played.
    pub length: usize,
    /// The length of a shortest solution from the start.
    pub shortest: usize,
    /// The length of a shortest solution from the board on which the moves end: 0 for a whole solution.
    pub left: usize,
    /// Where moves were lost, in the order of play.
    pub segments: Vec<Segment>,
}

/// Consecutive moves, none of which brought the goal nearer by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The number of the first of them, from 1.
    pub number: usize,
    /// The moves, each as the steps of the blank.
    pub played: Vec<Vec<Move>>,
    /// The distance to the goal before them.
    pub before: usize,
    /// The distance after them.
    pub after: usize,
    /// All moves with which a shortest solution goes on from before them.
    pub instead: Vec<Vec<Move>>,
}

impl Segment {
    /// How many moves it cost.
    pub fn lost(&self) -> usize {
        self.played.len() + self.after - self.before
    }
}

impl Review {
    /// How many moves were lost in all.
    pub fn lost(&self) -> usize {
        self.segments.iter().map(Segment::lost).sum()
    }
}

/// Why a solution cannot be reviewed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The configuration does not fit the board.
    #[error(transparent)]
    Config(#[from] Error),
    /// A move leads the blank off the board.
    #[error("move {number} ({direction}) takes the blank off the board")]
    Illegal {
        /// The number of the move among single steps, from 1.
        number: usize,
        /// The move.
        direction: Move,
    },
    /// There is no solution to compare with.
    #[error("the board cannot be solved: `loyd explain` tells why")]
    Unsolvable,
    /// The distance of a board was not found.
    #[error("after {played} moves, the distance to the goal is not known: {stop}")]
    Stopped {
        /// Single steps before the board.
        played: usize,
        /// The limit that was reached.
        stop: Stop,
    },
}

/// The moves in `metric` that `steps` of the blank make up: single ones, or the longest slides.
pub fn moves_in(metric: Metric, steps: &[Move]) -> Vec<Vec<Move>> {
    match metric {
        Metric::SingleTile => steps.iter().map(|&step| vec![step]).collect(),
        Metric::MultiTile => runs(steps).map(<[Move]>::to_vec).collect(),
    }
}

/// The moves that are possible on `board`, and where they lead.
fn next_boards(board: &Board, metric: Metric) -> Vec<(Vec<Move>, Board)> {
    let longest = match metric {
        Metric::SingleTile => 1,
        Metric::MultiTile => usize::MAX,
    };
    let mut next = Vec::new();
    for m in Move::ALL {
        let (mut board, mut steps) = (board.clone(), Vec::new());
        while steps.len() < longest && board.apply(m).is_ok() {
            steps.push(m);
            next.push((steps.clone(), board.clone()));
        }
    }
    next
}

/// The start and the board after each move.
fn boards_between(start: &Board, played: &[Vec<Move>]) -> Result<Vec<Board>, ReviewError> {
    let (mut board, mut boards) = (start.clone(), vec![start.clone()]);
    let mut number = 0;
    for steps in played {
        for &direction in steps {
            number += 1;
            board.apply(direction).map_err(|_| ReviewError::Illegal { number, direction })?;
        }
        boards.push(board.clone());
    }
    Ok(boards)
}

/// Moves one after the other none of which brought the goal nearer by one, by the distances before the first
/// and after each.
fn segments_of(distances: &[usize]) -> Vec<Range<usize>> {
    let loses: Vec<bool> = distances.windows(2).map(|two| two[1] + 1 != two[0]).collect();
    let mut at = 0;
    let pieces = loses.chunk_by(PartialEq::eq).map(|piece| {
        at += piece.len();
        (piece[0], at - piece.len()..at)
    });
    pieces.filter_map(|(loses, moves)| loses.then_some(moves)).collect()
}

impl Solver {
    /// A shortest solution, and all moves with which one begins.
    ///
    /// Cost: a search for the board and one for each board that is a move away; the limits on time and
    /// expansions hold for all of them together.
    ///
    /// # Errors
    /// When the configuration does not fit the board, or does not prove its solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Move, Solver};
    /// let hint = Solver::default().hint(&"1 2 3/4 x 5/7 8 6".parse()?, &CancelToken::new())?;
    /// assert_eq!((hint.report.length(), hint.best), (Some(2), vec![vec![Move::Right]]));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn hint(&self, problem: &Problem, cancel: &CancelToken) -> Result<Hint, Error> {
        self.proving_plan(problem)?;
        Searches::new(self, problem, cancel).hint(problem.start())
    }

    /// Follows `steps` of the blank from the start of `problem`, and tells where they lost moves.
    ///
    /// Cost: a search for each board on the way, and those of a [`hint`](Self::hint) where moves were
    /// lost; the limits on time and expansions hold for all of them together.
    ///
    /// # Errors
    /// When a step is not possible, the board cannot be solved, a limit was reached, or the
    /// configuration does not prove its solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::notation::parse_moves;
    /// use loyd::{CancelToken, Solver};
    /// let (board, played) = ("1 2 3/4 5 6/7 x 8".parse()?, parse_moves("lrr").unwrap());
    /// let review = Solver::default().review(&board, &played, &CancelToken::new()).unwrap();
    /// assert_eq!((review.length, review.shortest, review.lost()), (3, 1, 2));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn review(
        &self,
        problem: &Problem,
        steps: &[Move],
        cancel: &CancelToken,
    ) -> Result<Review, ReviewError> {
        self.proving_plan(problem)?;
        let metric = self.config().metric;
        let played = moves_in(metric, steps);
        let boards = boards_between(problem.start(), &played)?;
        let mut searches = Searches::new(self, problem, cancel);
        let distances = searches.distances(&boards, &played)?;
        let mut segments = Vec::new();
        for lost in segments_of(&distances) {
            let hint = searches.hint(&boards[lost.start])?;
            if let Some(stop) = hint.stopped {
                let played = played[..lost.start].iter().map(Vec::len).sum();
                return Err(ReviewError::Stopped { played, stop });
            }
            segments.push(Segment {
                number: lost.start + 1,
                played: played[lost.clone()].to_vec(),
                before: distances[lost.start],
                after: distances[lost.end],
                instead: hint.best,
            });
        }
        let (shortest, left) = (distances[0], distances[played.len()]);
        Ok(Review { metric, length: played.len(), shortest, left, segments })
    }
}

/// Searches from several boards to one goal that share the limits of a configuration.
struct Searches<'a> {
    solver: &'a Solver,
    problem: &'a Problem,
    cancel: &'a CancelToken,
    meter: Meter<'a>,
}

impl<'a> Searches<'a> {
    /// Starts the clock.
    fn new(solver: &'a Solver, problem: &'a Problem, cancel: &'a CancelToken) -> Self {
        let config = solver.config();
        let meter = meter(config, config.limits, cancel, None);
        Self { solver, problem, cancel, meter }
    }

    /// A shortest solution from `board`, within what is left of the limits.
    fn solve(&mut self, board: &Board) -> Result<Report, Error> {
        let problem = self.problem.from(board.clone());
        let report = self.solver.solve_within(self.meter.left(), &problem, self.cancel, None)?;
        self.meter.charge(&report.stats);
        Ok(report)
    }

    /// A shortest solution from `board`, and all moves with which one begins.
    fn hint(&mut self, board: &Board) -> Result<Hint, Error> {
        let report = self.solve(board)?;
        let mut best = Vec::new();
        let mut stopped = match report.status {
            Status::Stopped(stop) => Some(stop),
            _ => None,
        };
        if let Some(length) = report.length().filter(|&length| length > 0) {
            for (steps, board) in next_boards(board, report.metric) {
                let after = self.solve(&board)?;
                match after.status {
                    Status::Stopped(stop) => stopped = Some(stop),
                    _ if after.length() == Some(length - 1) => best.push(steps),
                    _ => {}
                }
            }
        }
        Ok(Hint { report, best, stopped })
    }

    /// The lengths of shortest solutions from `boards`, each of which is searched for once.
    fn distances(
        &mut self,
        boards: &[Board],
        played: &[Vec<Move>],
    ) -> Result<Vec<usize>, ReviewError> {
        let (mut known, mut distances) = (HashMap::new(), Vec::new());
        for (number, board) in boards.iter().enumerate() {
            let distance = match known.get(board) {
                Some(&distance) => distance,
                None => {
                    let steps = played[..number].iter().map(Vec::len).sum();
                    self.distance(board, steps)?
                }
            };
            known.insert(board, distance);
            distances.push(distance);
        }
        Ok(distances)
    }

    /// The length of a shortest solution from `board`.
    fn distance(&mut self, board: &Board, played: usize) -> Result<usize, ReviewError> {
        let report = self.solve(board)?;
        match report.status {
            Status::Stopped(stop) => Err(ReviewError::Stopped { played, stop }),
            _ => report.length().ok_or(ReviewError::Unsolvable),
        }
    }
}
