//! Where tables are made: each once, by a thread of its own, for all that need it.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use loyd_search::{CancelToken, Event, Limits, Meter, Stop};

use crate::config::Config;
use crate::store::{Build, Obtained, Store, Warning};

/// How long a thread that waits for tables sleeps between two looks at its own limits.
const NAP: Duration = Duration::from_millis(2);

/// Most boards are solved without them before anything is done about tables that are made beside.
const HEAD_START: Duration = Duration::from_millis(5);

/// The tables of one kind that are there, and those in the making. Whoever waits does so within limits of
/// its own, and the making goes on: the next to ask may find the tables ready. Dropping it ends what is
/// still being made.
pub struct Workshop<K: Build>(Arc<Inside<K>>);

struct Inside<K: Build> {
    slots: Mutex<HashMap<K, Slot<K>>>,
    /// Tables are ready, or cannot be had.
    news: Condvar,
    store: Store,
    threads: usize,
    max_bytes: Option<u64>,
    warnings: Mutex<Vec<Warning>>,
    closed: CancelToken,
}

enum Slot<K: Build> {
    /// Somebody is at it, and so many of the entries are there.
    InTheMaking { done: u64, total: u64 },
    /// Ready; and what making them took, until somebody has been told.
    Ready(Arc<K::Table>, Option<u64>),
    /// The limit that was reached. It is the same for the next one who asks.
    Failed(Stop),
    /// The thread panicked.
    Broken,
}

/// The thread that makes the tables of a key.
struct Maker<K: Build> {
    inside: Arc<Inside<K>>,
    key: K,
}

impl<K: Build> Workshop<K> {
    /// A workshop without tables.
    pub fn new(config: &Config) -> Self {
        Self(Arc::new(Inside {
            slots: Mutex::default(),
            news: Condvar::new(),
            store: config.store.clone(),
            threads: config.threads.max(1),
            max_bytes: config.limits.max_bytes,
            warnings: Mutex::default(),
            closed: CancelToken::new(),
        }))
    }

    /// The tables of `key`, once they are there; `meter` then holds their bytes beside those of the search.
    ///
    /// # Errors
    /// The limit that was reached: by `meter` while it waited, or by whoever makes the tables.
    pub fn get(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let table = meter.off_the_clock(|meter| self.wait_for(key, meter))?;
        meter.reserve_tables(K::bytes(&table))?;
        Ok(table)
    }

    fn wait_for(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        loop {
            self.begin(key, meter.limits().max_bytes, Duration::ZERO);
            let unfinished = |slots: &mut HashMap<_, _>| {
                matches!(slots.get(key), Some(Slot::InTheMaking { .. }))
            };
            let waited = self.0.news.wait_timeout_while(self.0.slots(), NAP, unfinished);
            let (mut slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (done, total) = match slots.get_mut(key) {
                Some(Slot::Ready(table, peak)) => {
                    meter.reserve(peak.take().unwrap_or(0))?;
                    return Ok(Arc::clone(table));
                }
                Some(Slot::Failed(stop)) => return Err(*stop),
                Some(Slot::Broken) => panic!("the thread that makes tables panicked"),
                Some(Slot::InTheMaking { done, total }) => (*done, *total),
                // Tables that have been dropped again.
                None => (0, 0),
            };
            drop(slots);
            if total > 0 { meter.progress(done, total)? } else { meter.check()? }
        }
    }

    /// Has the tables of `key` made beside whatever the caller does, in the memory that `meter` leaves.
    /// What goes wrong shows when somebody needs them.
    pub fn make_beside(&self, key: &K, meter: &Meter<'_>) {
        self.begin(key, meter.left_to_reserve(), HEAD_START);
    }

    /// Has the tables of `key` made, in at most so many bytes and after a `pause`, if they are
    /// neither there nor in the making.
    fn begin(&self, key: &K, max_bytes: Option<u64>, pause: Duration) {
        let mut slots = self.0.slots();
        if slots.contains_key(key) {
            return;
        }
        slots.insert(key.clone(), Slot::InTheMaking { done: 0, total: 0 });
        drop(slots);
        let maker = Maker { inside: Arc::clone(&self.0), key: key.clone() };
        let limits = Limits { max_bytes, ..Limits::default() };
        // If the system gives no thread, the maker is dropped, and tells.
        let work = move || {
            thread::sleep(pause);
            maker.work(limits);
        };
        let _ = thread::Builder::new().name("tables".to_owned()).spawn(work);
    }

    /// What there is to tell about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut self.0.warnings())
    }
}

