//! Searches that were put aside.

use super::Meter;
use crate::memory::vec_bytes;
use crate::observer::{Event, Iteration};
use crate::stop::Stop;

impl Meter<'_> {
    /// Says that a search goes on here that was put aside after these rounds, with so many nodes expanded and generated
    /// in the round that was not over, and so many beside its rounds. The statistics are those of the whole
    /// search then, and the observer is told of the rounds; limits are for what is done from now on.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer asks for it, [`Stop::Memory`] if there is no room to record the rounds.
    pub fn resume(
        &mut self,
        rounds: &[Iteration],
        in_round: (u64, u64),
        beside: (u64, u64),
    ) -> Result<(), Stop> {
        let all = &mut self.earlier[0];
        let counts = rounds.iter().map(|round| (round.expanded, round.generated));
        for (expanded, generated) in counts.chain([in_round, beside]) {
            all.0 = all.0.saturating_add(expanded);
            all.1 = all.1.saturating_add(generated);
        }
        for &round in rounds {
            self.tell(Event::Iteration(round))?;
        }
        self.go_on(rounds, in_round)
    }

    /// The same for a search that this meter has counted already, and the observer has been told of: only the rounds of the
    /// statistics are restored.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no room to record the rounds.
    pub fn go_on(&mut self, rounds: &[Iteration], in_round: (u64, u64)) -> Result<(), Stop> {
        self.earlier[1] = in_round;
        self.stats.iterations.extend_from_slice(rounds);
        self.round_bytes = vec_bytes(&self.stats.iterations, 1);
        self.grow(self.bytes)
    }
}
