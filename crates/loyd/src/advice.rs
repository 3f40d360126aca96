//! Advice for players: what to play next.

use loyd_search::{CancelToken, Observer, Stop};
use loyd_tiles::{Board, Metric, Move};

use crate::error::Error;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::searches::Searches;
use crate::solver::Solver;
use crate::windows::moves_in;

/// What to play next.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The best solution, and what is proved about it.
    pub report: Report,
    /// All moves with which a shortest solution begins, each as the steps of the blank, which are several
    /// where slides count; in the order up, left, right, down. If the solution is not proved to be shortest, the move
    /// with which it begins. None at the goal.
    pub best: Vec<Vec<Move>>,
    /// Why there may be more of them: the limit that a search for one reached.
    pub stopped: Option<Stop>,
}

impl Hint {
    /// Whether these are all moves with which a shortest solution begins.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && (self.report.optimal || self.report.moves.is_none())
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

/// The move with which a solution begins.
pub(crate) fn first_move(metric: Metric, moves: &[Move]) -> Option<Vec<Move>> {
    moves_in(metric, moves).into_iter().next()
}

impl Solver {
    /// A shortest solution and all moves with which one begins, or the best solution that is found within the limits.
    ///
    /// Cost: a search for the board, and if its solution is proved to be shortest, a shorter one for each board that is
    /// a move away; the limits on time and expansions hold for all of them together.
    ///
    /// # Errors
    /// When the configuration does not fit the board, or cannot prove that solutions are shortest.
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
        let mut searches = Searches::new(self, problem, cancel, observer.map(|watch| watch as _))?;
        let report = searches.best(problem.start());
        Ok(searches.hint(report))
    }

    /// The same, where a solution is known already: that of `report`. Only other first moves are searched for.
    ///
    /// # Errors
    /// As [`hint`](Self::hint).
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
        Ok(Searches::new(self, &problem, cancel, None)?.hint(report))
    }
}

impl Searches<'_> {
    /// All moves with which a solution begins that is as good as the one of `report`, as far as is known.
    fn hint(&mut self, report: Report) -> Hint {
        let mut stopped = match report.status {
            Status::Stopped(stop) => Some(stop),
            _ => None,
        };
        let mut best = Vec::new();
        if let Some(moves) = &report.moves
            && let Some(first) = first_move(report.metric, moves)
        {
            best.push(first.clone());
            if report.optimal {
                let length = report.metric.length(moves);
                (best, stopped) = self.as_good_as(&first, report.problem.start(), length);
            }
        }
        Hint { report, best, stopped }
    }

    /// All moves with which a solution of this length, which is the least, begins; one of them is `first`. Also
    /// returns the limit that was reached before all moves were tried.
    pub fn as_good_as(
        &mut self,
        first: &[Move],
        board: &Board,
        length: usize,
    ) -> (Vec<Vec<Move>>, Option<Stop>) {
        let (mut best, mut stopped) = (Vec::new(), None);
        for (steps, next) in next_boards(board, self.metric()) {
            let is_best = steps == first
                || match self.at_most(&next, length - 1) {
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