impl<K: Build> Drop for Workshop<K> {
    fn drop(&mut self) {
        self.0.closed.cancel();
    }
}

impl<K: Build> fmt::Debug for Workshop<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.slots().keys()).finish()
    }
}

impl<K: Build> Inside<K> {
    fn slots(&self) -> MutexGuard<'_, HashMap<K, Slot<K>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn warnings(&self) -> MutexGuard<'_, Vec<Warning>> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_or_build(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let build = |key: &K, meter: &mut Meter<'_>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
            pool.map_err(|_| Stop::Memory)?.install(|| key.build(meter))
        };
        let Obtained { table, warnings, .. } = self.store.get_or_build(key, meter, build)?;
        let mut told = self.warnings();
        let new =
            warnings.into_iter().filter(|warning| !told.contains(warning)).collect::<Vec<_>>();
        told.extend(new);
        Ok(table)
    }

    /// Puts tables where they are looked for. If there is too little room for all, those of other
    /// boards go.
    fn keep(&self, key: &K, table: Arc<K::Table>, peak: u64) {
        let mut slots = self.slots();
        let bytes = |slot: &Slot<K>| match slot {
            Slot::Ready(table, _) => K::bytes(table),
            _ => 0,
        };
        let all = slots.values().map(bytes).sum::<u64>() + K::bytes(&table);
        if self.max_bytes.is_some_and(|limit| all > limit) {
            let boards = |key: &K| (key.contents().size(), key.contents().blank());
            let (_, blank) = boards(key);
            let stays = |other: &K| blank.is_some() && boards(other) == boards(key);
            slots.retain(|other, slot| bytes(slot) == 0 || stays(other));
        }
        slots.insert(key.clone(), Slot::Ready(table, Some(peak)));
    }
}

impl<K: Build> Maker<K> {
    fn work(self, limits: Limits) {
        let Self { inside, key } = &self;
        let mut report = |event| {
            if let Event::Table { done, total } = event {
                inside.slots().insert(key.clone(), Slot::InTheMaking { done, total });
            }
            ControlFlow::Continue(())
        };
        let mut meter = Meter::new(limits, inside.closed.clone()).observed_by(&mut report);
        let made = inside.read_or_build(key, &mut meter);
        let peak = meter.finish().peak_bytes;
        match made {
            Ok(table) => inside.keep(key, table, peak),
            Err(stop) => {
                inside.slots().insert(key.clone(), Slot::Failed(stop));
            }
        }
    }
}

/// However the work ends, nobody waits for it any longer.
impl<K: Build> Drop for Maker<K> {
    fn drop(&mut self) {
        let mut slots = self.inside.slots();
        if let Some(slot @ Slot::InTheMaking { .. }) = slots.get_mut(&self.key) {
            let failed = Slot::Failed(Stop::Memory);
            *slot = if thread::panicking() { Slot::Broken } else { failed };
        }
        drop(slots);
        self.inside.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use loyd_heuristics::pdb::tile_classes::TileClasses;

    use super::*;

    fn classes() -> TileClasses {
        TileClasses::default_for("2x6".parse().unwrap(), 0).unwrap()
    }

    #[test]
    fn all_that_ask_share_one_table() {
        let workshop = Workshop::new(&Config::default());
        let ask = || workshop.get(&classes(), &mut Meter::default()).unwrap();
        let tables: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(tables.iter().all(|table| Arc::ptr_eq(table, &tables[0])));
    }

    #[test]
    fn the_making_goes_on_when_the_time_of_who_asked_is_up() {
        let workshop = Workshop::new(&Config::default());
        let limits = Limits { max_time: Some(Duration::from_millis(1)), ..Limits::default() };
        let mut meter = Meter::new(limits, CancelToken::new());
        assert_eq!(workshop.get(&classes(), &mut meter).unwrap_err(), Stop::Time);
        let started = Instant::now();
        while !matches!(workshop.0.slots().get(&classes()), Some(Slot::Ready(..))) {
            assert!(started.elapsed() < Duration::from_secs(60), "nobody goes on");
            thread::sleep(NAP);
        }
    }

    #[test]
    fn tables_that_are_begun_beside_are_those_that_are_got() {
        let workshop = Workshop::new(&Config::default());
        workshop.make_beside(&classes(), &Meter::default());
        assert!(matches!(workshop.0.slots().get(&classes()), Some(Slot::InTheMaking { .. })));
        assert!(workshop.get(&classes(), &mut Meter::default()).is_ok());
    }
}
