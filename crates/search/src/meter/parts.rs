//! Parts of a search with tighter limits, searches in other threads that share its limits, and searches that start again
//! or are resumed.

use std::time::Duration;

use super::Meter;
use crate::limits::{CancelToken, Clock, Limits};
use crate::memory::vec_bytes;
use crate::observer::{Event, Iteration};
use crate::outcome::{Stats, Stop};
use crate::space::Cost;

/// The remaining limits of a meter, with its clock and cancel token: enough to create meters for searches in other
/// threads.
#[derive(Clone, Debug)]
pub struct SharedLimits {
    limits: Limits,
    cancel: CancelToken,
    clock: Clock,
    started: Duration,
}

impl SharedLimits {
    /// Returns the bytes that may be reserved, or `None` if memory is not limited.
    pub fn max_bytes(&self) -> Option<u64> {
        self.limits.max_bytes
    }

    /// Creates a meter for one of the searches, which may reserve `max_bytes`.
    pub fn meter<'a>(&self, max_bytes: Option<u64>) -> Meter<'a> {
        Meter {
            limits: Limits { max_bytes, ..self.limits },
            cancel: self.cancel.clone(),
            clock: self.clock,
            started: self.started,
            ..Meter::default()
        }
    }
}

impl Meter<'_> {
    /// Runs `work` with a limit of `expansions` more expansions; all other limits stay in force.
    pub fn with_max_expansions<T>(
        &mut self,
        expansions: u64,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let limit = self.limits.max_expanded;
        let end = self.expanded().saturating_add(expansions);
        self.set_max_expanded(Some(limit.map_or(end, |limit| limit.min(end))));
        let result = work(self);
        self.set_max_expanded(limit);
        result
    }

    /// Runs `work` with a depth limit of at most `depth`; all other limits stay in force.
    pub fn with_max_depth<T>(&mut self, depth: Cost, work: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limits.max_depth;
        self.limits.max_depth = Some(self.limits.depth().min(depth));
        let result = work(self);
        self.limits.max_depth = limit;
        result
    }

    /// Runs `work` with a time limit of at most `time` since the creation of the meter, if it is given; all other limits
    /// stay in force.
    pub fn with_max_time<T>(
        &mut self,
        time: Option<Duration>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let limit = self.limits.max_time;
        self.limits.max_time = limit.into_iter().chain(time).min();
        let result = work(self);
        self.limits.max_time = limit;
        result
    }

    /// Returns the remaining limits, for another search whose work counts here: [`charge`](Self::charge) its statistics
    /// afterwards.
    pub fn remaining_limits(&self) -> Limits {
        Limits {
            max_expanded: self.limits.max_expanded.map(|_| self.remaining_expansions()),
            max_bytes: self.remaining_bytes(),
            max_time: self.limits.max_time.map(|limit| limit.saturating_sub(self.elapsed())),
            max_depth: self.limits.max_depth,
        }
    }

    /// Adds the statistics of another search, made within the limits returned by
    /// [`remaining_limits`](Self::remaining_limits), including its time for tables. Of several such searches, the last
    /// one with any iterations determines the iterations, [`Stats::ended_by`] and [`Stats::direction`].
    pub fn charge(&mut self, stats: &Stats) {
        self.expand_many(stats.expanded.min(self.remaining_expansions()));
        let all = &mut self.stats;
        all.table_time += stats.table_time;
        all.generated += stats.generated;
        all.duplicates += stats.duplicates;
        all.reopened += stats.reopened;
        all.peak_bytes = all.peak_bytes.max(stats.peak_bytes);
        if !stats.iterations.is_empty() {
            all.iterations.clone_from(&stats.iterations);
            (all.ended_by, all.direction) = (stats.ended_by, stats.direction);
        }
    }

    /// Returns the remaining limits, for searches in other threads to share. [`Charge`](Self::charge) their statistics
    /// afterwards.
    pub fn shared_limits(&self) -> SharedLimits {
        SharedLimits {
            limits: Limits { max_time: self.limits.max_time, ..self.remaining_limits() },
            cancel: self.cancel.clone(),
            clock: self.clock,
            started: self.started,
        }
    }

    /// Discards the iterations recorded so far, for a search that starts again with another method. Their expansions
    /// still count.
    pub fn restart(&mut self) {
        self.stats.iterations.clear();
        self.stats.direction = None;
        self.resumed[1] = (0, 0);
        self.iteration_start = (self.expanded(), self.stats.generated);
    }

    /// Resumes the counts of a suspended search. `iterations` are its complete iterations, `unfinished` the nodes
    /// expanded and generated in the iteration in which it was suspended, and `outside` those outside of iterations.
    ///
    /// The iterations are sent to the observer, and the statistics will be those of the whole search. Limits apply only
    /// to the work done from here on.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer stops the search, [`Stop::Memory`] if there is no memory to record the
    /// iterations.
    pub fn resume(
        &mut self,
        iterations: &[Iteration],
        unfinished: (u64, u64),
        outside: (u64, u64),
    ) -> Result<(), Stop> {
        let all = &mut self.resumed[0];
        let counts = iterations.iter().map(|iteration| (iteration.expanded, iteration.generated));
        for (expanded, generated) in counts.chain([unfinished, outside]) {
            all.0 = all.0.saturating_add(expanded);
            all.1 = all.1.saturating_add(generated);
        }
        for &iteration in iterations {
            self.notify(Event::Iteration(iteration))?;
        }
        self.restore_iterations(iterations, unfinished)
    }

    /// Restores the iterations of a suspended search that this meter has already counted and sent to the observer.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no memory to record the iterations.
    pub fn restore_iterations(
        &mut self,
        iterations: &[Iteration],
        unfinished: (u64, u64),
    ) -> Result<(), Stop> {
        self.resumed[1] = unfinished;
        self.stats.iterations.extend_from_slice(iterations);
        self.iteration_bytes = vec_bytes(&self.stats.iterations, 1);
        self.grow(self.bytes)
    }
}
