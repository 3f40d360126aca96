//! Many things at once, on several threads, with the results in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

/// Handing out a portion should take about as long to work on: enough that handing out costs nothing.
const PORTION: Duration = Duration::from_micros(250);

/// What is left of a portion after so long is handed out again, and what is done is delivered.
const PATIENCE: Duration = Duration::from_millis(5);

/// No portion is larger.
const MOST: usize = 256;

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
        desk: Mutex::new(Desk {
            sink,
            handed_back: BTreeMap::new(),
            done: BTreeMap::new(),
            delivered: 0,
            in_flight: 0,
            ended: false,
        }),
        news: Condvar::new(),
    };
    thread::scope(|scope| batch.toil(scope, 1));
}

struct Batch<T, R, I, W, O> {
    threads: usize,
    window: usize,
    /// The size of the next portion.
    portion: AtomicUsize,
    /// Locked while waiting for things, so before the desk and never after it.
    source: Mutex<Source<I>>,
    work: W,
    desk: Mutex<Desk<T, R, O>>,
    /// Something was delivered or handed back, or the batch has ended.
    news: Condvar,
}

/// Where things come from.
struct Source<I> {
    next: I,
    /// How many things it gave.
    given: usize,
    ended: bool,
}

/// Where results go, and what could not be done in time.
struct Desk<T, R, O> {
    sink: O,
    /// Things to be handed out again, by the number of the first.
    handed_back: BTreeMap<usize, Vec<T>>,
    /// Results that wait for others, with the number of their things, by the number of the first.
    done: BTreeMap<usize, (R, usize)>,
    /// How many things are delivered.
    delivered: usize,
    /// How many were handed out and are not delivered.
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
    /// What each thread does; the last of those `running` starts another once it has work.
    fn toil<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, running: usize) {
        let _guard = EndOnPanic(self);
        let mut alone = running < self.threads;
        while let Some((number, things)) = self.take() {
            if std::mem::take(&mut alone) {
                let help = move || self.toil(scope, running + 1);
                // Where no thread can be had, those that run do the work.
                let _ = thread::Builder::new().spawn_scoped(scope, help);
            }
            let mut result = R::default();
            let (wanted, begun) = (things.len(), Instant::now());
            let mut things = things.into_iter();
            while let Some(thing) = things.next() {
                (self.work)(thing, &mut result);
                if things.len() > 0 && begun.elapsed() > PATIENCE {
                    break;
                }
            }
            let count = wanted - things.len();
            self.adapt(count, begun.elapsed());
            self.deliver(number, result, count, things.collect());
        }
    }

    /// The next portion and the number of its first thing, as soon as there is room for it.
    fn take(&self) -> Option<(usize, Vec<T>)> {
        let at_most = || self.portion.load(Ordering::Relaxed);
        if let Some(portion) = lock(&self.desk).take_back(at_most()) {
            return Some(portion);
        }
        let mut source = lock(&self.source);
        let mut desk = lock(&self.desk);
        let room = loop {
            if let Some(portion) = desk.take_back(at_most()) {
                return Some(portion);
            }
            // As long as things are worked on, some may be handed back.
            if desk.ended || source.ended && desk.in_flight == 0 {
                return None;
            }
            let room = self.window.saturating_sub(desk.in_flight);
            if room > 0 && !source.ended {
                break room;
            }
            desk = self.news.wait(desk).unwrap_or_else(PoisonError::into_inner);
        };
        drop(desk);
        let things = (source.next)(at_most().min(room));
        if things.is_empty() {
            source.ended = true;
            drop(source);
            return self.take();
        }
        lock(&self.desk).in_flight += things.len();
        let number = source.given;
        source.given += things.len();
        Some((number, things))
    }

    /// Makes portions larger while they are quickly done, and smaller when they are not.
    fn adapt(&self, count: usize, took: Duration) {
        if took < PORTION / 2 {
            self.portion.fetch_max((2 * count).min(MOST), Ordering::Relaxed);
        } else if took > 2 * PORTION {
            let right = count as f64 * PORTION.as_secs_f64() / took.as_secs_f64();
            self.portion.store((right as usize).max(1), Ordering::Relaxed);
        }
    }

    /// Delivers the `result` of `count` things from `number` on, and hands back the `rest` behind them.
    fn deliver(&self, number: usize, result: R, count: usize, rest: Vec<T>) {
        let mut desk = lock(&self.desk);
        if !rest.is_empty() {
            desk.handed_back.insert(number + count, rest);
        }
        desk.done.insert(number, (result, count));
        while !desk.ended
            && let delivered = desk.delivered
            && let Some((result, count)) = desk.done.remove(&delivered)
        {
            desk.delivered += count;
            desk.in_flight -= count;
            desk.ended = (desk.sink)(result).is_break();
        }
        drop(desk);
        self.news.notify_all();
    }
}

