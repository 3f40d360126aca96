//! Shared parts of all drivers: jobs of several items, such as boards, and the display of the queue.

use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::time::{Duration, Instant};

use loyd_queue::{Job, State};
use serde::Serialize;

use crate::progress::QueueProgress;
use crate::saved_files::checksum_of;

/// Maximum number of wrong results for an item.
pub const MOST_WRONG: u32 = 5;

/// Maximum size of the items of a job in bytes.
pub const MOST_BYTES_IN_JOB: usize = 256 << 10;

/// Time that the items of one job should take.
const JOB: Duration = Duration::from_secs(1);

/// Time without a worker after which a note is printed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Number of jobs that wait for each worker, and for all workers together as long as none is known. More would have the
/// size that jobs had before the first results.
const JOBS_AHEAD: usize = 16;

/// Number of hexadecimal digits of a hash in a name.
const HASH_DIGITS: usize = 16;

/// Returns the name of the run with these settings.
pub fn run_name(settings: &impl Serialize) -> String {
    let text = serde_json::to_vec(settings).expect("settings serialize to JSON");
    checksum_of(&text)[..HASH_DIGITS].to_owned()
}

/// The number of items of a job, which is adapted to the time that they take.
pub struct JobSize {
    wanted: f64,
    most: f64,
}

impl JobSize {
    /// Returns the size of the first job: one item. Later jobs have at most `most`.
    pub fn at_most(most: f64) -> Self {
        Self { wanted: 1.0, most }
    }

    /// Returns the number of items of the next job.
    pub fn items(&self) -> usize {
        self.wanted.ceil() as usize
    }

    /// Records the time that the items of a job took.
    pub fn adapt(&mut self, items: usize, elapsed_ns: u64) {
        let wanted = items as f64 * JOB.as_nanos() as f64 / elapsed_ns.max(1) as f64;
        let most = self.most.min(self.wanted * 2.0);
        self.wanted = wanted.max(self.wanted / 2.0).min(most).max(1.0);
    }
}

/// The jobs without a result, with their items.
pub struct Jobs<T> {
    items: HashMap<String, Vec<T>>,
    /// Items that need separate jobs, because a job with several items failed.
    alone: VecDeque<T>,
    /// Number of workers, as far as it is known.
    workers: usize,
}

impl<T> Jobs<T> {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { items: HashMap::new(), alone: VecDeque::new(), workers: 0 }
    }

    /// Adds a job, and returns it for the queue. The same job with the same `prefix` always has the same name.
    pub fn add(&mut self, prefix: impl Display, items: Vec<T>, job: &impl Serialize) -> Job {
        let payload = serde_json::to_vec(job).expect("a job serializes to JSON");
        let key = format!("{prefix}-{}", &checksum_of(&payload)[..HASH_DIGITS]);
        self.items.insert(key.clone(), items);
        Job { key, payload }
    }

    /// Records the number of workers.
    pub fn look(&mut self, state: &State) {
        self.workers = state.running + state.idle;
    }

    /// Returns whether there are enough jobs for the workers for now.
    pub fn are_enough(&self) -> bool {
        self.items.len() >= JOBS_AHEAD * self.workers.max(1)
    }

    /// Returns the items of a job; an unknown or removed job has no items.
    pub fn items(&self, key: &str) -> &[T] {
        self.items.get(key).map_or(&[], Vec::as_slice)
    }

    /// Removes a job, and returns its items.
    pub fn remove(&mut self, key: &str) -> Vec<T> {
        self.items.remove(key).unwrap_or_default()
    }

    /// Repeats items with a job for each of them, so that one of them does not cost the others.
    pub fn repeat_alone(&mut self, items: impl IntoIterator<Item = T>) {
        self.alone.extend(items);
    }

    /// Removes the next item that needs a separate job.
    pub fn next_alone(&mut self) -> Option<T> {
        self.alone.pop_front()
    }
}

/// Notes for the user about the state of the queue.
pub struct Lookout {
    /// Since when no worker is known; `None` once there was one, or the note was printed.
    without_workers: Option<Instant>,
    was_refused: bool,
}

impl Lookout {
    /// Starts to wait for the first worker.
    pub fn new() -> Self {
        Self { without_workers: Some(Instant::now()), was_refused: false }
    }

    /// Returns a note if there has been no worker for some time, or when the server starts to refuse messages.
    pub fn look(&mut self, state: &State) -> Option<String> {
        let was_refused = std::mem::replace(&mut self.was_refused, state.is_refused);
        if state.is_refused && !was_refused {
            return Some(
                "the server refuses messages: has its disk or its limit for JetStream no room?"
                    .to_owned(),
            );
        }
        if state.running + state.idle > 0 {
            self.without_workers = None;
        }
        self.without_workers.take_if(|since| since.elapsed() >= PATIENCE)?;
        let version = env!("CARGO_PKG_VERSION");
        Some(format!(
            "there is no worker of loyd {version} yet: start `loyd work` with the same URL"
        ))
    }
}

/// Returns text of a worker without control characters, which could change the terminal.
pub fn printable(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() || *letter == '\n').collect()
}

/// Returns the state of the queue for the display of progress, with the number of items that `failed`.
pub fn progress_of(state: State, failed: u64) -> QueueProgress {
    let State { jobs, running, again, idle, is_lost, is_refused: _ } = state;
    QueueProgress { jobs, running, failed, again, idle, is_lost }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_wait_for_each_worker() {
        let mut jobs = Jobs::new();
        for number in 0..JOBS_AHEAD {
            assert!(!jobs.are_enough());
            jobs.add(number, vec![number], &number);
        }
        assert!(jobs.are_enough());
        jobs.look(&State { running: 1, idle: 1, ..State::default() });
        assert!(!jobs.are_enough());
    }

    #[test]
    fn jobs_take_about_a_second() {
        let mut size = JobSize::at_most(100.0);
        assert_eq!(size.items(), 1);
        // A hundredth of a second for each item: twice as many each time, up to a second.
        for expected in [2, 4, 8, 16, 32, 64, 100, 100] {
            size.adapt(size.items(), size.items() as u64 * 10_000_000);
            assert_eq!(size.items(), expected);
        }
        // A second for each item.
        for expected in [50, 25, 13, 7, 4, 2, 1, 1] {
            size.adapt(10, 10_000_000_000);
            assert_eq!(size.items(), expected);
        }
    }
}
