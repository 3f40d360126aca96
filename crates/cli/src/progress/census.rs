//! Progress of a census: the current distance, the number of counted states, and the remaining time.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use loyd::search::{Event, Observer};
use serde::Serialize;

use super::{PATIENCE, line, rough_duration};
use crate::args::Shown;
use crate::failure::print_note;
use crate::units::{size, with_commas};

/// Progress display of a census.
pub struct CensusProgress {
    to: Target,
    started: Instant,
    last_shown: Duration,
    bytes: u64,
    searches: u64,
    search: u64,
    distance: u32,
    done: u64,
    total: u64,
    /// Part of the work that was done at the first event, which is not 0 for a resumed census; `None` before that.
    before: Option<f64>,
}

/// Destination of the reports.
enum Target {
    Hidden,
    Terminal(ProgressBar),
    Json,
}

/// Event of a census, as JSON.
#[derive(Serialize)]
struct Record {
    event: &'static str,
    search: u64,
    searches: u64,
    distance: u32,
    done: u64,
    total: u64,
    bytes: u64,
    left_ns: Option<u64>,
    elapsed_ns: u64,
}

impl CensusProgress {
    /// Reports the progress of `searches` searches that take `bytes` of memory.
    pub fn new(shown: Shown, searches: usize, bytes: u64) -> Self {
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => {
                Target::Terminal(line("{spinner} {wide_msg}"))
            }
            _ => Target::Hidden,
        };
        let (started, last_shown, searches) = (Instant::now(), Duration::ZERO, searches as u64);
        let (search, distance, done, total, before) = (1, 0, 0, 0, None);
        Self { to, started, last_shown, bytes, searches, search, distance, done, total, before }
    }

    /// Returns the observer for the census, or `None` if no progress is shown.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        match self.to {
            Target::Hidden => None,
            _ => Some(self),
        }
    }

    /// Returns the finished part of all work, from 0 to 1.
    fn part(&self) -> f64 {
        let part = self.done as f64 / self.total.max(1) as f64;
        ((self.search - 1) as f64 + part) / self.searches as f64
    }

    /// Returns an estimate of the remaining seconds, if there is one.
    fn left(&self, elapsed: Duration) -> Option<f64> {
        let before = self.before?;
        let done = self.part() - before;
        (done > 0.0).then(|| elapsed.as_secs_f64() * (1.0 - self.part()) / done)
    }

    fn describe(&self, elapsed: Duration) -> String {
        let search = match self.searches {
            1 => String::new(),
            searches => format!("search {} of {searches}: ", self.search),
        };
        let (done, total) = (with_commas(self.done), with_commas(self.total));
        let (distance, bytes) = (self.distance, size(self.bytes));
        let left = self.left(elapsed).map(|left| format!(", {} left", rough_duration(left)));
        let elapsed = rough_duration(elapsed.as_secs_f64());
        let left = left.unwrap_or_default();
        format!("{search}distance {distance}, {done} of {total} states; {elapsed}{left}; {bytes}")
    }

    fn record(&self, elapsed: Duration) -> String {
        let record = Record {
            event: "census",
            search: self.search,
            searches: self.searches,
            distance: self.distance,
            done: self.done,
            total: self.total,
            bytes: self.bytes,
            left_ns: self.left(elapsed).map(|left| (left * 1e9) as u64),
            elapsed_ns: elapsed.as_nanos() as u64,
        };
        serde_json::to_string(&record).expect("the record is serializable")
    }
}

impl Observer for CensusProgress {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Board { number } => (self.search, self.distance, self.done) = (number, 0, 0),
            Event::Iteration(iteration) => self.distance = iteration.bound,
            Event::Table { done, total } => {
                (self.done, self.total) = (done, total);
                let part = self.part();
                self.before.get_or_insert(part);
            }
            _ => return ControlFlow::Continue(()),
        }
        let elapsed = self.started.elapsed();
        if elapsed < self.last_shown + PATIENCE {
            return ControlFlow::Continue(());
        }
        self.last_shown = elapsed;
        match &self.to {
            Target::Hidden => {}
            Target::Json => print_note(self.record(elapsed)),
            Target::Terminal(bar) => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                // Never 100%: the line is only shown while work remains.
                let percent = (100.0 * self.part()).min(99.0) as u64;
                bar.set_message(format!("{percent}% {}", self.describe(elapsed)));
                bar.tick();
            }
        }
        ControlFlow::Continue(())
    }
}

impl Drop for CensusProgress {
    fn drop(&mut self) {
        if let Target::Terminal(bar) = &self.to {
            bar.finish_and_clear();
        }
    }
}
