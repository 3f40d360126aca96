//! Many things, one after the other.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// Works on many things on several threads; the results come in the order of the things.
///
/// `source` gives the next things, at most as many as it is asked for, and nothing once there are
/// none; it may wait for them. `work` adds what a thing gives to a result, which begins as the default
/// and is about one thing or several that follow each other. `sink` takes the results, in order, each
/// as soon as it and all before it are there, until it breaks off; things that are being worked on are
/// then still finished, and what they give is dropped.
///
/// Memory: at most `window` things a thread are in flight. One thread is the calling one; the others
/// are started as they are needed. Without the feature `parallel` the calling thread is the only one.
pub fn in_order<T: Send, R: Default + Send>(
    _threads: NonZeroUsize,
    _window: usize,
    mut source: impl FnMut(usize) -> Vec<T> + Send,
    work: impl Fn(T, &mut R) + Sync,
    mut sink: impl FnMut(R) -> ControlFlow<()> + Send,
) {
    loop {
        let things = source(1);
        if things.is_empty() {
            return;
        }
        let mut result = R::default();
        things.into_iter().for_each(|thing| work(thing, &mut result));
        if sink(result).is_break() {
            return;
        }
    }
}
