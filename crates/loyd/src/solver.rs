//! Running an algorithm on a problem.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use loyd_heuristics::file::Contents;
use loyd_search::{CancelToken, Limits, Meter, Observer, Outcome, Stats, Stop};
use loyd_tiles::{Cell, Move, PartialGoal, Relabelling, Size, Solvability};

use crate::algorithms::{ALGORITHMS, Guarantee};
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::{Guide, Kind};
use crate::ladder::{Rung, ladder};
use crate::patterns::TableChoice;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::quality::{self, Quality};
use crate::report::{Report, Status};
use crate::store::Warning;
use crate::tables::Tables;

/// Solves problems; keeps its tables between them and can be shared between threads.
///
/// # Examples
/// ```
/// use loyd::{Algorithm, Config, Guide, Problem, Solver};
/// let config = Config {
///     algorithm: Some(Algorithm::named("astar")?),
///     heuristic: Some(Guide::named("linear-conflict")?),
///     ..Config::default()
/// };
/// let report = Solver::new(config)?.solve(&"8 6 7/2 5 4/3 x 1".parse()?)?;
/// assert_eq!(report.length(), Some(31));
/// # Ok::<(), loyd::Error>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    config: Config,
    tables: Tables,
    /// The last plan.
    plan: Mutex<Option<(Kin, Plan)>>,
}

/// What problems with the same plan share: the size, the goal cell of the blank, and a part goal.
type Kin = (Size, Cell, Option<PartialGoal>);

impl Default for Solver {
    fn default() -> Self {
        let config = Config::default();
        Self { tables: Tables::new(&config), config, plan: Mutex::default() }
    }
}

/// A problem with every choice made: what a row of [`ALGORITHMS`] works on.
pub(crate) struct Run<'a> {
    pub problem: &'a Problem,
    pub plan: &'a Plan,
    pub tables: &'a Tables,
    /// What led the search in the end, where there was a choice or tables are kept.
    pub rung: RefCell<Option<Rung>>,
}

impl<'a> Run<'a> {
    pub fn new(problem: &'a Problem, plan: &'a Plan, tables: &'a Tables) -> Self {
        Self { problem, plan, tables, rung: RefCell::default() }
    }

    /// The tables of a heuristic of `kind`: those that the search has used, or else the best there are.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there are none that fit.
    pub fn tables_of(&self, kind: Kind) -> Result<Contents, Stop> {
        let best = |rungs: &[Rung]| rungs.last().filter(|rung| rung.guide.is_kind(kind)).cloned();
        let mut used = self.rung.borrow_mut();
        if used.as_ref().is_none_or(|rung| !rung.guide.is_kind(kind)) {
            // Without a plan for such tables nobody asks but who only wants to know their estimate.
            let others = || ladder(&self.tables.config, self.problem, kind).ok();
            *used = best(&self.plan.rungs).or_else(|| best(&others()?));
        }
        used.as_ref().and_then(|rung| rung.tables.clone()).ok_or(Stop::Memory)
    }

    /// The heuristic that led the search.
    pub fn guide(&self) -> Guide {
        self.rung.borrow().as_ref().map_or(&self.plan.guide, |rung| &rung.guide).clone()
    }

    /// Whether answers are proved to be shortest ones.
    pub fn proves_shortest(&self) -> bool {
        let admissible = || self.plan.guide.is_admissible(self.problem.goal().size());
        match self.plan.algorithm.guarantee {
            Guarantee::Optimal => true,
            Guarantee::OptimalIfAdmissible => admissible(),
            Guarantee::WithinWeight => self.plan.weight.is_one() && admissible(),
            Guarantee::Nothing => false,
        }
    }

    pub fn report(&self, status: Status, moves: Option<Vec<Move>>, stats: Stats) -> Report {
        let Plan { algorithm, guide, metric, weight, closed, .. } = self.plan;
        let weighted = algorithm.guarantee == Guarantee::WithinWeight;
        let within = weighted && guide.is_admissible(self.problem.goal().size());
        let solved = moves.as_ref();
        let proved = solved.is_some_and(|moves| self.proves_shortest() || moves.is_empty());
        let within = solved.filter(|_| within).map(|_| *weight);
        Report {
            optimal: proved,
            within,
            heuristic: algorithm.uses_heuristic.then(|| self.guide().name()),
            tables: self.rung.borrow().as_ref().and_then(|rung| Some(rung.tables.as_ref()?.name())),
            weight: weighted.then_some(*weight),
            closed: algorithm.uses_closed.then_some(*closed),
            ..Report::of(self.problem, (status, moves), (algorithm.name, *metric), stats)
        }
    }
}

