//! Finds the best solution within the limits, and a bound on its excess. All qualities but [`Quality::Optimal`] use
//! this search.
//!
//! Turns of proving alternate with turns of improving. But for the first ones, each turn may expand twice as many nodes
//! as the previous one of its kind. A turn of proving starts over, with the stage that the previous turn used last,
//! because most searches cannot be suspended; all turns together expand at most twice as many nodes as the last one.
//! Turns are measured in expansions rather than time, so that results with one thread or a limit on expansions are
//! reproducible. With several threads and no such limit, several beams improve at the same time, and proving and
//! improving run in parallel (`concurrent.rs`).

#[cfg(feature = "parallel")]
mod concurrent;
pub(crate) mod large_boards;
pub(crate) mod lower_bounds;

use loyd_heuristics::pdb::{DENSE_CELLS, Orientation};
use loyd_search::{CancelToken, Cost, Limits, Meter, Observer, Stop};
use loyd_tiles::notation::moves_to_string;
use loyd_tiles::{Metric, Move, Relabelling};

use crate::algorithms::Run;
use crate::attempt::{Attempt, attempt, meter, report, trivial_result, with_direction_tables};
use crate::config::Config;
use crate::fast::Improver;
use crate::heuristics::Stage;
use crate::problem::Problem;
use crate::quality::{Quality, Weight};
use crate::report::{Report, Status};
use lower_bounds::{bound_heuristic, lower_bound};

/// Value of [`Stats::ended_by`](loyd_search::Stats::ended_by) when the best solution is as long as the lower bound.
const IMPROVER: &str = "improver";

/// Maximum number of expansions of the first turn of improving.
const FIRST_TURN: u64 = 500_000;

/// Returns the maximum number of expansions of a turn of proving that follows a turn of improving with `turn`
/// expansions, so that both take about the same time. On boards of more than 36 cells, whose iterations soon take too
/// long in any case, it is a small part of the time.
fn for_proof(cells: usize, is_partial: bool, turn: u64) -> u64 {
    match cells {
        ..=DENSE_CELLS => turn.saturating_mul(2),
        17..=36 if is_partial => turn.saturating_mul(2),
        17..=36 => turn,
        _ => turn / 4,
    }
}

/// Returns the maximum number of expansions of a proof before the turns alternate. Nearly all boards of up to
/// [`DENSE_CELLS`] cells need fewer (a second or two), and so do larger ones with a partial goal. Other boards may be
/// close to their goal. When many boards are solved and nothing observes the search of this one, the first solution waits for this proof, or for as much of it as
/// [`before_improving`] allows.
fn for_first_proof(cells: usize, is_partial: bool, one_of_many: bool) -> u64 {
    match cells {
        ..=DENSE_CELLS => 200_000_000,
        ..=36 if is_partial => 20_000_000,
        _ if one_of_many => 1_000_000,
        _ => 50_000,
    }
}

/// Returns the maximum number of expansions for a proof before the first solution is improved. One 4x4 board in a
/// thousand needs more than the small tables, and hardly any as much as this, so the proof of such a board may take
/// long. With many boards the proof has priority, since it starts over after improving.
fn before_improving(one_of_many: bool) -> u64 {
    if one_of_many { 50_000_000 } else { 10_000_000 }
}

/// Number of expansions for improving the solution before the rest of such a proof (a tenth of a second).
const BEFORE_LONG_PROOF: u64 = 2_000_000;

/// Sizes in canonical orientation with the length of the longest shortest solution in single-tile moves, for goals with
/// the blank in a corner.
///
/// Source: OEIS A151944.
const LONGEST: [(&str, Cost); 6] =
    [("2x6", 80), ("2x7", 108), ("2x8", 140), ("3x4", 53), ("3x5", 84), ("4x4", 80)];

/// Returns the length of the longest shortest solution of boards with the goal of `problem` if it is known and matters:
/// smaller boards are proved at once.
fn longest(problem: &Problem, metric: Metric) -> Option<Cost> {
    let orientation = Orientation::new(&Relabelling::new(problem.goal()))?;
    let is_known = orientation.blank() == 0
        && problem.partial_goal().is_none()
        && metric == Metric::SingleTile;
    let size = orientation.size().to_string();
    LONGEST.into_iter().find(|&(known, _)| is_known && known == size).map(|(_, length)| length)
}

/// Maximum number of cells of boards that are proved as fast as a first solution is found.
const FEW_CELLS: usize = 9;

