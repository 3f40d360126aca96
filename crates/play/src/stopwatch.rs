//! A stopwatch that is told the time.

use std::time::Duration;

/// Begins with the first move and ends with the last. Times are how long ago some fixed moment was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stopwatch {
    /// Not begun.
    #[default]
    Ready,
    /// Running.
    Running {
        /// The time at which it was started.
        since: Duration,
    },
    /// Stopped.
    Stopped {
        /// What it shows.
        after: Duration,
    },
}

impl Stopwatch {
    /// Starts it, if it has not begun.
    pub fn start(&mut self, now: Duration) {
        if *self == Self::Ready {
            *self = Self::Running { since: now };
        }
    }

    /// Stops it, if it runs.
    pub fn stop(&mut self, now: Duration) {
        if let Self::Running { .. } = self {
            *self = Self::Stopped { after: self.elapsed(now) };
        }
    }

    /// What it shows.
    pub fn elapsed(self, now: Duration) -> Duration {
        match self {
            Self::Ready => Duration::ZERO,
            Self::Running { since } => now.saturating_sub(since),
            Self::Stopped { after } => after,
        }
    }

    /// Whether it runs.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Running { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_shows_the_time_between_start_and_stop() {
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
