//! A census: the level, the states that are counted, and the time that is left.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use loyd::search::{Event, Observer};
use serde::Serialize;

use super::{PATIENCE, line, rough};
use crate::args::Shown;
use crate::failure::tell;
use crate::units::{grouped, size};

/// Tells how far a census is.
pub struct CensusProgress {
    to: Target,
    begun: Instant,
    told: Duration,
    bytes: u64,
    searches: u64,
    search: u64,
    distance: u32,
    done: u64,
    total: u64,
    /// What was done when the search began, if it was continued.
    before: Option<f64>,
}

/// Where it is told.
enum Target {
    Nowhere,
    Terminal(ProgressBar),
    Json,
}

/// How far a census is, for machines.
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
    /// Watches so many searches, which take so much memory.
    pub fn new(shown: Shown, searches: usize, bytes: u64) -> Self {
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => {
                Target::Terminal(line("{spinner} {wide_msg}"))
            }
            _ => Target::Nowhere,
        };
        let (begun, told, searches) = (Instant::now(), Duration::ZERO, searches as u64);
        let (search, distance, done, total, before) = (1, 0, 0, 0, None);
        Self { to, begun, told, bytes, searches, search, distance, done, total, before }
    }

    /// What the census should tell, if anybody wants to know.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        match self.to {
            Target::Nowhere => None,
            _ => Some(self),
        }
    }

    /// The part of all work that is done, from 0 to 1.
    fn part(&self) -> f64 {
        let part = self.done as f64 / self.total.max(1) as f64;
        ((self.search - 1) as f64 + part) / self.searches as f64
    }

    /// Seconds until the end, if they can be told.
    fn left(&self, elapsed: Duration) -> Option<f64> {
        let before = self.before?;
        let done = self.part() - before;
        (done > 0.0).then(|| elapsed.as_secs_f64() * (1.0 - self.part()) / done)
    }

    fn in_words(&self, elapsed: Duration) -> String {
        let search = match self.searches {
            1 => String::new(),
            searches => format!("search {} of {searches}: ", self.search),
        };
        let (done, total) = (grouped(self.done), grouped(self.total));
        let (distance, bytes) = (self.distance, size(self.bytes));
        let left = self.left(elapsed).map(|left| format!(", {} left", rough(left)));
        let elapsed = rough(elapsed.as_secs_f64());
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
        serde_json::to_string(&record).expect("nothing in a record is foreign to JSON")
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
        let elapsed = self.begun.elapsed();
        if elapsed < self.told + PATIENCE {
            return ControlFlow::Continue(());
        }
        self.told = elapsed;
        match &self.to {
            Target::Nowhere => {}
            Target::Json => tell(self.record(elapsed)),
            Target::Terminal(bar) => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                // There is more to do for as long as this is shown.
                let percent = (100.0 * self.part()).min(99.0) as u64;
                bar.set_message(format!("{percent}% {}", self.in_words(elapsed)));
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
