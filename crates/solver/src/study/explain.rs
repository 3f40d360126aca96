//! The values of heuristics: explains why a board can or cannot be solved, with its heuristic values and its distance, and
//! computes the values for many boards.

use std::fmt;
use std::time::Duration;

use loyd_heuristics::pdb::maximum::FAR;
use loyd_search::{CancelToken, Cost, Meter, Observer, Stop};
use loyd_tiles::{Board, Solvability};

use super::searches::Searches;
use crate::algorithms::Run;
use crate::anytime::large_boards;
use crate::attempt::meter;
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::{
    AnyHeuristic, EXACT, HEURISTICS, HeuristicRow, PDB_MAX, Setting, SmallHeuristic, Stage,
};
use crate::plan::check_heuristic;
use crate::problem::Problem;
use crate::quality::Quality;
use crate::report::{Bounds, Report};
use crate::solver::Solver;
use crate::space::AnySpace;

/// The value of a heuristic for a board.
#[derive(Clone, Copy, Debug)]
pub struct HeuristicEstimate {
    /// The heuristic.
    pub heuristic: &'static HeuristicRow,
    /// The value, or the limit that was reached while the tables were built or read. `None` if the heuristic proves
    /// that no path leads to the goal.
    pub value: Result<Option<Cost>, Stop>,
}

/// Solvability, heuristic values and the best solution of a problem.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Whether the problem is solvable, and the parities that decide it.
    pub solvability: Solvability,
    /// The values of all heuristics for boards of this size, except `exact`, which is the distance itself.
    pub estimates: Vec<HeuristicEstimate>,
    /// The best solution found within the limits; `None` for unsolvable boards.
    pub solution: Option<Report>,
}

impl Explanation {
    /// Returns the distance, if it is proved.
    pub fn distance(&self) -> Option<usize> {
        self.bounds()?.exact_value()
    }

    /// Returns the bounds on the distance that the search and the admissible heuristics prove. Returns `None` for
    /// unsolvable boards.
    pub fn bounds(&self) -> Option<Bounds> {
        let solution = self.solution.as_ref()?;
        let bounds = match self.solvability.size.is_searchable() {
            true => Bounds::of(solution),
            false => Bounds::of_large(solution),
        };
        let Bounds { lower, upper } = bounds?;
        let admissible = self.estimates.iter().filter(|estimate| estimate.heuristic.admissible);
        let estimates = admissible.filter_map(|estimate| Some(estimate.value.ok()?? as usize));
        Some(Bounds { lower: estimates.fold(lower, usize::max), upper })
    }
}

impl Solver {
    /// Explains `problem`. At most a fifth of the limits on time and expansions goes into the heuristics with their
    /// tables, the rest into the distance.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board, or cannot prove solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Solver};
    /// let explanation = Solver::default().explain(&"1 2 3/4 5 6/7 x 8".parse()?, &CancelToken::new(), None)?;
    /// assert_eq!(explanation.distance(), Some(1));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn explain(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Explanation, Error> {
        if !problem.goal().size().is_searchable() {
            self.check_bounds()?;
            return Ok(self.explain_large(problem, cancel, observer));
        }
        let mut searches = Searches::new(self, problem, cancel, observer.map(|watch| watch as _))?;
        searches.stage("estimating");
        let plan = self.plan(problem)?;
        let run = self.run(problem, &plan);
        let solvability = Solvability::new(problem.start(), problem.goal());
        let (setting, is_solvable) = (run.setting(), solvability.is_solvable());
        let applies = |row: &&&HeuristicRow| {
            row.supports(&setting) && row.name != EXACT.name && (is_solvable || !row.solvable_only)
        };
        let rows = HEURISTICS.iter().filter(applies);
        let estimates = searches.with_share(5, |searches| {
            rows.filter_map(|&heuristic| {
                let left = searches.left();
                let mut meter = meter(self.config(), left, cancel, searches.observer());
                let value = estimate(heuristic, &run, &setting, &mut meter)?;
                let is_none = heuristic.name == PDB_MAX.name && !is_solvable;
                let value = value.map(|value| Some(value).filter(|&h| !is_none || h < FAR.into()));
                Some(HeuristicEstimate { heuristic, value })
            })
            .collect()
        });
        let solution = is_solvable.then(|| searches.best(problem.start()));
        Ok(Explanation { solvability, estimates, solution })
    }

    /// Explains a board that is too large for exact searches: the values that need no search, and a fast solution.
    fn explain_large(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Explanation {
        let solvability = Solvability::new(problem.start(), problem.goal());
        let estimates = large_boards::estimates(problem, self.config().metric);
        let known = |(heuristic, value)| HeuristicEstimate { heuristic, value: Ok(Some(value)) };
        let estimates = estimates.into_iter().map(known).collect();
        let config = Config { improve: Duration::ZERO, ..self.config().clone() };
        let solution = solvability
            .is_solvable()
            .then(|| large_boards::solve(&config, problem, Quality::Fast, cancel, observer));
        Explanation { solvability, estimates, solution }
    }
}

