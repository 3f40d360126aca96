//! How far a search may go, and how it is stopped from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::space::Cost;

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
    /// Time from the making of the [`Meter`](crate::Meter), that for tables included.
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
