//! Enumerates or counts all shortest solutions of a problem.

use std::ops::ControlFlow;
use std::sync::Arc;

use loyd_search::{CancelToken, Cost, Limits, Meter, Observer, Stop, all_shortest, count_shortest};
use loyd_tiles::{Board, BoardSpace, Metric, Move};

use crate::algorithms::{ALGORITHMS, Algorithm, Guarantee, Plan, Run};
use crate::attempt::{Attempt, attempt, meter, report};
use crate::choices::Prune;
use crate::error::Error;
use crate::heuristics::{AnyHeuristic, LINE_CROSSINGS, MANHATTAN, Stage};
use crate::problem::Problem;
use crate::quality::{Quality, Weight};
use crate::report::{Report, Status};
use crate::solver::Solver;
use crate::space::in_space;

/// The number of shortest solutions of a problem.
#[derive(Clone, Debug)]
pub struct Shortest {
    /// The report of the search for the first solution, which determines the length; its counts include the
    /// enumeration. The status is [`Status::Stopped`] if a limit was reached at any time, even if a solution was
    /// found.
    pub report: Report,
    /// Number of shortest solutions found.
    pub count: u128,
    /// Whether these are all: no limit was reached, and the visitor did not break.
    pub complete: bool,
}

/// Whether to visit the solutions or only to count them.
enum Request<'a> {
    Visit(&'a mut dyn FnMut(&[Move]) -> ControlFlow<()>),
    Count,
}

impl Solver {
    /// Calls `visit` with each shortest solution as soon as it is found, until `visit` returns `Break`.
    ///
    /// Order: by the first move in which two solutions differ, up before left before right before down; of slides in
    /// one direction, the shorter first.
    /// Cost: an ordinary search for the length, then a depth-first search of all paths on which a shortest solution
    /// cannot be excluded. The limits apply to both together.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board, or does not prove solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use std::ops::ControlFlow;
    /// use loyd::notation::moves_to_string;
    /// use loyd::{CancelToken, Problem, Solver};
    /// let problem: Problem = "1 2 3/4 x 5/7 8 6".parse()?;
    /// let mut solutions = Vec::new();
    /// let all = Solver::default().all_shortest(&problem, &CancelToken::new(), None, |moves| {
    ///     solutions.push(moves_to_string(moves));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((solutions, all.complete), (vec!["rd".to_owned()], true));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn all_shortest(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
        mut visit: impl FnMut(&[Move]) -> ControlFlow<()>,
    ) -> Result<Shortest, Error> {
        let limits = self.config().limits;
        self.all_shortest_within(limits, problem, cancel, observer, &mut visit)
    }

    /// Like [`all_shortest`](Self::all_shortest), but with `limits` instead of the configured limits.
    pub(crate) fn all_shortest_within(
        &self,
        limits: Limits,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
        visit: &mut dyn FnMut(&[Move]) -> ControlFlow<()>,
    ) -> Result<Shortest, Error> {
        self.shortest(limits, problem, cancel, observer, Request::Visit(visit))
    }

    /// Counts the shortest solutions of `problem` exactly.
    ///
    /// Cost: an ordinary search for the length, then one expansion for each state from which a shortest solution cannot
    /// be excluded, and memory for two layers of such states. Where memory is short, the cost is that of
    /// [`all_shortest`](Self::all_shortest).
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board, or does not prove solutions shortest.
    ///
    /// # Examples
    /// ```
    /// use loyd::{CancelToken, Problem, Solver};
    /// let problem: Problem = "8 6 7/2 5 4/3 x 1".parse()?;
    /// let all = Solver::default().count_shortest(&problem, &CancelToken::new(), None)?;
    /// assert_eq!((all.report.length(), all.count), (Some(31), 40));
    /// # Ok::<(), loyd::Error>(())
    /// ```
    pub fn count_shortest(
        &self,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Shortest, Error> {
        self.shortest(self.config().limits, problem, cancel, observer, Request::Count)
    }

    /// Checks that the configuration proves bounds: it has the quality `auto`, or it [proves solutions
    /// shortest](Self::check_shortest).
    pub(crate) fn check_bounds(&self) -> Result<(), Error> {
        match self.config().quality {
            Some(Quality::Auto) => Ok(()),
            _ => self.check_shortest(),
        }
    }

    /// Checks that the configuration proves solutions shortest, apart from conditions that depend on the board.
    ///
    /// # Errors
    /// Returns an error if it does not, or if the search prunes some of several shortest solutions, so that they can be
    /// neither enumerated nor counted.
    pub fn check_shortest(&self) -> Result<(), Error> {
        let config = self.config();
        if let Some(Prune::Automaton { .. }) = config.prune {
            return Err(Error::PruneLosesSolutions);
        }
        let weight = config.weight.unwrap_or(Weight::DEFAULT);
        if let Some(quality) = config.quality.filter(|&quality| quality != Quality::Optimal) {
            return Err(not_shortest(format!("the quality {quality}")));
        }
        let algorithm = config.algorithm.map(Algorithm::named).transpose()?;
        match algorithm {
            None if config.weight.is_some_and(|weight| !weight.is_one()) => {
                Err(not_shortest(format!("wastar with the weight {weight}")))
            }
            Some(row) if row.guarantee == Guarantee::Nothing => {
                Err(not_shortest(row.name.to_owned()))
            }
            Some(row) if row.guarantee == Guarantee::WithinWeight && !weight.is_one() => {
                Err(not_shortest(format!("{} with the weight {weight}", row.name)))
            }
            _ => Ok(()),
        }
    }

    /// Returns the plan for the goal of `problem`, which proves solutions shortest.
    ///
    /// # Errors
    /// Returns an error if the plan does not, or if the configuration is not valid for the board.
    pub(crate) fn proving_plan(&self, problem: &Problem) -> Result<Arc<Plan>, Error> {
        self.check_shortest()?;
        let plan = self.plan(problem)?;
        if plan.proves_shortest() {
            return Ok(plan);
        }
        let (algorithm, heuristic) = (plan.algorithm.name, plan.heuristic.name);
        Err(not_shortest(format!("{algorithm} with this {heuristic}")))
    }

    fn shortest(
        &self,
        limits: Limits,
        problem: &Problem,
        cancel: &CancelToken,
        observer: Option<&mut dyn Observer>,
        request: Request<'_>,
    ) -> Result<Shortest, Error> {
        self.check_counts_moves("all shortest solutions")?;
        problem.check_searchable("the search for all shortest solutions")?;
        let plan = self.proving_plan(problem)?;
        let run = self.run(problem, &plan);
        let mut meter = meter(self.config(), plan.within(limits), cancel, observer);
        let held_before = self.held_bytes();
        let Attempt { mut status, moves, stage } = attempt(&run, &mut meter);
        let (mut count, mut ended) = (0, Ok(ControlFlow::Continue(())));
        if let Some(moves) = &moves {
            let length = plan.metric().length(moves) as Cost;
            let built = self.held_bytes().saturating_sub(held_before);
            let enumerated = enumerate(&run, (stage, built), length, request, &mut meter);
            (count, ended) = enumerated.unwrap_or_else(|stop| (0, Err(stop)));
        }
        if let Err(stop) = ended {
            status = Status::Stopped(stop);
        }
        let complete =
            !matches!(status, Status::Stopped(_)) && ended == Ok(ControlFlow::Continue(()));
        let attempt = Attempt { status, moves, stage };
        Ok(Shortest { report: report(problem, &plan, attempt, meter.finish()), count, complete })
    }
}

