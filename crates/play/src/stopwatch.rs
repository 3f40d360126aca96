//! A stopwatch driven by the caller's clock.

use std::time::Duration;

/// Runs from the first move to the last. Times are durations since any fixed moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stopwatch {
    /// Not started.
    #[default]
    Ready,
    /// Running.
    Running {
        /// When it was started.
        since: Duration,
    },
    /// Stopped.
    Stopped {
        /// Elapsed time.
        after: Duration,
    },
}

impl Stopwatch {
    /// Starts the stopwatch if it is ready.
    pub fn start(&mut self, now: Duration) {
        if *self == Self::Ready {
            *self = Self::Running { since: now };
        }
    }

    /// Stops the stopwatch if it is running.
    pub fn stop(&mut self, now: Duration) {
        if let Self::Running { .. } = self {
            *self = Self::Stopped { after: self.elapsed(now) };
        }
    }

    /// Returns the elapsed time.
    pub fn elapsed(self, now: Duration) -> Duration {
        match self {
            Self::Ready => Duration::ZERO,
            Self::Running { since } => now.saturating_sub(since),
            Self::Stopped { after } => after,
        }
    }

    /// Returns whether the stopwatch is running.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Running { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elapsed_time_is_between_start_and_stop() {
        let second = Duration::from_secs;
        let mut watch = Stopwatch::default();
        watch.stop(second(1));
        assert_eq!((watch, watch.elapsed(second(2))), (Stopwatch::Ready, Duration::ZERO));
        watch.start(second(3));
        watch.start(second(4));
        assert!(watch.is_running());
        assert_eq!(watch.elapsed(second(8)), second(5));
        watch.stop(second(9));
        watch.stop(second(20));
        watch.start(second(30));
        assert_eq!((watch.is_running(), watch.elapsed(second(40))), (false, second(6)));
    }
}