/// What counts and limits one search.
pub(crate) fn meter<'o>(
    limits: Limits,
    cancel: &CancelToken,
    observer: Option<&'o mut dyn Observer>,
) -> Meter<'o> {
    let meter = Meter::new(limits, cancel.clone());
    match observer {
        Some(observer) => meter.observed_by(observer),
        None => meter,
    }
}

impl Solver {
    /// A solver that works as `config` says.
    ///
    /// # Errors
    /// When choices do not go together, whatever the board.
    pub fn new(config: Config) -> Result<Self, Error> {
        quality::check(&config)?;
        if let Some(algorithm) = config.algorithm {
            let name = algorithm.name;
            if config.heuristic.is_some() && !algorithm.uses_heuristic {
                let users = ALGORITHMS.iter().filter(|row| row.uses_heuristic);
                let instead = users.map(|row| row.name).collect();
                return Err(Error::HeuristicUnused { algorithm: name, instead });
            }
            if let Some(closed) = config.closed.filter(|_| !algorithm.uses_closed) {
                return Err(Error::ClosedUnused { algorithm: name, closed });
            }
            if config.weight.is_some() && algorithm.guarantee != Guarantee::WithinWeight {
                return Err(Error::WeightUnused(name));
            }
            if !config.parity_check && algorithm.uses_table {
                return Err(Error::TableNeedsParity(name));
            }
        }
        if let Some(guide) = config.heuristic.as_ref() {
            let of_tables = guide.is_kind(Kind::Exact) || guide.is_kind(Kind::Patterns);
            if of_tables && !config.parity_check {
                return Err(Error::TableNeedsParity(guide.name()));
            }
            if config.tables != TableChoice::Default && !guide.is_kind(Kind::Patterns) {
                return Err(Error::TablesUnused(guide.name()));
            }
        }
        Ok(Self { tables: Tables::new(&config), config, plan: Mutex::default() })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What there is to tell about files of tables since the last call; answers do not
    /// depend on it.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.tables.take_warnings()
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Solves `problem`.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
    pub fn solve(&self, problem: &Problem) -> Result<Report, Error> {
        self.solve_watched(problem, &CancelToken::new(), None)
    }

    /// Solves `problem`, stops when `cancel` is set, and tells `observer` how far it is.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
    pub fn solve_watched(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Report, Error> {
        if let Some(quality @ (Quality::Fast | Quality::Bounded(_))) = self.config.quality {
            return quality::solve(self, quality, problem, cancel, observer);
        }
        let plan = self.plan(problem)?;
        let run = Run::new(problem, &plan, &self.tables);
        let mut meter = meter(plan.limits, cancel, observer);
        let (status, moves) = self.attempt(&run, &mut meter);
        Ok(run.report(status, moves, meter.finish()))
    }

    /// What needs no search: boards that parity forbids, and those that are solved.
    pub(crate) fn settled(&self, problem: &Problem) -> Option<(Status, Option<Vec<Move>>)> {
        let goal = Relabelling::new(problem.goal());
        if self.config.parity_check && !Solvability::test(problem.start(), &goal) {
            return Some((Status::Unsolvable, None));
        }
        problem.is_solved_by(problem.start()).then(|| (Status::Solved, Some(Vec::new())))
    }

    /// Runs the algorithm where something is left to do.
    pub(crate) fn attempt(
        &self,
        run: &Run<'_>,
        meter: &mut Meter<'_>,
    ) -> (Status, Option<Vec<Move>>) {
        if let Some(settled) = self.settled(run.problem) {
            return settled;
        }
        match (run.plan.algorithm.run)(run, meter) {
            Outcome::Solved { path, .. } => (Status::Solved, Some(path)),
            Outcome::Exhausted => (Status::Exhausted, None),
            Outcome::Stopped(stop) => (Status::Stopped(stop), None),
        }
    }

    /// The plan for boards like that of `problem`.
    pub(crate) fn plan(&self, problem: &Problem) -> Result<Plan, Error> {
        let key = (problem.goal().size(), problem.goal().blank(), problem.part().cloned());
        let mut kept = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((last, plan)) if *last == key => Ok(plan.clone()),
            _ => {
                let plan = Plan::new(&self.config, problem)?;
                *kept = Some((key, plan.clone()));
                Ok(plan)
            }
        }
    }
}
