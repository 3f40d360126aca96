//! Counting and limits: the only part of a search that looks at a clock.

mod account;
mod parts;
mod resume;
mod tell;

use std::time::Duration;

use crate::budget::{Budget, POLL_INTERVAL};
use crate::clock::Clock;
use crate::direction::Direction;
use crate::limits::{CancelToken, Limits};
use crate::memory::vec_bytes;
use crate::observer::{Event, Iteration, Observer};
use crate::space::Cost;
use crate::stats::Stats;
use crate::stop::Stop;

pub use account::Account;

/// Counts, enforces limits, listens for cancellation and feeds the observer.
pub struct Meter<'a> {
    limits: Limits,
    cancel: CancelToken,
    observer: Option<&'a mut dyn Observer>,
    clock: Clock,
    /// The time at which the meter was made.
    started: Duration,
    /// Expansions left until the next poll; `granted - until_poll` have been made.
    until_poll: u64,
    granted: u64,
    /// Bytes of the search's structures, and of the rounds in the statistics with the next one.
    bytes: u64,
    round_bytes: u64,
    /// Bytes of tables that the search uses.
    beside: u64,
    /// Expanded and generated when the round began.
    before_round: (u64, u64),
    /// Expanded and generated before a search was put aside that goes on here: in all, and in the round that it was in.
    earlier: [(u64, u64); 2],
    /// Whether a round begins only because no solution is within the bound of the one before.
    proves: bool,
    /// The lower bound and the cost of the best solution that the observer knows.
    least: Cost,
    best: Cost,
    /// What the observer knows that the search does, and with what.
    stage: (&'static str, Option<&'static str>),
    stats: Stats,
}

impl Default for Meter<'_> {
    fn default() -> Self {
        Self::new(Limits::default(), CancelToken::new())
    }
}

impl<'a> Meter<'a> {
    /// Starts to take the time, by [`Clock::system`].
    pub fn new(limits: Limits, cancel: CancelToken) -> Self {
        Self::timed_by(Clock::system(), limits, cancel)
    }

    /// Starts to take the time, by `clock`.
    pub fn timed_by(clock: Clock, limits: Limits, cancel: CancelToken) -> Self {
        Self {
            limits,
            cancel,
            observer: None,
            clock,
            started: clock.now(),
            until_poll: 0,
            granted: 0,
            bytes: 0,
            round_bytes: 0,
            beside: 0,
            before_round: (0, 0),
            earlier: [(0, 0); 2],
            proves: false,
            least: 0,
            best: Cost::MAX,
            stage: ("", None),
            stats: Stats::default(),
        }
    }

    /// Sends events to `observer` too.
    #[must_use]
    pub fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// The clock that times the search.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The time since the meter was made, tables included.
    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    /// The switch that ends the search from outside.
    pub fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one expansion, which the caller is about to make.
    ///
    /// # Errors
    /// The reason to stop instead.
    #[inline]
    pub fn expand(&mut self) -> Result<(), Stop> {
        if self.until_poll == 0 {
            self.poll()?;
        }
        self.until_poll -= 1;
        Ok(())
    }

    /// Counts one expansion if no look at the limits is due; if not, [`expand`](Self::expand) has to be asked.
    /// For loops that keep what is rare out of their registers.
    #[inline]
    pub fn expand_at_once(&mut self) -> bool {
        let left = self.until_poll.checked_sub(1);
        self.until_poll = left.unwrap_or(0);
        left.is_some()
    }

    /// Hands out the expansions until the next poll: all count as made until they are
    /// [taken back](Self::take_back).
    pub(crate) fn lend(&mut self) -> Budget {
        let left = std::mem::take(&mut self.until_poll);
        Budget::new(left)
    }

    /// Takes back what was not spent, and counts the children.
    pub(crate) fn take_back(&mut self, budget: Budget) {
        self.until_poll = budget.expansions();
        self.stats.generated += budget.children();
    }

    /// Takes back a budget that is spent, and hands out the next, which is not empty.
    ///
    /// # Errors
    /// The reason to stop instead.
    pub(crate) fn renew(&mut self, spent: Budget) -> Result<Budget, Stop> {
        self.take_back(spent);
        if self.until_poll == 0 {
            self.poll()?;
        }
        Ok(self.lend())
    }

