//! Running an algorithm on a problem.

use std::fmt;
use std::sync::{Arc, Mutex};

use loyd_search::{CancelToken, Cost, Direction, Limits, Observer};
use loyd_tiles::{Board, PartialGoal};

use crate::algorithms::{ALGORITHMS, Algorithm, Guarantee, Plan, Run};
use crate::anytime;
use crate::attempt::{Attempt, attempt, estimate, meter, of_either_end, report};
#[cfg(feature = "cache")]
use crate::checkpoint::{self, Kept};
use crate::choices::{Quality, TableChoice};
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::{HeuristicRow, PDB};
use crate::plan::{back, has_large_kernel, plan};
use crate::problem::Problem;
use crate::quality::{self, lower_bound};
use crate::report::{Report, Status};
use crate::store::Warning;
use crate::sync::lock;
use crate::tables::Tables;

/// Solves problems; keeps its tables between them and can be shared between threads.
///
/// # Examples
/// ```
/// use loyd::{Config, Problem, Solver};
/// let config = Config {
///     algorithm: Some("astar"),
///     heuristic: Some("linear-conflict".into()),
///     ..Config::default()
/// };
/// let report = Solver::new(config)?.solve(&"8 6 7/2 5 4/3 x 1".parse()?)?;
/// assert_eq!(report.length(), Some(31));
/// # Ok::<(), loyd::Error>(())
/// ```
pub struct Solver {
    config: Config,
    tables: Arc<Tables>,
    last_plan: Mutex<Option<(PlanKey, Arc<Plan>)>>,
}

/// The goal: what problems with the same plan share.
type PlanKey = (Board, Option<PartialGoal>);

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Default for Solver {
    fn default() -> Self {
        let config = Config::default();
        Self { tables: Arc::new(Tables::new(&config)), config, last_plan: Mutex::default() }
    }
}

impl Solver {
    /// A solver that works as `config` says.
    ///
    /// # Errors
    /// When there is no such algorithm or heuristic, and when choices do not go together, whatever the
    /// board.
    pub fn new(config: Config) -> Result<Self, Error> {
        let tables = Arc::new(Tables::new(&config));
        Self::with_tables(config, tables)
    }

    /// A solver that works as `config` says and has its tables together with this one: each is made once for both.
    /// Where tables are kept, how many threads make them and how many bytes all of them may take is as the
    /// configuration of this one says.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    ///
    /// # Examples
    /// ```
    /// use loyd::{Config, Problem, Solver};
    /// let first = Solver::new(Config { heuristic: Some("pdb".into()), ..Config::default() })?;
    /// let second = first.sharing(Config { algorithm: Some("astar"), ..first.config().clone() })?;
    /// let problem: Problem = "8 6 7/2 5 4/3 x 1".parse()?;
    /// assert_eq!(first.solve(&problem)?.length(), second.solve(&problem)?.length());
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn sharing(&self, config: Config) -> Result<Self, Error> {
        Self::with_tables(config, Arc::clone(&self.tables))
    }

    fn with_tables(mut config: Config, tables: Arc<Tables>) -> Result<Self, Error> {
        check(&config)?;
        if cfg!(not(feature = "parallel")) {
            config.threads = 1;
        }
        Ok(Self { config, tables, last_plan: Mutex::default() })
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The warnings about files of tables since the last call; solutions do not depend on them.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.tables.take_warnings()
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
        match self.config.quality {
            Some(Quality::Optimal) | None => {
                self.solve_within(self.config.limits, problem, cancel, observer)
            }
            Some(quality) => {
                let plan = self.plan(problem)?;
                let back = back(&self.config, problem, &plan, None)?;
                let run = Run { back: back.as_ref(), ..self.run(problem, &plan) };
                Ok(anytime::solve(run, quality, cancel, observer))
            }
        }
    }