/// The number of solutions found, and how the enumeration ended.
type Enumerated = (u128, Result<ControlFlow<()>, Stop>);

/// Visits or counts the shortest solutions, with the heuristic that the first search used last. That search has left `built`
/// bytes of tables.
fn enumerate(
    run: &Run<'_>,
    (stage, built): (Option<&Stage>, u64),
    length: Cost,
    request: Request<'_>,
    meter: &mut Meter<'_>,
) -> Result<Enumerated, Stop> {
    // The tables of the first search leave less memory for the layers. Those kept before, perhaps for other clients, do not
    // count unless the search used them.
    meter.release();
    meter.reserve_tables(built)?;
    let made;
    let heuristic = match stage {
        // The start is the goal.
        _ if length == 0 => &AnyHeuristic::ZERO,
        Some(stage) => run.checked_heuristic(stage, meter)?,
        None => {
            let row = match run.plan.metric() {
                Metric::SingleTile => &MANHATTAN,
                Metric::MultiTile => &LINE_CROSSINGS,
            };
            made = run.checked_heuristic(&Stage::last(row, None), meter)?.clone();
            &made
        }
    };
    let from = (run.problem.start(), heuristic);
    Ok(in_space!(&run.plan.space, space => enumerate_in(space, from, length, request, meter)))
}

fn not_shortest(what: String) -> Error {
    let proves = |row: &&&Algorithm| {
        [Guarantee::Optimal, Guarantee::OptimalIfAdmissible].contains(&row.guarantee)
    };
    let instead = ALGORITHMS.iter().filter(proves).map(|row| row.name).collect();
    Error::NotShortest { what, instead }
}

/// Visits or counts the solutions of `length` in `space`.
fn enumerate_in<S: BoardSpace>(
    space: &S,
    (start, h): (&Board, &AnyHeuristic),
    length: Cost,
    request: Request<'_>,
    meter: &mut Meter<'_>,
) -> Enumerated {
    let start = space.encode(start);
    match request {
        Request::Visit(visit) => {
            let mut count = 0;
            let ended = all_shortest(space, h, &start, length, meter, &mut |moves| {
                count += 1;
                visit(&S::moves(moves))
            });
            (count, ended)
        }
        Request::Count => match count_shortest(space, h, &start, length, meter) {
            Ok(count) => (count, Ok(ControlFlow::Continue(()))),
            Err(stop) => (0, Err(stop)),
        },
    }
}
