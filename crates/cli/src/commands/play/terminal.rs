//! The terminal: taken over, and left as it was, whatever happens.

use std::env;
use std::io::{self, IsTerminal, Stdout, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, poll, read};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

/// Whether the terminal is taken over.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Refuses what is no terminal to play on.
///
/// # Errors
/// Why it is none.
pub fn check() -> anyhow::Result<()> {
    let needs = "loyd play needs a terminal";
    if !io::stdin().is_terminal() {
        bail!("{needs}, and standard input is none");
    }
    if !stdout().is_terminal() {
        bail!("{needs}, and standard output is none");
    }
    if cfg!(unix) && env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb") {
        bail!("{needs} that can move its cursor, and TERM says that this one cannot");
    }
    Ok(())
}

/// The terminal, taken over until this is dropped.
pub struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Takes the terminal over. A panic gives it back before it is told.
    ///
    /// # Errors
    /// When it cannot be taken.
    pub fn open() -> io::Result<Self> {
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            told(info);
        }));
        take()
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())))
            .map(Self)
            .inspect_err(|_| give_back())
    }

    /// Shows what `draw` draws, unless a panic elsewhere has given the terminal back.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        if !TAKEN.load(Ordering::SeqCst) {
            return Err(io::Error::other("a search has failed, and so the game ends"));
        }
        self.0.draw(draw).map(|_| ())
    }

    /// Waits so long for keys and the like, and returns all that are there.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn events(&self, patience: Duration) -> io::Result<Vec<Event>> {
        /// More than anybody types before the screen has to change.
        const MOST: usize = 64;
        let (mut events, mut patience) = (Vec::new(), patience);
        while events.len() < MOST && poll(patience)? {
            events.push(read()?);
            patience = Duration::ZERO;
        }
        Ok(events)
    }

    /// Gives the terminal back and stops the program until the shell continues it. Returns how long that took.
    ///
    /// # Errors
    /// When the terminal cannot be taken again.
    pub fn suspend(&mut self) -> io::Result<Duration> {
        let begun = Instant::now();
        #[cfg(unix)]
        {
            use rustix::process::{Signal, getpgrp, getpid, getsid};
            use rustix::process::{kill_current_process_group, kill_process};
            // Started by no shell that could continue it.
            if getsid(None)? == getpgrp() {
                return Ok(Duration::ZERO);
            }
            give_back();
            // The whole job, as the terminal would: a program that has started this one waits for it. This one has a
            // handler for that signal, and no program has one for the next.
            kill_current_process_group(Signal::TSTP)?;
            kill_process(getpid(), Signal::STOP)?;
            self.take_again()?;
        }
        Ok(begun.elapsed())
    }

    /// Takes the terminal again, which the shell has had meanwhile, and shows everything anew.
    ///
    /// # Errors
    /// When it cannot be taken.
    pub fn take_again(&mut self) -> io::Result<()> {
        give_back();
        take()?;
        self.0.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
}

/// Gives the terminal back, if it is taken. There is nobody to tell if that fails.
pub fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}
