//! Counts and limits: the only part of a search that reads a clock.

mod events;
mod parts;

use std::time::Duration;

use crate::budget::{Budget, POLL_INTERVAL};
use crate::limits::{CancelToken, Clock, Limits};
use crate::memory::vec_bytes;
use crate::observer::{Event, Iteration, Observer};
use crate::outcome::{Direction, Stats, Stop};
use crate::space::Cost;

pub use parts::SharedLimits;

/// Counts the work of a search, enforces its limits, checks for cancellation and sends events to the observer.
pub struct Meter<'a> {
    limits: Limits,
    cancel: CancelToken,
    observer: Option<&'a mut dyn Observer>,
    clock: Clock,
    /// The time at which the meter was created.
    started: Duration,
    /// Expansions left until the next poll. `granted` includes them, so `granted - until_poll` nodes have been
    /// expanded.
    until_poll: u64,
    granted: u64,
    /// Bytes of the search's own structures, and of the list of iterations in the statistics, including its next entry.
    bytes: u64,
    iteration_bytes: u64,
    /// Bytes of the tables that the search uses.
    table_bytes: u64,
    /// Nodes expanded and generated up to the start of the current iteration.
    iteration_start: (u64, u64),
    /// Nodes expanded and generated before the search was suspended: in all, and in the iteration it was in.
    resumed: [(u64, u64); 2],
    /// Whether the bound of an iteration is a lower bound: see [`Meter::set_bounds_are_proven`].
    bounds_are_proven: bool,
    /// The lower bound and the cost of the incumbent that were last sent to the observer.
    least: Cost,
    best: Cost,
    /// The stage that was last sent to the observer, and its heuristic or algorithm.
    stage: (&'static str, Option<&'static str>),
    stats: Stats,
}

impl Default for Meter<'_> {
    fn default() -> Self {
        Self::new(Limits::default(), CancelToken::new())
    }
}

impl<'a> Meter<'a> {
    /// Creates a meter and starts its time, by [`Clock::system`].
    pub fn new(limits: Limits, cancel: CancelToken) -> Self {
        Self::with_clock(Clock::system(), limits, cancel)
    }

    /// Creates a meter and starts its time, by `clock`.
    pub fn with_clock(clock: Clock, limits: Limits, cancel: CancelToken) -> Self {
        Self {
            limits,
            cancel,
            observer: None,
            clock,
            started: clock.now(),
            until_poll: 0,
            granted: 0,
            bytes: 0,
            iteration_bytes: 0,
            table_bytes: 0,
            iteration_start: (0, 0),
            resumed: [(0, 0); 2],
            bounds_are_proven: false,
            least: 0,
            best: Cost::MAX,
            stage: ("", None),
            stats: Stats::default(),
        }
    }

