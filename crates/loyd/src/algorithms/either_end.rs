//! IDA* on large boards from the end at which it is easier.
//!
//! The way from the goal to the start is as long as the one from the start to the goal, so a shortest solution may be looked
//! for at either end. How many nodes that takes differs: with the tables of 5x5 boards a search from one end often
//! expands several times as many as one from the other. Which end is easier shows after a few rounds. So both are
//! tried, and the search goes on at the better one.
//!
//! Choosing a direction by the size of the first rounds goes back to Pohl (1971), "Bi-directional search", Machine
//! Intelligence 6.

use std::sync::Mutex;
use std::time::Duration;

use loyd_kernels::Progress;
use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::{Move, invert};

use super::row::{Back, Begun, Keeper, Run};
use crate::heuristics::Stage;
use crate::sync::lock;

/// The most expansions with which an end is tried: some four seconds on one core. Boards that need fewer are solved from
/// the start; for others, the tables for the other end, which take as long to build, are cheap.
const TRIAL: u64 = 30_000_000;

/// Does a search that begins at the start of a run.
pub(super) type Search<'s> =
    dyn Fn(&Run<'_>, &Stage, &mut Meter<'_>) -> Result<Outcome<Move>, Stop> + 's;

/// Searches with `stage`, the last one, from the end that is asked for, or at which `run` was put aside, or that is the
/// better one after both were tried.
pub(super) fn search(
    (run, back): (&Run<'_>, &Back),
    stage: &Stage,
    search: &Search<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let begun = run.keeper.map(|keeper| keeper.begin()).unwrap_or_default();
    if let Some(direction) = run.towards.or(begun.direction) {
        return from(direction, (run, back), stage, search, meter);
    }
    let mut trials = [
        Trial::new(Direction::Forward, begun.progress, run.keeper),
        Trial::new(Direction::Backward, Progress::default(), None),
    ];
    let mut most = TRIAL;
    for index in 0..trials.len() {
        let trial = &mut trials[index];
        let before = (meter.expanded(), meter.generated());
        let left = most.saturating_sub(trial.counts.0);
        let direction = trial.direction;
        let tried = Run { keeper: Some(&*trial), ..*run };
        let ends = (&tried, back);
        let outcome = meter.within(left, |meter| from(direction, ends, stage, search, meter));
        trial.counts.0 += meter.expanded() - before.0;
        trial.counts.1 += meter.generated() - before.1;
        match outcome {
            Ok(Outcome::Stopped(Stop::Expanded)) if meter.left_to_expand() > 0 => {}
            // What the goal's end lacks is no reason to give up.
            Ok(Outcome::Stopped(Stop::Memory | Stop::Tables))
            | Err(Stop::Memory | Stop::Tables)
                if direction == Direction::Backward =>
            {
                *lock(&trial.progress) = Progress::default();
            }
            Ok(Outcome::Stopped(stop)) | Err(stop) => {
                if direction == Direction::Backward {
                    // Whoever goes on has no time for a trial, perhaps.
                    better(&trials, run.keeper).keep_all();
                }
                meter.direction(None);
                return Err(stop);
            }
            ended => return ended,
        }
        meter.begin_again();
        most = enough(&lock(&trials[0].progress));
    }
    let chosen = better(&trials, run.keeper);
    chosen.keep_all();
    let run = Run { keeper: Some(&chosen), ..*run };
    from(chosen.direction, (&run, back), stage, search, meter)
}

/// Searches from this end.
fn from(
    direction: Direction,
    (run, back): (&Run<'_>, &Back),
    stage: &Stage,
    search: &Search<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let run = Run { back: None, ..*run };
    match direction {
        Direction::Forward => search(&run, stage, meter),
        Direction::Backward => from_goal(&run, back, search, meter),
    }
}

/// Searches from the goal of `run`.
fn from_goal(
    run: &Run<'_>,
    back: &Back,
    search: &Search<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let (problem, plan) = (&back.problem, &back.plan);
    let stage = plan.stages.last().ok_or(Stop::Tables)?;
    let forward = run.stages.last().and_then(|stage| stage.tables.as_ref());
    let run = Run { problem, plan, stages: &plan.stages, direction: Direction::Backward, ..*run };
    if stage.made().is_none() && stage.tables.as_ref() != forward {
        run.heuristic_beside(stage, meter)?;
    }
    Ok(match search(&run, stage, meter)? {
        Outcome::Solved { path, cost } => Outcome::Solved { path: invert(&path), cost },
        other => other,
    })
}

/// A search from one end that is broken off.
struct Trial<'a> {
    direction: Direction,
    /// How far it came.
    progress: Mutex<Progress>,
    /// What it expanded and generated in all.
    counts: (u64, u64),
    /// Keeps how far it is, so that it can be continued.
    keeper: Option<&'a dyn Keeper>,
}

impl<'a> Trial<'a> {
    /// A trial that came so far before.
    fn new(direction: Direction, progress: Progress, keeper: Option<&'a dyn Keeper>) -> Self {
        let (rounds, beside) = (of_rounds(&progress), progress.beside);
        let counts = (rounds.0 + beside.0, rounds.1 + beside.1);
        Self { direction, progress: Mutex::new(progress), counts, keeper }
    }
}

/// The nodes expanded and generated in all rounds, and beyond the bound of the one that is not complete.
fn of_rounds(progress: &Progress) -> (u64, u64) {
    let now = [(progress.expanded, progress.generated), progress.beyond];
    let now = now.into_iter().filter(|_| !progress.pending.is_empty());
    let rounds = progress.rounds.iter().map(|&(_, expanded, generated)| (expanded, generated));
    rounds.chain(now).fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1))
}

