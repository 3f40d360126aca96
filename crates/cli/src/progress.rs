//! What is told on standard error while a search runs: a line on a terminal, or events as JSON Lines.

mod batch;
mod census;
mod compare;
mod known;

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loyd::search::{Event, Observer};
use loyd_api::Known;

use crate::args::{ProgressArgs, Shown};
use crate::failure::tell;
pub use batch::BatchProgress;
pub use census::CensusProgress;
pub use compare::CompareProgress;
pub use known::in_words;

/// Shows no line for searches shorter than this, and nothing but news more often.
const PATIENCE: Duration = Duration::from_millis(200);

/// Watches searches that follow each other.
pub struct Watch {
    shown: Shown,
    max_time: Option<Duration>,
    boards: Cell<Option<u64>>,
}

impl Watch {
    /// Watches, as the arguments ask for, searches each of which may take `max_time`.
    pub fn new(args: ProgressArgs, max_time: Option<Duration>) -> Self {
        Self { shown: args.progress, max_time, boards: Cell::default() }
    }

    /// The same for several boards, which are numbered.
    #[must_use]
    pub fn of_many(self) -> Self {
        Self { boards: Cell::new(Some(0)), ..self }
    }

    /// What is watched from now on is about the next board.
    pub fn next_board(&self) {
        self.boards.set(self.boards.get().map(|number| number + 1));
    }

    /// Watches a search. Nothing else may be written to the terminal while what is returned is there.
    pub fn search(&self) -> Progress {
        let known = Known::new(self.boards.get(), None);
        Progress::new(self.shown, self.max_time, known)
    }
}

/// Tells how far one search is.
pub struct Progress {
    to: Target,
    max_time: Option<Duration>,
    known: Known,
    begun: Instant,
    /// When something was told last that was no news.
    told: Duration,
}

/// Where it is told.
enum Target {
    Nowhere,
    Terminal(ProgressBar),
    Json,
}

impl Progress {
    fn new(shown: Shown, max_time: Option<Duration>, known: Known) -> Self {
        let to = match shown {
            Shown::Json => Target::Json,
            Shown::Auto if io::stderr().is_terminal() => {
                Target::Terminal(line("{spinner} {wide_msg}"))
            }
            _ => Target::Nowhere,
        };
        Self { to, max_time, known, begun: Instant::now(), told: Duration::ZERO }
    }

    /// What a search should tell, if anybody wants to know.
    pub fn observer(&mut self) -> Option<&mut dyn Observer> {
        match self.to {
            Target::Nowhere => None,
            _ => Some(self),
        }
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        let elapsed = self.begun.elapsed();
        let is_due = elapsed >= self.told + PATIENCE;
        let Some(news) = self.known.learn(event) else { return ControlFlow::Continue(()) };
        match &self.to {
            Target::Json if is_due || news.is_rare() => tell(self.known.record(news, elapsed)),
            Target::Terminal(bar) if is_due || news.is_rare() && !bar.is_hidden() => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.set_message(in_words(&self.known, elapsed, self.max_time));
                bar.tick();
            }
            _ => return ControlFlow::Continue(()),
        }
        if is_due {
            self.told = elapsed;
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

/// A line that tells that something is done, and for how long, if standard error is a terminal; until it is dropped.
#[must_use]
pub struct Doing(ProgressBar);

impl Doing {
    /// Shows the line.
    pub fn new(what: String) -> Self {
        let bar = line("{spinner} {msg}; {elapsed}");
        if io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.set_message(what);
            bar.enable_steady_tick(PATIENCE);
        }
        Self(bar)
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A line that is not shown yet.
fn line(template: &str) -> ProgressBar {
    let bar = ProgressBar::hidden();
    bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
    bar
}

/// A time as people say it who do not know it well: `12 s`, `3 min`, `5 h`.
fn rough(seconds: f64) -> String {
    match seconds {
        0.0..100.0 => format!("{seconds:.0} s"),
        100.0..6000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}
