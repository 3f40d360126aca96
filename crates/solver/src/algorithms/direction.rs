//! IDA* on large boards: chooses the direction of the search, and then tables for the one board.
//!
//! # Direction
//! A shortest path from the goal to the start is a shortest solution read backward, so IDA* may as well search the
//! *reverse problem*, with start and goal exchanged. The effort differs: with the tables for 5x5 boards, one direction
//! often expands several times as many nodes as the other, and only a search shows which. So both are *probed*:
//!
//! 1. The forward probe searches from the start, with at most [`PROBE_LIMIT`] expansions. Easy boards are solved here.
//! 2. The backward probe searches from the goal, with at most 1.25 times the expansions of the complete forward
//!    iterations, and no more than [`PROBE_LIMIT`].
//! 3. The expansions of the last iteration that the forward probe completed are compared. The search runs backward if
//!    the backward probe completed that iteration with fewer expansions, or if its first bound is larger; otherwise
//!    forward.
//!
//! The cost is at most 2 × [`PROBE_LIMIT`] expansions (some 8 s on one core) and building the tables for the other
//! goal. The chosen search resumes where its probe ended, so only the expansions of the other probe are lost; they
//! count in the totals, but in no iteration. The choice depends on the board alone, unless a limit ends the backward
//! probe early.
//!
//! Choosing a direction by the size of the first iterations goes back to Pohl (1971), "Bi-directional search", Machine
//! Intelligence 6.
//!
//! # Board-specific tables
//! If the chosen search does not solve the board soon, it starts again in the same direction with tables chosen for
//! this board: see [`board_tables`].

mod board_tables;
mod choice;

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Mutex;

use loyd_heuristics::pdb::Partition;
use loyd_kernels::Progress;
use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::Move;

use super::row::{ReverseProblem, Run, TableFit};
use crate::heuristics::{Stage, catalogue};
use crate::sync::lock;
use choice::{DirectionChoice, Probe, Relay, Search, backward_limit, better_direction};

/// Maximum number of expansions of a probe: some 4 s on one core. Boards that need fewer are solved by the forward
/// probe; for harder ones, building the tables for the other direction, which takes as long, is cheap.
const PROBE_LIMIT: u64 = 30_000_000;

/// Searches with `stage`, the last one, in the direction that the user specified, or in which `run` was suspended, or
/// else in the one that probing shows to be better; and then with board-specific tables.
///
/// # Errors
/// Returns the limit that was reached, or [`Stop::Tables`] if a stage has no usable tables.
pub(super) fn search(
    (run, reverse): (&Run<'_>, &ReverseProblem),
    stage: &Stage,
    search: &Search<'_>,
    meter: &mut Meter<'_>,
) -> Result<Outcome<Move>, Stop> {
    let backward = reverse.plan.stages.last().ok_or(Stop::Tables)?.unmade();
    let mut choice = DirectionChoice { run, reverse, search, forward: stage.unmade(), backward };
    let outcome = choice.search(meter);
    if reverse.board_tables().is_some() {
        // No other board can use the kernel's tables.
        run.tables.kernels.forget_large();
    }
    outcome
}

impl<'r> DirectionChoice<'_, 'r> {
    fn search(&mut self, meter: &mut Meter<'_>) -> Result<Outcome<Move>, Stop> {
        let resumed =
            self.run.checkpointer.map(|checkpointer| checkpointer.resume()).unwrap_or_default();
        match (&resumed.table_fit, resumed.direction) {
            (TableFit::Untried, _) => {}
            (TableFit::NoGain, _) => {
                let _ = self.reverse.board_tables.set(None);
            }
            (TableFit::Chosen(text), direction) => {
                let direction = direction.unwrap_or_default();
                let partition = catalogue(Some(self.stage(direction)));
                let parse = |of: &Partition| Partition::parse(text, of.size(), of.blank()).ok();
                let Some(partition) = partition.and_then(parse) else {
                    self.run.checkpointer.inspect(|checkpointer| checkpointer.reject());
                    return Err(Stop::Tables);
                };
                self.build_tables(direction, partition, meter)?;
            }
        }
        if let Some(tables) = self.reverse.board_tables() {
            return self.search_from(tables.direction, &tables.stage, self.run, meter);
        }
        let chosen = match self.run.fixed_direction.or(resumed.direction) {
            None => match self.probe_both(resumed.progress, meter)? {
                Continue(chosen) => chosen,
                Break(outcome) => return Ok(outcome),
            },
            Some(direction) => Relay {
                direction,
                is_chosen: true,
                progress: Mutex::new(resumed.progress),
                is_counted: resumed.is_counted,
                checkpointer: self.run.checkpointer,
            },
        };
        self.search_chosen(chosen, meter)
    }

    /// Probes both directions, the forward one from `resumed`. Returns the better one, or the outcome if a probe solved
    /// the board.
    fn probe_both(
        &self,
        resumed: Progress,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<Outcome<Move>, Relay<'r>>, Stop> {
        let checkpointer = self.run.checkpointer;
        let mut probes = [
            Probe::new(Direction::Forward, resumed, checkpointer),
            Probe::new(Direction::Backward, Progress::default(), None),
        ];
        let forward_limit = self
            .run
            .config
            .table_choice_after()
            .map_or(PROBE_LIMIT, |after| after.min(PROBE_LIMIT));
        let mut limit = forward_limit;
        for index in 0..probes.len() {
            let probe = &mut probes[index];
            let before = (meter.expanded(), meter.generated());
            let left = limit.saturating_sub(probe.counts.0);
            let direction = probe.relay.direction;
            // The direction is that of an undivided search.
            let run = Run { checkpointer: Some(&probe.relay), round: None, ..*self.run };
            let stage = self.stage(direction);
            let outcome = meter
                .with_max_expansions(left, |meter| self.search_from(direction, stage, &run, meter));
            probe.counts.0 += meter.expanded() - before.0;
            probe.counts.1 += meter.generated() - before.1;
            match outcome {
                Ok(Outcome::Stopped(Stop::Expanded)) if meter.remaining_expansions() > 0 => {}
                // The forward search does not need the tables of the reverse problem.
                Ok(Outcome::Stopped(Stop::Memory | Stop::Tables))
                | Err(Stop::Memory | Stop::Tables)
                    if direction == Direction::Backward =>
                {
                    *lock(&probe.relay.progress) = Progress::default();
                }
                Ok(Outcome::Stopped(stop)) | Err(stop) => {
                    if direction == Direction::Backward {
                        // Save a choice now: the resumed run may be too short for a probe as well.
                        better_direction(&probes, checkpointer).save_progress();
                    }
                    meter.set_direction(None);
                    return Err(stop);
                }
                Ok(ended) => return Ok(Break(ended)),
            }
            meter.restart();
            limit = backward_limit(&lock(&probes[0].relay.progress), forward_limit);
        }
        let chosen = better_direction(&probes, checkpointer);
        chosen.save_progress();
        Ok(Continue(chosen))
    }
}

#[cfg(test)]
mod tests;
