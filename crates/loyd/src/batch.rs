//! Many problems at once, answered in order.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use loyd_search::CancelToken;

use crate::error::Error;
use crate::problem::Problem;
use crate::report::Report;
use crate::solver::Solver;

/// What [`in_order`] hands out at once should take about as long: enough that handing out costs
/// nothing, and little enough that nobody notices waiting.
const PORTION: Duration = Duration::from_micros(250);

/// No portion is larger.
const MOST: usize = 256;

/// Things that may be in flight for each thread: a thing that takes long keeps the others from going
/// on once so many are done behind it.
const WINDOW: usize = 4096;

/// Works on many things on several threads; the results come in the order of the things.
///
/// `source` gives the next things, at most as many as it is asked for, and nothing once there are
/// none; it may wait for them. `work` makes a result of each portion. `sink` takes the results, in
/// order, each as soon as it and all before it are there, until it breaks off; portions that are being
/// worked on are then still finished, and their results dropped.
///
/// Memory: at most `window` things a thread are in flight. Portions are small at first, and grow for as
/// long as they are quickly done. One thread is the calling one, the others are started as they are
/// needed.
pub fn in_order<T: Send, R: Send>(
    threads: NonZeroUsize,
    window: usize,
    source: impl FnMut(usize) -> Vec<T> + Send,
    work: impl Fn(Vec<T>) -> R + Sync,
    sink: impl FnMut(R) -> ControlFlow<()> + Send,
) {
    let batch = Batch {
        threads: threads.get(),
        window: window.saturating_mul(threads.get()).max(1),
        portion: AtomicUsize::new(1),
        source: Mutex::new(Source { next: source, portions: 0, ended: false }),
        work,
        delivery: Mutex::new(Delivery {
            sink,
            done: VecDeque::new(),
            delivered: 0,
            in_flight: 0,
            ended: false,
        }),
        delivered: Condvar::new(),
    };
    thread::scope(|scope| batch.toil(scope, 1));
}

struct Batch<I, W, R, O> {
    threads: usize,
    window: usize,
    /// The size of the next portion.
    portion: AtomicUsize,
    source: Mutex<Source<I>>,
    work: W,
    delivery: Mutex<Delivery<R, O>>,
    /// Something was delivered, or the batch has ended.
    delivered: Condvar,
}

struct Source<I> {
    next: I,
    /// Portions handed out.
    portions: usize,
    ended: bool,
}

struct Delivery<R, O> {
    sink: O,
    /// Portions from the first on that is not delivered, with the number of their things.
    done: VecDeque<Option<(R, usize)>>,
    /// Portions delivered.
    delivered: usize,
    /// Things handed out and not delivered.
    in_flight: usize,
    ended: bool,
}

impl<T, R, I, W, O> Batch<I, W, R, O>
where
    T: Send,
    R: Send,
    I: FnMut(usize) -> Vec<T> + Send,
    W: Fn(Vec<T>) -> R + Sync,
    O: FnMut(R) -> ControlFlow<()> + Send,
{
    /// What each thread does; whoever gets work and is the last of the `running` starts another.
    fn toil<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, running: usize) {
        let mut company = running >= self.threads;
        let _guard = EndOnPanic(self);
        while let Some((number, things)) = self.take() {
            if !company {
                company = true;
                scope.spawn(move || self.toil(scope, running + 1));
            }
            let (count, begun) = (things.len(), Instant::now());
            let result = (self.work)(things);
            self.adapt(count, begun.elapsed());
            self.deliver(number, result, count);
        }
    }

    /// The next portion with its number, as soon as there is one and room for it.
    fn take(&self) -> Option<(usize, Vec<T>)> {
        let mut source = lock(&self.source);
        let mut delivery = lock(&self.delivery);
        while delivery.in_flight >= self.window && !delivery.ended {
            delivery = self.delivered.wait(delivery).unwrap_or_else(PoisonError::into_inner);
        }
        let room = self.window.saturating_sub(delivery.in_flight);
        source.ended |= delivery.ended;
        drop(delivery);
        if source.ended {
            return None;
        }
        let things = (source.next)(self.portion.load(Ordering::Relaxed).min(room));
        source.ended = things.is_empty();
        if source.ended {
            return None;
        }
        lock(&self.delivery).in_flight += things.len();
        source.portions += 1;
        Some((source.portions - 1, things))
    }

    /// Makes portions twice as large while they are quickly done, and smaller when they are not.
    fn adapt(&self, count: usize, took: Duration) {
        if took < PORTION / 2 {
            let larger = (2 * count).min(MOST);
            self.portion.fetch_max(larger, Ordering::Relaxed);
        } else if took > 2 * PORTION {
            let right = (count as f64 * PORTION.as_secs_f64() / took.as_secs_f64()) as usize;
            self.portion.store(right.max(1), Ordering::Relaxed);
        }
    }

    fn deliver(&self, number: usize, result: R, count: usize) {
        let mut delivery = lock(&self.delivery);
        let Delivery { sink, done, delivered, in_flight, ended } = &mut *delivery;
        let place = number - *delivered;
        if done.len() <= place {
            done.resize_with(place + 1, || None);
        }
        done[place] = Some((result, count));
        while !*ended && let Some(Some((result, count))) = done.front_mut().map(Option::take) {
            done.pop_front();
            *delivered += 1;
            *in_flight -= count;
            *ended = sink(result).is_break();
        }
        drop(delivery);
        self.delivered.notify_all();
    }
}

/// Ends the batch when a thread panics: the others would wait for its result for ever.
struct EndOnPanic<'a, I, W, R, O>(&'a Batch<I, W, R, O>);

impl<I, W, R, O> Drop for EndOnPanic<'_, I, W, R, O> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.delivery).ended = true;
            self.0.delivered.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Solver {
    /// Solves many problems on `threads` threads; `deliver` gets the answers in the order of the
    /// problems, each as soon as possible, until it breaks off.
    ///
    /// The limits hold for each problem by itself, so the memory limit holds once a thread. Cost: at
    /// most some thousand problems a thread are in memory, however many there are.
    ///
    /// # Examples
    /// ```
    /// use std::num::NonZeroUsize;
    /// use std::ops::ControlFlow;
    /// use loyd::{CancelToken, Problem, Solver};
    /// let problems = ["12345678x", "1234567x8", "12345x786"].map(|board| board.parse::<Problem>());
    /// let mut lengths = Vec::new();
    /// let threads = NonZeroUsize::new(2).unwrap();
    /// Solver::default().solve_all(problems.into_iter().flatten(), threads, &CancelToken::new(), |report| {
    ///     lengths.push(report.unwrap().length().unwrap());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(lengths, [0, 1, 1]);
    /// ```
    pub fn solve_all(
        &self,
        problems: impl Iterator<Item = Problem> + Send,
        threads: NonZeroUsize,
        cancel: &CancelToken,
        mut deliver: impl FnMut(Result<Report, Error>) -> ControlFlow<()> + Send,
    ) {
        let mut problems = problems.fuse();
        in_order(
            threads,
            WINDOW,
            |at_most| problems.by_ref().take(at_most).collect(),
            |portion: Vec<Problem>| -> Vec<_> {
                portion.iter().map(|problem| self.solve_watched(problem, cancel, None)).collect()
            },
            |reports| reports.into_iter().try_for_each(&mut deliver),
        );
    }
}