    /// How many nodes may still be expanded, for searches that expand many between two looks.
    pub fn left_to_expand(&self) -> u64 {
        self.limits.max_expanded.map_or(u64::MAX, |limit| limit - self.expanded())
    }

    /// Counts expansions that have been made without [`expand`](Self::expand); who does so calls
    /// [`check`](Self::check) every few thousand.
    ///
    /// # Panics
    /// If they are more than [`left_to_expand`](Self::left_to_expand) allows.
    pub fn expand_many(&mut self, nodes: u64) {
        assert!(nodes <= self.left_to_expand(), "more nodes were expanded than allowed");
        self.granted = self.expanded() + nodes;
        self.until_poll = 0;
    }

    /// Says that so many of the nodes that have been expanded and generated are no part of the round: they count in all,
    /// but not among those of the iteration.
    pub fn not_of_round(&mut self, expanded: u64, generated: u64) {
        self.before_round.0 += expanded;
        self.before_round.1 += generated;
    }

    /// Notes what found the solution: see [`Stats::ended_by`].
    pub fn ended_by(&mut self, what: &'static str) {
        self.stats.ended_by = Some(what);
    }

    /// Notes at which end the search begins, if that is known: see [`Stats::direction`].
    pub fn direction(&mut self, direction: Option<Direction>) {
        self.stats.direction = direction;
    }

    /// The end that was noted last.
    pub fn current_direction(&self) -> Option<Direction> {
        self.stats.direction
    }

    /// Counts `children` generated nodes.
    #[inline]
    pub fn generate(&mut self, children: u64) {
        self.stats.generated += children;
    }

    /// Takes back children that were counted with their parent but never looked at, because the
    /// search ended first.
    pub fn not_generated(&mut self, children: u64) {
        self.stats.generated -= children;
    }

    /// Takes the counts back to what they were, for a search that does again what it has done since.
    pub(crate) fn back_to(&mut self, (expanded, generated): (u64, u64)) {
        (self.granted, self.until_poll) = (expanded, 0);
        self.stats.generated = generated;
    }

    /// Counts one child that was already known.
    #[inline]
    pub fn duplicate(&mut self) {
        self.stats.duplicates += 1;
    }

    /// Counts one closed node that is opened again.
    #[inline]
    pub fn reopen(&mut self) {
        self.stats.reopened += 1;
    }

    /// Says that the search's structures are about to hold `bytes` in all.
    ///
    /// # Errors
    /// [`Stop::Memory`] if that is more than allowed.
    #[inline]
    pub fn reserve(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.bytes { self.grow(bytes) } else { Ok(()) }
    }

    /// Says that the search is about to hold `bytes` on top of what it holds.
    ///
    /// # Errors
    /// [`Stop::Memory`] if that is more than allowed.
    pub fn reserve_more(&mut self, bytes: u64) -> Result<(), Stop> {
        self.reserve(self.bytes.saturating_add(bytes))
    }

    /// Says that tables which the search uses hold `bytes` beside its own structures: those that it
    /// uses now, or did before if they were larger.
    ///
    /// # Errors
    /// [`Stop::Memory`] if that is more than allowed.
    pub fn reserve_tables(&mut self, bytes: u64) -> Result<(), Stop> {
        self.beside = self.beside.max(bytes);
        self.grow(self.bytes)
    }

    /// The bytes of tables that are reserved.
    pub fn table_bytes(&self) -> u64 {
        self.beside
    }

    /// Says that the search's structures are gone, for another search that follows on the same account. What
    /// tables are left is for [`reserve_tables`](Self::reserve_tables) to say.
    pub fn release(&mut self) {
        self.bytes = 0;
    }

    /// Says that tables which the search used are gone.
    pub fn release_tables(&mut self) {
        self.beside = 0;
    }

    /// Bytes that may be held on top of what is held; `None` if there is no limit.
    pub fn left_to_reserve(&self) -> Option<u64> {
        let held = self.bytes + self.round_bytes + self.beside;
        self.limits.max_bytes.map(|limit| limit.saturating_sub(held))
    }

