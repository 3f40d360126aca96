//! Searches that are made on account of another one.

use std::time::Duration;

use super::Meter;
use crate::clock::Clock;
use crate::limits::{CancelToken, Limits};
use crate::stats::Stats;

/// What is left of the limits of a meter, and what else is the same for searches on its account: the clock and the
/// cancel token.
#[derive(Clone, Debug)]
pub struct Account {
    limits: Limits,
    cancel: CancelToken,
    clock: Clock,
    started: Duration,
}

impl Account {
    /// The bytes that may be held; `None` if there is no limit.
    pub fn max_bytes(&self) -> Option<u64> {
        self.limits.max_bytes
    }

    /// A meter for one of the searches, which may hold so many bytes.
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
    /// What is left of the limits, for another search that is made on account of this one:
    /// [`charge`](Self::charge) what it did afterwards.
    pub fn left(&self) -> Limits {
        Limits {
            max_expanded: self.limits.max_expanded.map(|_| self.left_to_expand()),
            max_bytes: self.left_to_reserve(),
            max_time: self.limits.max_time.map(|limit| limit.saturating_sub(self.elapsed())),
            max_depth: self.limits.max_depth,
        }
    }

    /// Counts what another search has done within what was [`left`](Self::left), and its time for tables. Of several
    /// such searches, the rounds are those of the last one that had any, and so is what ended them.
    pub fn charge(&mut self, stats: &Stats) {
        self.expand_many(stats.expanded.min(self.left_to_expand()));
        let all = &mut self.stats;
        all.tables += stats.tables;
        all.generated += stats.generated;
        all.duplicates += stats.duplicates;
        all.reopened += stats.reopened;
        all.peak_bytes = all.peak_bytes.max(stats.peak_bytes);
        if !stats.iterations.is_empty() {
            all.iterations.clone_from(&stats.iterations);
            (all.ended_by, all.direction) = (stats.ended_by, stats.direction);
        }
    }

    /// For searches that other threads make on account of this one. [`Charge`](Self::charge) what they did afterwards.
    pub fn account(&self) -> Account {
        let max_expanded = self.limits.max_expanded.map(|_| self.left_to_expand());
        let max_bytes = self.left_to_reserve();
        Account {
            limits: Limits { max_expanded, max_bytes, ..self.limits },
            cancel: self.cancel.clone(),
            clock: self.clock,
            started: self.started,
        }
    }
}
