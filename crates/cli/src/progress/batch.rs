//! Progress of batches: the number of finished boards, and the state of a search that takes long.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use loyd::search::{Event, Observer};
use loyd_api::{ChangeKind, SearchState};
use serde::Serialize;

use super::{PATIENCE, describe, line, rough_duration};
use crate::args::Shown;
use crate::failure::print_note;
use crate::units::with_commas;

/// Searches shorter than this do not report their own events.
const SHORT: Duration = Duration::from_secs(1);

/// Progress display of a batch, with the remaining time if the length of the input is known.
pub struct BatchProgress {
    to: Target,
    started: Instant,
    /// The boards are in the bytes `from..length` of the input.
    from: u64,
    length: Option<u64>,
    /// What is counted, instead of boards.
    counted: Option<&'static str>,
    state: Mutex<State>,
}

/// Destination of the reports.
enum Target {
    Hidden,
    Terminal(ProgressBar),
    Json,
}

/// Event of a batch, as JSON.
#[derive(Serialize)]
struct Record {
    event: &'static str,
    /// Number of boards that are done, or of what is counted.
    boards: u64,
    proved: u64,
    left_ns: Option<u64>,
    elapsed_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<QueueProgress>,
}

/// State of the queue of a batch that workers on other machines solve.
#[derive(Clone, Copy, Serialize)]
pub struct QueueProgress {
    /// Number of jobs without a result.
    pub jobs: usize,
    /// Number of jobs that are being done.
    pub running: usize,
    /// Number of boards or runs that no worker could do.
    pub failed: u64,
    /// Number of jobs that were given to another worker.
    pub again: usize,
    /// Number of workers that wait for a job.
    pub idle: usize,
    /// Whether the server cannot be reached at present.
    pub is_lost: bool,
}

impl QueueProgress {
    /// Returns a description for a terminal.
    pub fn describe(self) -> String {
        let Self { running, failed, again, idle, is_lost, .. } = self;
        let mut text = format!("{running} jobs running, {idle} workers idle");
        for (count, what) in [(again as u64, "again"), (failed, "failed")] {
            text += &if count > 0 { format!(", {count} {what}") } else { String::new() };
        }
        text + if is_lost { "; connection lost" } else { "" }
    }
}

#[derive(Default)]
struct State {
    done: u64,
    proved: u64,
    position: u64,
    /// A board whose search takes long: its line in the file, and a description of the search.
    slow: Option<(Option<usize>, String)>,
    last_shown: Duration,
    queue: Option<QueueProgress>,
}

