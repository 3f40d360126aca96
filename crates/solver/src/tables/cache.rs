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

/// Maximum number of builds for which no caller waits.
const MAX_UNNEEDED: usize = 3;

/// How often the memory limit fits into the finished tables for one kind of boards. A search may need several of them.
const MOST_OF_LIMIT: u64 = 2;

/// The tables of one key type: finished, or being built.
///
/// A caller waits for a build within its own limits. If it gives up, the build continues, so that the next caller may
/// find the tables finished. With a single thread the build pauses until the next caller for these tables arrives, so
/// that no more than one core is busy. When a build starts, and when a caller gives up, the oldest builds for which no
/// caller waits are cancelled, so that there are at most [`MAX_UNNEEDED`], with the new one. Dropping the cache cancels
/// all builds.
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
    /// The builder thread with this number, of this process, has finished `done` of `total` entries.
    Building { number: u64, process: u32, done: u64, total: u64 },
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

/// Returns the number of this process, or 0 where there are no processes.
fn own_process() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { std::process::id() }
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
            // After `fork`, the builder thread exists only in the parent.
            Some(Slot::Building { process, .. }) if *process != own_process() => {}
            Some(_) => return,
        }
        self.0.cancel_unneeded(&callers, &mut slots, MAX_UNNEEDED - 1);
        let number = self.0.next_use();
        let building = || Slot::Building { number, process: own_process(), done: 0, total: 0 };
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
                self.0.cancel_unneeded(&callers, &mut self.0.slots(), MAX_UNNEEDED);
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

    /// Cancels the oldest builds for which no caller waits, if there are more than `most`.
    fn cancel_unneeded(
        &self,
        callers: &HashMap<K, usize>,
        slots: &mut HashMap<K, Slot<K>>,
        most: usize,
    ) {
        let number_of = |(key, slot): (&K, &Slot<K>)| match slot {
            Slot::Building { number, .. } if !callers.contains_key(key) => {
                Some((*number, key.clone()))
            }
            _ => None,
        };
        let mut unneeded: Vec<(u64, K)> = slots.iter().filter_map(number_of).collect();
        unneeded.sort_unstable_by_key(|&(number, _)| std::cmp::Reverse(number));
        for (_, key) in unneeded.iter().skip(most) {
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
    /// and then the least recently used ones, until at most [`MOST_OF_LIMIT`] times the limit is left. A builder that was
    /// cancelled too late may take the place of a newer one, which then ends.
    fn insert(&self, key: &K, table: Arc<K::Table>, peak: u64) {
        // The newer builder may be pausing. It looks at the slots with this lock.
        let _callers = lock(&self.callers);
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
        self.caller_arrived.notify_all();
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
        self.replace(Slot::Building { number: self.number, process: own_process(), done, total });
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
mod tests;
