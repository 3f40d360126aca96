//! The best solution that can be had within the limits, and what is proved about it: what all qualities but
//! [`Quality::Optimal`] run.
//!
//! The search for a proof and the search for better solutions take turns, each turn with twice as many expansions as
//! the one before. A turn of the former begins anew, with the stage that led the one before in the end, because most
//! searches cannot be put aside; all turns together expand at most twice as much as the last one. Turns are measured in
//! expansions, not by the clock, so that with one thread or a limit of expansions the results reproduce. With several
//! threads and no such limit, both go on at the same time (`beside.rs`).

#[cfg(feature = "parallel")]
mod beside;

use loyd_heuristics::pdb::DENSE_CELLS;
use loyd_search::{CancelToken, Cost, Limits, Meter, Observer, Stop};
use loyd_tiles::Move;
use loyd_tiles::notation::moves_to_string;

use crate::algorithms::Run;
use crate::attempt::{Attempt, attempt, meter, of_either_end, report, settled};
use crate::choices::{Quality, Weight};
use crate::config::Config;
use crate::fast::Improver;
use crate::heuristics::Stage;
use crate::quality::{bound_heuristic, lower_bound};
use crate::report::{Report, Status};

/// What [`Stats::ended_by`](loyd_search::Stats::ended_by) says when the best solution is as long as the proof allows.
const IMPROVER: &str = "improver";

/// The expansions of the first turn of improving.
const FIRST_TURN: u64 = 500_000;

/// The expansions of a turn of proving that follows one of improving with `turn`: about as much time. On boards of more
/// than 36 cells, whose rounds soon take too long whatever is done, it is a small part of the time. For partial goals
/// an expansion of the proof takes a tenth of the time that one of improving takes.
fn for_proof(cells: usize, is_partial: bool, turn: u64) -> u64 {
    match cells {
        ..=36 if is_partial => turn.saturating_mul(16),
        ..=36 => turn.saturating_mul(2),
        _ => turn / 4,
    }
}

/// The expansions of a turn of proving before anything is improved. Boards of up to [`DENSE_CELLS`] cells nearly all
/// need fewer: a second or two; so do larger ones with a partial goal. Others may be near their goal; if there are many,
/// the first solution waits too.
fn for_first_proof(cells: usize, is_partial: bool, one_of_many: bool) -> u64 {
    match cells {
        ..=DENSE_CELLS => 200_000_000,
        ..=36 if is_partial => 20_000_000,
        _ if one_of_many => 1_000_000,
        _ => 50_000,
    }
}

/// Up to so many cells no board takes longer than a first solution.
const FEW_CELLS: usize = 9;

/// What may be expanded for a proof before the first solution of [`Quality::Fast`], which takes about as long. With
/// tables, nine of ten random 4x4 boards need less.
const PROOF_IN_PASSING: u64 = 300_000;

/// From so many boards on, tables take less time than first solutions do.
const MANY: u64 = 100;

/// What may be expanded for a first solution when the limits are reached before there is one: a few milliseconds.
const LATE: u64 = 20_000;

/// Solves the problem of `run` with a quality other than [`Quality::Optimal`].
pub(crate) fn solve(
    run: Run<'_>,
    quality: Quality,
    cancel: &CancelToken,
    observer: Option<&mut dyn Observer>,
) -> Report {
    let Run { problem, plan, config, .. } = run;
    let limits = match quality {
        Quality::Fast => limits_of_fast(config),
        _ => config.limits,
    };
    let mut meter = meter(config, plan.within(limits), cancel, observer);
    let weight = match quality {
        Quality::Bounded(weight) => Some(weight),
        _ => None,
    };
    let (least, enough, can_prove) = (1, weight.unwrap_or(Weight::ONE), plan.proves_shortest());
    let (proved_in, gave_up) = (None, None);
    let mut search = Anytime { run, least, proved_in, enough, improver: None, can_prove, gave_up };
    let ended = match settled(config, problem) {
        Some((status, moves)) => Ok(Some(Attempt { status, moves, stage: None })),
        None if quality == Quality::Fast => search.run_fast(&mut meter),
        None => search.run(&mut meter),
    };
    let (proved, stop) = match ended {
        Ok(proved) => (proved, None),
        Err(stop @ Stop::Depth) => {
            let (status, stage) = (Status::Stopped(stop), plan.stages.last());
            (Some(Attempt { status, moves: None, stage }), None)
        }
        Err(stop) => (None, Some(stop)),
    };
    if let Some(proved) = proved {
        let report = of_either_end(report(problem, plan, proved, meter.finish()), run.back);
        let lower_bound = report.length().map(|length| length as Cost);
        let within = lower_bound.map(|_| Weight::ONE);
        return Report { lower_bound, within, weight, ..report };
    }
    let moves = search.best(&mut meter);
    let status = match stop {
        // Without a bound that was asked for, the best solution is what is wanted.
        Some(stop) if weight.is_some() && !search.is_enough() => Status::Stopped(stop),
        _ => Status::Solved,
    };
    let stopped_by = search.gave_up.or(stop);
    let report = of_either_end(search.report(quality, (status, moves), meter), run.back);
    Report {
        weight,
        stopped_by: stopped_by.filter(|_| quality != Quality::Fast && !report.optimal),
        ..report
    }
}

