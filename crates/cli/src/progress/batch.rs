//! Batches: how many boards are done, and how those are getting on that take long.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget};
use loyd::search::{Event, Observer};
use loyd_api::{Known, News};
use serde::Serialize;

use super::known::in_words;
use super::{PATIENCE, line, rough};
use crate::args::Shown;
use crate::failure::tell;
use crate::units::grouped;

/// Boards that take no longer have no events of their own.
const SHORT: Duration = Duration::from_secs(1);

/// Tells how far a batch of boards is, and when it will be done if its length is known.
pub struct BatchProgress {
    to: Target,
    begun: Instant,
    /// The bytes of the input in which the boards stand.
    from: u64,
    length: Option<u64>,
    state: Mutex<State>,
}

/// Where it is told.
enum Target {
    Nowhere,
    Terminal(ProgressBar),
    Json,
}

/// How far a batch is, for machines.
#[derive(Serialize)]
struct Record {
    event: &'static str,
    boards: u64,
    proved: u64,
    left_ns: Option<u64>,
    elapsed_ns: u64,
}

#[derive(Default)]
struct State {
    done: u64,
    proved: u64,
    position: u64,
    /// A board that takes long: its line, and how far it is.
    hard: Option<(Option<usize>, String)>,
    told: Duration,
}

impl BatchProgress {
    /// Watches boards that stand in the bytes `from..length` of a file.
    pub fn new(shown: Shown, from: u64, length: Option<u64>) -> Self {
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => Target::Terminal(match length {
                Some(_) => line("{spinner} {bar:20} {percent}% {wide_msg}"),
                None => line("{spinner} {wide_msg}"),
            }),
            _ => Target::Nowhere,
        };
        if let (Target::Terminal(bar), Some(length)) = (&to, length) {
            bar.set_length(length);
        }
        let state = Mutex::new(State { position: from, ..State::default() });
        Self { to, begun: Instant::now(), from, length, state }
    }

    /// Watches the search for the board on `line`; `None` if nobody wants to know.
    pub fn board(&self, line: Option<usize>) -> Option<BoardProgress<'_>> {
        if matches!(self.to, Target::Nowhere) {
            return None;
        }
        let known = Known::new(None, line);
        Some(BoardProgress { batch: self, known, begun: Instant::now(), told: None })
    }

    /// Records that some more `boards` are answered, of which so many are `proved`, and which end at `position` in
    /// the input.
    pub fn advance(&self, boards: u64, proved: u64, position: u64) {
        let mut state = self.state();
        state.done += boards;
        state.proved += proved;
        state.position = position.max(state.position);
        self.show(&mut state);
    }

    /// Does what may write to the terminal.
    pub fn off_the_clock<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.to {
            Target::Terminal(bar) => bar.suspend(write),
            _ => write(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells how far the batch is, if it is time.
    fn show(&self, state: &mut State) {
        let elapsed = self.begun.elapsed();
        if elapsed < state.told + PATIENCE {
            return;
        }
        state.told = elapsed;
        match &self.to {
            Target::Nowhere => {}
            Target::Json => tell(self.record(state)),
            Target::Terminal(bar) => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                if let Some(length) = self.length {
                    // There is more to do for as long as this is shown.
                    bar.set_position(state.position.min(length - length.div_ceil(100)));
                }
                bar.set_message(self.in_words(state));
                bar.tick();
            }
        }
    }

    /// Seconds since the beginning, and until the end.
    fn seconds(&self, state: &State) -> (f64, Option<f64>) {
        let elapsed = self.begun.elapsed().as_secs_f64();
        let left = self.length.filter(|_| state.position > self.from).map(|length| {
            let all = length.saturating_sub(self.from) as f64;
            elapsed * (all / (state.position - self.from) as f64 - 1.0).max(0.0)
        });
        (elapsed, left)
    }

    fn in_words(&self, state: &State) -> String {
        let (elapsed, left) = self.seconds(state);
        let (boards, proved) = (grouped(state.done), grouped(state.proved));
        let rate = state.done as f64 / elapsed;
        let mut text = format!("{boards} boards, {proved} proved, {rate:.1} a second");
        text += &left.map_or(String::new(), |left| format!(", {} left", rough(left)));
        text + &state.hard.as_ref().map_or(String::new(), |(_, hard)| format!(" | {hard}"))
    }

    fn record(&self, state: &State) -> String {
        let (elapsed, left) = self.seconds(state);
        let nanoseconds = |seconds: f64| (seconds * 1e9) as u64;
        let record = Record {
            event: "batch",
            boards: state.done,
            proved: state.proved,
            left_ns: left.map(nanoseconds),
            elapsed_ns: nanoseconds(elapsed),
        };
        serde_json::to_string(&record).expect("nothing in a record is foreign to JSON")
    }
}

impl Drop for BatchProgress {
    fn drop(&mut self) {
        match &self.to {
            Target::Nowhere => {}
            Target::Json => tell(self.record(&self.state())),
            Target::Terminal(bar) => bar.finish_and_clear(),
        }
    }
}

/// Tells how far the search for one board of a batch is, if it takes long.
pub struct BoardProgress<'a> {
    batch: &'a BatchProgress,
    known: Known,
    begun: Instant,
    /// When something was told last that was no news, once anything was.
    told: Option<Duration>,
}

impl BoardProgress<'_> {
    /// Tells `news`, and what was the news before the first events that are told.
    fn tell(&mut self, news: News, elapsed: Duration) {
        let is_due = self.told.is_none_or(|told| elapsed >= told + PATIENCE);
        if !is_due && !news.is_rare() {
            return;
        }
        if self.told.is_none() && self.known.best.is_some() && news != News::Incumbent {
            tell(self.known.record(News::Incumbent, elapsed));
        }
        tell(self.known.record(news, elapsed));
        if is_due {
            self.told = Some(elapsed);
        }
    }
}

impl Observer for BoardProgress<'_> {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        let news = self.known.learn(event);
        let elapsed = self.begun.elapsed();
        match &self.batch.to {
            Target::Json => {
                if let Some(news) = news.filter(|_| elapsed >= SHORT) {
                    self.tell(news, elapsed);
                }
            }
            _ if elapsed >= SHORT => {
                let mut state = self.batch.state();
                let line = self.known.line;
                if state.hard.as_ref().is_none_or(|(hard, _)| *hard == line) {
                    state.hard = Some((line, in_words(&self.known, elapsed, None)));
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
        if state.hard.as_ref().is_some_and(|(line, _)| *line == self.known.line) {
            state.hard = None;
        }
    }
}
