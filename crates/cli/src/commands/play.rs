//! `loyd play`: the game on the terminal.
//!
//! `app` holds the state and handles keys; `draw` and the modules below it draw it; only `terminal` accesses the
//! terminal. The game itself, without a screen, is in the crate `loyd-play`.

mod app;
mod assist;
mod draw;
mod keys;
mod layout;
mod messages;
mod page;
mod review;
mod session;
mod setup;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;
mod tray;
mod watch;
mod words;

use std::time::Instant;

use crate::args::PlayArgs;
use crate::failure::{Failure, Status};
use crate::interrupt;
use app::{App, Flow};
use session::Session;
use setup::Setup;
use terminal::{Screen, Signals};
use theme::Theme;

/// Plays until the user leaves.
pub fn run(args: &PlayArgs) -> Result<Status, Failure> {
    let setup = Setup::new(args)?;
    terminal::check()?;
    let theme = Theme::from_env(args.theme);
    let mut app = App::new(setup, theme, args.arrows);
    let signals = Signals::listen()?;
    let mut screen = Screen::open()?;
    let mut started = Instant::now();
    let mut suspends = false;
    loop {
        if std::mem::take(&mut suspends) | signals.stop_requested() {
            let pause = screen.suspend()?;
            started += pause;
            app.game.was_paused |= app.game.is_running() && !pause.is_zero();
            // `suspend` itself raises both signals.
            let _ = (signals.stop_requested(), signals.continue_requested());
        } else if signals.continue_requested() {
            screen.reenter()?;
        }
        let now = started.elapsed();
        app.tick(now);
        screen.draw(|frame| draw::draw(frame, &mut app, now))?;
        if signals.end_requested() {
            drop(screen);
            interrupt::exit();
        }
        let events = screen.events(app.longest_wait())?;
        for event in events {
            match app.take(&event, started.elapsed()) {
                Flow::Continue => {}
                Flow::Suspend => suspends = true,
                Flow::Leave => {
                    drop(screen);
                    app.setup.session.as_mut().map_or(Ok(()), Session::write_rest)?;
                    return Ok(Status::Yes);
                }
            }
        }
    }
}
