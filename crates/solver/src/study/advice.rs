//! Hints: which move to play next. The commands, the API and the game call [`Solver::hint`]; reviews use
//! [`first_move`].

use loyd_search::{CancelToken, Observer, Stop};
use loyd_tiles::{Board, Metric, Move};

use super::optimize::moves_in;
use super::searches::Searches;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::solver::Solver;

/// The best next moves.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The best solution, with its bounds.
    pub report: Report,
    /// All first moves of shortest solutions, each as the steps of the blank (several where slides count), in the
    /// order up, left, right, down. If the solution is not proved shortest, only its first move. Empty at the goal.
    pub best: Vec<Vec<Move>>,
    /// The limit that was reached before all first moves were tried.
    pub stopped: Option<Stop>,
}

impl Hint {
    /// Returns whether `best` has all first moves of shortest solutions.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && (self.report.optimal || self.report.moves.is_none())
    }
}

/// Returns the legal moves on `board`, each with the board that it leads to.
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

/// Returns the first move of a solution.
pub(crate) fn first_move(metric: Metric, moves: &[Move]) -> Option<Vec<Move>> {
    moves_in(metric, moves).into_iter().next()
}

impl Solver {
    /// Returns a shortest solution and all first moves of shortest solutions, or the best solution found within the
    /// limits.
    ///
    /// Cost: a search for the board, and if its solution is proved shortest, a cheaper search for each board one move
    /// away. The limits on time and expansions apply to all of them together.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board, or cannot prove solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Move, Solver};
    /// let hint = Solver::default().hint(&"1 2 3/4 x 5/7 8 6".parse()?, &CancelToken::new(), None)?;
    /// assert_eq!((hint.report.length(), hint.best), (Some(2), vec![vec![Move::Right]]));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn hint(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Hint, Error> {
        problem.check_searchable("hint")?;
        let mut searches = Searches::new(self, problem, cancel, observer.map(|watch| watch as _))?;
        let report = searches.best(problem.start());
        Ok(searches.hint(report))
    }

    /// Like [`hint`](Self::hint), for a board that has been solved: starts from the solution of `report`, and
    /// searches only for other first moves.
    ///
    /// # Errors
    /// Returns the same errors as [`hint`](Self::hint).
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Move, Solver};
    /// let solver = Solver::default();
    /// let report = solver.solve(&"1 2 3/4 x 5/7 8 6".parse()?)?;
    /// let hint = solver.hint_after(report, &CancelToken::new())?;
    /// assert_eq!((hint.is_complete(), hint.best), (true, vec![vec![Move::Right]]));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn hint_after(&self, report: Report, cancel: &CancelToken) -> Result<Hint, Error> {
        let problem = report.problem.clone();
        problem.check_searchable("hint")?;
        Ok(Searches::new(self, &problem, cancel, None)?.hint(report))
    }
}

impl Searches<'_> {
    /// Returns the first moves of all solutions as good as the one of `report`, within the limits.
    fn hint(&mut self, report: Report) -> Hint {
        let mut stopped = match report.status {
            Status::Stopped(stop) => Some(stop),
            _ => report.stopped_by,
        };
        let mut best = Vec::new();
        if let Some(moves) = &report.moves
            && let Some(first) = first_move(report.metric, moves)
        {
            best.push(first.clone());
            if report.optimal {
                let length = report.metric.length(moves);
                (best, stopped) = self.best_first_moves(&first, report.problem.start(), length);
            }
        }
        Hint { report, best, stopped }
    }

    /// Returns all first moves of solutions of `length`, the minimum; `first` is one of them. Also returns the limit
    /// that was reached before all moves were tried.
    pub fn best_first_moves(
        &mut self,
        first: &[Move],
        board: &Board,
        length: usize,
    ) -> (Vec<Vec<Move>>, Option<Stop>) {
        let (mut best, mut stopped) = (Vec::new(), None);
        for (steps, next) in next_boards(board, self.metric()) {
            let is_best = steps == first
                || match self.shortest_within(&next, length - 1) {
                    Ok(found) => found.is_some(),
                    Err(stop) => {
                        stopped = Some(stop);
                        false
                    }
                };
            if is_best {
                best.push(steps);
            }
        }
        (best, stopped)
    }
}
