//! IDA* on large boards from the end at which it is easier.
//!
//! The way from the goal to the start is as long as the one from the start to the goal, so a shortest solution may be looked
//! for at either end. How many nodes that takes differs: with the tables of 5x5 boards a search from one end expands
//! four times as many nodes as one from the other, or a quarter, as often as not. Which end is easier shows
//! after a few rounds. So both are tried, and the search goes on at the better one.
//!
//! Choosing a direction by the size of the first rounds goes back to Pohl (1971), "Bi-directional search", Machine
//! Intelligence 6.

use std::sync::Mutex;
use std::time::Duration;

use loyd_kernels::Progress;
use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::{Move, invert};

use super::row::{Begun, Keeper, Run};
use crate::heuristics::Stage;
use crate::sync::lock;

/// The expansions with which each end is tried: some four seconds on one core. Boards that need fewer are solved from the
/// start; for others, the tables for the other end, which take up to ten seconds to build, are cheap.
const TRIAL: u64 = 30_000_000;

/// Does a search that begins at the start of a run.
pub(super) type Search<'s> =
    dyn Fn(&Run<'_>, &Stage, &mut Meter<'_>) -> Result<Outcome<Move>, Stop> + 's;

/// Searches with `stage`, the last one, from the end that is asked for, or at which `run` was put aside, or that is the
/// better one after both were tried.
pub(super) fn search(
    run: &Run<'_>,
    stage: &Stage,
    search: &Search<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let begun = || run.keeper.and_then(|keeper| keeper.begin().direction);
    if let Some(direction) = run.config.direction.or_else(begun) {
        return from(direction, run, stage, search, meter);
    }
    let mut trials = [Trial::new(Direction::Forward), Trial::new(Direction::Backward)];
    for trial in &mut trials {
        let before = (meter.expanded(), meter.generated());
        let tried = Run { keeper: Some(&*trial), ..*run };
        let direction = trial.direction;
        let outcome = meter.within(TRIAL, |meter| from(direction, &tried, stage, search, meter));
        trial.counts = (meter.expanded() - before.0, meter.generated() - before.1);
        match outcome {
            Ok(Outcome::Stopped(Stop::Expanded)) if meter.left_to_expand() > 0 => {}
            // What the other end needs is no reason to give up.
            Ok(Outcome::Stopped(Stop::Memory | Stop::Tables))
            | Err(Stop::Memory | Stop::Tables)
                if direction == Direction::Backward => {}
            ended => return ended,
        }
        meter.begin_again();
    }
    let [forward, backward] = trials;
    let chosen = match backward.is_better_than(&forward) {
        true => backward.chosen(&forward, run.keeper),
        false => forward.chosen(&backward, run.keeper),
    };
    from(chosen.direction, &Run { keeper: Some(&chosen), ..*run }, stage, search, meter)
}

/// Searches from this end.
fn from(
    direction: Direction,
    run: &Run<'_>,
    stage: &Stage,
    search: &Search<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let turned = match direction {
        Direction::Forward => None,
        Direction::Backward => Some(run.back.ok_or(Stop::Tables)?),
    };
    let Some(back) = turned else {
        return search(&Run { back: None, ..*run }, stage, meter);
    };
    let (problem, plan) = (&back.problem, &*back.plan);
    let stage = plan.stages.last().ok_or(Stop::Tables)?;
    let run = Run { problem, plan, stages: &plan.stages, back: None, direction, ..*run };
    Ok(match search(&run, stage, meter)? {
        Outcome::Solved { path, cost } => Outcome::Solved { path: invert(&path), cost },
        other => other,
    })
}

/// A search from one end that is broken off.
struct Trial {
    direction: Direction,
    /// How far it came.
    progress: Mutex<Progress>,
    /// What it expanded and generated in all.
    counts: (u64, u64),
}

impl Trial {
    fn new(direction: Direction) -> Self {
        Self { direction, progress: Mutex::default(), counts: (0, 0) }
    }

    /// Whether it completed a round that the other did not, or expanded less in the last round that both completed.
    fn is_better_than(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|trial| {
            let rounds = &lock(&trial.progress).rounds;
            rounds.last().map_or((0, 0), |&(bound, expanded, _)| (bound, expanded))
        });
        own.0 > others.0 || own.0 == others.0 && own.1 < others.1
    }

    /// The search that goes on here, after the other was tried too.
    fn chosen<'a>(self, other: &Self, keeper: Option<&'a dyn Keeper>) -> Chosen<'a> {
        let mut progress = self.progress.into_inner().unwrap_or_default();
        progress.beside.0 += other.counts.0;
        progress.beside.1 += other.counts.1;
        Chosen { direction: self.direction, progress, keeper }
    }
}

impl Keeper for Trial {
    fn begin(&self) -> Begun {
        Begun::default()
    }

    fn interval(&self) -> Duration {
        Duration::MAX
    }

    fn keep(&self, _: Direction, progress: &Progress) {
        lock(&self.progress).clone_from(progress);
    }

    fn refuse(&self) {}
}

/// The trial that goes on; what it takes to continue is kept where that is wanted.
struct Chosen<'a> {
    direction: Direction,
    progress: Progress,
    keeper: Option<&'a dyn Keeper>,
}

impl Keeper for Chosen<'_> {
    fn begin(&self) -> Begun {
        let progress = self.progress.clone();
        Begun { direction: Some(self.direction), progress, is_counted: true }
    }

    fn interval(&self) -> Duration {
        self.keeper.map_or(Duration::MAX, |keeper| keeper.interval())
    }

    fn keep(&self, direction: Direction, progress: &Progress) {
        self.keeper.inspect(|keeper| keeper.keep(direction, progress));
    }

    fn refuse(&self) {
        self.keeper.inspect(|keeper| keeper.refuse());
    }
}

#[cfg(test)]
mod tests;
