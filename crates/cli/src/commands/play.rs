//! `loyd play`: the game on the terminal.
//!
//! `app` has what is going on and what keys do, `draw` and the files below it show that, `terminal` is the only one that
//! touches the terminal. The game itself, without a screen, is `loyd-play`.

mod app;
mod chips;
mod draw;
mod figures;
mod help;
mod job;
mod keys;
mod mouse;
mod panel;
mod review;
mod series;
mod setup;
mod signals;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;
mod tray;
mod watch;
mod words;

use std::time::Instant;

use crate::Status;
use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::interrupt;
use app::{App, Flow};
use setup::Setup;
use signals::Signals;
use terminal::Screen;
use theme::Theme;

/// Plays until the user leaves.
pub fn run(args: &PlayArgs) -> Result<Status, Failure> {
    let setup = Setup::new(args)?;
    terminal::check()?;
    let theme = Theme::from_env(args.theme);
    let mut app = App::new(setup, theme, args.arrows);
    let signals = Signals::listen()?;
    let mut screen = Screen::open()?;
    let mut begun = Instant::now();
    let mut stops = false;
    loop {
        if std::mem::take(&mut stops) | signals.asked_to_stop() {
            begun += screen.suspend()?;
            // Stopping has asked for both.
            let _ = (signals.asked_to_stop(), signals.asked_to_go_on());
        } else if signals.asked_to_go_on() {
            screen.take_again()?;
        }
        let now = begun.elapsed();
        app.tick(now);
        screen.draw(|frame| draw::draw(frame, &mut app, now))?;
        if signals.asked_to_end() {
            drop(screen);
            interrupt::exit();
        }
        let events = screen.events(app.longest_wait())?;
        for event in events {
            match app.take(&event, begun.elapsed()) {
                Flow::On => {}
                Flow::Suspend => stops = true,
                Flow::Leave => return Ok(Status::Yes),
            }
        }
    }
}