    /// Searches once, whatever the quality, and adds what the heuristic that led the search in the end says of the start.
    /// `None` if no heuristic led it, or if it is not there any more. The estimate is made after the search and is no part
    /// of its counts and times.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Config, Solver};
    /// let solver = Solver::new(Config { heuristic: Some("manhattan".into()), ..Config::default() })?;
    /// let problem = "8 6 7/2 5 4/3 x 1".parse()?;
    /// let (report, estimate) = solver.solve_estimated(&problem, &CancelToken::new(), None)?;
    /// assert_eq!((report.length(), estimate), (Some(31), Some(21)));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn solve_estimated(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<(Report, Option<Cost>), Error> {
        self.attempt_within(self.config.limits, problem, cancel, observer, estimate)
    }

    /// Solves with these limits in place of those of the configuration, whose quality says nothing here.
    pub(crate) fn solve_within(
        &self,
        limits: Limits,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Report, Error> {
        let looked = self.attempt_within(limits, problem, cancel, observer, |_, _| ());
        looked.map(|(report, ())| report)
    }

    /// The report of one attempt, and what `look` sees in the attempt when its time is no longer counted.
    fn attempt_within<T>(
        &self,
        limits: Limits,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
        look: impl FnOnce(&Run<'_>, &Attempt<'_>) -> T,
    ) -> Result<(Report, T), Error> {
        let plan = self.plan(problem)?;
        let run = self.run(problem, &plan);
        #[cfg(feature = "cache")]
        let kept =
            self.config.checkpoint.as_ref().map(|at| checkpoint::open(at, &run)).transpose()?;
        #[cfg(feature = "cache")]
        let (begun, run) = (
            kept.as_ref().map(Kept::begun),
            Run { keeper: kept.as_ref().map(|kept| kept as _), ..run },
        );
        #[cfg(not(feature = "cache"))]
        let begun = None;
        let back = back(&self.config, problem, &plan, begun)?;
        let run = Run { back: back.as_ref(), ..run };
        let mut meter = meter(&self.config, plan.within(limits), cancel, observer);
        let attempt = attempt(&run, &mut meter);
        #[cfg(feature = "cache")]
        if let Some(kept) = &kept {
            kept.check(&attempt.status)?;
        }
        // What was proved before a limit was reached is worth knowing.
        let lower_bound = matches!(attempt.status, Status::Stopped(_))
            .then(|| meter.lower_bound().max(lower_bound(problem, self.config.metric)));
        let stats = meter.finish();
        let seen = look(&run, &attempt);
        let report = report(problem, &plan, attempt, stats);
        Ok((Report { lower_bound, ..of_either_end(report, back.as_ref()) }, seen))
    }

    /// Whether the search for `problem` can be put aside and continued ([`Config::checkpoint`]), and divided among
    /// processes ([`Config::shard`]): IDA* with pattern databases on boards of 17 to 25 cells, where single tiles count
    /// and the goal is whole, with tables that [`LargestSumSearch`](loyd_kernels::LargestSumSearch) takes.
    ///
    /// # Errors
    /// When the configuration does not fit the board.
    pub fn can_be_put_aside(&self, problem: &Problem) -> Result<bool, Error> {
        let plan = self.plan(problem)?;
        let searches_once = matches!(self.config.quality, None | Some(Quality::Optimal));
        Ok(searches_once && has_large_kernel(plan.algorithm, &plan.space, plan.stages.last()))
    }

    /// The bytes that are held between searches: tables, above all.
    pub fn held_bytes(&self) -> u64 {
        self.tables.held_bytes()
    }

    /// A run of `plan` on `problem`.
    pub(crate) fn run<'a>(&'a self, problem: &'a Problem, plan: &'a Plan) -> Run<'a> {
        Run {
            problem,
            plan,
            stages: &plan.stages,
            config: &self.config,
            tables: &self.tables,
            direction: Direction::Forward,
            towards: self.config.direction,
            back: None,
            keeper: None,
            rounds_until: None,
        }
    }

    /// The plan for boards with the goal of `problem`.
    pub(crate) fn plan(&self, problem: &Problem) -> Result<Arc<Plan>, Error> {
        let mut kept = lock(&self.last_plan);
        match &*kept {
            Some(((goal, partial), plan))
                if goal == problem.goal() && partial.as_ref() == problem.partial_goal() =>
            {
                Ok(Arc::clone(plan))
            }
            _ => {
                let plan = Arc::new(plan(&self.config, problem)?);
                let key = (problem.goal().clone(), problem.partial_goal().cloned());
                *kept = Some((key, Arc::clone(&plan)));
                Ok(plan)
            }
        }
    }
}

/// Refuses choices that do not go together, whatever the board.
fn check(config: &Config) -> Result<(), Error> {
    quality::check(config)?;
    if let Some(what) = config.needs_large_kernel()
        && !matches!(config.quality, None | Some(Quality::Optimal))
    {
        return Err(Error::NotPutAside { what, instead: "choose the quality optimal" });
    }
    if let Some(algorithm) = config.algorithm {
        let row = Algorithm::named(algorithm)?;
        if config.heuristic.is_some() && !row.uses_heuristic {
            let users = ALGORITHMS.iter().filter(|row| row.uses_heuristic);
            let instead = users.map(|row| row.name).collect();
            return Err(Error::HeuristicUnused { algorithm, instead });
        }
        if let Some(closed) = config.closed.filter(|_| !row.uses_closed) {
            return Err(Error::ClosedUnused { algorithm, closed });
        }
        row.check_prune(config.prune)?;
        if config.weight.is_some() && row.guarantee != Guarantee::WithinWeight {
            return Err(Error::WeightUnused(algorithm));
        }
        if !config.parity_check && row.uses_table {
            return Err(Error::TableNeedsParity(algorithm));
        }
        if !config.parity_check && !row.uses_closed {
            let instead = ALGORITHMS.iter().filter(|row| row.uses_closed);
            let instead = instead.map(|row| row.name).collect();
            return Err(Error::NeverExhausted { algorithm, instead });
        }
    }
    if let Some(choice) = &config.heuristic {
        let row = HeuristicRow::chosen(choice)?;
        if row.solvable_only && !config.parity_check {
            return Err(Error::TableNeedsParity(row.name));
        }
        if config.tables != TableChoice::Default && row.name != PDB.name {
            return Err(Error::TablesUnused(row.name));
        }
    }
    Ok(())
}
