//! A cache in which a builder thread builds each table once, for all callers that need it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use loyd_search::{CancelToken, Event, Limits, Meter, Stop};

use super::cached::{Cached, TableSource};
use crate::sync::lock;

/// Interval at which a caller that waits for tables checks its own limits.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Delay before a background build starts: most searches end sooner.
const START_DELAY: Duration = Duration::from_millis(5);

/// The tables of one key type: finished, or being built.
///
/// A caller waits for a build within its own limits. If it gives up, the build continues, so that the next caller may
/// find the tables finished. With a single thread the build pauses until the next caller arrives, so that no more than
/// one core is busy. Dropping the cache cancels all builds.
pub(crate) struct TableCache<K: Cached>(Arc<Shared<K>>);

struct Shared<K: Cached> {
    slots: Mutex<HashMap<K, Slot<K>>>,
    /// Notified when tables are finished and when a build has failed.
    changed: Condvar,
    source: Arc<TableSource>,
    /// Cancels all builds when the cache is dropped.
    closed: CancelToken,
    /// Number of callers that wait for tables.
    callers: Mutex<usize>,
    /// Notified when a caller starts to wait.
    caller_arrived: Condvar,
}

/// A waiting caller, counted in `callers` until it is dropped.
struct Caller<'a, K: Cached>(&'a Shared<K>);

enum Slot<K: Cached> {
    /// A builder thread has finished `done` of `total` entries.
    Building { done: u64, total: u64 },
    /// The tables, and the peak memory of their build in bytes until the first caller has reserved it.
    Ready(Arc<K::Table>, Option<u64>),
    /// The limit that was reached, and the memory limit of the build in bytes: with a higher one, the build is tried
    /// again.
    Failed(Stop, Option<u64>),
    /// The builder thread panicked.
    Panicked,
}

/// The builder thread of one key.
struct Builder<K: Cached> {
    shared: Arc<Shared<K>>,
    key: K,
    max_bytes: Option<u64>,
}

impl<K: Cached> TableCache<K> {
    /// Returns an empty cache.
    pub fn new(source: Arc<TableSource>) -> Self {
        let (slots, changed) = (Mutex::default(), Condvar::new());
        let (callers, caller_arrived) = (Mutex::default(), Condvar::new());
        let closed = CancelToken::new();
        Self(Arc::new(Shared { slots, changed, source, closed, callers, caller_arrived }))
    }

    /// Waits for the tables of `key` and returns them. Reserves their bytes in `meter` on top of the memory of the
    /// search.
    ///
    /// # Errors
    /// Returns the limit that was reached, by `meter` while it waited or by the builder thread.
    ///
    /// # Panics
    /// If the builder thread panicked.
    pub fn get(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let table = meter.build_tables(|meter| self.wait_for(key, meter))?;
        meter.reserve_tables(K::bytes(&table))?;
        Ok(table)
    }

    /// Returns whether the tables of `key` are finished.
    pub fn has(&self, key: &K) -> bool {
        matches!(self.0.slots().get(key), Some(Slot::Ready(..)))
    }

    /// Drops the tables of `key`, unless they are being built.
    pub fn forget(&self, key: &K) {
        let is_ready = |slot: &Slot<K>| matches!(slot, Slot::Ready(..));
        self.0.slots().retain(|other, slot| other != key || !is_ready(slot));
    }

