//! Several searches to one goal under the limits of one configuration. Called by hints, explanations, verifications and
//! reviews.

use std::sync::Arc;

use loyd_search::{CancelToken, Cost, Event, Limits, Meter, Observer, Stop};
use loyd_tiles::{Board, Metric, Move};

use crate::algorithms::{Plan, Run};
use crate::anytime;
use crate::attempt::{attempt, meter, report};
use crate::config::Config;
use crate::error::Error;
use crate::problem::Problem;
use crate::quality::Quality;
use crate::report::{Report, Status};
use crate::solver::Solver;

/// Searches from boards that can reach the goal of a problem. The limits hold for all of them together.
pub(crate) struct Searches<'a> {
    pub solver: &'a Solver,
    pub problem: &'a Problem,
    plan: Arc<Plan>,
    cancel: &'a CancelToken,
    observer: Option<&'a mut dyn Observer>,
    meter: Meter<'a>,
    /// Number of searches so far.
    made: u64,
}

impl<'a> Searches<'a> {
    /// Starts the clock of the limits.
    ///
    /// # Errors
    /// Returns an error if the configuration is not valid for the board, or does not prove solutions shortest.
    pub fn new(
        solver: &'a Solver,
        problem: &'a Problem,
        cancel: &'a CancelToken,
        observer: Option<&'a mut dyn Observer>,
    ) -> Result<Self, Error> {
        let config = solver.config();
        let plan = match config.quality {
            Some(Quality::Auto) => solver.plan(problem)?,
            _ => solver.proving_plan(problem)?,
        };
        let meter = meter(config, config.limits, cancel, None);
        Ok(Self { solver, problem, plan, cancel, observer, meter, made: 0 })
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.plan.metric()
    }

    /// Returns the unused part of the limits.
    pub fn left(&self) -> Limits {
        self.meter.remaining_limits()
    }

    /// Returns whether the study was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns the meter that counts all searches.
    pub fn meter(&mut self) -> &mut Meter<'a> {
        &mut self.meter
    }

    /// Reports the start of another search. If the observer returns `Break` here, it will do so again in the search,
    /// which then stops.
    fn begin(&mut self) {
        self.made += 1;
        if let Some(observer) = &mut self.observer {
            let _ = observer.event(Event::Board { number: self.made });
        }
    }

    /// Reports a stage between two searches.
    pub fn stage(&mut self, name: &'static str) {
        if let Some(observer) = &mut self.observer {
            let _ = observer.event(Event::Stage { name, with: None });
        }
    }

    /// Returns the observer, for a search that the caller runs itself.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        reborrow(&mut self.observer)
    }

    /// Runs `work` with 1/`parts` of the remaining time and expansions.
    pub fn with_share<T>(&mut self, parts: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.meter.remaining_limits();
        let part = Limits {
            max_time: left.max_time.map(|time| time / parts),
            max_expanded: left.max_expanded.map(|nodes| nodes / u64::from(parts)),
            ..left
        };
        let part = meter(self.solver.config(), part, self.cancel, None);
        let whole = std::mem::replace(&mut self.meter, part);
        let result = work(self);
        let done = std::mem::replace(&mut self.meter, whole).finish();
        self.meter.charge(&done);
        result
    }

    /// Returns the best solution from `board` within the remaining limits, and the bound proved for it.
    pub fn best(&mut self, board: &Board) -> Report {
        self.begin();
        let problem = self.problem.from(board.clone());
        // A solution can be improved only if there is one, so this checks parity even if the configuration does not.
        let (limits, parity_check) = (self.meter.remaining_limits(), true);
        let config = Config { limits, parity_check, ..self.solver.config().clone() };
        let run = Run { config: &config, ..self.solver.run(&problem, &self.plan) };
        let report = anytime::solve(run, Quality::Auto, self.cancel, reborrow(&mut self.observer));
        self.meter.charge(&report.stats);
        report
    }

    /// Returns a shortest solution from `board`, or `None` if it has more than `most` moves.
    ///
    /// # Errors
    /// Returns the limit that ended the search before this was decided.
    pub fn shortest_within(
        &mut self,
        board: &Board,
        most: usize,
    ) -> Result<Option<Vec<Move>>, Stop> {
        self.begin();
        let problem = self.problem.from(board.clone());
        let limits = Limits { max_depth: Some(most as Cost), ..self.meter.remaining_limits() };
        let limits = self.plan.within(limits);
        let is_deep_enough = limits.max_depth == Some(most as Cost);
        let observer = reborrow(&mut self.observer);
        let mut own = meter(self.solver.config(), limits, self.cancel, observer);
        let attempt = attempt(&self.solver.run(&problem, &self.plan), &mut own);
        let report = report(&problem, &self.plan, attempt, own.finish());
        self.meter.charge(&report.stats);
        match report.status {
            Status::Stopped(Stop::Depth) if is_deep_enough => Ok(None),
            Status::Stopped(stop) => Err(stop),
            _ => Ok(report.moves.filter(|moves| self.metric().length(moves) <= most)),
        }
    }
}

/// Reborrows the observer.
pub(crate) fn reborrow<'b>(
    observer: &'b mut Option<&mut dyn Observer>,
) -> Option<&'b mut dyn Observer> {
    match observer {
        Some(observer) => Some(&mut **observer),
        None => None,
    }
}