impl<T, R, O> Desk<T, R, O> {
    /// At most so many of the things that were handed back.
    fn take_back(&mut self, at_most: usize) -> Option<(usize, Vec<T>)> {
        if self.ended {
            return None;
        }
        let (number, mut things) = self.handed_back.pop_first()?;
        if things.len() > at_most {
            self.handed_back.insert(number + at_most, things.split_off(at_most));
        }
        Some((number, things))
    }
}

/// Ends the batch when a thread panics: the others would wait for its result for ever.
struct EndOnPanic<'a, T, R, I, W, O>(&'a Batch<T, R, I, W, O>);

impl<T, R, I, W, O> Drop for EndOnPanic<'_, T, R, I, W, O> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.desk).ended = true;
            self.0.news.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn results_come_in_order_however_long_each_takes() {
        for count in [1, 2, 7] {
            let mut got = Vec::new();
            let slow = |number: usize, result: &mut Vec<usize>| {
                if number.is_multiple_of(97) {
                    thread::sleep(Duration::from_millis(1));
                }
                result.push(number);
            };
            in_order(threads(count), 64, numbers(5_000), slow, |result| {
                got.extend(result);
                ControlFlow::Continue(())
            });
            assert!(got.iter().copied().eq(0..5_000), "{count} threads");
        }
    }

    #[test]
    fn what_takes_long_is_shared_out() {
        let workers = Mutex::new(HashSet::new());
        // A portion has grown large by the time that things begin to take long.
        let work = |number: usize, _: &mut ()| {
            if number >= 100_000 {
                thread::sleep(Duration::from_millis(6));
                lock(&workers).insert((number, thread::current().id()));
            }
        };
        in_order(threads(2), 1_000, numbers(100_040), work, |()| ControlFlow::Continue(()));
        let workers = workers.into_inner().unwrap();
        let each: HashSet<_> = workers.iter().map(|(_, id)| *id).collect();
        assert_eq!((workers.len(), each.len()), (40, 2));
    }

    #[test]
    fn no_more_than_the_window_is_in_flight() {
        let (given, delivered) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut next = numbers(2_000);
        let source = |at_most| {
            let things = next(at_most);
            let given = given.fetch_add(things.len(), Ordering::SeqCst) + things.len();
            assert!(given - delivered.load(Ordering::SeqCst) <= 2 * 10);
            things
        };
        let work = |number: usize, result: &mut usize| {
            // The first holds all others up.
            thread::sleep(Duration::from_millis(if number == 0 { 50 } else { 0 }));
            *result += 1;
        };
        in_order(threads(2), 10, source, work, |count| {
            delivered.fetch_add(count, Ordering::SeqCst);
            ControlFlow::Continue(())
        });
        assert_eq!(delivered.into_inner(), 2_000);
    }

    #[test]
    fn whoever_breaks_off_gets_no_more() {
        for count in [1, 3] {
            let mut got = 0;
            in_order(
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
    fn a_panic_ends_the_batch() {
        let work = |number: usize, _: &mut ()| assert!(number != 20, "as it should");
        let batch = || {
            in_order(threads(3), 2, numbers(usize::MAX), work, |()| ControlFlow::Continue(()));
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(batch)).is_err());
    }
}
