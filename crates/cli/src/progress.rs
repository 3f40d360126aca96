//! A sign of life on standard error, on a terminal only, for searches that take a while.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use loyd::{Event, Observer};

use crate::units::{grouped, size};

/// Shows nothing for searches shorter than this, and nothing new more often.
const PATIENCE: Duration = Duration::from_millis(200);

/// Shows how far a search is and how much of its time is used up.
pub struct Progress {
    bar: Option<ProgressBar>,
    max_time: Option<Duration>,
    bound: Option<u32>,
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
        Self { bar, max_time, bound: None, shown: Duration::ZERO }
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        let Some(bar) = &self.bar else { return ControlFlow::Continue(()) };
        match event {
            Event::Iteration(iteration) => self.bound = Some(iteration.bound),
            Event::Progress { expanded, bytes, elapsed } if elapsed >= self.shown + PATIENCE => {
                self.shown = elapsed;
                if bar.is_hidden() {
                    bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
                }
                let rate = expanded as f64 / elapsed.as_secs_f64() / 1e6;
                let bound = self.bound.map_or(String::new(), |b| format!(", no answer within {b}"));
                let limit =
                    self.max_time.map_or(String::new(), |m| format!(" of {} s", m.as_secs()));
                bar.set_message(format!(
                    "{} expanded ({rate:.1} M/s), {}{bound}, {} s{limit}",
                    grouped(expanded),
                    size(bytes),
                    elapsed.as_secs(),
                ));
                bar.tick();
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
