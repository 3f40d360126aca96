//! Where pattern databases are made: each once, by a thread of its own, for all that need it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Partition};
use loyd_search::{CancelToken, Event, Limits, Meter, Stop};

use crate::config::Config;
use crate::store::{Obtained, Store, Warning, build_tables};

/// How long a thread that waits for tables sleeps between two looks at its own limits.
const NAP: Duration = Duration::from_millis(2);

/// The tables that are there, and those in the making. Whoever waits does so within limits of its own,
/// and the making goes on: the next to ask may find the tables ready.
#[derive(Debug)]
pub struct Workshop {
    slots: Mutex<HashMap<Partition, Slot>>,
    /// Tables are ready, or cannot be had.
    news: Condvar,
    store: Store,
    threads: usize,
    max_bytes: Option<u64>,
    warnings: Mutex<Vec<Warning>>,
    closed: CancelToken,
}

#[derive(Clone, Debug)]
enum Slot {
    /// Somebody is at it, and so many of the entries are there.
    InTheMaking {
        done: u64,
        total: u64,
    },
    Ready(Arc<Database>),
    /// Ready, and nobody has been told yet what making them took.
    Fresh(Arc<Database>, u64),
    /// The limit that was reached. It is the same for the next one who asks.
    Failed(Stop),
    /// The thread panicked.
    Broken,
}

/// The thread that makes the tables of a partition.
struct Maker {
    workshop: Arc<Workshop>,
    partition: Partition,
}

impl Workshop {
    /// A workshop without tables.
    pub fn new(config: &Config) -> Self {
        Self {
            slots: Mutex::default(),
            news: Condvar::new(),
            store: config.store.clone(),
            threads: config.threads.max(1),
            max_bytes: config.limits.max_bytes,
            warnings: Mutex::default(),
            closed: CancelToken::new(),
        }
    }

    /// The tables of `partition`, once they are there.
    ///
    /// # Errors
    /// The limit that was reached: by `meter` while it waited, or by whoever makes the tables.
    pub fn get(
        self: &Arc<Self>,
        partition: &Partition,
        meter: &mut Meter<'_>,
    ) -> Result<Arc<Database>, Stop> {
        loop {
            self.begin(partition, meter.limits().max_bytes, Duration::ZERO);
            let unfinished = |slots: &mut HashMap<_, _>| {
                matches!(slots.get(partition), Some(Slot::InTheMaking { .. }))
            };
            let waited = self.news.wait_timeout_while(self.slots(), NAP, unfinished);
            let (slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let slot = slots.get(partition).cloned();
            drop(slots);
            match slot {
                Some(Slot::Ready(database)) => return Ok(database),
                Some(Slot::Fresh(database, peak)) => {
                    let ready = Slot::Ready(Arc::clone(&database));
                    self.slots().insert(partition.clone(), ready);
                    meter.hold(peak)?;
                    return Ok(database);
                }
                Some(Slot::Failed(stop)) => return Err(stop),
                Some(Slot::Broken) => panic!("the thread that makes tables panicked"),
                Some(Slot::InTheMaking { done, total }) if total > 0 => {
                    meter.progress(done, total)?;
                }
                // Nothing yet, or tables that have been dropped again.
                _ => meter.check()?,
            }
        }
    }

    /// Has the tables of `partition` made, in at most so many bytes and after a `pause`, if they are
    /// neither there nor in the making.
    pub fn begin(self: &Arc<Self>, partition: &Partition, max_bytes: Option<u64>, pause: Duration) {
        let mut slots = self.slots();
        if slots.contains_key(partition) {
            return;
        }
        slots.insert(partition.clone(), Slot::InTheMaking { done: 0, total: 0 });
        drop(slots);
        let maker = Maker { workshop: Arc::clone(self), partition: partition.clone() };
        let limits = Limits { max_bytes, ..Limits::default() };
        // If the system gives no thread, the maker is dropped, and tells.
        let work = move || {
            thread::sleep(pause);
            maker.work(limits);
        };
        let _ = thread::Builder::new().name("tables".to_owned()).spawn(work);
    }

    /// Ends what is being made.
    pub fn close(&self) {
        self.closed.cancel();
    }

    /// What there is to tell about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings())
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<Partition, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn warnings(&self) -> MutexGuard<'_, Vec<Warning>> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_or_build(
        &self,
        partition: &Partition,
        meter: &mut Meter<'_>,
    ) -> Result<Arc<Database>, Stop> {
        let build = |partition: &Partition, meter: &mut Meter<'_>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
            pool.map_err(|_| Stop::Memory)?.install(|| build_tables(partition, meter))
        };
        let Obtained { database, warnings, .. } =
            self.store.get_or_build(partition, meter, build)?;
        let mut told = self.warnings();
        let new =
            warnings.into_iter().filter(|warning| !told.contains(warning)).collect::<Vec<_>>();
        told.extend(new);
        Ok(database)
    }

    /// Puts tables where they are looked for. If there is too little room for all, those of other
    /// boards go.
    fn keep(&self, partition: &Partition, database: Arc<Database>, peak: u64) {
        let mut slots = self.slots();
        let bytes = |slot: &Slot| match slot {
            Slot::Ready(database) | Slot::Fresh(database, _) => database.bytes(),
            _ => 0,
        };
        let all = slots.values().map(bytes).sum::<u64>() + database.bytes();
        if self.max_bytes.is_some_and(|limit| all > limit) {
            let boards = |partition: &Partition| (partition.size(), partition.blank());
            slots.retain(|other, slot| bytes(slot) == 0 || boards(other) == boards(partition));
        }
        slots.insert(partition.clone(), Slot::Fresh(database, peak));
    }
}

impl Maker {
    fn work(self, limits: Limits) {
        let Self { workshop, partition } = &self;
        let mut report = |event| {
            if let Event::Table { done, total } = event {
                workshop.slots().insert(partition.clone(), Slot::InTheMaking { done, total });
            }
            ControlFlow::Continue(())
        };
        let mut meter = Meter::new(limits, workshop.closed.clone()).observed_by(&mut report);
        let made = workshop.read_or_build(partition, &mut meter);
        let peak = meter.finish().peak_bytes;
        match made {
            Ok(database) => workshop.keep(partition, database, peak),
            Err(stop) => {
                workshop.slots().insert(partition.clone(), Slot::Failed(stop));
            }
        }
    }
}

/// However the work ends, nobody waits for it any longer.
impl Drop for Maker {
    fn drop(&mut self) {
        let mut slots = self.workshop.slots();
        if let Some(slot @ Slot::InTheMaking { .. }) = slots.get_mut(&self.partition) {
            let failed = Slot::Failed(Stop::Memory);
            *slot = if thread::panicking() { Slot::Broken } else { failed };
        }
        drop(slots);
        self.workshop.news.notify_all();
    }
}
