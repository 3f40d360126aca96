//! What [`threads`](super) are without the feature `parallel`: there is one.

use super::engine::Engine;

/// Does `main`; there are no other engines.
pub fn beside(
    _: &mut [Engine],
    _: &(dyn Fn(&mut Engine) + Sync),
    _: &dyn Fn(),
    main: impl FnOnce(),
) {
    main();
}

/// A single thread never waits.
pub fn pause() {}
