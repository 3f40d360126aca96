//! Why a board can or cannot be solved, and how far it looks and is.

use loyd_heuristics::pdb::maximum::FAR;
use loyd_search::{CancelToken, Cost, Meter, Observer, Stop};
use loyd_tiles::Solvability;

use crate::algorithms::Run;
use crate::attempt::meter;
use crate::bounds::Bounds;
use crate::error::Error;
use crate::heuristics::{EXACT, HEURISTICS, HeuristicRow, PDB_MAX, Setting, Stage};
use crate::problem::Problem;
use crate::report::Report;
use crate::searches::Searches;
use crate::solver::Solver;

/// What a heuristic says about a board.
#[derive(Clone, Copy, Debug)]
pub struct Estimated {
    /// The heuristic.
    pub heuristic: &'static HeuristicRow,
    /// Its value, or the limit that was reached while its tables were built or read. `None` if the heuristic finds that
    /// no way leads to the goal.
    pub value: Result<Option<Cost>, Stop>,
}

/// What there is to say about a problem.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Solvable or not, and why.
    pub solvability: Solvability,
    /// The value of each heuristic for boards of this size but the exact one, which is the true
    /// distance.
    pub estimates: Vec<Estimated>,
    /// The best solution that was found within the limits, if there is one; `None` for unsolvable boards.
    pub solution: Option<Report>,
}

impl Explanation {
    /// The true distance, where it is proved.
    pub fn distance(&self) -> Option<usize> {
        self.bounds()?.proved()
    }

    /// What is proved of the distance, by the search or by a heuristic; `None` for unsolvable boards.
    pub fn bounds(&self) -> Option<Bounds> {
        let Bounds { lower, upper } = Bounds::of(self.solution.as_ref()?)?;
        let admissible = self.estimates.iter().filter(|estimate| estimate.heuristic.admissible);
        let estimates = admissible.filter_map(|estimate| Some(estimate.value.ok()?? as usize));
        Some(Bounds { lower: estimates.fold(lower, usize::max), upper })
    }
}

impl Solver {
    /// Explains `problem`: at most a fifth of the time goes into the tables of heuristics, the rest into the true distance.
    ///
    /// # Errors
    /// When the configuration does not fit the board, or cannot prove that solutions are shortest.
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
        let mut searches = Searches::new(self, problem, cancel, observer.map(|watch| watch as _))?;
        searches.stage("estimating");
        let plan = self.plan(problem)?;
        let run = self.run(problem, &plan);
        let solvability = Solvability::new(problem.start(), problem.goal());
        let (setting, is_solvable) = (run.setting(), solvability.is_solvable());
        let is_told = |row: &&&HeuristicRow| {
            row.is_for(&setting) && row.name != EXACT.name && (is_solvable || !row.solvable_only)
        };
        let rows = HEURISTICS.iter().filter(is_told);
        let estimates = searches.with_part(5, |searches| {
            rows.filter_map(|&heuristic| {
                let left = searches.left();
                let mut meter = meter(self.config(), left, cancel, searches.observer());
                let value = estimate(heuristic, &run, &setting, &mut meter)?;
                let is_none = heuristic.name == PDB_MAX.name && !is_solvable;
                let value = value.map(|value| Some(value).filter(|&h| !is_none || h < FAR.into()));
                Some(Estimated { heuristic, value })
            })
            .collect()
        });
        let solution = is_solvable.then(|| searches.best(problem.start()));
        Ok(Explanation { solvability, estimates, solution })
    }
}

/// The value of a heuristic for the start, or the limit that was reached while its tables were built; `None` if it has
/// no tables for the board.
fn estimate(
    row: &'static HeuristicRow,
    run: &Run<'_>,
    setting: &Setting<'_>,
    meter: &mut Meter<'_>,
) -> Option<Result<Cost, Stop>> {
    let stages = (row.stages)(row, setting).ok()?;
    let stage = Stage::telling(&stages).filter(|stage| stage.heuristic.name == row.name)?;
    let start = run.problem.start();
    let heuristic = match run.checked_heuristic(stage, meter) {
        Ok(heuristic) => heuristic,
        Err(stop) => return Some(Err(stop)),
    };
    Some(Ok(heuristic.value(&run.plan.space, start)))
}
