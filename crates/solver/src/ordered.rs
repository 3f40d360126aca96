//! Processes many items on several threads and delivers the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::sync::lock;

/// Target time per portion: long enough that handing it out costs next to nothing in comparison.
const PORTION_TIME: Duration = Duration::from_micros(250);

/// Maximum time that a worker spends on a portion before it delivers its results and hands back the rest.
const MAX_PORTION_TIME: Duration = Duration::from_millis(5);

/// Maximum number of items of a portion.
const MAX_PORTION: usize = 256;

/// Processes items on several threads and delivers the results in the order of the items.
///
/// `source` returns the next items, at most as many as its argument, and an empty list at the end; it may block until
/// items arrive. `work` adds the result of an item to a value that starts as the default and covers one or several
/// consecutive items. `sink` receives these values in order, each as soon as it and all earlier ones are ready, until
/// it returns `Break`; the workers then finish their current items and drop the results.
///
/// Memory: at most `window` items per thread are in flight. The calling thread is the first worker; the others are
/// started on demand. Without the feature `parallel` the calling thread is the only worker.
pub fn process_ordered<T: Send, R: Default + Send>(
    threads: NonZeroUsize,
    window: usize,
    source: impl FnMut(usize) -> Vec<T> + Send,
    work: impl Fn(T, &mut R) + Sync,
    sink: impl FnMut(R) -> ControlFlow<()> + Send,
) {
    let batch = Batch {
        threads: threads.get(),
        window: window.saturating_mul(threads.get()).max(1),
        portion: AtomicUsize::new(1),
        source: Mutex::new(Source { next: source, given: 0, ended: false }),
        work,
        buffer: Mutex::new(ReorderBuffer {
            sink,
            handed_back: BTreeMap::new(),
            done: BTreeMap::new(),
            delivered: 0,
            in_flight: 0,
            ended: false,
        }),
        changed: Condvar::new(),
    };
    thread::scope(|scope| batch.run_worker(scope, 1));
}

struct Batch<T, R, I, W, O> {
    threads: usize,
    window: usize,
    /// The size of the next portion.
    portion: AtomicUsize,
    /// Lock order: this one before `buffer`, as it is held while waiting for items.
    source: Mutex<Source<I>>,
    work: W,
    buffer: Mutex<ReorderBuffer<T, R, O>>,
    /// Notified when items are delivered or handed back, and when the batch ends.
    changed: Condvar,
}

/// The source of the items.
struct Source<I> {
    next: I,
    /// Number of items returned so far.
    given: usize,
    ended: bool,
}

/// Results that wait for earlier ones, and items that workers handed back.
struct ReorderBuffer<T, R, O> {
    sink: O,
    /// Items to be handed out again, by the number of the first.
    handed_back: BTreeMap<usize, Vec<T>>,
    /// Results that wait for earlier ones, each with its number of items, by the number of the first.
    done: BTreeMap<usize, (R, usize)>,
    /// Number of items delivered.
    delivered: usize,
    /// Number of items handed out and not yet delivered.
    in_flight: usize,
    ended: bool,
}

impl<T, R, I, W, O> Batch<T, R, I, W, O>
where
    T: Send,
    R: Default + Send,
    I: FnMut(usize) -> Vec<T> + Send,
    W: Fn(T, &mut R) + Sync,
    O: FnMut(R) -> ControlFlow<()> + Send,
{
    /// Runs a worker. The last of the `running` workers starts another one once it has work itself.
    fn run_worker<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, running: usize) {
        let _guard = EndOnPanic(self);
        let mut is_last = running < self.threads;
        while let Some((number, items)) = self.take() {
            if std::mem::take(&mut is_last) {
                let worker = move || self.run_worker(scope, running + 1);
                // If the system cannot start a thread, the existing workers do all the work.
                let _ = thread::Builder::new().spawn_scoped(scope, worker);
            }
            let mut result = R::default();
            let (given, started) = (items.len(), Instant::now());
            let mut items = items.into_iter();
            while let Some(item) = items.next() {
                (self.work)(item, &mut result);
                if items.len() > 0 && started.elapsed() > MAX_PORTION_TIME {
                    break;
                }
            }
            let count = given - items.len();
            self.adapt(count, started.elapsed());
            self.deliver(number, result, count, items.collect());
        }
    }

    /// Waits for room in the window, and returns the next portion with the number of its first item; `None` at the end.
    fn take(&self) -> Option<(usize, Vec<T>)> {
        let at_most = || self.portion.load(Ordering::Relaxed);
        if let Some(portion) = lock(&self.buffer).take_back(at_most()) {
            return Some(portion);
        }
        let mut source = lock(&self.source);
        let mut buffer = lock(&self.buffer);
        let room = loop {
            if let Some(portion) = buffer.take_back(at_most()) {
                return Some(portion);
            }
            // Busy workers may still hand items back.
            if buffer.ended || source.ended && buffer.in_flight == 0 {
                return None;
            }
            let room = self.window.saturating_sub(buffer.in_flight);
            if room > 0 && !source.ended {
                break room;
            }
            buffer = self.changed.wait(buffer).unwrap_or_else(PoisonError::into_inner);
        };
        drop(buffer);
        let items = (source.next)(at_most().min(room));
        if items.is_empty() {
            source.ended = true;
            drop(source);
            return self.take();
        }
        lock(&self.buffer).in_flight += items.len();
        let number = source.given;
        source.given += items.len();
        Some((number, items))
    }

    /// Adapts the size of portions to the time that the last one took.
    fn adapt(&self, count: usize, took: Duration) {
        if took < PORTION_TIME / 2 {
            self.portion.fetch_max((2 * count).min(MAX_PORTION), Ordering::Relaxed);
        } else if took > 2 * PORTION_TIME {
            let right = count as f64 * PORTION_TIME.as_secs_f64() / took.as_secs_f64();
            self.portion.store((right as usize).max(1), Ordering::Relaxed);
        }
    }

    /// Delivers the `result` of the `count` items from `number` on, and hands back the `rest` that follows them.
    fn deliver(&self, number: usize, result: R, count: usize, rest: Vec<T>) {
        let mut buffer = lock(&self.buffer);
        if !rest.is_empty() {
            buffer.handed_back.insert(number + count, rest);
        }
        buffer.done.insert(number, (result, count));
        while !buffer.ended
            && let delivered = buffer.delivered
            && let Some((result, count)) = buffer.done.remove(&delivered)
        {
            buffer.delivered += count;
            buffer.in_flight -= count;
            buffer.ended = (buffer.sink)(result).is_break();
        }
        drop(buffer);
        self.changed.notify_all();
    }
}

