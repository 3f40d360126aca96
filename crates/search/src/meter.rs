//! Counting and limits: the only part of a search that looks at clocks.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::memory::vec_bytes;
use crate::observer::{Event, Iteration, Observer};
use crate::space::Cost;

/// Expansions between two looks at the clock, the cancel token and the observer: rare enough to
/// cost nothing, often enough to stop within a few milliseconds on any board.
const POLL_INTERVAL: u64 = 1024;

/// Why a search gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The limit on expanded nodes was reached.
    #[error("the limit on expanded nodes was reached")]
    Expanded,
    /// The depth limit cut paths off, and no answer was found among the others.
    #[error("the depth limit was reached, and longer ways were not tried")]
    Depth,
    /// The next step would need more memory than allowed.
    #[error("the memory limit was reached")]
    Memory,
    /// The time limit was reached.
    #[error("the time limit was reached")]
    Time,
    /// Tables contradict themselves: they were made or written wrong.
    #[error("the tables that lead the search are wrong")]
    Tables,
    /// A count outgrew 128 bits.
    #[error("the number is larger than 128 bits hold")]
    Number,
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl Stop {
    /// The word for machines: `expanded`, `depth`, `memory`, `time`, `tables`, `number` or `cancelled`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expanded => "expanded",
            Self::Depth => "depth",
            Self::Memory => "memory",
            Self::Time => "time",
            Self::Tables => "tables",
            Self::Number => "number",
            Self::Cancelled => "cancelled",
        }
    }
}

/// How far a search may go. `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes that may be expanded; held exactly.
    pub max_expanded: Option<u64>,
    /// The cost of the longest path that is tried; for IDA*, the largest bound on f, which is the
    /// same if the heuristic is admissible.
    pub max_depth: Option<Cost>,
    /// Bytes that the search's own structures may take, checked before they grow.
    pub max_bytes: Option<u64>,
    /// Time, from the making of the [`Meter`].
    pub max_time: Option<Duration>,
}

impl Limits {
    /// The depth limit as a number, [`Cost::MAX`] for none.
    pub fn depth(&self) -> Cost {
        self.max_depth.unwrap_or(Cost::MAX)
    }
}

/// A switch that ends a search from another thread (or a signal handler). Clones share the switch.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A switch that is off.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every search that holds a clone to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a search did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes whose successors were enumerated.
    pub expanded: u64,
    /// Legal children of expanded nodes that do not undo the last move.
    pub generated: u64,
    /// Generated children that were already known (0 in searches that keep no closed list).
    pub duplicates: u64,
    /// Closed nodes that were opened again because a shorter path to them was found.
    pub reopened: u64,
    /// The largest number of bytes held at once by the search's own structures.
    pub peak_bytes: u64,
    /// Time from the making of the meter to the end.
    pub elapsed: Duration,
    /// The part of it that went into what is not the search itself, such as making tables.
    pub off_the_clock: Duration,
    /// The rounds of an iterative search, the last one included.
    pub iterations: Vec<Iteration>,
}

impl Stats {
    /// Nodes expanded in all iterations but the last: independent of the order of moves, so equal
    /// between any two programs that search with the same heuristic.
    pub fn expanded_complete(&self) -> u64 {
        self.iterations.iter().rev().skip(1).map(|i| i.expanded).sum()
    }
}

/// The expansions that a search may make before its [`Meter`] wants to be asked again, and the
/// children generated meanwhile, in one number: the low bits hold the children, those above the
/// expansions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Budget(u64);

impl Budget {
    const EXPANSION: u64 = 1 << 30;
    /// So many children of each of [`POLL_INTERVAL`] nodes fit the low bits.
    const MAX_CHILDREN: u64 = Self::EXPANSION / POLL_INTERVAL - 1;

    /// Counts the expansion of a node with so many children, if it is covered.
    #[inline(always)]
    pub(crate) fn spend(&mut self, children: u64) -> bool {
        assert!(children <= Self::MAX_CHILDREN, "a node has {children} children");
        let left = self.0.checked_sub(Self::EXPANSION - children);
        if let Some(left) = left {
            self.0 = left;
        }
        left.is_some()
    }
}

