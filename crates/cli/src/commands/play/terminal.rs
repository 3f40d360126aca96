//! Raw mode of the terminal, which is restored in every case, and the signals and terminal hang-ups that end, suspend or
//! resume the game.

use std::io::{self, IsTerminal, Stdout, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, panic, thread};

use anyhow::bail;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, Event, poll, read};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

use crate::failure::Failure;
use crate::interrupt;

/// Whether raw mode is on.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Checks that the terminal is suitable for the game.
///
/// # Errors
/// Returns an error if it is not.
pub fn check() -> anyhow::Result<()> {
    let needs = "loyd play needs a terminal";
    if !io::stdin().is_terminal() {
        bail!("{needs}, but standard input is not one");
    }
    if !stdout().is_terminal() {
        bail!("{needs}, but standard output is not one");
    }
    if cfg!(unix) && env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb") {
        bail!("{needs} that can move its cursor, but TERM is unset or `dumb`");
    }
    Ok(())
}

/// The terminal in raw mode, which is restored on drop.
pub struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Enters raw mode. A panic restores the terminal before it is printed.
    ///
    /// # Errors
    /// Returns an error if the terminal cannot be set up.
    pub fn open() -> io::Result<Self> {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            previous(info);
        }));
        take()
            .and_then(|()| Terminal::new(CrosstermBackend::new(stdout())))
            .map(Self)
            .inspect_err(|_| restore())
    }

    /// Draws a frame.
    ///
    /// # Errors
    /// Returns an error if writing fails, or if a panic on another thread has restored the terminal.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        if !ENTERED.load(Ordering::SeqCst) {
            return Err(io::Error::other("the game ended because a search failed"));
        }
        self.0.draw(draw).map(|_| ())
    }

    /// Waits at most `patience` for events, and returns all that are available.
    ///
    /// # Errors
    /// Returns an error if reading fails.
    pub fn events(&self, patience: Duration) -> io::Result<Vec<Event>> {
        /// Limits the delay of the next frame; more than anyone types in that time.
        const MOST: usize = 64;
        let (mut events, mut patience) = (Vec::new(), patience);
        while events.len() < MOST && poll(patience)? {
            events.push(read()?);
            patience = Duration::ZERO;
        }
        Ok(events)
    }

    /// Restores the terminal and suspends the process until the shell resumes it. Returns the time that it was
    /// suspended.
    ///
    /// # Errors
    /// Returns an error if the terminal cannot be set up again.
    pub fn suspend(&mut self) -> io::Result<Duration> {
        let suspended = Instant::now();
        #[cfg(unix)]
        {
            use rustix::process::{Signal, getpgrp, getpid, getsid};
            use rustix::process::{kill_current_process_group, kill_process};
            // The process is a session leader, so no shell could resume it.
            if getsid(None)? == getpgrp() {
                return Ok(Duration::ZERO);
            }
            restore();
            // Suspends the whole job, as the terminal would, because a parent process may be waiting for this one. This
            // process handles SIGTSTP itself, so it needs SIGSTOP, which cannot be handled.
            kill_current_process_group(Signal::TSTP)?;
            kill_process(getpid(), Signal::STOP)?;
            self.reenter()?;
        }
        Ok(suspended.elapsed())
    }

    /// Sets the terminal up again after the shell used it, and redraws everything.
    ///
    /// # Errors
    /// Returns an error if the terminal cannot be set up.
    pub fn reenter(&mut self) -> io::Result<()> {
        restore();
        take()?;
        self.0.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn take() -> io::Result<()> {
    ENTERED.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
}

/// Restores the terminal if raw mode is on. Errors are ignored: there is nowhere left to report them.
pub fn restore() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// Time that the game has to end after a signal.
const GRACE: Duration = Duration::from_millis(500);

/// Requests from signals that have not been handled yet.
#[derive(Clone, Default)]
pub struct Signals {
    end: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    resumed: Arc<AtomicBool>,
}

impl Signals {
    /// Installs the handlers. Must be called at most once.
    ///
    /// # Errors
    /// Returns an error if a handler cannot be installed.
    pub fn listen() -> Result<Self, Failure> {
        let signals = Self::default();
        let handler = signals.clone();
        ctrlc::set_handler(move || handler.end_with_grace())?;
        #[cfg(unix)]
        signals.listen_to_unix_signals()?;
        Ok(signals)
    }

    /// Handles the other signals that end a program by default, the signals of job control, and the hang-up of the
    /// terminal, which sends no signal if the shell ignores it.
    #[cfg(unix)]
    fn listen_to_unix_signals(&self) -> Result<(), Failure> {
        use signal_hook::consts::signal::{
            SIGALRM, SIGCONT, SIGQUIT, SIGTSTP, SIGUSR1, SIGUSR2, SIGXCPU,
        };
        use signal_hook::flag::register;
        for signal in [SIGALRM, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU] {
            register(signal, Arc::clone(&self.end))?;
        }
        register(SIGTSTP, Arc::clone(&self.stop))?;
        register(SIGCONT, Arc::clone(&self.resumed))?;
        let signals = self.clone();
        thread::Builder::new().name("hang-up".to_owned()).spawn(move || {
            if wait_for_hang_up() {
                signals.end_with_grace();
            }
        })?;
        Ok(())
    }

    /// Requests the end of the game, and exits the program after the grace period in any case: once the terminal is
    /// gone, waiting for a key never returns.
    fn end_with_grace(&self) {
        self.end.store(true, Ordering::SeqCst);
        thread::sleep(GRACE);
        restore();
        interrupt::exit();
    }

    /// Returns whether the game must end.
    pub fn end_requested(&self) -> bool {
        self.end.load(Ordering::SeqCst)
    }

    /// Returns whether the game must be suspended, and clears the request.
    pub fn stop_requested(&self) -> bool {
        self.stop.swap(false, Ordering::SeqCst)
    }

    /// Returns whether the game was resumed by the shell, and clears the request.
    pub fn continue_requested(&self) -> bool {
        self.resumed.swap(false, Ordering::SeqCst)
    }
}

/// Waits until the terminal hangs up. Returns `false` if the system cannot report that.
#[cfg(unix)]
fn wait_for_hang_up() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let stdin = io::stdin();
    // `POLLHUP` is always reported, so no events are requested.
    let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
    loop {
        match poll(&mut terminal, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => return terminal[0].revents().contains(PollFlags::HUP),
        }
    }
}