impl<T, R, O> ReorderBuffer<T, R, O> {
    /// Returns at most `at_most` of the items handed back, with the number of the first.
    fn take_back(&mut self, at_most: usize) -> Option<(usize, Vec<T>)> {
        if self.ended {
            return None;
        }
        let (number, mut items) = self.handed_back.pop_first()?;
        if items.len() > at_most {
            self.handed_back.insert(number + at_most, items.split_off(at_most));
        }
        Some((number, items))
    }
}

/// Ends the batch when a worker panics, since the other workers would wait for its result forever.
struct EndOnPanic<'a, T, R, I, W, O>(&'a Batch<T, R, I, W, O>);

impl<T, R, I, W, O> Drop for EndOnPanic<'_, T, R, I, W, O> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.buffer).ended = true;
            self.0.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn numbers(upto: usize) -> impl FnMut(usize) -> Vec<usize> {
        let mut numbers = 0..upto;
        move |at_most| numbers.by_ref().take(at_most).collect()
    }

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_are_in_order_whatever_their_times() {
        for count in [1, 2, 7] {
            let mut got = Vec::new();
            let slow = |number: usize, result: &mut Vec<usize>| {
                if number.is_multiple_of(97) {
                    thread::sleep(Duration::from_millis(1));
                }
                result.push(number);
            };
            process_ordered(threads(count), 64, numbers(5_000), slow, |result| {
                got.extend(result);
                ControlFlow::Continue(())
            });
            assert!(got.iter().copied().eq(0..5_000), "{count} threads");
        }
    }

    #[test]
    fn slow_items_are_split_between_workers() {
        let workers = Mutex::new(HashSet::new());
        // Portions have grown large by the time the slow items start.
        let work = |number: usize, _: &mut ()| {
            if number >= 100_000 {
                thread::sleep(Duration::from_millis(6));
                lock(&workers).insert((number, thread::current().id()));
            }
        };
        process_ordered(threads(2), 1_000, numbers(100_040), work, |()| ControlFlow::Continue(()));
        let workers = workers.into_inner().unwrap();
        let each: HashSet<_> = workers.iter().map(|(_, id)| *id).collect();
        assert_eq!((workers.len(), each.len()), (40, 2));
    }

    #[test]
    fn items_in_flight_never_exceed_the_window() {
        let (given, delivered) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut next = numbers(2_000);
        let source = |at_most| {
            let items = next(at_most);
            let given = given.fetch_add(items.len(), Ordering::SeqCst) + items.len();
            assert!(given - delivered.load(Ordering::SeqCst) <= 2 * 10);
            items
        };
        let work = |number: usize, result: &mut usize| {
            // The first item blocks all others.
            thread::sleep(Duration::from_millis(if number == 0 { 50 } else { 0 }));
            *result += 1;
        };
        process_ordered(threads(2), 10, source, work, |count| {
            delivered.fetch_add(count, Ordering::SeqCst);
            ControlFlow::Continue(())
        });
        assert_eq!(delivered.into_inner(), 2_000);
    }

    #[test]
    fn sink_is_not_called_after_it_breaks() {
        for count in [1, 3] {
            let mut got = 0;
            process_ordered(
                threads(count),
                10,
                numbers(usize::MAX),
                |_, _: &mut ()| (),
                |()| {
                    got += 1;
                    if got == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(got, 5);
        }
    }

    #[test]
    fn panic_ends_the_batch() {
        let work = |number: usize, _: &mut ()| assert!(number != 20, "expected panic");
        let batch = || {
            process_ordered(threads(3), 2, numbers(usize::MAX), work, |()| {
                ControlFlow::Continue(())
            });
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(batch)).is_err());
    }
}