    /// Adds an observer, which receives all events.
    #[must_use]
    pub fn with_observer(mut self, observer: &'a mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Returns the clock that times the search.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the time since the meter was created, including that for tables.
    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    /// Returns the token that cancels the search.
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// Returns the limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one expansion, which the caller is about to make. Checks the limits every 1024 expansions.
    ///
    /// # Errors
    /// The limit that was reached; the node must then not be expanded.
    #[inline]
    pub fn expand(&mut self) -> Result<(), Stop> {
        if self.until_poll == 0 {
            self.poll()?;
        }
        self.until_poll -= 1;
        Ok(())
    }

    /// Counts one expansion unless a limit check is due. Returns `false` if one is: the caller then calls
    /// [`expand`](Self::expand). For inner loops that keep rare work out of their registers.
    #[inline]
    pub fn try_expand(&mut self) -> bool {
        let left = self.until_poll.checked_sub(1);
        self.until_poll = left.unwrap_or(0);
        left.is_some()
    }

    /// Hands out the expansions until the next poll. All of them count as made until the budget is
    /// [taken back](Self::take_back).
    pub(crate) fn lend(&mut self) -> Budget {
        let left = std::mem::take(&mut self.until_poll);
        Budget::new(left)
    }

    /// Takes back the expansions left in `budget`, and counts its children.
    pub(crate) fn take_back(&mut self, budget: Budget) {
        self.until_poll = budget.expansions();
        self.stats.generated += budget.children();
    }

    /// Takes back a spent budget and hands out the next one, which is not empty.
    ///
    /// # Errors
    /// The limit that was reached.
    pub(crate) fn renew(&mut self, spent: Budget) -> Result<Budget, Stop> {
        self.take_back(spent);
        if self.until_poll == 0 {
            self.poll()?;
        }
        Ok(self.lend())
    }

    /// Returns the number of nodes that may still be expanded, for searches that expand many between two limit checks.
    pub fn remaining_expansions(&self) -> u64 {
        self.limits.max_expanded.map_or(u64::MAX, |limit| limit - self.expanded())
    }

    /// Counts `nodes` expansions made without [`expand`](Self::expand). The caller must call [`check`](Self::check)
    /// every few thousand expansions.
    ///
    /// # Panics
    /// If `nodes` exceeds [`remaining_expansions`](Self::remaining_expansions).
    pub fn expand_many(&mut self, nodes: u64) {
        assert!(nodes <= self.remaining_expansions(), "more nodes were expanded than allowed");
        self.granted = self.expanded() + nodes;
        self.until_poll = 0;
    }

    /// Excludes nodes from the counts of the current iteration. They still count in the totals.
    pub fn exclude_from_iteration(&mut self, expanded: u64, generated: u64) {
        self.iteration_start.0 += expanded;
        self.iteration_start.1 += generated;
    }

    /// Records what found the solution: see [`Stats::ended_by`].
    pub fn set_ended_by(&mut self, what: &'static str) {
        self.stats.ended_by = Some(what);
    }

    /// Records the direction of the search, if known: see [`Stats::direction`].
    pub fn set_direction(&mut self, direction: Option<Direction>) {
        self.stats.direction = direction;
    }

    /// Returns the direction recorded last.
    pub fn current_direction(&self) -> Option<Direction> {
        self.stats.direction
    }

    /// Counts `children` generated nodes.
    #[inline]
    pub fn generate(&mut self, children: u64) {
        self.stats.generated += children;
    }

    /// Subtracts children that were counted with their parent but never made, because the search ended first.
    pub fn subtract_generated(&mut self, children: u64) {
        self.stats.generated -= children;
    }

    /// Resets the counts to earlier values, for a search that repeats the work done since.
    pub(crate) fn rewind_to(&mut self, (expanded, generated): (u64, u64)) {
        (self.granted, self.until_poll) = (expanded, 0);
        self.stats.generated = generated;
    }

    /// Counts one child whose state was already known.
    #[inline]
    pub fn duplicate(&mut self) {
        self.stats.duplicates += 1;
    }

    /// Counts one closed node that is opened again.
    #[inline]
    pub fn reopen(&mut self) {
        self.stats.reopened += 1;
    }

    /// Announces that the search's own structures are about to hold `bytes` in all.
    ///
    /// # Errors
    /// [`Stop::Memory`] if this exceeds the limit.
    #[inline]
    pub fn reserve(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.bytes { self.grow(bytes) } else { Ok(()) }
    }

    /// Announces that the search's own structures are about to grow by `bytes`.
    ///
    /// # Errors
    /// [`Stop::Memory`] if this exceeds the limit.
    pub fn reserve_more(&mut self, bytes: u64) -> Result<(), Stop> {
        self.reserve(self.bytes.saturating_add(bytes))
    }

    /// Announces that the tables of the search hold `bytes`, in addition to its own structures. Until
    /// [`release_tables`](Self::release_tables), the largest value counts.
    ///
    /// # Errors
    /// [`Stop::Memory`] if this exceeds the limit.
    pub fn reserve_tables(&mut self, bytes: u64) -> Result<(), Stop> {
        self.table_bytes = self.table_bytes.max(bytes);
        self.grow(self.bytes)
    }

    /// Returns the bytes reserved for tables.
    pub fn table_bytes(&self) -> u64 {
        self.table_bytes
    }

    /// Releases the memory of the search's own structures, before another search with the same meter. Tables are
    /// counted separately: see [`reserve_tables`](Self::reserve_tables).
    pub fn release(&mut self) {
        self.bytes = 0;
    }

    /// Releases the memory of the tables.
    pub fn release_tables(&mut self) {
        self.table_bytes = 0;
    }

    /// Returns the bytes that may still be reserved, or `None` if memory is not limited.
    pub fn remaining_bytes(&self) -> Option<u64> {
        self.limits.max_bytes.map(|limit| limit.saturating_sub(self.held_bytes()))
    }

    /// Returns the bytes held by the search, the list of iterations and the tables.
    fn held_bytes(&self) -> u64 {
        self.bytes + self.iteration_bytes + self.table_bytes
    }

    #[cold]
    fn grow(&mut self, bytes: u64) -> Result<(), Stop> {
        let all = bytes.saturating_add(self.iteration_bytes).saturating_add(self.table_bytes);
        if self.limits.max_bytes.is_some_and(|limit| all > limit) {
            return Err(Stop::Memory);
        }
        self.bytes = bytes;
        self.stats.peak_bytes = self.stats.peak_bytes.max(all);
        Ok(())
    }

    /// Records the end of the iteration with this `bound`, with or without a solution, and sends it to the observer.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer stops the search, [`Stop::Memory`] if there is no memory to record another
    /// iteration.
    pub fn end_iteration(&mut self, bound: Cost) -> Result<(), Stop> {
        let (expanded, generated) = (self.expanded(), self.stats.generated);
        let before = std::mem::replace(&mut self.iteration_start, (expanded, generated));
        let earlier = std::mem::take(&mut self.resumed[1]);
        let iteration = Iteration {
            bound,
            expanded: expanded - before.0 + earlier.0,
            generated: generated - before.1 + earlier.1,
        };
        self.stats.iterations.push(iteration);
        self.notify(Event::Iteration(iteration))?;
        self.iteration_bytes = vec_bytes(&self.stats.iterations, 1);
        self.grow(self.bytes)
    }

    /// Checks the cancel token and the clock, and sends the progress to the observer. [`expand`](Self::expand) does so
    /// regularly.
    ///
    /// # Errors
    /// The limit that was reached; [`Stop::Cancelled`] if the token or the observer stops the search.
    pub fn check(&mut self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let elapsed = self.elapsed();
        if self.limits.max_time.is_some_and(|limit| elapsed >= limit) {
            return Err(Stop::Time);
        }
        self.notify(Event::Progress {
            expanded: self.expanded(),
            bytes: self.held_bytes(),
            elapsed,
        })
    }

    /// Reports that `done` of the `total` entries of a table are made, and calls [`check`](Self::check).
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn progress(&mut self, done: u64, total: u64) -> Result<(), Stop> {
        self.notify(Event::Table { done, total })?;
        self.check()
    }

    /// Runs `work`, which builds or reads a table, and counts its time as [`Stats::table_time`] instead of
    /// [`Stats::elapsed`]. The meter of `work` has the remaining time and memory, and the same clock, cancel token and
    /// observer, but its own counts, without limits on expansions and depth.
    pub fn build_tables<T>(&mut self, work: impl FnOnce(&mut Meter<'_>) -> T) -> T {
        let (start, held) = (self.clock.now(), self.held_bytes());
        let mut inner = self.shared_limits().meter(self.remaining_bytes());
        (inner.limits.max_expanded, inner.limits.max_depth) = (None, None);
        inner.observer = match &mut self.observer {
            Some(observer) => Some(&mut **observer),
            None => None,
        };
        let result = work(&mut inner);
        let peak = inner.stats.peak_bytes;
        self.stats.peak_bytes = self.stats.peak_bytes.max(if peak > 0 { held + peak } else { 0 });
        self.stats.table_time += self.clock.now().saturating_sub(start);
        result
    }

    /// Replaces the observer and returns the previous one, which may serve another search meanwhile.
    pub fn swap_observer(
        &mut self,
        observer: Option<&'a mut dyn Observer>,
    ) -> Option<&'a mut dyn Observer> {
        std::mem::replace(&mut self.observer, observer)
    }

    /// Changes the limit on expansions, and takes back those granted but not made.
    fn set_max_expanded(&mut self, limit: Option<u64>) {
        self.granted -= std::mem::take(&mut self.until_poll);
        self.limits.max_expanded = limit;
    }

    /// Returns the number of nodes expanded so far.
    pub fn expanded(&self) -> u64 {
        self.granted - self.until_poll
    }

    /// Returns the number of nodes generated so far.
    pub fn generated(&self) -> u64 {
        self.stats.generated
    }

    /// Ends the search and returns its statistics.
    pub fn finish(mut self) -> Stats {
        self.stats.expanded = self.expanded() + self.resumed[0].0;
        self.stats.generated += self.resumed[0].1;
        self.stats.elapsed = self.elapsed().saturating_sub(self.stats.table_time);
        self.stats
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Result<(), Stop> {
        self.check()?;
        let left = self.limits.max_expanded.map_or(u64::MAX, |limit| limit - self.granted);
        if left == 0 {
            return Err(Stop::Expanded);
        }
        self.until_poll = left.min(POLL_INTERVAL);
        self.granted += self.until_poll;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
