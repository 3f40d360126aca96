//! A cache in which a builder thread builds each table once, for all callers that need it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
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

/// Maximum number of builds for which no caller waits, after a build has started.
const MAX_UNNEEDED: usize = 3;

/// How often the memory limit fits into the finished tables for one kind of boards. A search may need several of them.
const MOST_OF_LIMIT: u64 = 2;

/// The tables of one key type: finished, or being built.
///
/// A caller waits for a build within its own limits. If it gives up, the build continues, so that the next caller may
/// find the tables finished. With a single thread the build pauses until the next caller for these tables arrives, so
/// that no more than one core is busy. When a build starts, the oldest builds for which no caller waits are cancelled, so
/// that there are at most [`MAX_UNNEEDED`] with the new one. Dropping the cache cancels all builds.
pub(crate) struct TableCache<K: Cached>(Arc<Shared<K>>);

struct Shared<K: Cached> {
    slots: Mutex<HashMap<K, Slot<K>>>,
    /// Notified when tables are finished and when a build has failed.
    changed: Condvar,
    source: Arc<TableSource>,
    /// Cancels all builds when the cache is dropped.
    closed: CancelToken,
    /// Number of callers that wait for tables, by key. Locked before `slots` if both are.
    callers: Mutex<HashMap<K, usize>>,
    /// Notified when a caller starts to wait, and when a build is cancelled.
    caller_arrived: Condvar,
    /// Number of builds and uses so far, which orders them.
    uses: AtomicU64,
}

/// A caller that waits for the tables of a key, counted in `callers` until it is dropped.
struct Caller<'a, K: Cached>(&'a Shared<K>, &'a K);

enum Slot<K: Cached> {
    /// A builder thread with this number has finished `done` of `total` entries.
    Building { number: u64, done: u64, total: u64 },
    /// The tables, the peak memory of their build in bytes until the first caller has reserved it, and the number of
    /// their last use.
    Ready(Arc<K::Table>, Option<u64>, u64),
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
    number: u64,
    max_bytes: Option<u64>,
}

