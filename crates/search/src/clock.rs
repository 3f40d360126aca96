//! The time that a search sees.

use std::fmt;
use std::time::Duration;

/// What tells a search the time: a function that returns how long ago some fixed moment was.
///
/// The caller may bring a clock of its own, because not every machine has one that this crate can
/// read: where WebAssembly runs without a system, asking for the time panics.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use loyd_search::{Clock, Limits, CancelToken, Meter};
///
/// let noon = Clock::new(|| Duration::from_secs(12 * 60 * 60));
/// let meter = Meter::timed_by(noon, Limits::default(), CancelToken::new());
/// assert_eq!(meter.finish().elapsed, Duration::ZERO);
/// ```
#[derive(Clone, Copy)]
pub struct Clock(fn() -> Duration);

impl Clock {
    /// The clock that `now` reads, which must never go back.
    pub const fn new(now: fn() -> Duration) -> Self {
        Self(now)
    }

    /// A clock that stands still: all times are 0, and no time limit is reached unless it is 0.
    pub const fn none() -> Self {
        Self(|| Duration::ZERO)
    }

    /// The clock of the machine; [`Clock::none`] on `wasm32-unknown-unknown`.
    pub fn system() -> Self {
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
        return Self(system_time);
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        return Self::none();
    }

    /// The time since the clock's fixed moment.
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

/// The time since the first call.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn system_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}