impl BatchProgress {
    /// Reports the progress of a batch whose boards are in the bytes `from..length` of a file.
    pub fn new(shown: Shown, from: u64, length: Option<u64>) -> Self {
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => Target::Terminal(match length {
                Some(_) => line("{spinner} {bar:20} {percent}% {wide_msg}"),
                None => line("{spinner} {wide_msg}"),
            }),
            _ => Target::Hidden,
        };
        if let (Target::Terminal(bar), Some(length)) = (&to, length) {
            bar.set_length(length);
        }
        let state = Mutex::new(State { position: from, ..State::default() });
        Self { to, started: Instant::now(), from, length, counted: None, state }
    }

    /// Counts tasks instead of boards, `tasks` in all.
    #[cfg(feature = "queue")]
    pub fn of_tasks(shown: Shown, tasks: u64) -> Self {
        let mut progress = Self::new(shown, 0, Some(tasks));
        progress.counted = Some("tasks");
        progress
    }

    /// Returns the observer for the search of the board on `line`, or `None` if no progress is shown.
    pub fn board(&self, line: Option<usize>) -> Option<BoardProgress<'_>> {
        if matches!(self.to, Target::Hidden) {
            return None;
        }
        let known = SearchState::new(None, line);
        Some(BoardProgress { batch: self, known, started: Instant::now(), last_shown: None })
    }

    /// Records that `boards` more boards were answered, `proved` of them with proof, up to `position` in the input.
    pub fn advance(&self, boards: u64, proved: u64, position: u64) {
        let mut state = self.state();
        state.done += boards;
        state.proved += proved;
        state.position = position.max(state.position);
        self.show(&mut state);
    }

    /// Reports the state of the queue.
    #[cfg(feature = "queue")]
    pub fn set_queue(&self, queue: QueueProgress) {
        let mut state = self.state();
        state.queue = Some(queue);
        self.show(&mut state);
    }

    /// Calls `write`, which may write to the terminal, with the progress line hidden.
    pub fn suspended<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.to {
            Target::Terminal(bar) => bar.suspend(write),
            _ => write(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the progress if an update is due.
    fn show(&self, state: &mut State) {
        let elapsed = self.started.elapsed();
        if elapsed < state.last_shown + PATIENCE {
            return;
        }
        state.last_shown = elapsed;
        match &self.to {
            Target::Hidden => {}
            Target::Json => print_note(self.record(state)),
            Target::Terminal(bar) => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                if let Some(length) = self.length {
                    // Never 100%: the bar is only shown while work remains.
                    bar.set_position(state.position.min(length - length.div_ceil(100)));
                }
                bar.set_message(self.describe(state));
                bar.tick();
            }
        }
    }

    /// Returns the elapsed seconds and an estimate of the remaining ones.
    fn seconds(&self, state: &State) -> (f64, Option<f64>) {
        let elapsed = self.started.elapsed().as_secs_f64();
        let left = self.length.filter(|_| state.position > self.from).map(|length| {
            let all = length.saturating_sub(self.from) as f64;
            elapsed * (all / (state.position - self.from) as f64 - 1.0).max(0.0)
        });
        (elapsed, left)
    }

    fn describe(&self, state: &State) -> String {
        let (elapsed, left) = self.seconds(state);
        let (boards, proved) = (with_commas(state.done), with_commas(state.proved));
        let rate = state.done as f64 / elapsed;
        let mut text = match self.counted {
            None => format!("{boards} boards, {proved} proved, {rate:.1} a second"),
            Some(counted) => format!("{boards} {counted}"),
        };
        text += &left.map_or(String::new(), |left| format!(", {} left", rough_duration(left)));
        text += &state.queue.map_or_else(String::new, |queue| format!(" | {}", queue.describe()));
        text + &state.slow.as_ref().map_or(String::new(), |(_, slow)| format!(" | {slow}"))
    }

    fn record(&self, state: &State) -> String {
        let (elapsed, left) = self.seconds(state);
        let nanoseconds = |seconds: f64| (seconds * 1e9) as u64;
        let record = Record {
            event: self.counted.unwrap_or("batch"),
            boards: state.done,
            proved: state.proved,
            left_ns: left.map(nanoseconds),
            elapsed_ns: nanoseconds(elapsed),
            queue: state.queue,
        };
        serde_json::to_string(&record).expect("the record is serializable")
    }
}

impl Drop for BatchProgress {
    fn drop(&mut self) {
        match &self.to {
            Target::Hidden => {}
            Target::Json => print_note(self.record(&self.state())),
            Target::Terminal(bar) => bar.finish_and_clear(),
        }
    }
}

/// Observer of the search for one board of a batch; it reports only if the search takes long.
pub struct BoardProgress<'a> {
    batch: &'a BatchProgress,
    known: SearchState,
    started: Instant,
    /// When the last update was reported that was due, or `None` before the first report.
    last_shown: Option<Duration>,
}

impl BoardProgress<'_> {
    /// Reports `news`. The first report is preceded by the incumbent that was found before it, if any.
    fn report(&mut self, news: ChangeKind, elapsed: Duration) {
        let is_due = self.last_shown.is_none_or(|last| elapsed >= last + PATIENCE);
        if !is_due && !news.is_rare() {
            return;
        }
        if self.last_shown.is_none() && self.known.best.is_some() && news != ChangeKind::Incumbent {
            print_note(self.known.record(ChangeKind::Incumbent, elapsed));
        }
        print_note(self.known.record(news, elapsed));
        if is_due {
            self.last_shown = Some(elapsed);
        }
    }
}

impl Observer for BoardProgress<'_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        let news = self.known.update(event);
        let elapsed = self.started.elapsed();
        match &self.batch.to {
            Target::Json => {
                if let Some(news) = news.filter(|_| elapsed >= SHORT) {
                    self.report(news, elapsed);
                }
            }
            _ if elapsed >= SHORT => {
                let mut state = self.batch.state();
                let line = self.known.line;
                if state.slow.as_ref().is_none_or(|(slow, _)| *slow == line) {
                    state.slow = Some((line, describe(&self.known, elapsed, None)));
                }
            }
            _ => {}
        }
        self.batch.show(&mut self.batch.state());
        ControlFlow::Continue(())
    }
}

impl Drop for BoardProgress<'_> {
    fn drop(&mut self) {
        let mut state = self.batch.state();
        if state.slow.as_ref().is_some_and(|(line, _)| *line == self.known.line) {
            state.slow = None;
        }
    }
}
