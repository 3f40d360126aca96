//! Progress of a running search on standard error: a line on a terminal, or events as JSON Lines.

mod batch;
mod census;
mod compare;

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loyd::search::{Event, Observer};
use loyd_api::SearchState;

use crate::args::{ProgressArgs, Shown};
use crate::failure::print_note;
use crate::units::{size, with_commas};
pub use batch::BatchProgress;
#[cfg(feature = "queue")]
pub use batch::QueueProgress;
pub use census::CensusProgress;
pub use compare::CompareProgress;

/// Searches shorter than this show no line. Also the minimum time between two updates, except for rare events such as a
/// better solution.
const PATIENCE: Duration = Duration::from_millis(200);

/// Creates the progress displays of consecutive searches.
pub struct Watch {
    shown: Shown,
    max_time: Option<Duration>,
    boards: Cell<Option<u64>>,
}

impl Watch {
    /// Reports progress as `args` specify, for searches that each may take `max_time`.
    pub fn new(args: ProgressArgs, max_time: Option<Duration>) -> Self {
        Self { shown: args.progress, max_time, boards: Cell::default() }
    }

    /// Numbers the boards, starting with 1, in all reports.
    #[must_use]
    pub fn with_numbers(self) -> Self {
        Self { boards: Cell::new(Some(0)), ..self }
    }

    /// Assigns the following searches to the next board.
    pub fn next_board(&self) {
        self.boards.set(self.boards.get().map(|number| number + 1));
    }

    /// Returns the progress display of one search. Nothing else may write to the terminal until it is dropped.
    pub fn search(&self) -> Progress {
        let known = SearchState::new(self.boards.get(), None);
        Progress::new(self.shown, self.max_time, known)
    }
}

/// Progress display of one search.
pub struct Progress {
    to: Target,
    max_time: Option<Duration>,
    known: SearchState,
    started: Instant,
    /// When the last update was shown that was due, in time since `started`.
    last_shown: Duration,
}

/// Destination of the reports.
enum Target {
    Hidden,
    Terminal(ProgressBar),
    Json,
}

impl Progress {
    fn new(shown: Shown, max_time: Option<Duration>, known: SearchState) -> Self {
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => {
                Target::Terminal(line("{spinner} {wide_msg}"))
            }
            _ => Target::Hidden,
        };
        Self { to, max_time, known, started: Instant::now(), last_shown: Duration::ZERO }
    }

    /// Returns the observer for the search, or `None` if no progress is shown.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        match self.to {
            Target::Hidden => None,
            _ => Some(self),
        }
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        let elapsed = self.started.elapsed();
        let is_due = elapsed >= self.last_shown + PATIENCE;
        let Some(news) = self.known.update(event) else { return ControlFlow::Continue(()) };
        match &self.to {
            Target::Json if is_due || news.is_rare() => {
                print_note(self.known.record(news, elapsed));
            }
            Target::Terminal(bar) if is_due || news.is_rare() && !bar.is_hidden() => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.set_message(describe(&self.known, elapsed, self.max_time));
                bar.tick();
            }
            _ => return ControlFlow::Continue(()),
        }
        if is_due {
            self.last_shown = elapsed;
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Target::Terminal(bar) = &self.to {
            bar.finish_and_clear();
        }
    }
}

/// A spinner that names an activity and shows the elapsed time until it is dropped. It is shown only if standard error
/// is a terminal.
#[must_use]
pub struct Spinner(ProgressBar);

impl Spinner {
    /// Shows the spinner with `activity`.
    pub fn new(activity: String) -> Self {
        let bar = line("{spinner} {msg}; {elapsed}");
        if io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.set_message(activity);
            bar.enable_steady_tick(PATIENCE);
        }
        Self(bar)
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Returns a progress bar that is hidden at first.
fn line(template: &str) -> ProgressBar {
    let bar = ProgressBar::hidden();
    bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
    bar
}

/// Returns a one-line description for a terminal.
pub fn describe(known: &SearchState, elapsed: Duration, max_time: Option<Duration>) -> String {
    let mut text = match (known.board, known.line) {
        (Some(number), _) => format!("board {number}: "),
        (None, Some(line)) => format!("line {line}: "),
        (None, None) => String::new(),
    };
    if let Some(number @ 2..) = known.search {
        text += &format!("search {number}: ");
    }
    text += &match (known.table, known.stage) {
        (Some((done, total)), _) => {
            // 100% is reserved for finished tables, which are not shown.
            let percent = (100 * done / total.max(1)).min(99);
            format!("building tables, {percent}%")
        }
        (None, Some((name, Some(with)))) => format!("{name} with {with}"),
        (None, Some((name, None))) => name.to_owned(),
        (None, None) => "searching".to_owned(),
    };
    text += &match (&known.best, known.lower_bound, known.within()) {
        (Some((_, length)), Some(least), Some(within)) => {
            format!("; best so far {length}, at least {least} (within {within})")
        }
        (Some((_, length)), ..) => format!("; best so far {length}"),
        (None, Some(least), _) => format!("; at least {least}"),
        (None, None, _) => String::new(),
    };
    text += &format!("; {}", rough_duration(elapsed.as_secs_f64()));
    if let Some(limit) = max_time {
        text += &format!(" of {}", rough_duration(limit.as_secs_f64()));
    }
    let expanded = known.expanded();
    if expanded > 0 {
        let rate = expanded as f64 / elapsed.as_secs_f64() / 1e6;
        text += &format!("; {} expanded ({rate:.1} M/s)", with_commas(expanded));
    }
    if known.bytes > 0 {
        text += &format!(", {}", size(known.bytes));
    }
    text
}

/// Formats a duration roughly: `12 s`, `3 min`, `5 h`.
pub fn rough_duration(seconds: f64) -> String {
    match seconds {
        0.0..100.0 => format!("{seconds:.0} s"),
        100.0..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}