/// Maximum number of expansions for a proof before the first solution of [`Quality::Fast`], which takes about as
/// long. With tables, nine of ten random 4x4 boards need less.
const QUICK_PROOF: u64 = 300_000;

/// Number of boards from which on building tables takes less time than finding first solutions.
const MANY: u64 = 100;

/// Maximum number of expansions for a first solution after a limit was reached (a few milliseconds).
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
    let is_watched = observer.is_some();
    let mut meter = meter(config, plan.within(limits), cancel, observer);
    let weight = match quality {
        Quality::Bounded(weight) => Some(weight),
        _ => None,
    };
    let (bound, enough, can_prove) = (1, weight.unwrap_or(Weight::ONE), plan.proves_shortest());
    let mut search = Anytime {
        run,
        lower_bound: bound,
        proved_in: None,
        enough,
        improver: None,
        can_prove,
        is_watched,
        gave_up: None,
    };
    let ended = match trivial_result(config, problem) {
        Some((status, moves)) => Ok(Some(Attempt { status, moves, stage: None })),
        None if quality == Quality::Fast => search.run_fast(&mut meter),
        None => search.run(&mut meter),
    };
    let (proved, stop) = match ended {
        Ok(proved) => (proved, None),
        Err(stop @ Stop::Depth) => {
            let (status, stage) = (Status::Stopped(stop), search.run.stages.first());
            (Some(Attempt { status, moves: None, stage }), None)
        }
        Err(stop) => (None, Some(stop)),
    };
    if let Some(proved) = proved {
        let report =
            with_direction_tables(report(problem, plan, proved, meter.finish()), run.reverse);
        let lower_bound = report.length().map(|length| length as Cost);
        let within = lower_bound.map(|_| Weight::ONE);
        return Report { lower_bound, within, weight, ..report };
    }
    let moves = search.best(&mut meter);
    let status = match stop {
        // Only a requested bound that is not proved counts as stopped; otherwise the best solution is the result.
        Some(stop) if weight.is_some() && !search.is_enough() => Status::Stopped(stop),
        _ => Status::Solved,
    };
    let stopped_by = search.gave_up.or(stop);
    let report = with_direction_tables(search.report(quality, (status, moves), meter), run.reverse);
    Report {
        weight,
        stopped_by: stopped_by.filter(|_| quality != Quality::Fast && !report.optimal),
        ..report
    }
}

/// Returns the limits of [`Quality::Fast`]. Improving ends after `improve`, and the solution is kept.
fn limits_of_fast(config: &Config) -> Limits {
    let Config { improve, mut limits, .. } = *config;
    if !improve.is_zero() {
        limits.max_time = Some(limits.max_time.map_or(improve, |limit| limit.min(improve)));
    }
    limits
}

/// A search for a shortest solution, with the best solution so far.
struct Anytime<'a> {
    run: Run<'a>,
    /// Lower bound on the length; at least the value of a heuristic once there is a first solution.
    lower_bound: Cost,
    /// The stage that proved `lower_bound`, unless the bound is the value of a heuristic for the start.
    proved_in: Option<&'a Stage>,
    /// A solution is good enough if its length is at most this weight times `lower_bound`.
    enough: Weight,
    /// Holds the best solution; `None` before the first one.
    improver: Option<Improver<'a>>,
    /// Whether the search can prove solutions shortest; `false` once its tables are damaged or too large.
    can_prove: bool,
    /// Whether an observer receives solutions as they are found. The board is then treated as a single one.
    is_watched: bool,
    /// The limit or fault that ended the proof while the search continued.
    gave_up: Option<Stop>,
}

