//! What Ctrl-C does, and every other signal that asks the program to end.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};

use loyd::CancelToken;

use crate::failure::Failure;

/// What a shell reports of a process that was interrupted.
const INTERRUPTED: i32 = 130;

/// Whether a thread waits for input.
static WAITS: AtomicBool = AtomicBool::new(false);

/// How many threads search meanwhile.
static SEARCHES: AtomicUsize = AtomicUsize::new(0);

/// A token that the first signal sets, so that searches end with the best that they have. The second one ends the
/// program, and so does the first where it only waits for input. To be called once.
///
/// # Errors
/// When the system does not take a handler.
pub fn token() -> Result<CancelToken, Failure> {
    let cancel = CancelToken::new();
    let own = cancel.clone();
    ctrlc::set_handler(move || {
        let again = own.is_cancelled();
        own.cancel();
        fence(Ordering::SeqCst);
        let is_idle = WAITS.load(Ordering::SeqCst) && SEARCHES.load(Ordering::SeqCst) == 0;
        if again || is_idle {
            process::exit(INTERRUPTED);
        }
    })?;
    Ok(cancel)
}

/// Ends the program as one that was interrupted.
#[cfg(any(feature = "serve", feature = "tui"))]
pub fn exit() -> ! {
    process::exit(INTERRUPTED)
}

/// Reads what the program may have to wait for, unless it was interrupted.
pub fn while_waiting<T>(cancel: &CancelToken, read: impl FnOnce() -> T) -> Option<T> {
    WAITS.store(true, Ordering::SeqCst);
    fence(Ordering::SeqCst);
    // After that, the signal finds the program waiting.
    let result = (!cancel.is_cancelled()).then(read);
    WAITS.store(false, Ordering::SeqCst);
    result
}

/// Does what is worth waiting for.
pub fn while_searching<T>(search: impl FnOnce() -> T) -> T {
    SEARCHES.fetch_add(1, Ordering::SeqCst);
    let result = search();
    SEARCHES.fetch_sub(1, Ordering::SeqCst);
    result
}
