//! Handling of Ctrl-C and of the other termination signals.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};

use loyd::CancelToken;

use crate::failure::Failure;

/// Exit status of an interrupted process, as shells report it (128 + SIGINT).
const INTERRUPTED: i32 = 130;

/// Whether a thread is blocked on input.
static WAITS: AtomicBool = AtomicBool::new(false);

/// Number of threads that are searching.
static SEARCHES: AtomicUsize = AtomicUsize::new(0);

/// Installs the signal handler and returns the token that it cancels. The first signal cancels the token, so that
/// searches end with their best result so far. The second signal exits the process, as does the first one if the
/// program is only waiting for input. Must be called at most once.
///
/// # Errors
/// Returns an error if the handler cannot be installed.
pub fn token() -> Result<CancelToken, Failure> {
    let cancel = CancelToken::new();
    let token = cancel.clone();
    ctrlc::set_handler(move || {
        let again = token.is_cancelled();
        token.cancel();
        fence(Ordering::SeqCst);
        let is_idle = WAITS.load(Ordering::SeqCst) && SEARCHES.load(Ordering::SeqCst) == 0;
        if again || is_idle {
            process::exit(INTERRUPTED);
        }
    })?;
    Ok(cancel)
}

/// Exits with the status of an interrupted process.
#[cfg(any(feature = "serve", feature = "tui"))]
pub fn exit() -> ! {
    process::exit(INTERRUPTED)
}

/// Calls `read`, which may block on input; returns `None` without calling it if the program was interrupted.
pub fn while_waiting<T>(cancel: &CancelToken, read: impl FnOnce() -> T) -> Option<T> {
    WAITS.store(true, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    // A signal that arrives later sees `WAITS` and exits the process itself.
    let result = (!cancel.is_cancelled()).then(read);
    WAITS.store(false, Ordering::SeqCst);
    result
}

/// Runs `search`; until it returns, the first signal does not exit the process.
pub fn while_searching<T>(search: impl FnOnce() -> T) -> T {
    SEARCHES.fetch_add(1, Ordering::SeqCst);
    let result = search();
    SEARCHES.fetch_sub(1, Ordering::SeqCst);
    result
}