impl<'a> Anytime<'a> {
    /// Searches until a solution is good enough, or until it can be neither improved nor proved. Returns the attempt
    /// that proved the result, or `None` if the result is the best solution of the improver.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
        let (cells, is_partial) = self.kind();
        let one_of_many =
            self.run.config.boards.is_some_and(|boards| boards > 1) && !self.is_watched;
        if cells > FEW_CELLS && !one_of_many {
            self.find_first(meter)?;
            self.improve_to_longest(meter)?;
        }
        if self.is_enough() {
            return Ok(None);
        }
        let for_first_proof = for_first_proof(cells, is_partial, one_of_many);
        let before_improving = before_improving(one_of_many);
        if for_first_proof > before_improving && !is_partial {
            if let Some(proved) = self.prove(before_improving, meter)? {
                return Ok(Some(proved));
            }
            self.improve(BEFORE_LONG_PROOF, meter)?;
            if self.is_enough() {
                return Ok(None);
            }
        }
        if let Some(proved) = self.prove(for_first_proof, meter)? {
            return Ok(Some(proved));
        }
        #[cfg(feature = "parallel")]
        if self.run.plan.threads > 1 && meter.limits().max_expanded.is_none() {
            return self.run_concurrently(meter);
        }
        self.alternate(meter)
    }

    /// Returns the number of cells of the board, and whether the goal is a partial one.
    fn kind(&self) -> (usize, bool) {
        let problem = self.run.problem;
        (problem.goal().size().cells(), problem.partial_goal().is_some())
    }

    /// Alternates between improving and proving, with turns that double in length.
    fn alternate(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
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
            // If it can be neither improved nor proved, the solution is final.
            let can_improve = self.improver.as_ref().is_some_and(Improver::can_improve);
            if self.is_enough() || !(can_improve || self.can_prove) {
                return Ok(None);
            }
            turn = turn.saturating_mul(2);
        }
    }

    /// Finds a solution immediately, a shortest one if a proof is as fast, and improves it for the configured time.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    fn run_fast(&mut self, meter: &mut Meter<'_>) -> Result<Option<Attempt<'a>>, Stop> {
        if self.tries_proof_first()
            && let Some(proved) = self.prove(QUICK_PROOF, meter)?
        {
            return Ok(Some(proved));
        }
        self.find_first(meter)?;
        if !self.run.config.improve.is_zero() {
            self.improve(u64::MAX, meter)?;
        }
        Ok(None)
    }

    /// Returns whether a proof is tried before the first solution: on boards so small that nothing is faster, or if the
    /// tables are loaded, or there are so many boards that building them pays off.
    fn tries_proof_first(&self) -> bool {
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

    /// Finds and reports a first solution.
    fn find_first(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.enter_stage("first solution", None)?;
        let Run { problem, config, .. } = self.run;
        let (improver, stopped) = Improver::new(problem, config.metric, meter);
        self.set_improver(improver);
        self.report_bounds(meter)?;
        stopped.map_or(Ok(()), Err)
    }

    /// Improves a solution that is longer than any shortest one, and so plainly too long, for up to a turn.
    fn improve_to_longest(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let Run { problem, config, .. } = self.run;
        let longest = longest(problem, config.metric).unwrap_or(Cost::MAX);
        let end = meter.expanded().saturating_add(FIRST_TURN);
        while self.length() > Some(longest)
            && !self.is_enough()
            && meter.expanded() < end
            && self.step(meter)?
        {}
        Ok(())
    }

    fn set_improver(&mut self, improver: Improver<'a>) {
        let Run { problem, plan, config, .. } = self.run;
        // Concurrent beams count separately, and could exceed a limit on expansions together.
        let is_limited = config.limits.max_expanded.is_some();
        let threads = if is_limited || cfg!(not(feature = "parallel")) { 1 } else { plan.threads };
        self.improver = Some(improver.reporting().with_threads(threads));
        self.lower_bound = self.lower_bound.max(lower_bound(problem, config.metric));
    }

    /// Improves the solution with about `expansions` expansions.
    fn improve(&mut self, expansions: u64, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.improver.is_none() {
            self.find_first(meter)?;
        }
        meter.enter_stage("improving", None)?;
        let end = meter.expanded().saturating_add(expansions);
        while meter.expanded() < end && !self.is_enough() && self.step(meter)? {}
        Ok(())
    }

    /// Runs a step of the improver, and reports the solution if it is shorter. Returns whether there may be
    /// another step.
    fn step(&mut self, meter: &mut Meter<'_>) -> Result<bool, Stop> {
        let before = self.length();
        let Some(improver) = self.improver.as_mut().filter(|improver| improver.can_improve())
        else {
            return Ok(false);
        };
        let stopped = improver.step(self.enough.times(self.lower_bound), meter);
        if self.length() < before {
            self.report_bounds(meter)?;
        }
        match stopped {
            // The remaining expansions do not suffice for a step, but may for a proof.
            Err(Stop::Expanded) if self.can_prove && meter.remaining_expansions() > 0 => Ok(false),
            stopped => stopped.map(|()| true),
        }
    }

    /// Searches for a shortest solution with at most `expansions` expansions, and raises the lower bound if it finds
    /// none. If a solution is known, only shorter ones are searched for: if there are none, the known one is
    /// shortest.
    fn prove(
        &mut self,
        expansions: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Attempt<'a>>, Stop> {
        if !self.can_prove {
            return Ok(None);
        }
        meter.restart();
        let shorter = self.length().map_or(Cost::MAX, |length| length.saturating_sub(1));
        let attempt = meter.with_max_expansions(expansions, |meter| {
            meter.with_max_depth(shorter, |meter| attempt(&self.run, meter))
        });
        meter.release();
        if let Some(stage) = attempt.stage {
            self.run = self.run.starting_at(stage);
            self.run.fixed_direction = self.run.fixed_direction.or(meter.current_direction());
        }
        let Status::Stopped(stop) = attempt.status else { return Ok(Some(attempt)) };
        let is_shortest = stop == Stop::Depth && shorter < meter.limits().depth();
        let bound = meter.lower_bound().max(if is_shortest { shorter + 1 } else { 0 });
        if bound > self.lower_bound {
            self.lower_bound = bound;
            self.proved_in = attempt.stage.or(self.proved_in);
        }
        match stop {
            Stop::Expanded if meter.remaining_expansions() > 0 => Ok(None),
            Stop::Depth if is_shortest => {
                meter.set_ended_by(IMPROVER);
                meter.raise_lower_bound(self.lower_bound)?;
                Ok(None)
            }
            // Damaged or too large tables end the proof, but the solution remains valid.
            Stop::Memory | Stop::Tables => {
                (self.can_prove, self.gave_up) = (false, Some(stop));
                Ok(None)
            }
            stop => Err(stop),
        }
    }

    /// Reports the best solution, if there is one, and the lower bound to the observer.
    fn report_bounds(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if let (Some(improver), Some(length)) = (&self.improver, self.length()) {
            meter.report_incumbent(length, || moves_to_string(improver.moves()))?;
        }
        meter.raise_lower_bound(self.lower_bound)
    }

    /// Returns the length of the best solution in the metric.
    fn length(&self) -> Option<Cost> {
        Some(self.improver.as_ref()?.length() as Cost)
    }

    /// Returns whether the best solution is good enough.
    fn is_enough(&self) -> bool {
        self.length().is_some_and(|length| length <= self.enough.times(self.lower_bound) as Cost)
    }

    /// Returns the best solution. Finds a first one if the limits were reached before there was any.
    fn best(&mut self, meter: &mut Meter<'_>) -> Vec<Move> {
        if self.improver.is_none() {
            // A limit was reached, so this takes a few milliseconds beyond it.
            let max_expanded = Some(LATE.min(meter.remaining_expansions()));
            let limits = Limits { max_expanded, ..Limits::default() };
            let mut own = Meter::with_clock(meter.clock(), limits, CancelToken::new());
            let metric = self.run.config.metric;
            let (improver, _) = Improver::new(self.run.problem, metric, &mut own);
            meter.charge(&own.finish());
            self.set_improver(improver);
            // The search is over, so a request to stop is ignored.
            let _ = self.report_bounds(meter);
        }
        self.improver.as_ref().map_or(&[][..], Improver::moves).to_vec()
    }

    /// Returns the report of a solution that no search proved shortest.
    fn report(&self, quality: Quality, found: (Status, Vec<Move>), meter: Meter<'_>) -> Report {
        let Run { problem, plan, config, .. } = self.run;
        let (status, moves) = found;
        let length = config.metric.length(&moves);
        let too_long = config.limits.max_depth.is_some_and(|limit| length > limit as usize);
        let found = match too_long {
            true => (Status::Stopped(Stop::Depth), None),
            false => (status, Some(moves)),
        };
        let within = Weight::of(length, self.lower_bound).filter(|_| !too_long);
        let (stage, how) = (self.proved_in, (quality.name(), config.metric));
        Report {
            optimal: within.is_some_and(Weight::is_one),
            within,
            lower_bound: Some(self.lower_bound),
            heuristic: Some(stage.map_or(bound_heuristic(config), |stage| stage.heuristic.name)),
            tables: stage.and_then(|stage| Some(stage.tables.as_ref()?.name())),
            prune: stage.and_then(|stage| plan.prune_in(Some(stage))),
            ..Report::of(problem, found, how, meter.finish())
        }
    }
}
