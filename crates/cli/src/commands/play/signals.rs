//! Signals, and terminals that go away: what ends the game, stops it or lets it go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::terminal::give_back;
use crate::failure::Failure;
use crate::interrupt;

/// How long the game may take to end after a signal.
const GRACE: Duration = Duration::from_millis(500);

/// What signals have asked for since it was last looked at.
#[derive(Clone, Default)]
pub struct Signals {
    end: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    go_on: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on. To be called once.
    ///
    /// # Errors
    /// When the system does not take a handler.
    pub fn listen() -> Result<Self, Failure> {
        let signals = Self::default();
        let own = signals.clone();
        ctrlc::set_handler(move || own.end_soon())?;
        #[cfg(unix)]
        signals.listen_to_more()?;
        Ok(signals)
    }

    /// Those that end a program where it does not listen, those of job control, and the end of the terminal, which is
    /// no signal where the shell ignores it.
    #[cfg(unix)]
    fn listen_to_more(&self) -> Result<(), Failure> {
        use signal_hook::consts::signal::{
            SIGALRM, SIGCONT, SIGQUIT, SIGTSTP, SIGUSR1, SIGUSR2, SIGXCPU,
        };
        use signal_hook::flag::register;
        for signal in [SIGALRM, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU] {
            register(signal, Arc::clone(&self.end))?;
        }
        register(SIGTSTP, Arc::clone(&self.stop))?;
        register(SIGCONT, Arc::clone(&self.go_on))?;
        let own = self.clone();
        thread::Builder::new().name("hang-up".to_owned()).spawn(move || {
            if waits_for_hang_up() {
                own.end_soon();
            }
        })?;
        Ok(())
    }

    /// Asks for the end. A while later the program ends whatever it does then: where the terminal itself is gone,
    /// waiting for a key never returns.
    fn end_soon(&self) {
        self.end.store(true, Ordering::SeqCst);
        thread::sleep(GRACE);
        give_back();
        interrupt::exit();
    }

    /// Whether the game is to end.
    pub fn asked_to_end(&self) -> bool {
        self.end.load(Ordering::SeqCst)
    }

    /// Whether the game was to stop, until it is continued.
    pub fn asked_to_stop(&self) -> bool {
        self.stop.swap(false, Ordering::SeqCst)
    }

    /// Whether the game was stopped, and has been continued.
    pub fn asked_to_go_on(&self) -> bool {
        self.go_on.swap(false, Ordering::SeqCst)
    }
}

/// Waits until the terminal is gone. `false` says that the system cannot tell.
#[cfg(unix)]
fn waits_for_hang_up() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let stdin = std::io::stdin();
    // That the other end has gone is told without being asked for.
    let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
    loop {
        match poll(&mut terminal, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
            Ok(_) => return terminal[0].revents().contains(PollFlags::HUP),
        }
    }
}
