//! The cache of tables: a builder thread builds each table once, for all callers that need it.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use loyd_search::{CancelToken, Event, Limits, Meter, Stop};

use super::cached::{Cached, TableSource};
use crate::sync::lock;

/// How long a thread that waits for tables sleeps between two checks of its own limits.
const NAP: Duration = Duration::from_millis(2);

/// A background build begins after this pause, because most searches end sooner.
const HEAD_START: Duration = Duration::from_millis(5);

/// The tables of one type that are ready, and those that are being built. A caller waits for a build within its
/// own limits; when these are reached, the build goes on, so the next caller may find the tables ready. With one thread
/// it goes on once there is a next caller, so that one core is busy.
/// Dropping the cache ends all builds.
pub(crate) struct TableCache<K: Cached>(Arc<Shared<K>>);

struct Shared<K: Cached> {
    slots: Mutex<HashMap<K, Slot<K>>>,
    /// Notified when tables are ready, and when a build has failed.
    changed: Condvar,
    source: Arc<TableSource>,
    closed: CancelToken,
    /// How many callers wait for tables, and what is notified when one begins to.
    callers: Mutex<usize>,
    called: Condvar,
}

/// A caller that waits for tables.
struct Caller<'a, K: Cached>(&'a Shared<K>);

enum Slot<K: Cached> {
    /// A builder thread is at work, and has finished `done` of `total` entries.
    Building { done: u64, total: u64 },
    /// The tables, and the most bytes that building them took, until a caller has counted them.
    Ready(Arc<K::Table>, Option<u64>),
    /// The limit that was reached, and the most bytes that the build was allowed: with more it is worth another try.
    Failed(Stop, Option<u64>),
    /// The builder thread panicked.
    Panicked,
}

/// The thread that builds the tables of a key.
struct Builder<K: Cached> {
    shared: Arc<Shared<K>>,
    key: K,
    max_bytes: Option<u64>,
}

impl<K: Cached> TableCache<K> {
    /// No tables yet.
    pub fn new(source: Arc<TableSource>) -> Self {
        let (slots, changed) = (Mutex::default(), Condvar::new());
        let (callers, called) = (Mutex::default(), Condvar::new());
        let closed = CancelToken::new();
        Self(Arc::new(Shared { slots, changed, source, closed, callers, called }))
    }

    /// The tables of `key`, once they are there; `meter` then has their bytes reserved beside those of the
    /// search.
    ///
    /// # Errors
    /// The limit that was reached: by `meter` while it waited, or by the builder thread.
    pub fn get(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let table = meter.off_the_clock(|meter| self.wait_for(key, meter))?;
        meter.reserve_tables(K::bytes(&table))?;
        Ok(table)
    }

    /// Whether the tables of `key` are there.
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
            self.begin(key, meter.limits().max_bytes, Duration::ZERO);
            let unfinished =
                |slots: &mut HashMap<_, _>| matches!(slots.get(key), Some(Slot::Building { .. }));
            let waited = self.0.changed.wait_timeout_while(self.0.slots(), NAP, unfinished);
            let (mut slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (done, total) = match slots.get_mut(key) {
                Some(Slot::Ready(table, peak)) => {
                    meter.check()?;
                    meter.reserve(peak.take().unwrap_or(0))?;
                    return Ok(Arc::clone(table));
                }
                Some(Slot::Failed(stop, _)) => return Err(*stop),
                Some(Slot::Panicked) => panic!("the thread that builds tables panicked"),
                Some(Slot::Building { done, total }) => (*done, *total),
                // Tables that were dropped to make room.
                None => (0, 0),
            };
            drop(slots);
            if total > 0 { meter.progress(done, total)? } else { meter.check()? }
        }
    }

    /// Has a builder thread build the tables of `key` in the memory that `meter` leaves, while the caller goes
    /// on. If the build fails, [`get`](Self::get) says why.
    pub fn build_in_background(&self, key: &K, meter: &Meter<'_>) {
        self.begin(key, meter.left_to_reserve(), HEAD_START);
    }

    /// Starts a thread that builds the tables of `key`, in at most so many bytes and after a `pause`,
    /// unless they are there or being built, or this has failed with as many bytes.
    fn begin(&self, key: &K, max_bytes: Option<u64>, pause: Duration) {
        let mut slots = self.0.slots();
        let is_more =
            |than: Option<u64>| than.is_some_and(|than| max_bytes.is_none_or(|max| max > than));
        match slots.get(key) {
            None => {}
            Some(Slot::Failed(Stop::Memory, allowed)) if is_more(*allowed) => {}
            Some(_) => return,
        }
        slots.insert(key.clone(), Slot::Building { done: 0, total: 0 });
        drop(slots);
        let builder = Builder { shared: Arc::clone(&self.0), key: key.clone(), max_bytes };
        // If the system gives no thread, the builder is dropped, and says so in the slot.
        let work = move || {
            thread::sleep(pause);
            builder.run();
        };
        let _ = thread::Builder::new().name("tables".to_owned()).spawn(work);
    }

    /// The bytes of all tables that are ready, and those that the builds in progress take.
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
        // A builder that pauses either sees that, or waits already when it is notified.
        drop(lock(&self.0.callers));
        self.0.called.notify_all();
    }
}

