//! Running an algorithm on a problem.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use loyd_heuristics::pdb::Partition;
use loyd_search::{CancelToken, Meter, Observer, Outcome, Stats};
use loyd_tiles::{Cell, Move, Relabelling, Size, Solvability};

use crate::algorithms::{ALGORITHMS, Guarantee};
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::Kind;
use crate::patterns::TableChoice;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::report::{Report, Status};
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
    /// The last plan: it depends on nothing but the size and the goal cell of the blank.
    plan: Mutex<Option<((Size, Cell), Plan)>>,
}

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
    /// The pattern databases that were used in the end.
    pub partition: RefCell<Option<Partition>>,
}

impl Solver {
    /// A solver that works as `config` says.
    ///
    /// # Errors
    /// When choices do not go together, whatever the board.
    pub fn new(config: Config) -> Result<Self, Error> {
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
        let plan = self.plan(problem)?;
        let partition = RefCell::default();
        let run = Run { problem, plan: &plan, tables: &self.tables, partition };
        let mut meter = Meter::new(plan.limits, cancel.clone());
        if let Some(observer) = observer {
            meter = meter.observed_by(observer);
        }
        let (status, moves, stats) = self.attempt(&run, meter);
        let algorithm = plan.algorithm;
        let admissible = plan.guide.is_admissible(problem.goal().size());
        let (proved, within) = match algorithm.guarantee {
            Guarantee::Optimal => (true, None),
            Guarantee::OptimalIfAdmissible => (admissible, None),
            Guarantee::WithinWeight => {
                (admissible && plan.weight.is_one(), admissible.then_some(plan.weight))
            }
            Guarantee::Nothing => (false, None),
        };
        Ok(Report {
            problem: problem.clone(),
            status,
            optimal: moves.as_ref().is_some_and(|moves| proved || moves.is_empty()),
            within: within.filter(|_| moves.is_some()),
            moves,
            algorithm: algorithm.name,
            heuristic: algorithm.uses_heuristic.then(|| plan.guide.name()),
            tables: run.partition.take().map(|partition| partition.name()),
            weight: (algorithm.guarantee == Guarantee::WithinWeight).then_some(plan.weight),
            closed: algorithm.uses_closed.then_some(plan.closed),
            stats,
        })
    }

    /// Tests parity, then runs the algorithm.
    fn attempt(&self, run: &Run<'_>, mut meter: Meter<'_>) -> (Status, Option<Vec<Move>>, Stats) {
        let goal = Relabelling::new(run.problem.goal());
        if self.config.parity_check && !Solvability::test(run.problem.start(), &goal) {
            return (Status::Unsolvable, None, meter.finish());
        }
        if run.problem.start() == run.problem.goal() {
            return (Status::Solved, Some(Vec::new()), meter.finish());
        }
        let outcome = (run.plan.algorithm.run)(run, &mut meter);
        let stats = meter.finish();
        match outcome {
            Outcome::Solved { path, .. } => (Status::Solved, Some(path), stats),
            Outcome::Exhausted => (Status::Exhausted, None, stats),
            Outcome::Stopped(stop) => (Status::Stopped(stop), None, stats),
        }
    }

    /// The plan for boards like that of `problem`.
    fn plan(&self, problem: &Problem) -> Result<Plan, Error> {
        let key = (problem.goal().size(), problem.goal().blank());
        let mut kept = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((last, plan)) if *last == key => Ok(plan.clone()),
            _ => {
                let plan = Plan::new(&self.config, problem.goal(), &self.tables)?;
                *kept = Some((key, plan.clone()));
                Ok(plan)
            }
        }
    }
}
