//! Many items, one after the other.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

/// Processes items one after the other. What has several threads with the feature `parallel` has one without it:
/// `source` returns the next item, if there is one, `work` makes its result, and `sink` takes that, until it breaks off.
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