impl<'a, K: Cached> Caller<'a, K> {
    fn new(shared: &'a Shared<K>) -> Self {
        *lock(&shared.callers) += 1;
        shared.called.notify_all();
        Self(shared)
    }
}

impl<K: Cached> Drop for Caller<'_, K> {
    fn drop(&mut self) {
        *lock(&self.0.callers) -= 1;
    }
}

impl<K: Cached> fmt::Debug for TableCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.slots().keys()).finish()
    }
}

impl<K: Cached> Shared<K> {
    fn slots(&self) -> MutexGuard<'_, HashMap<K, Slot<K>>> {
        lock(&self.slots)
    }

    /// Where only one thread may be busy, lets a builder wait while nobody waits for it.
    fn pause(&self) {
        if self.source.has_one_thread() {
            let is_alone = |callers: &mut usize| *callers == 0 && !self.closed.is_cancelled();
            drop(self.called.wait_while(lock(&self.callers), is_alone));
        }
    }

    /// Puts tables into the cache. If there is too little room for all, those for other boards are dropped.
    fn keep(&self, key: &K, table: Arc<K::Table>, peak: u64) {
        let mut slots = self.slots();
        let bytes = |slot: &Slot<K>| match slot {
            Slot::Ready(table, _) => K::bytes(table),
            _ => 0,
        };
        let all = slots.values().map(bytes).sum::<u64>() + K::bytes(&table);
        if self.source.is_full(all) {
            let boards = key.boards();
            let stays = |other: &K| boards.is_some() && other.boards() == boards;
            slots.retain(|other, slot| bytes(slot) == 0 || stays(other));
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
        let mut meter = Meter::new(limits, shared.closed.clone()).observed_by(&mut report);
        let loaded = shared.source.obtain(key, &mut meter);
        let peak = meter.finish().peak_bytes;
        match loaded {
            Ok(table) => shared.keep(key, table, peak),
            Err(stop) => {
                shared.slots().insert(key.clone(), Slot::Failed(stop, *max_bytes));
            }
        }
    }
}

/// Ends the waiting of all callers, however the build ended.
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
        let ask = || cache.get(&classes(), &mut Meter::default()).unwrap();
        let tables: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(tables.iter().all(|table| Arc::ptr_eq(table, &tables[0])));
    }

    #[test]
    fn a_build_goes_on_when_the_time_of_its_caller_is_up() {
        let cache = cache();
        let limits = Limits { max_time: Some(Duration::from_millis(1)), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        assert_eq!(cache.get(&classes(), &mut meter).unwrap_err(), Stop::Time);
        let started = Instant::now();
        while !matches!(cache.0.slots().get(&classes()), Some(Slot::Ready(..))) {
            assert!(started.elapsed() < Duration::from_secs(60), "the build does not go on");
            thread::sleep(NAP);
        }
    }

    #[test]
    fn with_one_thread_a_build_waits_for_the_next_caller() {
        let config = Config { threads: 1, ..Config::default() };
        let cache = TableCache::<TileClasses>::new(Arc::new(TableSource::new(&config)));
        // The first caller gives up at once.
        let mut observer = |_: Event<'_>| ControlFlow::Break(());
        let mut meter = Meter::default().observed_by(&mut observer);
        assert_eq!(cache.get(&classes(), &mut meter).unwrap_err(), Stop::Cancelled);
        // What was begun before is soon finished; then nothing is built, however long that takes.
        let done = || match cache.0.slots().get(&classes()) {
            Some(Slot::Building { done, .. }) => *done,
            _ => panic!("the build went on"),
        };
        thread::sleep(Duration::from_millis(300));
        let before = done();
        thread::sleep(Duration::from_secs(1));
        assert_eq!(done(), before);
        assert!(cache.get(&classes(), &mut Meter::default()).is_ok());
    }

    #[test]
    fn a_build_that_had_too_little_memory_is_tried_again_with_more() {
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
    fn tables_that_are_built_in_the_background_are_those_that_are_got() {
        let cache = cache();
        cache.build_in_background(&classes(), &Meter::default());
        assert!(matches!(cache.0.slots().get(&classes()), Some(Slot::Building { .. })));
        assert!(cache.get(&classes(), &mut Meter::default()).is_ok());
    }
}
