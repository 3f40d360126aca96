//! Many items, one after the other.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// Processes items on several threads and delivers the results in the order of the items.
///
/// `source` returns the next items, at most as many as it is asked for, and none once there are no more; it may
/// block until some arrive. `work` adds the result of an item to a value that begins as the default and covers
/// one item or several in a row. `sink` takes these values in order, each as soon as it and all before it are
/// ready, until it breaks off; items that workers have begun are then finished, and their results dropped.
///
/// Memory: at most `window` items for each thread are in flight. The calling thread is the first worker; the
/// others are started when they are needed. Without the feature `parallel` the calling thread is the only one.
pub fn in_order<T: Send, R: Default + Send>(
    _threads: NonZeroUsize,
    _window: usize,
    mut source: impl FnMut(usize) -> Vec<T> + Send,
    work: impl Fn(T, &mut R) + Sync,
    mut sink: impl FnMut(R) -> ControlFlow<()> + Send,
) {
    loop {
        let items = source(1);
        if items.is_empty() {
            return;
        }
        let mut result = R::default();
        items.into_iter().for_each(|item| work(item, &mut result));
        if sink(result).is_break() {
            return;
        }
    }
}