    fn wait_for(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let _caller = Caller::new(&self.0);
        loop {
            self.start_build(key, meter.limits().max_bytes, Duration::ZERO);
            let unfinished =
                |slots: &mut HashMap<_, _>| matches!(slots.get(key), Some(Slot::Building { .. }));
            let waited =
                self.0.changed.wait_timeout_while(self.0.slots(), POLL_INTERVAL, unfinished);
            let (mut slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (done, total) = match slots.get_mut(key) {
                Some(Slot::Ready(table, peak)) => {
                    meter.check()?;
                    meter.reserve(peak.take().unwrap_or(0))?;
                    return Ok(Arc::clone(table));
                }
                Some(Slot::Failed(stop, _)) => return Err(*stop),
                Some(Slot::Panicked) => panic!("the builder thread panicked"),
                Some(Slot::Building { done, total }) => (*done, *total),
                // Dropped to make room before this caller saw them.
                None => (0, 0),
            };
            drop(slots);
            if total > 0 { meter.progress(done, total)? } else { meter.check()? }
        }
    }

    /// Starts building the tables of `key` in a thread, within the memory that `meter` leaves, and returns immediately.
    /// If the build fails, [`get`](Self::get) returns the reason.
    pub fn build_in_background(&self, key: &K, meter: &Meter<'_>) {
        self.start_build(key, meter.remaining_bytes(), START_DELAY);
    }

    /// Starts a thread that builds the tables of `key` in at most `max_bytes` and after a `pause`; if the system has no
    /// thread and there is no pause, builds them on this one. Does nothing if they
    /// are finished or being built, or if the build has failed, unless it ran out of memory and `max_bytes` is more
    /// than it had.
    fn start_build(&self, key: &K, max_bytes: Option<u64>, pause: Duration) {
        let mut slots = self.0.slots();
        let is_more =
            |than: Option<u64>| than.is_some_and(|than| max_bytes.is_none_or(|max| max > than));
        match slots.get(key) {
            None => {}
            Some(Slot::Failed(Stop::Memory, allowed)) if is_more(*allowed) => {}
            Some(_) => return,
        }
        let building = || Slot::Building { done: 0, total: 0 };
        slots.insert(key.clone(), building());
        drop(slots);
        let builder = || Builder { shared: Arc::clone(&self.0), key: key.clone(), max_bytes };
        let in_thread = builder();
        let work = move || {
            thread::sleep(pause);
            in_thread.run();
        };
        if thread::Builder::new().name("tables".to_owned()).spawn(work).is_ok() {
            return;
        }
        // The system has no thread: who waits for the tables builds them, and cannot be interrupted.
        self.0.slots().remove(key);
        if pause.is_zero() {
            self.0.slots().insert(key.clone(), building());
            builder().run();
        }
    }

    /// Returns the bytes of all finished tables and of the builds in progress.
    pub fn held_bytes(&self) -> u64 {
        let bytes = |(key, slot): (&K, &Slot<K>)| match slot {
            Slot::Ready(table, _) => K::bytes(table),
            Slot::Building { .. } => key.working_bytes(),
            Slot::Failed(..) | Slot::Panicked => 0,
        };
        self.0.slots().iter().map(bytes).sum()
    }
}

impl<K: Cached> Drop for TableCache<K> {
    fn drop(&mut self) {
        self.0.closed.cancel();
        // Taking the lock ensures that a pausing builder either sees the cancellation or already waits for the
        // notification.
        drop(lock(&self.0.callers));
        self.0.caller_arrived.notify_all();
    }
}

impl<'a, K: Cached> Caller<'a, K> {
    fn new(shared: &'a Shared<K>) -> Self {
        *lock(&shared.callers) += 1;
        shared.caller_arrived.notify_all();
        Self(shared)
    }
}

impl<K: Cached> Drop for Caller<'_, K> {
    fn drop(&mut self) {
        *lock(&self.0.callers) -= 1;
    }
}

impl<K: Cached> Shared<K> {
    fn slots(&self) -> MutexGuard<'_, HashMap<K, Slot<K>>> {
        lock(&self.slots)
    }

    /// With a single thread, blocks the builder while no caller waits.
    fn pause(&self) {
        if self.source.has_one_thread() {
            let is_unneeded = |callers: &mut usize| *callers == 0 && !self.closed.is_cancelled();
            drop(self.caller_arrived.wait_while(lock(&self.callers), is_unneeded));
        }
    }

    /// Inserts finished tables. If all tables together exceed the memory limit, drops those for other boards.
    fn insert(&self, key: &K, table: Arc<K::Table>, peak: u64) {
        let mut slots = self.slots();
        let bytes = |slot: &Slot<K>| match slot {
            Slot::Ready(table, _) => K::bytes(table),
            _ => 0,
        };
        let all = slots.values().map(bytes).sum::<u64>() + K::bytes(&table);
        if self.source.is_full(all) {
            let boards = key.boards();
            let is_for_same_boards = |other: &K| boards.is_some() && other.boards() == boards;
            slots.retain(|other, slot| bytes(slot) == 0 || is_for_same_boards(other));
        }
        slots.insert(key.clone(), Slot::Ready(table, Some(peak)));
    }
}

