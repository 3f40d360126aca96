//! Limits of a search, the clock that times it, and a token that cancels it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::space::Cost;

/// Limits of a search. `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of nodes expanded; exact.
    pub max_expanded: Option<u64>,
    /// Maximum cost of a path; for IDA*, the largest bound on f, which is equivalent if the heuristic is admissible.
    pub max_depth: Option<Cost>,
    /// Maximum number of bytes held in total by the search's own structures (open and closed lists, paths), the record
    /// of its iterations, and its tables; checked before each of them grows.
    pub max_bytes: Option<u64>,
    /// Maximum time since the creation of the [`Meter`](crate::Meter), including that for tables.
    pub max_time: Option<Duration>,
}

impl Limits {
    /// Returns the depth limit as a number: [`Cost::MAX`] if there is none.
    pub fn depth(&self) -> Cost {
        self.max_depth.unwrap_or(Cost::MAX)
    }
}

/// A token that cancels a search from another thread or a signal handler. All clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops every search that holds a clone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`cancel`](Self::cancel) has been called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A clock: a function that returns the time since some fixed moment.
///
/// Callers can supply their own, because this crate cannot read a clock on every target: on
/// `wasm32-unknown-unknown`, `Instant::now` panics.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use loyd_search::{Clock, Limits, CancelToken, Meter};
///
/// let noon = Clock::new(|| Duration::from_secs(12 * 60 * 60));
/// let meter = Meter::with_clock(noon, Limits::default(), CancelToken::new());
/// assert_eq!(meter.finish().elapsed, Duration::ZERO);
/// ```
#[derive(Clone, Copy)]
pub struct Clock(fn() -> Duration);

impl Clock {
    /// Creates a clock that calls `now`, which must never go back.
    pub const fn new(now: fn() -> Duration) -> Self {
        Self(now)
    }

    /// Returns a stopped clock: all times are 0, so no time limit is reached unless it is 0.
    pub const fn none() -> Self {
        Self(|| Duration::ZERO)
    }

    /// Returns the system clock; [`Clock::none`] on `wasm32-unknown-unknown`.
    pub fn system() -> Self {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        return Self(system_time);
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        return Self::none();
    }

    /// Returns the time since the fixed moment of the clock.
    pub fn now(self) -> Duration {
        (self.0)()
    }
}

/// [`Clock::system`].
impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({:?})", self.now())
    }
}

/// Returns the time since the first call.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn system_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}
