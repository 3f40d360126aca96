//! How far a search from one end came, and which end is better.

use std::sync::Mutex;
use std::time::Duration;

use loyd_kernels::Progress;
use loyd_search::Direction;

use crate::algorithms::row::{Begun, Fit, Keeper};
use crate::sync::lock;

/// A search from one end. What it takes to continue is kept here, and also where that is wanted.
pub struct Relay<'a> {
    pub direction: Direction,
    /// Whether the search goes on at this end; until then, the end is tried.
    pub is_chosen: bool,
    /// How far it is.
    pub progress: Mutex<Progress>,
    /// Whether all of that has been counted.
    pub is_counted: bool,
    pub keeper: Option<&'a dyn Keeper>,
}

impl Relay<'_> {
    /// Keeps how far it is, and so the choice.
    pub fn keep_all(&self) {
        let progress = lock(&self.progress).clone();
        self.keep(Some(self.direction), &progress);
    }
}

impl Keeper for Relay<'_> {
    fn begin(&self) -> Begun {
        Begun {
            direction: self.is_chosen.then_some(self.direction),
            progress: lock(&self.progress).clone(),
            is_counted: self.is_counted,
            fit: Fit::NotTried,
        }
    }

    fn interval(&self) -> Duration {
        self.keeper.map_or(Duration::MAX, |keeper| keeper.interval())
    }

    fn keep(&self, _: Option<Direction>, progress: &Progress) {
        lock(&self.progress).clone_from(progress);
        let direction = self.is_chosen.then_some(self.direction);
        self.keeper.inspect(|keeper| keeper.keep(direction, progress));
    }

    fn fit(&self, fit: Fit) {
        self.keeper.inspect(|keeper| keeper.fit(fit));
    }

    fn refuse(&self) {
        self.keeper.inspect(|keeper| keeper.refuse());
    }
}

/// A search that is broken off when it has shown how far it comes.
pub struct Trial<'a> {
    pub relay: Relay<'a>,
    /// What it expanded and generated in all.
    pub counts: (u64, u64),
}

impl<'a> Trial<'a> {
    /// A trial that came so far before.
    pub fn new(direction: Direction, progress: Progress, keeper: Option<&'a dyn Keeper>) -> Self {
        let (counts, progress) = (counts(&progress), Mutex::new(progress));
        let relay = Relay { direction, is_chosen: false, progress, is_counted: false, keeper };
        Self { relay, counts }
    }
}

/// The nodes expanded and generated in all.
pub fn counts(progress: &Progress) -> (u64, u64) {
    let (rounds, beside) = (of_rounds(progress), progress.beside);
    (rounds.0 + beside.0, rounds.1 + beside.1)
}

/// The nodes expanded and generated in all rounds, and beyond the bound of the one that is not complete.
fn of_rounds(progress: &Progress) -> (u64, u64) {
    let now = [(progress.expanded, progress.generated), progress.beyond];
    let now = now.into_iter().filter(|_| !progress.pending.is_empty());
    let rounds = progress.rounds.iter().map(|&(_, expanded, generated)| (expanded, generated));
    rounds.chain(now).fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1))
}

/// The expansions that show whether the goal's end is better than one that came so far: what its complete rounds took, and a
/// quarter more for beams and what is beyond a bound, but no more than `most`.
pub fn enough(there: &Progress, most: u64) -> u64 {
    let rounds: u64 = there.rounds.iter().map(|round| round.1).sum();
    match rounds {
        0 => most,
        rounds => most.min(rounds + rounds / 4),
    }
}

/// The trial that is better: the one from the goal if it completed the last round that the other completed, and with fewer
/// expansions, or began beyond it. It goes on with what both have counted.
pub fn better<'a>(trials: &[Trial<'_>; 2], keeper: Option<&'a dyn Keeper>) -> Relay<'a> {
    let all = trials.iter().map(|trial| trial.counts);
    let counts = all.fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
    let [there, back] = trials.each_ref().map(|trial| lock(&trial.relay.progress).clone());
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
    let progress = Mutex::new(progress);
    Relay { direction, is_chosen: true, progress, is_counted: true, keeper }
}
