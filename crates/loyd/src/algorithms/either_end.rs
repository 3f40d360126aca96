//! IDA* on large boards from the end at which it is easier, and with tables that are chosen for the board.
//!
//! The way from the goal to the start is as long as the one from the start to the goal, so a shortest solution may be looked
//! for at either end. How many nodes that takes differs: with the tables of 5x5 boards a search from one end often
//! expands several times as many as one from the other. Which end is easier shows after a few rounds. So both are
//! tried, and the search goes on at the better one.
//!
//! If that does not solve the board soon, the search begins again at that end with tables that are chosen for it: see
//! [`Partition::fitted`].
//!
//! Choosing a direction by the size of the first rounds goes back to Pohl (1971), "Bi-directional search", Machine
//! Intelligence 6.

mod ends;
mod fitted;
mod trial;

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Mutex;

use loyd_heuristics::pdb::Partition;
use loyd_kernels::Progress;
use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::Move;

use super::row::{Back, Fit, Run};
use crate::heuristics::{Stage, catalogue};
use crate::sync::lock;
use ends::{Ends, Search};
use trial::{Relay, Trial, better, enough};

/// The most expansions with which an end is tried: some four seconds on one core. Boards that need fewer are solved from
/// the start; for others, the tables for the other end, which take as long to build, are cheap.
const TRIAL: u64 = 30_000_000;

/// Searches with `stage`, the last one, from the end that is asked for, or at which `run` was put aside, or that is the
/// better one after both were tried; and then with tables that are chosen for the board.
pub(super) fn search(
    (run, back): (&Run<'_>, &Back),
    stage: &Stage,
    search: &Search<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let backward = back.plan.stages.last().ok_or(Stop::Tables)?.unmade();
    let outcome = Ends { run, back, search, forward: stage.unmade(), backward }.search(meter);
    if back.fitted().is_some() {
        // Nobody else needs its tables.
        run.tables.kernels.forget_large();
    }
    outcome
}

impl<'r> Ends<'_, 'r> {
    fn search(&mut self, meter: &mut Meter<'_>) -> Result<Outcome<Move>, Stop> {
        let begun = self.run.keeper.map(|keeper| keeper.begin()).unwrap_or_default();
        match (&begun.fit, begun.direction) {
            (Fit::NotTried, _) => {}
            (Fit::InVain, _) => {
                let _ = self.back.fitted.set(None);
            }
            (Fit::Chosen(text), direction) => {
                let direction = direction.unwrap_or_default();
                let partition = catalogue(Some(self.stage(direction)));
                let parse = |of: &Partition| Partition::parse(text, of.size(), of.blank()).ok();
                let Some(partition) = partition.and_then(parse) else {
                    self.run.keeper.inspect(|keeper| keeper.refuse());
                    return Err(Stop::Tables);
                };
                self.fit_with(direction, partition, meter)?;
            }
        }
        if let Some(fitted) = self.back.fitted() {
            return self.from(fitted.direction, &fitted.stage, self.run, meter);
        }
        let chosen = match self.run.towards.or(begun.direction) {
            None => match self.trials(begun.progress, meter)? {
                Continue(chosen) => chosen,
                Break(outcome) => return Ok(outcome),
            },
            Some(direction) => Relay {
                direction,
                is_chosen: true,
                progress: Mutex::new(begun.progress),
                is_counted: begun.is_counted,
                keeper: self.run.keeper,
            },
        };
        self.go_on(chosen, meter)
    }

    /// Tries both ends; returns the better one, or the outcome if there is one.
    fn trials(
        &self,
        begun: Progress,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<Outcome<Move>, Relay<'r>>, Stop> {
        let keeper = self.run.keeper;
        let mut trials = [
            Trial::new(Direction::Forward, begun, keeper),
            Trial::new(Direction::Backward, Progress::default(), None),
        ];
        let trial_limit = self.run.config.fits_after().map_or(TRIAL, |fit| fit.min(TRIAL));
        let mut most = trial_limit;
        for index in 0..trials.len() {
            let trial = &mut trials[index];
            let before = (meter.expanded(), meter.generated());
            let left = most.saturating_sub(trial.counts.0);
            let direction = trial.relay.direction;
            let tried = Run { keeper: Some(&trial.relay), ..*self.run };
            let stage = self.stage(direction);
            let outcome = meter.within(left, |meter| self.from(direction, stage, &tried, meter));
            trial.counts.0 += meter.expanded() - before.0;
            trial.counts.1 += meter.generated() - before.1;
            match outcome {
                Ok(Outcome::Stopped(Stop::Expanded)) if meter.left_to_expand() > 0 => {}
                // What the goal's end lacks is no reason to give up.
                Ok(Outcome::Stopped(Stop::Memory | Stop::Tables))
                | Err(Stop::Memory | Stop::Tables)
                    if direction == Direction::Backward =>
                {
                    *lock(&trial.relay.progress) = Progress::default();
                }
                Ok(Outcome::Stopped(stop)) | Err(stop) => {
                    if direction == Direction::Backward {
                        // Whoever goes on has no time for a trial, perhaps.
                        better(&trials, keeper).keep_all();
                    }
                    meter.direction(None);
                    return Err(stop);
                }
                Ok(ended) => return Ok(Break(ended)),
            }
            meter.begin_again();
            most = enough(&lock(&trials[0].relay.progress), trial_limit);
        }
        let chosen = better(&trials, keeper);
        chosen.keep_all();
        Ok(Continue(chosen))
    }
}

#[cfg(test)]
mod tests;
