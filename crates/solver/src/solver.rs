//! The solver: runs an algorithm on a problem.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use loyd_search::{CancelToken, Cost, Direction, Event, Limits, Observer};
use loyd_tiles::{Board, PartialGoal};

use crate::algorithms::{ALGORITHMS, Algorithm, Guarantee, Plan, Run};
use crate::anytime::lower_bounds::lower_bound;
use crate::anytime::{self, large_boards};
use crate::attempt::{
    Attempt, attempt, attempt_by, estimate, meter, report, with_direction_tables,
};
#[cfg(feature = "cache")]
use crate::checkpoint::{self, SavedSearch};
use crate::choices::TableChoice;
use crate::config::Config;
use crate::error::Error;
use crate::heuristics::{HeuristicRow, PDB};
use crate::plan::{has_large_kernel, plan, reverse_problem};
use crate::problem::Problem;
use crate::quality::Quality;
use crate::report::{Report, Status};
use crate::store::Warning;
use crate::sync::lock;
use crate::tables::Tables;
use crate::trace::TraceEvent;

/// Solves problems. A solver keeps its tables between problems, and can be shared between threads.
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

/// The goal. Problems with the same goal share a plan.
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
    /// Returns a solver with the configuration `config`.
    ///
    /// # Errors
    /// Returns an error if the algorithm or heuristic does not exist, or if options contradict each other independently
    /// of the board.
    pub fn new(config: Config) -> Result<Self, Error> {
        let tables = Arc::new(Tables::new(&config));
        Self::with_tables(config, tables)
    }

    /// Returns a solver with the configuration `config` that shares its tables with this one, so that each is built
    /// once for both. The configuration of this solver decides where tables are stored, how many threads build them,
    /// and how many bytes they may use in total.
    ///
    /// # Errors
    /// Returns the same errors as [`new`](Self::new).
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

    /// Returns the configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the warnings about table files since the last call. Solutions do not depend on them.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.tables.take_warnings()
    }

    /// Solves `problem`.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board.
    pub fn solve(&self, problem: &Problem) -> Result<Report, Error> {
        self.solve_watched(problem, &CancelToken::new(), None)
    }

    /// Solves `problem`, stops when `cancel` is set, and reports progress to `observer`.
    ///
    /// With an observer, [`Quality::Auto`] finds and reports a first solution before the proof even if
    /// [`Config::boards`] announces many boards.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board.
    pub fn solve_watched(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Report, Error> {
        match self.config.quality {
            _ if !self.config.costs.is_unit() => self.solve_by_cost(problem, cancel, observer),
            Some(Quality::Optimal) | None => {
                self.solve_within(self.config.limits, problem, cancel, observer)
            }
            Some(quality) if !problem.goal().size().is_searchable() => {
                Ok(large_boards::solve(&self.config, problem, quality, cancel, observer))
            }
            Some(quality) => {
                let plan = self.plan(problem)?;
                let reverse = reverse_problem(&self.config, problem, &plan, None)?;
                let run = Run { reverse: reverse.as_ref(), ..self.run(problem, &plan) };
                Ok(anytime::solve(run, quality, cancel, observer))
            }
        }
    }

    /// Runs one search with `limits` instead of the configured limits, ignoring the quality, and returns its report with
    /// the value of the start by the heuristic that the search used last. The value is `None` if the search used no heuristic or if its tables have been
    /// evicted. It is computed after the search and is not part of its counts and times.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Config, Solver};
    /// let solver = Solver::new(Config { heuristic: Some("manhattan".into()), ..Config::default() })?;
    /// let problem = "8 6 7/2 5 4/3 x 1".parse()?;
    /// let limits = solver.config().limits;
    /// let found = solver.solve_estimated(limits, &problem, &CancelToken::new(), None);
    /// let (report, estimate) = found?;
    /// assert_eq!((report.length(), estimate), (Some(31), Some(21)));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn solve_estimated(
        &self,
        limits: Limits,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<(Report, Option<Cost>), Error> {
        self.attempt_within(limits, problem, cancel, observer, estimate)
    }

    /// Runs one search with `limits` instead of the configured limits, ignoring the quality.
    pub(crate) fn solve_within(
        &self,
        limits: Limits,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Report, Error> {
        self.check_counts_moves("a study of moves")?;
        let result = self.attempt_within(limits, problem, cancel, observer, |_, _| ());
        result.map(|(report, ())| report)
    }

    /// Searches for a cheapest solution.
    fn solve_by_cost(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Report, Error> {
        // The bounds are multiples of a fraction, but observers expect numbers of moves.
        let mut without_bounds = |event: Event<'_>| match (&mut observer, event) {
            (Some(observer), event)
                if !matches!(event, Event::LowerBound(_) | Event::Iteration(_)) =>
            {
                observer.event(event)
            }
            _ => ControlFlow::Continue(()),
        };
        let (limits, observer) = (self.config.limits, Some(&mut without_bounds as _));
        let result = self.attempt_within(limits, problem, cancel, observer, |_, _| ());
        result.map(|(report, ())| report)
    }

    /// Checks that the configuration has no costs by tile, as `what` counts moves.
    ///
    /// # Errors
    /// Returns an error if some tile may have a cost other than 1.
    pub(crate) fn check_counts_moves(&self, what: &'static str) -> Result<(), Error> {
        if self.config.costs.is_unit() { Ok(()) } else { Err(Error::CostsUnsupported(what)) }
    }

    /// Runs one attempt. Returns its report and the result of `inspect`, which runs after the clock has stopped.
    fn attempt_within<T>(
        &self,
        limits: Limits,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
        inspect: impl FnOnce(&Run<'_>, &Attempt<'_>) -> T,
    ) -> Result<(Report, T), Error> {
        let plan = self.any_plan(problem)?;
        let run = self.run(problem, &plan);
        #[cfg(feature = "cache")]
        let saved =
            self.config.checkpoint.as_ref().map(|at| checkpoint::open(at, &run)).transpose()?;
        #[cfg(feature = "cache")]
        let (resumed, run) = (
            saved.as_ref().map(SavedSearch::resumed),
            Run { checkpointer: saved.as_ref().map(|saved| saved as _), ..run },
        );
        #[cfg(not(feature = "cache"))]
        let resumed = None;
        let reverse = reverse_problem(&self.config, problem, &plan, resumed)?;
        let run = Run { reverse: reverse.as_ref(), ..run };
        let mut meter = meter(&self.config, plan.within(limits), cancel, observer);
        let attempt = attempt(&run, &mut meter);
        #[cfg(feature = "cache")]
        if let Some(saved) = &saved {
            saved.check(&attempt.status)?;
        }
        // A search that reached a limit still proved a lower bound.
        let is_stopped = matches!(attempt.status, Status::Stopped(_));
        let least = is_stopped.then(|| meter.lower_bound());
        let stats = meter.finish();
        let inspected = inspect(&run, &attempt);
        let report = report(problem, &plan, attempt, stats);
        if let Some(costs) = &plan.costs {
            return Ok((costs.add_to(report, least), inspected));
        }
        let lower_bound = least.map(|least| least.max(lower_bound(problem, self.config.metric)));
        Ok((Report { lower_bound, ..with_direction_tables(report, reverse.as_ref()) }, inspected))
    }

    /// Solves `problem` with the algorithm of the configuration, whose quality is ignored, and calls `watch` with each
    /// event of a node until `watch` returns `Break`.
    ///
    /// The search visits the same nodes in the same order as [`solve`](Self::solve), and returns the same counts. If
    /// `watch` returns `Break`, the report has the status cancelled. A board that is solved already or unsolvable by
    /// parity produces no events.
    ///
    /// Cost: tens of times the time of `solve`, because the search runs in its plainest form, on the space for boards
    /// of any size.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board.
    ///
    /// # Examples
    /// ```
    /// use std::ops::ControlFlow;
    /// use loyd::study::TraceKind;
    /// use loyd::{CancelToken, Config, Solver};
    /// let solver = Solver::new(Config { algorithm: Some("astar"), ..Config::default() })?;
    /// let mut expanded = 0;
    /// let report = solver.trace(&"1 2 3/4 x 5/7 8 6".parse()?, &CancelToken::new(), None, &mut |event| {
    ///     expanded += u64::from(event.kind == TraceKind::Expanding);
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((report.stats.expanded, expanded), (2, 2));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn trace(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
        watch: &mut dyn FnMut(&TraceEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Report, Error> {
        self.check_counts_moves("a trace")?;
        if problem.has_equal_tiles() {
            return Err(Error::NotForEqualTiles("a trace"));
        }
        problem.check_searchable("trace")?;
        let plan = self.plan(problem)?;
        let run = self.run(problem, &plan);
        let mut meter = meter(self.config(), plan.within(self.config().limits), cancel, observer);
        let attempt =
            attempt_by(&run, &mut meter, |meter| (plan.algorithm.trace)(&run, meter, watch));
        Ok(report(problem, &plan, attempt, meter.finish()))
    }

    /// Returns whether the search for `problem` can be suspended and resumed ([`Config::checkpoint`]), and divided
    /// among processes ([`Config::shard`]). This is true of IDA* with pattern databases on boards of 17 to 25 cells,
    /// in single-tile moves and with a whole goal, if [`LargestSumSearch`](loyd_kernels::LargestSumSearch) supports
    /// the tables.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board.
    pub fn is_suspendable(&self, problem: &Problem) -> Result<bool, Error> {
        self.check_counts_moves("a search that is saved or divided")?;
        let searches_once = matches!(self.config.quality, None | Some(Quality::Optimal));
        if !searches_once && !problem.goal().size().is_searchable() {
            return Ok(false);
        }
        let plan = self.plan(problem)?;
        Ok(searches_once && has_large_kernel(plan.algorithm, &plan.space, plan.stages.last()))
    }

    /// Returns the number of bytes held between searches, most of them by tables.
    pub fn held_bytes(&self) -> u64 {
        self.tables.held_bytes()
    }

    /// Returns a run of `plan` on `problem`.
    pub(crate) fn run<'a>(&'a self, problem: &'a Problem, plan: &'a Plan) -> Run<'a> {
        Run {
            problem,
            plan,
            stages: &plan.stages,
            config: &self.config,
            tables: &self.tables,
            direction: Direction::Forward,
            fixed_direction: self.config.direction,
            reverse: None,
            checkpointer: None,
            iterations_until: None,
            round: self.config.round,
        }
    }

    /// Returns the plan for boards with the goal of `problem`, or an error if the configuration has costs by tile.
    pub(crate) fn plan(&self, problem: &Problem) -> Result<Arc<Plan>, Error> {
        self.check_counts_moves("a study of moves")?;
        self.any_plan(problem)
    }

    /// Returns the plan for boards with the goal of `problem`, with or without costs by tile.
    fn any_plan(&self, problem: &Problem) -> Result<Arc<Plan>, Error> {
        let mut last = lock(&self.last_plan);
        match &*last {
            Some(((goal, partial), plan))
                if goal == problem.goal() && partial.as_ref() == problem.partial_goal() =>
            {
                Ok(Arc::clone(plan))
            }
            _ => {
                let plan = Arc::new(plan(&self.config, problem)?);
                let key = (problem.goal().clone(), problem.partial_goal().cloned());
                *last = Some((key, Arc::clone(&plan)));
                Ok(plan)
            }
        }
    }
}

/// Checks that no options contradict each other independently of the board.
fn check(config: &Config) -> Result<(), Error> {
    config.check_quality()?;
    if let Some(quality @ (Quality::Fast | Quality::Bounded(_))) = config.quality
        && !config.costs.is_unit()
    {
        return Err(Error::CostsUnsupported(match quality {
            Quality::Fast => "the quality `fast`",
            _ => "the quality `bounded`: choose wastar and its weight",
        }));
    }
    if let Some(what) = config.needs_large_kernel()
        && !matches!(config.quality, None | Some(Quality::Optimal))
    {
        return Err(Error::NotSuspendable { what, instead: "choose the quality optimal" });
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
            return Err(Error::ClosedListNeeded { algorithm, instead });
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
