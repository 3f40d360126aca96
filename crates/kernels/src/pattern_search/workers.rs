//! Runs one iteration on several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use loyd_search::{Meter, Stop};

use super::engine::{Engine, Pause};
use super::seeds::Queue;

/// Number of expansions that a thread takes from the pool at once.
const SLICE: u64 = 4096;
/// Interval between limit checks of the calling thread once it has no work left.
const PAUSE: Duration = Duration::from_millis(1);

/// State shared by the threads.
struct Shared {
    /// Number of expansions left before the limit.
    pool: AtomicU64,
    /// Expanded and generated nodes that the meter has not counted yet.
    expanded: AtomicU64,
    generated: AtomicU64,
    /// Whether all should stop.
    stop: AtomicBool,
}

/// Searches below the seeds of `queue` with one thread per engine.
///
/// Returns when all engines are done, one has found a goal, or the expansion limit is near; the caller then finishes
/// the engines one by one. The calling thread works too and checks the limits.
///
/// # Errors
/// The limit that was reached.
pub fn run<E: Engine>(
    tables: &E::Tables,
    engines: &mut [E],
    queue: &Queue<'_, E::Nodes>,
    meter: &mut Meter<'_>,
) -> Result<(), Stop> {
    let [first, others @ ..] = engines else { return Ok(()) };
    let shared = Shared {
        pool: AtomicU64::new(meter.remaining_expansions()),
        expanded: AtomicU64::new(0),
        generated: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let shared = &shared;
    let mut result = Ok(());
    thread::scope(|scope| {
        let mut spawned = Vec::new();
        for engine in others {
            let work = move || while shared.slice(tables, engine, queue) {};
            // If the system refuses a thread, the others do its work.
            spawned.extend(thread::Builder::new().spawn_scoped(scope, work));
        }
        let mut works = true;
        while works || spawned.iter().any(|other| !other.is_finished()) {
            works = works && shared.slice(tables, first, queue);
            if !works {
                thread::sleep(PAUSE);
            }
            if result.is_ok() {
                shared.count(meter);
                result = meter.check();
                if result.is_err() {
                    shared.stop.store(true, Relaxed);
                }
            }
        }
    });
    shared.count(meter);
    result
}

impl Shared {
    /// Runs an engine for one slice. Returns whether it has more to do.
    fn slice<E: Engine>(
        &self,
        tables: &E::Tables,
        engine: &mut E,
        queue: &Queue<'_, E::Nodes>,
    ) -> bool {
        let take = |pool: u64| Some(pool - pool.min(SLICE));
        let granted = self.pool.fetch_update(Relaxed, Relaxed, take).map_or(0, |p| p.min(SLICE));
        let mut left = granted;
        let pause = engine.run(tables, queue, &mut left);
        self.pool.fetch_add(left, Relaxed);
        self.expanded.fetch_add(granted - left, Relaxed);
        self.generated.fetch_add(engine.take_generated(), Relaxed);
        if pause == Pause::Goal {
            self.stop.store(true, Relaxed);
        }
        pause == Pause::Spent && granted > 0 && !self.stop.load(Relaxed)
    }

    /// Moves the counts of all threads to the meter.
    fn count(&self, meter: &mut Meter<'_>) {
        meter.expand_many(self.expanded.swap(0, Relaxed));
        meter.generate(self.generated.swap(0, Relaxed));
    }
}