impl<K: Cached> Builder<K> {
    fn run(self) {
        let Self { shared, key, max_bytes } = &self;
        let mut report = |event: Event<'_>| {
            if let Event::Table { done, total } = event {
                shared.slots().insert(key.clone(), Slot::Building { done, total });
            }
            shared.pause();
            ControlFlow::Continue(())
        };
        let limits = Limits { max_bytes: *max_bytes, ..Limits::default() };
        let mut meter = Meter::new(limits, shared.closed.clone()).with_observer(&mut report);
        let loaded = shared.source.obtain(key, &mut meter);
        let peak = meter.finish().peak_bytes;
        match loaded {
            Ok(table) => shared.insert(key, table, peak),
            Err(stop) => {
                shared.slots().insert(key.clone(), Slot::Failed(stop, *max_bytes));
            }
        }
    }
}

/// Wakes all callers, however the build ended.
impl<K: Cached> Drop for Builder<K> {
    fn drop(&mut self) {
        let mut slots = self.shared.slots();
        if let Some(slot @ Slot::Building { .. }) = slots.get_mut(&self.key) {
            let failed = Slot::Failed(Stop::Memory, self.max_bytes);
            *slot = if thread::panicking() { Slot::Panicked } else { failed };
        }
        drop(slots);
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use loyd_heuristics::pdb::tile_classes::TileClasses;

    use super::*;
    use crate::config::Config;

    fn classes() -> TileClasses {
        TileClasses::default_for("2x6".parse().unwrap(), 0).unwrap()
    }

    fn cache() -> TableCache<TileClasses> {
        let config = Config { threads: 2, ..Config::default() };
        TableCache::new(Arc::new(TableSource::new(&config)))
    }

    #[test]
    fn all_callers_share_one_table() {
        let cache = cache();
        let get = || cache.get(&classes(), &mut Meter::default()).unwrap();
        let tables: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(get)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(tables.iter().all(|table| Arc::ptr_eq(table, &tables[0])));
    }

    #[test]
    fn build_continues_after_its_caller_times_out() {
        let cache = cache();
        let limits = Limits { max_time: Some(Duration::from_millis(1)), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        assert_eq!(cache.get(&classes(), &mut meter).unwrap_err(), Stop::Time);
        let started = Instant::now();
        while !matches!(cache.0.slots().get(&classes()), Some(Slot::Ready(..))) {
            assert!(started.elapsed() < Duration::from_secs(60), "the build has stopped");
            thread::sleep(POLL_INTERVAL);
        }
    }

    #[test]
    fn single_thread_build_pauses_until_next_caller() {
        let config = Config { threads: 1, ..Config::default() };
        let cache = TableCache::<TileClasses>::new(Arc::new(TableSource::new(&config)));
        // The first caller gives up immediately.
        let mut observer = |_: Event<'_>| ControlFlow::Break(());
        let mut meter = Meter::default().with_observer(&mut observer);
        assert_eq!(cache.get(&classes(), &mut meter).unwrap_err(), Stop::Cancelled);
        // The builder finishes its current piece of work and then pauses.
        let done = || match cache.0.slots().get(&classes()) {
            Some(Slot::Building { done, .. }) => *done,
            _ => panic!("the build has finished"),
        };
        thread::sleep(Duration::from_millis(300));
        let before = done();
        thread::sleep(Duration::from_secs(1));
        assert_eq!(done(), before);
        assert!(cache.get(&classes(), &mut Meter::default()).is_ok());
    }

    #[test]
    fn build_is_retried_with_more_memory() {
        let cache = cache();
        let within = |bytes| {
            let limits = Limits { max_bytes: Some(bytes), ..Limits::default() };
            cache.get(&classes(), &mut Meter::new(limits, CancelToken::new())).map(|_| ())
        };
        assert_eq!(within(1 << 10), Err(Stop::Memory));
        assert_eq!(within(1 << 10), Err(Stop::Memory));
        assert_eq!(within(1 << 30), Ok(()));
    }

    #[test]
    fn get_returns_tables_built_in_background() {
        let cache = cache();
        cache.build_in_background(&classes(), &Meter::default());
        assert!(matches!(cache.0.slots().get(&classes()), Some(Slot::Building { .. })));
        assert!(cache.get(&classes(), &mut Meter::default()).is_ok());
    }
}