/// Improving ends when it is time, and the solution is there.
fn limits_of_fast(config: &Config) -> Limits {
    let Config { improve, mut limits, .. } = *config;
    if !improve.is_zero() {
        limits.max_time = Some(limits.max_time.map_or(improve, |limit| limit.min(improve)));
    }
    limits
}

/// A search for a shortest solution, and the best one so far.
struct Anytime<'a> {
    run: Run<'a>,
    /// No solution is shorter: from when there is one, no less than a heuristic tells.
    least: Cost,
    /// The stage of proving that told so, if it was no heuristic by itself.
    proved_in: Option<&'a Stage>,
    /// How many times as long as that a solution may be.
    enough: Weight,
    /// Has the best solution, from when it is needed.
    improver: Option<Improver<'a>>,
    /// Whether proving has a chance.
    can_prove: bool,
    /// Why proving was given up before the search ended.
    gave_up: Option<Stop>,
}

impl<'a> Anytime<'a> {
    /// Searches until a solution is proved to be shortest; `None` if that is the best one so far.
    ///
    /// # Errors
    /// The limit that was reached.
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
        let (cells, is_partial) = self.kind();
        let one_of_many = self.run.config.boards.is_some_and(|boards| boards > 1);
        if cells > FEW_CELLS && !one_of_many {
            self.begin(meter)?;
        }
        if self.is_enough() {
            return Ok(None);
        }
        if let Some(proved) = self.prove(for_first_proof(cells, is_partial, one_of_many), meter)? {
            return Ok(Some(proved));
        }
        #[cfg(feature = "parallel")]
        if self.run.plan.threads > 1 && meter.limits().max_expanded.is_none() {
            return self.run_beside(meter);
        }
        self.run_in_turns(meter)
    }

    /// How many cells the board has, and whether only some of them matter.
    fn kind(&self) -> (usize, bool) {
        let problem = self.run.problem;
        (problem.goal().size().cells(), problem.partial_goal().is_some())
    }

    /// Improves and proves in turns, each twice as long as the one before.
    fn run_in_turns(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
        let (cells, is_partial) = self.kind();
        let mut turn = FIRST_TURN;
        loop {
            self.improve(turn, meter)?;
            if self.is_enough() {
                return Ok(None);
            }
            if let Some(proved) = self.prove(for_proof(cells, is_partial, turn), meter)? {
                return Ok(Some(proved));
            }
            // Where neither can go on, all was done that can be.
            let goes_on = self.improver.as_ref().is_some_and(Improver::goes_on);
            if self.is_enough() || !(goes_on || self.can_prove) {
                return Ok(None);
            }
            turn = turn.saturating_mul(2);
        }
    }

    /// Searches for a solution at once, which is a shortest one where that can be proved as fast, and improves it if
    /// there is time for that.
    ///
    /// # Errors
    /// The limit that was reached.
    fn run_fast(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
        if self.is_proved_in_passing()
            && let Some(proved) = self.prove(PROOF_IN_PASSING, meter)?
        {
            return Ok(Some(proved));
        }
        self.begin(meter)?;
        if !self.run.config.improve.is_zero() {
            self.improve(u64::MAX, meter)?;
        }
        Ok(None)
    }

    /// Whether a proof is worth a try before a first solution: on boards so small that nothing is faster, or where
    /// its tables are there, or are for so many boards that making them pays.
    fn is_proved_in_passing(&self) -> bool {
        let Run { problem, plan, config, tables, .. } = self.run;
        let has_tables = || {
            let tables_of = plan.stages.first().and_then(|stage| stage.tables.as_ref());
            tables_of.is_some_and(|key| config.boards >= Some(MANY) || tables.has(key))
        };
        match problem.goal().size().cells() {
            ..=FEW_CELLS => true,
            cells => cells <= DENSE_CELLS && has_tables(),
        }
    }

    /// Finds a first solution.
    fn begin(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.stage("first solution", None)?;
        let Run { problem, config, .. } = self.run;
        let (improver, stopped) = Improver::new(problem, config.metric, meter);
        self.has_first(improver);
        self.tell(meter)?;
        stopped.map_or(Ok(()), Err)
    }

    fn has_first(&mut self, improver: Improver<'a>) {
        let Run { problem, config, .. } = self.run;
        self.improver = Some(improver.telling());
        self.least = self.least.max(lower_bound(problem, config.metric));
    }

    /// Improves the solution with about so many expansions.
    fn improve(&mut self, expansions: u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.improver.is_none() {
            self.begin(meter)?;
        }
        meter.stage("improving", None)?;
        let end = meter.expanded().saturating_add(expansions);
        while meter.expanded() < end && !self.is_enough() {
            let before = self.length();
            let Some(improver) = self.improver.as_mut().filter(|improver| improver.goes_on())
            else {
                return Ok(());
            };
            let stopped = improver.step(self.enough.times(self.least), meter);
            if self.length() < before {
                self.tell(meter)?;
            }
            stopped?;
        }
        Ok(())
    }

    /// Looks for a shortest solution with at most so many expansions, and raises the lower bound if there is none. Where a
    /// solution is known, it looks for shorter ones alone: if there are none, that solution is a shortest one.
    fn prove(
        &mut self,
        expansions: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Attempt<'a>>, Stop> {
        if !self.can_prove {
            return Ok(None);
        }
        meter.begin_again();
        let shorter = self.length().map_or(Cost::MAX, |length| length.saturating_sub(1));
        let attempt = meter.within(expansions, |meter| {
            meter.no_deeper_than(shorter, |meter| attempt(&self.run, meter))
        });
        meter.release();
        if let Some(stage) = attempt.stage {
            self.run = self.run.beginning_with(stage);
            self.run.towards = self.run.towards.or(meter.current_direction());
        }
        let Status::Stopped(stop) = attempt.status else { return Ok(Some(attempt)) };
        let is_shortest = stop == Stop::Depth && shorter < meter.limits().depth();
        let bound = meter.lower_bound().max(if is_shortest { shorter + 1 } else { 0 });
        if bound > self.least {
            self.least = bound;
            self.proved_in = attempt.stage.or(self.proved_in);
        }
        match stop {
            Stop::Expanded if meter.left_to_expand() > 0 => Ok(None),
            Stop::Depth if is_shortest => {
                meter.ended_by(IMPROVER);
                meter.at_least(self.least)?;
                Ok(None)
            }
            // Tables that are damaged or too large are no reason to give up the solution.
            Stop::Memory | Stop::Tables => {
                (self.can_prove, self.gave_up) = (false, Some(stop));
                Ok(None)
            }
            stop => Err(stop),
        }
    }

    /// Tells the observer the best solution, if there is one, and the lower bound.
    fn tell(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if let (Some(improver), Some(length)) = (&self.improver, self.length()) {
            meter.incumbent(length, || moves_to_string(improver.moves()))?;
        }
        meter.at_least(self.least)
    }

    /// The length of the best solution in the metric.
    fn length(&self) -> Option<Cost> {
        Some(self.improver.as_ref()?.length() as Cost)
    }

    /// Whether the best solution is as good as is wanted.
    fn is_enough(&self) -> bool {
        self.length().is_some_and(|length| length <= self.enough.times(self.least) as Cost)
    }

    /// The best solution; a first one if the limits were reached before there was any.
    fn best(&mut self, meter: &mut Meter<'_>) -> Vec<Move> {
        if self.improver.is_none() {
            // Time is over, and so it takes a few milliseconds beyond it.
            let max_expanded = Some(LATE.min(meter.left_to_expand()));
            let limits = Limits { max_expanded, ..Limits::default() };
            let mut own = Meter::timed_by(meter.clock(), limits, CancelToken::new());
            let metric = self.run.config.metric;
            let (improver, _) = Improver::new(self.run.problem, metric, &mut own);
            meter.charge(&own.finish());
            self.has_first(improver);
            // The search is over in any case.
            let _ = self.tell(meter);
        }
        self.improver.as_ref().map_or(&[][..], Improver::moves).to_vec()
    }

    /// The report of a solution that is not proved to be shortest by a search.
    fn report(&self, quality: Quality, found: (Status, Vec<Move>), meter: Meter<'_>) -> Report {
        let Run { problem, plan, config, .. } = self.run;
        let (status, moves) = found;
        let length = config.metric.length(&moves);
        let too_long = config.limits.max_depth.is_some_and(|limit| length > limit as usize);
        let found = match too_long {
            true => (Status::Stopped(Stop::Depth), None),
            false => (status, Some(moves)),
        };
        let within = Weight::of(length, self.least).filter(|_| !too_long);
        let (stage, how) = (self.proved_in, (quality.name(), config.metric));
        Report {
            optimal: within.is_some_and(Weight::is_one),
            within,
            lower_bound: Some(self.least),
            heuristic: Some(stage.map_or(bound_heuristic(config), |stage| stage.heuristic.name)),
            tables: stage.and_then(|stage| Some(stage.tables.as_ref()?.name())),
            prune: stage.and_then(|stage| plan.prune_in(Some(stage))),
            ..Report::of(problem, found, how, meter.finish())
        }
    }
}
