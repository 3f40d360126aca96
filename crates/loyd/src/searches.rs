//! Searches from several boards to one goal that share the limits of a configuration: what studies are made of.

use std::sync::Arc;

use loyd_search::{CancelToken, Cost, Event, Limits, Meter, Observer, Stop};
use loyd_tiles::{Board, Metric, Move};

use crate::algorithms::{Plan, Run};
use crate::anytime;
use crate::attempt::{attempt, meter, report};
use crate::choices::Quality;
use crate::config::Config;
use crate::error::Error;
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::solver::Solver;

/// Searches from boards that can reach the goal of a problem, under limits that hold for all of them together.
pub(crate) struct Searches<'a> {
    pub solver: &'a Solver,
    pub problem: &'a Problem,
    plan: Arc<Plan>,
    cancel: &'a CancelToken,
    observer: Option<&'a mut dyn Observer>,
    meter: Meter<'a>,
    /// How many searches were made.
    made: u64,
}

impl<'a> Searches<'a> {
    /// Starts the clock.
    ///
    /// # Errors
    /// When the configuration does not fit the board, or does not prove its solutions shortest.
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

    /// What counts as a move.
    pub fn metric(&self) -> Metric {
        self.plan.metric()
    }

    /// What is left of the limits.
    pub fn left(&self) -> Limits {
        self.meter.left()
    }

    /// Counts what a search has done within what was left.
    pub fn meter(&mut self) -> &mut Meter<'a> {
        &mut self.meter
    }

    /// Tells the observer that another search begins. If it breaks off, the search itself will.
    fn begin(&mut self) {
        self.made += 1;
        if let Some(observer) = &mut self.observer {
            let _ = observer.event(Event::Board { number: self.made });
        }
    }

    /// Tells the observer what is done between searches.
    pub fn stage(&mut self, name: &'static str) {
        if let Some(observer) = &mut self.observer {
            let _ = observer.event(Event::Stage { name, with: None });
        }
    }

    /// What searches that others make may tell.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        reborrow(&mut self.observer)
    }

    /// Does `work` with one in `parts` of the time and of the expansions that are left.
    pub fn with_part<T>(&mut self, parts: u32, work: impl FnOnce(&mut Self) -> T) -> T {
        let left = self.meter.left();
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

    /// The best solution from `board` that can be had with what is left, and what is proved about it.
    pub fn best(&mut self, board: &Board) -> Report {
        self.begin();
        let problem = self.problem.from(board.clone());
        // Whether there is a solution has to be known before one is improved.
        let (limits, parity_check) = (self.meter.left(), true);
        let config = Config { limits, parity_check, ..self.solver.config().clone() };
        let run = Run { config: &config, ..self.solver.run(&problem, &self.plan) };
        let report = anytime::solve(run, Quality::Auto, self.cancel, reborrow(&mut self.observer));
        self.meter.charge(&report.stats);
        report
    }

    /// A shortest solution from `board`, if it has at most `most` moves.
    ///
    /// # Errors
    /// The limit that was reached before that was known.
    pub fn at_most(&mut self, board: &Board, most: usize) -> Result<Option<Vec<Move>>, Stop> {
        self.begin();
        let problem = self.problem.from(board.clone());
        let limits = Limits { max_depth: Some(most as Cost), ..self.meter.left() };
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

/// The observer for a part of the time.
pub(crate) fn reborrow<'b>(
    observer: &'b mut Option<&mut dyn Observer>,
) -> Option<&'b mut dyn Observer> {
    match observer {
        Some(observer) => Some(&mut **observer),
        None => None,
    }
}