/// Counts, enforces limits, listens for cancellation and feeds the observer.
pub struct Meter<'a> {
    limits: Limits,
    cancel: CancelToken,
    observer: Option<&'a mut dyn Observer>,
    started: Instant,
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
    stats: Stats,
}

impl Default for Meter<'_> {
    fn default() -> Self {
        Self::new(Limits::default(), CancelToken::new())
    }
}

impl<'a> Meter<'a> {
    /// Starts the clock.
    pub fn new(limits: Limits, cancel: CancelToken) -> Self {
        Self {
            limits,
            cancel,
            observer: None,
            started: Instant::now(),
            until_poll: 0,
            granted: 0,
            bytes: 0,
            round_bytes: 0,
            beside: 0,
            before_round: (0, 0),
            stats: Stats::default(),
        }
    }

    /// Sends events to `observer` too.
    #[must_use]
    pub fn observed_by(mut self, observer: &'a mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
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

    /// Hands out the expansions until the next poll: all count as made until they are
    /// [taken back](Self::take_back).
    pub(crate) fn lend(&mut self) -> Budget {
        let left = std::mem::take(&mut self.until_poll);
        Budget(left * Budget::EXPANSION)
    }

    /// Takes back what was not spent, and counts the children.
    pub(crate) fn take_back(&mut self, budget: Budget) {
        self.until_poll = budget.0 / Budget::EXPANSION;
        self.stats.generated += budget.0 % Budget::EXPANSION;
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

    /// What is left of the limits, for another search that is made on account of this one:
    /// [`charge`](Self::charge) what it did afterwards.
    pub fn left(&self) -> Limits {
        let elapsed = self.started.elapsed();
        Limits {
            max_expanded: self.limits.max_expanded.map(|_| self.left_to_expand()),
            max_bytes: self.left_to_reserve(),
            max_time: self.limits.max_time.map(|limit| limit.saturating_sub(elapsed)),
            max_depth: self.limits.max_depth,
        }
    }

    /// Counts what another search has expanded within what was [`left`](Self::left).
    pub fn charge(&mut self, stats: &Stats) {
        self.expand_many(stats.expanded.min(self.left_to_expand()));
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
        let iteration =
            Iteration { bound, expanded: expanded - before.0, generated: generated - before.1 };
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
        let elapsed = self.started.elapsed();
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

    /// Does `work` that is not part of the search itself, such as building a table: with the time and
    /// the memory that are left, the same cancel token and observer, but counts of its own.
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
            started: self.started,
            ..Meter::default()
        };
        let (begun, held) = (Instant::now(), self.bytes + self.round_bytes + self.beside);
        let result = work(&mut inner);
        let peak = inner.stats.peak_bytes;
        self.stats.peak_bytes = self.stats.peak_bytes.max(if peak > 0 { held + peak } else { 0 });
        self.stats.off_the_clock += begun.elapsed();
        result
    }

    /// Does `work` with at most `expansions` more expansions, and under all other limits as they are.
    pub fn within<T>(&mut self, expansions: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limits.max_expanded;
        let end = self.expanded().saturating_add(expansions);
        self.set_max_expanded(Some(limit.map_or(end, |limit| limit.min(end))));
        let result = work(self);
        self.set_max_expanded(limit);
        result
    }

    /// Forgets the rounds so far, for a search that begins again in another way; what they have
    /// expanded still counts.
    pub fn begin_again(&mut self) {
        self.stats.iterations.clear();
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
        self.stats.expanded = self.expanded();
        self.stats.elapsed = self.started.elapsed();
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

    fn tell(&mut self, event: Event) -> Result<(), Stop> {
        match self.observer.as_mut().map(|observer| observer.event(event)) {
            Some(ControlFlow::Break(())) => Err(Stop::Cancelled),
            _ => Ok(()),
        }
    }
}
