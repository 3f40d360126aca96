//! A sign of life on standard error, on a terminal only, for searches that take a while.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loyd::search::{Event, Observer};

use crate::units::{grouped, size};

/// Shows nothing for searches shorter than this, and nothing new more often.
const PATIENCE: Duration = Duration::from_millis(200);

/// Shows how far a search is and how much of its time is used up.
pub struct Progress {
    bar: Option<ProgressBar>,
    max_time: Option<Duration>,
    bound: Option<u32>,
    /// The least that a solution can have, and the length of the best one so far.
    known: Option<(u32, u32)>,
    begun: Instant,
    shown: Duration,
}

impl Progress {
    /// Watches one search that may take `max_time`.
    pub fn new(max_time: Option<Duration>) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::hidden();
            let style = ProgressStyle::with_template("{spinner} {msg}");
            bar.set_style(style.expect("the template is valid"));
            bar
        });
        let begun = Instant::now();
        Self { bar, max_time, bound: None, known: None, begun, shown: Duration::ZERO }
    }

    fn show(&self, message: String) {
        let Some(bar) = &self.bar else { return };
        if bar.is_hidden() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_message(message);
        bar.tick();
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        if self.bar.is_none() {
            return ControlFlow::Continue(());
        }
        match event {
            Event::Iteration(iteration) => self.bound = Some(iteration.bound),
            Event::Bounds { at_least, cost } => self.known = Some((at_least, cost)),
            Event::Table { done, total } if self.begun.elapsed() >= self.shown + PATIENCE => {
                self.shown = self.begun.elapsed();
                let left = self.shown.as_secs_f64() * (total as f64 / done.max(1) as f64 - 1.0);
                let percent = 100 * done / total.max(1);
                self.show(format!("making tables: {percent}%, {} left", rough(left)));
            }
            Event::Progress { expanded, bytes, elapsed } if elapsed >= self.shown + PATIENCE => {
                self.shown = elapsed;
                let rate = expanded as f64 / elapsed.as_secs_f64() / 1e6;
                let bound = match (self.known, self.bound) {
                    (Some((least, length)), _) => {
                        format!(", best so far {length}, at least {least}")
                    }
                    (None, Some(bound)) => format!(", no solution within {bound}"),
                    (None, None) => String::new(),
                };
                let limit =
                    self.max_time.map_or(String::new(), |m| format!(" of {} s", m.as_secs()));
                self.show(format!(
                    "{} expanded ({rate:.1} M/s), {}{bound}, {} s{limit}",
                    grouped(expanded),
                    size(bytes),
                    elapsed.as_secs(),
                ));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Shows how far a batch of boards is, and when it will be done if its length is known.
pub struct BatchProgress {
    bar: Option<ProgressBar>,
    begun: Instant,
    shown: Once,
    /// Where in the input the batch began, in bytes.
    from: u64,
    done: AtomicU64,
}

impl BatchProgress {
    /// Watches, if that is wanted, boards that stand in the bytes `from..length` of a file.
    pub fn new(wanted: bool, from: u64, length: Option<u64>) -> Self {
        let bar = (wanted && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::hidden();
            let template = match length {
                Some(_) => "{spinner} {bar:30} {percent}% {msg}",
                None => "{spinner} {msg}",
            };
            bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
            if let Some(length) = length {
                bar.set_length(length);
                bar.set_position(from);
            }
            bar
        });
        Self { bar, begun: Instant::now(), shown: Once::new(), from, done: AtomicU64::new(0) }
    }

    /// Whether anybody watches.
    pub fn is_watched(&self) -> bool {
        self.bar.is_some()
    }

    /// Shows the bar once the batch takes a while.
    pub fn wake(&self) {
        let Some(bar) = &self.bar else { return };
        if self.begun.elapsed() >= PATIENCE {
            self.shown.call_once(|| {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(PATIENCE);
            });
        }
    }

    /// Records that some more `boards` are answered, which end at `position` in the input.
    pub fn advance(&self, boards: u64, position: u64) {
        let Some(bar) = &self.bar else { return };
        let done = self.done.fetch_add(boards, Ordering::Relaxed) + boards;
        let elapsed = self.begun.elapsed().as_secs_f64();
        let rate = done as f64 / elapsed;
        let left = bar.length().filter(|_| position > self.from).map(|length| {
            let share = (position - self.from) as f64 / length.saturating_sub(self.from) as f64;
            elapsed / share - elapsed
        });
        let left = left.map_or(String::new(), |left| format!(", {} left", rough(left)));
        bar.set_message(format!("{} boards, {rate:.1} a second{left}", grouped(done)));
        if bar.length().is_some() {
            bar.set_position(position);
        }
        self.wake();
    }

    /// Does what may write to the terminal.
    pub fn off_the_clock<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Drop for BatchProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A time as people say it who do not know it well: `12 s`, `3 min`, `5 h`.
fn rough(seconds: f64) -> String {
    match seconds {
        0.0..100.0 => format!("{seconds:.0} s"),
        100.0..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}