impl<K: Cached> TableCache<K> {
    /// Returns an empty cache.
    pub fn new(source: Arc<TableSource>) -> Self {
        let (slots, changed) = (Mutex::default(), Condvar::new());
        let (callers, caller_arrived) = (Mutex::default(), Condvar::new());
        let closed = CancelToken::new();
        let uses = AtomicU64::new(0);
        Self(Arc::new(Shared { slots, changed, source, closed, callers, caller_arrived, uses }))
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
        let _caller = Caller::new(&self.0, key);
        loop {
            self.start_build(key, meter.limits().max_bytes, Duration::ZERO);
            let unfinished =
                |slots: &mut HashMap<_, _>| matches!(slots.get(key), Some(Slot::Building { .. }));
            let waited =
                self.0.changed.wait_timeout_while(self.0.slots(), POLL_INTERVAL, unfinished);
            let (mut slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (done, total) = match slots.get_mut(key) {
                Some(Slot::Ready(table, peak, used)) => {
                    meter.check()?;
                    *used = self.0.next_use();
                    meter.reserve(peak.take().unwrap_or(0))?;
                    return Ok(Arc::clone(table));
                }
                Some(Slot::Failed(stop, _)) => return Err(*stop),
                Some(Slot::Panicked) => panic!("the builder thread panicked"),
                Some(Slot::Building { done, total, .. }) => (*done, *total),
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
        let callers = lock(&self.0.callers);
        let mut slots = self.0.slots();
        let is_more =
            |than: Option<u64>| than.is_some_and(|than| max_bytes.is_none_or(|max| max > than));
        match slots.get(key) {
            None => {}
            Some(Slot::Failed(Stop::Memory, allowed)) if is_more(*allowed) => {}
            Some(_) => return,
        }
        self.0.cancel_unneeded(&callers, &mut slots);
        let number = self.0.next_use();
        let building = || Slot::Building { number, done: 0, total: 0 };
        slots.insert(key.clone(), building());
        drop((callers, slots));
        let builder =
            || Builder { shared: Arc::clone(&self.0), key: key.clone(), number, max_bytes };
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
            Slot::Ready(table, ..) => K::bytes(table),
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
    fn new(shared: &'a Shared<K>, key: &'a K) -> Self {
        *lock(&shared.callers).entry(key.clone()).or_default() += 1;
        shared.caller_arrived.notify_all();
        Self(shared, key)
    }
}

impl<K: Cached> Drop for Caller<'_, K> {
    fn drop(&mut self) {
        let mut callers = lock(&self.0.callers);
        if let Some(number) = callers.get_mut(self.1) {
            *number -= 1;
            if *number == 0 {
                callers.remove(self.1);
            }
        }
    }
}

impl<K: Cached> Shared<K> {
    fn slots(&self) -> MutexGuard<'_, HashMap<K, Slot<K>>> {
        lock(&self.slots)
    }

    fn next_use(&self) -> u64 {
        self.uses.fetch_add(1, Ordering::Relaxed)
    }

    /// Cancels the oldest builds for which no caller waits, if there are [`MAX_UNNEEDED`], to make room for another one.
    fn cancel_unneeded(&self, callers: &HashMap<K, usize>, slots: &mut HashMap<K, Slot<K>>) {
        let number_of = |(key, slot): (&K, &Slot<K>)| match slot {
            Slot::Building { number, .. } if !callers.contains_key(key) => {
                Some((*number, key.clone()))
            }
            _ => None,
        };
        let mut unneeded: Vec<(u64, K)> = slots.iter().filter_map(number_of).collect();
        unneeded.sort_unstable_by_key(|&(number, _)| std::cmp::Reverse(number));
        for (_, key) in unneeded.iter().skip(MAX_UNNEEDED - 1) {
            slots.remove(key);
        }
        self.caller_arrived.notify_all();
    }

    /// Returns whether a build has neither ended nor been cancelled.
    fn is_building(&self, key: &K, builder: u64) -> bool {
        matches!(self.slots().get(key), Some(Slot::Building { number, .. }) if *number == builder)
    }

    /// With a single thread, blocks the builder while no caller waits for its tables.
    fn pause(&self, key: &K, builder: u64) {
        if self.source.has_one_thread() {
            let is_unneeded = |callers: &mut HashMap<K, usize>| {
                !callers.contains_key(key)
                    && !self.closed.is_cancelled()
                    && self.is_building(key, builder)
            };
            drop(self.caller_arrived.wait_while(lock(&self.callers), is_unneeded));
        }
    }

    /// Inserts finished tables. If all tables together exceed the memory limit, drops the tables for other boards,
    /// and then the least recently used ones, until at most [`MOST_OF_LIMIT`] times the limit is left.
    fn insert(&self, key: &K, table: Arc<K::Table>, peak: u64) {
        let mut slots = self.slots();
        let bytes = |slot: &Slot<K>| match slot {
            Slot::Ready(table, ..) => K::bytes(table),
            _ => 0,
        };
        let own = K::bytes(&table);
        let all = |slots: &HashMap<K, Slot<K>>| slots.values().map(bytes).sum::<u64>() + own;
        if self.source.is_full(all(&slots)) {
            let boards = key.boards();
            let is_for_same_boards = |other: &K| boards.is_some() && other.boards() == boards;
            slots.retain(|other, slot| bytes(slot) == 0 || is_for_same_boards(other));
        }
        while self.source.is_full(all(&slots) / MOST_OF_LIMIT) {
            let used = |(key, slot): (&K, &Slot<K>)| match slot {
                Slot::Ready(_, _, used) => Some((*used, key.clone())),
                _ => None,
            };
            let oldest = slots.iter().filter_map(used).min_by_key(|&(used, _)| used);
            let Some((_, oldest)) = oldest else { break };
            slots.remove(&oldest);
        }
        slots.insert(key.clone(), Slot::Ready(table, Some(peak), self.next_use()));
    }
}

impl<K: Cached> Builder<K> {
    fn run(self) {
        let Self { shared, key, number, max_bytes } = &self;
        let mut report = |event: Event<'_>| {
            if let Event::Table { done, total } = event {
                self.show(done, total);
            }
            shared.pause(key, *number);
            match shared.is_building(key, *number) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let limits = Limits { max_bytes: *max_bytes, ..Limits::default() };
        let mut meter = Meter::new(limits, shared.closed.clone()).with_observer(&mut report);
        let loaded = shared.source.obtain(key, &mut meter);
        let peak = meter.finish().peak_bytes;
        match loaded {
            Ok(table) => shared.insert(key, table, peak),
            Err(stop) => self.replace(Slot::Failed(stop, *max_bytes)),
        }
    }

    /// Shows the progress to the callers.
    fn show(&self, done: u64, total: u64) {
        self.replace(Slot::Building { number: self.number, done, total });
    }

    /// Replaces the slot, unless the build was cancelled.
    fn replace(&self, new: Slot<K>) {
        let mut slots = self.shared.slots();
        if let Some(slot @ Slot::Building { .. }) = slots.get_mut(&self.key)
            && matches!(slot, Slot::Building { number, .. } if *number == self.number)
        {
            *slot = new;
        }
    }
}

/// Wakes all callers, however the build ended.
impl<K: Cached> Drop for Builder<K> {
    fn drop(&mut self) {
        self.replace(match thread::panicking() {
            true => Slot::Panicked,
            false => Slot::Failed(Stop::Memory, self.max_bytes),
        });
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use loyd_heuristics::pdb::Partition;
    use loyd_heuristics::pdb::tile_classes::TileClasses;

    use super::*;
    use crate::config::Config;
    use crate::store::Store;

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

    /// Returns partitions of the same boards into a pattern of two tiles and one of the other tiles.
    fn partitions() -> Vec<Partition> {
        let size = "3x3".parse().unwrap();
        let pairs = (0..7).map(|tile| {
            let others = (0..8).filter(|&other| other != tile && other != tile + 1).collect();
            Partition::new(size, 8, vec![vec![tile, tile + 1], others]).unwrap()
        });
        pairs.collect()
    }

    #[test]
    fn builds_that_nobody_waits_for_are_limited() {
        let config = Config { threads: 1, store: Store::disabled(), ..Config::default() };
        let cache = TableCache::<TileClasses>::new(Arc::new(TableSource::new(&config)));
        let size = "2x6".parse().unwrap();
        let keys = [0, 1, 2, 3, 4, 5].map(|blank| TileClasses::default_for(size, blank).unwrap());
        for key in &keys {
            let mut observer = |_: Event<'_>| ControlFlow::Break(());
            let mut meter = Meter::default().with_observer(&mut observer);
            assert_eq!(cache.get(key, &mut meter).unwrap_err(), Stop::Cancelled);
        }
        let is_building = |key| matches!(cache.0.slots().get(key), Some(Slot::Building { .. }));
        assert_eq!(keys.each_ref().map(is_building), [false, false, false, true, true, true]);
        // A cancelled build can be started again.
        assert!(cache.get(&keys[0], &mut Meter::default()).is_ok());
        assert_eq!(keys.each_ref().map(is_building), [false, false, false, false, true, true]);
    }

    #[test]
    fn tables_of_the_same_boards_are_dropped_beyond_twice_the_limit() {
        let source = |max_bytes| {
            let limits = Limits { max_bytes, ..Limits::default() };
            let config = Config { limits, store: Store::disabled(), ..Config::default() };
            TableCache::<Partition>::new(Arc::new(TableSource::new(&config)))
        };
        let keys = partitions();
        let get = |cache: &TableCache<_>, key| drop(cache.get(key, &mut Meter::default()).unwrap());
        let cache = source(None);
        get(&cache, &keys[0]);
        let own = cache.held_bytes();
        let cache = source(Some(2 * own));
        for key in &keys {
            get(&cache, key);
            get(&cache, &keys[0]);
        }
        let held: Vec<_> = keys.iter().map(|key| cache.has(key)).collect();
        assert_eq!(held, [true, false, false, false, true, true, true], "{}", cache.held_bytes());
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
