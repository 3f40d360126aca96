//! How much of a table is there.

use std::io::IsTerminal;
use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loyd::{Event, Observer};

/// A bar on standard error, if that is a terminal.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar that appears when the first states have been met.
    pub fn new() -> Self {
        Self(std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let template = "{bar:40} {percent}% of {human_len} states, {eta} left";
            bar.set_style(ProgressStyle::with_template(template).expect("the template is valid"));
            bar
        }))
    }
}

impl Observer for Progress {
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        if let (Some(bar), Event::Table { done, total }) = (&self.0, event) {
            bar.set_length(total);
            bar.set_position(done);
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