/// Returns the value of a heuristic for the start, or the limit that was reached while its tables were built. Returns
/// `None` if the heuristic has no tables for the board.
fn estimate(
    row: &'static HeuristicRow,
    run: &Run<'_>,
    setting: &Setting<'_>,
    meter: &mut Meter<'_>,
) -> Option<Result<Cost, Stop>> {
    let stages = (row.stages)(row, setting).ok()?;
    let stage = Stage::rating_stage(&stages).filter(|stage| stage.heuristic.name == row.name)?;
    let start = run.problem.start();
    let heuristic = match run.checked_heuristic(stage, meter) {
        Ok(heuristic) => heuristic,
        Err(stop) => return Some(Err(stop)),
    };
    Some(Ok(heuristic.value(&run.plan.space, start)))
}

/// Heuristics for the boards of one goal.
pub struct Estimates {
    space: AnySpace,
    heuristics: Vec<AnyHeuristic>,
}

impl Estimates {
    /// Returns the values for `board`, in the order in which the heuristics were named.
    ///
    /// # Panics
    /// Panics if the board and the goal differ in size.
    pub fn of<'a>(&'a self, board: &'a Board) -> impl Iterator<Item = Cost> + 'a {
        assert_eq!(board.size(), self.space.size(), "the board and the goal differ in size");
        self.heuristics.iter().map(|heuristic| heuristic.value(&self.space, board))
    }

    /// Returns the summands of heuristic number `index` if it is a sum over the tiles, such as Manhattan distance: for
    /// each cell, the summand of each number of a board on that cell, 0 for the blank.
    ///
    /// # Panics
    /// Panics if there are not that many heuristics.
    pub fn summands(&self, index: usize) -> Option<Vec<Cost>> {
        let AnyHeuristic::Small(SmallHeuristic::TileSum(sum)) = &self.heuristics[index] else {
            return None;
        };
        let (labels, size) = (self.space.relabelling(), self.space.size());
        let mut summands = vec![0; size.cells() * size.cells()];
        for label in 0..size.tiles() as u8 {
            let number = labels.tile(label).index();
            for cell in size.iter_cells() {
                summands[cell.index() * size.cells() + number] = sum.summand(label, cell);
            }
        }
        Some(summands)
    }
}

impl fmt::Debug for Estimates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Estimates").field("size", &self.space.size()).finish_non_exhaustive()
    }
}

impl Solver {
    /// Builds the [heuristics](crate::search::HEURISTICS) with these names, and their tables, for boards that can reach
    /// `goal`. The inner error is the limit that was reached while tables were built.
    ///
    /// # Errors
    /// Returns an error if a heuristic does not exist, or does not support such boards.
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
        problem.check_searchable("a heuristic")?;
        let plan = self.plan(&problem)?;
        let run = self.run(&problem, &plan);
        let mut meter = meter(self.config(), self.config().limits, cancel, observer);
        let mut heuristics = Vec::new();
        for name in names {
            let row = HeuristicRow::named(name)?;
            check_heuristic(row, &run.setting())?;
            let stages = (row.stages)(row, &run.setting())?;
            let stage = Stage::rating_stage(&stages).expect("a heuristic has a stage");
            // If there is no memory for its tables, a heuristic leaves the stage to another one.
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