/// The expansions that show whether the goal's end is better than one that came so far: what its complete rounds took, and a
/// quarter more for beams and what is beyond a bound.
fn enough(there: &Progress) -> u64 {
    let rounds: u64 = there.rounds.iter().map(|round| round.1).sum();
    match rounds {
        0 => TRIAL,
        rounds => TRIAL.min(rounds + rounds / 4),
    }
}

/// The trial that is better: the one from the goal if it completed the last round that the other completed, and with fewer
/// expansions, or began beyond it. It goes on with what both have counted.
fn better<'a>(trials: &[Trial<'_>; 2], keeper: Option<&'a dyn Keeper>) -> Chosen<'a> {
    let all = trials.iter().map(|trial| trial.counts);
    let counts = all.fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    let [there, back] = trials.each_ref().map(|trial| lock(&trial.progress).clone());
    let last = |progress: &Progress| progress.rounds.last().map_or((0, 0), |&(b, e, _)| (b, e));
    let (bound, expanded) = last(&there);
    let same = back.rounds.iter().find(|round| round.0 == bound);
    let is_backward = last(&back).0 >= bound && same.map_or(0, |round| round.1) < expanded;
    let (direction, mut progress) = match is_backward {
        true => (Direction::Backward, back),
        false => (Direction::Forward, there),
    };
    let rounds = of_rounds(&progress);
    progress.beside = (counts.0.saturating_sub(rounds.0), counts.1.saturating_sub(rounds.1));
    Chosen { direction, progress, keeper }
}

impl Keeper for Trial<'_> {
    fn begin(&self) -> Begun {
        Begun { progress: lock(&self.progress).clone(), ..Begun::default() }
    }

    fn interval(&self) -> Duration {
        Duration::MAX
    }

    fn keep(&self, _: Option<Direction>, progress: &Progress) {
        lock(&self.progress).clone_from(progress);
        self.keeper.inspect(|keeper| keeper.keep(None, progress));
    }

    fn refuse(&self) {
        self.keeper.inspect(|keeper| keeper.refuse());
    }
}

/// The trial that goes on; what it takes to continue is kept where that is wanted.
struct Chosen<'a> {
    direction: Direction,
    progress: Progress,
    keeper: Option<&'a dyn Keeper>,
}

impl Chosen<'_> {
    /// Keeps how far it is, and so the choice.
    fn keep_all(&self) {
        self.keep(Some(self.direction), &self.progress);
    }
}

impl Keeper for Chosen<'_> {
    fn begin(&self) -> Begun {
        let progress = self.progress.clone();
        Begun { direction: Some(self.direction), progress, is_counted: true }
    }

    fn interval(&self) -> Duration {
        self.keeper.map_or(Duration::MAX, |keeper| keeper.interval())
    }

    fn keep(&self, direction: Option<Direction>, progress: &Progress) {
        self.keeper.inspect(|keeper| keeper.keep(direction, progress));
    }

    fn refuse(&self) {
        self.keeper.inspect(|keeper| keeper.refuse());
    }
}

#[cfg(test)]
mod tests;
