//! The threads of a round.

use std::thread;
use std::time::Duration;

use super::engine::Engine;

/// How long a thread without work sleeps.
const PAUSE: Duration = Duration::from_micros(100);

/// Does `main` on this thread and `work` for each engine on a thread of its own; `gave_up` is called for each that the
/// system gives no thread to.
pub fn beside(
    engines: &mut [Engine],
    work: &(dyn Fn(&mut Engine) + Sync),
    gave_up: &dyn Fn(),
    main: impl FnOnce(),
) {
    thread::scope(|scope| {
        for engine in engines {
            if thread::Builder::new().spawn_scoped(scope, move || work(engine)).is_err() {
                gave_up();
            }
        }
        main();
    });
}

/// Waits for other threads.
pub fn pause() {
    thread::sleep(PAUSE);
}