    #[cold]
    fn grow(&mut self, bytes: u64) -> Result<(), Stop> {
        let all = bytes.saturating_add(self.round_bytes).saturating_add(self.beside);
        if self.limits.max_bytes.is_some_and(|limit| all > limit) {
            return Err(Stop::Memory);
        }
        self.bytes = bytes;
        self.stats.peak_bytes = self.stats.peak_bytes.max(all);
        Ok(())
    }

    /// Records that the round with `bound` is over, however it ended, and tells the observer.
    ///
    /// # Errors
    /// [`Stop::Cancelled`] if the observer asks for it, [`Stop::Memory`] if there is no room to record
    /// another round.
    pub fn iteration(&mut self, bound: Cost) -> Result<(), Stop> {
        let (expanded, generated) = (self.expanded(), self.stats.generated);
        let before = std::mem::replace(&mut self.before_round, (expanded, generated));
        let earlier = std::mem::take(&mut self.earlier[1]);
        let iteration = Iteration {
            bound,
            expanded: expanded - before.0 + earlier.0,
            generated: generated - before.1 + earlier.1,
        };
        self.stats.iterations.push(iteration);
        self.tell(Event::Iteration(iteration))?;
        self.round_bytes = vec_bytes(&self.stats.iterations, 1);
        self.grow(self.bytes)
    }

    /// Looks at the clock and the cancel token now; [`expand`](Self::expand) does so by itself.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn check(&mut self) -> Result<(), Stop> {
        if self.cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let elapsed = self.elapsed();
        if self.limits.max_time.is_some_and(|limit| elapsed >= limit) {
            return Err(Stop::Time);
        }
        self.tell(Event::Progress {
            expanded: self.expanded(),
            bytes: self.bytes + self.round_bytes + self.beside,
            elapsed,
        })
    }

    /// Says that `done` of the `total` entries of a table are there; also looks at the clock and the
    /// cancel token.
    ///
    /// # Errors
    /// The reason to stop.
    pub fn progress(&mut self, done: u64, total: u64) -> Result<(), Stop> {
        self.tell(Event::Table { done, total })?;
        self.check()
    }

    /// Makes or reads a table by `work`, whose time is not that of the search itself: with the time and the
    /// memory that are left, the same clock, cancel token and observer, but counts of its own.
    pub fn off_the_clock<T>(&mut self, work: impl FnOnce(&mut Meter<'_>) -> T) -> T {
        let mut inner = Meter {
            limits: Limits {
                max_expanded: None,
                max_depth: None,
                max_bytes: self.left_to_reserve(),
                ..self.limits
            },
            cancel: self.cancel.clone(),
            observer: match &mut self.observer {
                Some(observer) => Some(&mut **observer),
                None => None,
            },
            clock: self.clock,
            started: self.started,
            ..Meter::default()
        };
        let (begun, held) = (self.clock.now(), self.bytes + self.round_bytes + self.beside);
        let result = work(&mut inner);
        let peak = inner.stats.peak_bytes;
        self.stats.peak_bytes = self.stats.peak_bytes.max(if peak > 0 { held + peak } else { 0 });
        self.stats.tables += self.clock.now().saturating_sub(begun);
        result
    }

    /// Sends events to `observer` from now on; returns the one before, which may be lent to another search meanwhile.
    pub fn swap_observer(
        &mut self,
        observer: Option<&'a mut dyn Observer>,
    ) -> Option<&'a mut dyn Observer> {
        std::mem::replace(&mut self.observer, observer)
    }

    /// Changes the limit; expansions that were granted by the last one are taken back.
    fn set_max_expanded(&mut self, limit: Option<u64>) {
        self.granted -= std::mem::take(&mut self.until_poll);
        self.limits.max_expanded = limit;
    }

    /// Nodes expanded so far.
    pub fn expanded(&self) -> u64 {
        self.granted - self.until_poll
    }

    /// Nodes generated so far.
    pub fn generated(&self) -> u64 {
        self.stats.generated
    }

    /// Ends the count.
    pub fn finish(mut self) -> Stats {
        self.stats.expanded = self.expanded() + self.earlier[0].0;
        self.stats.generated += self.earlier[0].1;
        self.stats.elapsed = self.elapsed().saturating_sub(self.stats.tables);
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
