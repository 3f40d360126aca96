//! The values of heuristics for many boards.

use std::fmt;

use loyd_search::{CancelToken, Cost, Observer, Stop};
use loyd_tiles::Board;

use crate::attempt::meter;
use crate::error::Error;
use crate::heuristics::{AnyHeuristic, HeuristicRow, Stage};
use crate::plan::check_heuristic;
use crate::problem::Problem;
use crate::solver::Solver;
use crate::space::AnySpace;

/// Heuristics that are made for the boards of one goal.
pub struct Estimates {
    space: AnySpace,
    heuristics: Vec<AnyHeuristic>,
}

impl Estimates {
    /// The values for `board`, in the order in which the heuristics were named.
    ///
    /// # Panics
    /// If the board has another size than the goal.
    pub fn of<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Cost> + 'a {
        assert_eq!(board.size(), self.space.size(), "the board and the goal differ in size");
        self.heuristics.iter().map(|heuristic| heuristic.value(&self.space, board))
    }
}

impl fmt::Debug for Estimates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Estimates").field("size", &self.space.size()).finish_non_exhaustive()
    }
}

impl Solver {
    /// Makes the [heuristics](crate::search::HEURISTICS) of these names, with their tables, for boards that lead to
    /// `goal`; or the limit that was reached while tables were built.
    ///
    /// # Errors
    /// When there is no such heuristic, or it is none for such boards.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Goal, Problem, Size, Solver};
    /// let goal = Goal::BlankLast.board(Size::EIGHT)?;
    /// let names = ["misplaced", "manhattan"];
    /// let estimates = Solver::default().estimates(&goal, &names, &CancelToken::new(), None)?.unwrap();
    /// let problem: Problem = "8 6 7/2 5 4/3 x 1".parse()?;
    /// assert!(estimates.of(problem.start()).eq([7, 21]));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn estimates(
        &self,
        goal: &Board,
        names: &[&str],
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Result<Estimates, Stop>, Error> {
        let problem = Problem::to_itself(goal);
        let plan = self.plan(&problem)?;
        let run = self.run(&problem, &plan);
        let mut meter = meter(self.config(), self.config().limits, cancel, observer);
        let mut heuristics = Vec::new();
        for name in names {
            let row = HeuristicRow::named(name)?;
            check_heuristic(row, &run.setting())?;
            let stages = (row.stages)(row, &run.setting())?;
            let stage = Stage::telling(&stages).expect("a heuristic has a stage");
            // A heuristic whose tables have no room leaves the stage to another.
            if stage.heuristic.name != row.name {
                return Ok(Err(Stop::Memory));
            }
            match run.checked_heuristic(stage, &mut meter) {
                Ok(heuristic) => heuristics.push(heuristic.clone()),
                Err(stop) => return Ok(Err(stop)),
            }
        }
        let space = AnySpace::new(&problem, plan.metric());
        Ok(Ok(Estimates { space, heuristics }))
    }
}
