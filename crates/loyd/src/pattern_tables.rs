//! Pattern databases in memory: each made once, by whoever needs it first or beside a search.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loyd_heuristics::pdb::{Database, Partition, PatternSum, Position};
use loyd_kernels::{Cpu, PatternSearch};
use loyd_search::{CancelToken, Limits, Meter, Outcome, Stop};
use loyd_tiles::{Board, BoardSpace, Cell, Move, Size};

use crate::config::Config;
use crate::error::Error;
use crate::patterns::{Rung, ladder};
use crate::store::{Obtained, Store, Warning, build_tables};
use crate::tables::NAP;

/// More than a search takes beside its tables.
const SEARCH_BYTES: u64 = 6 << 20;

/// The pattern databases of a solver. Dropping it ends what is still being made.
pub(crate) struct PatternTables {
    shared: Arc<Shared>,
    config: Config,
    ladder: Mutex<Option<Ladder>>,
    resting: Mutex<Vec<Resting>>,
}

/// The tables for boards of a size with a goal cell of the blank.
struct Ladder {
    boards: (Size, Cell),
    rungs: Arc<[Rung]>,
}

/// A kernel at rest, ready for the next board.
struct Resting {
    database: Arc<Database>,
    threads: usize,
    search: PatternSearch,
}

/// What threads that make tables share with those that need them.
#[derive(Debug)]
struct Shared {
    slots: Mutex<HashMap<Partition, Slot>>,
    store: Store,
    threads: usize,
    warnings: Mutex<Vec<Warning>>,
    dropped: CancelToken,
}

#[derive(Clone, Debug)]
enum Slot {
    /// Somebody is at it.
    InTheMaking,
    Ready(Arc<Database>),
}

impl fmt::Debug for PatternTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(f)
    }
}

impl PatternTables {
    /// No tables yet.
    pub fn new(config: &Config) -> Self {
        let shared = Shared {
            slots: Mutex::default(),
            store: config.store.clone(),
            threads: config.threads.max(1),
            warnings: Mutex::default(),
            dropped: CancelToken::new(),
        };
        Self {
            shared: Arc::new(shared),
            config: config.clone(),
            ladder: Mutex::default(),
            resting: Mutex::default(),
        }
    }

    /// The tables for boards that are to become `goal`, in the order in which they are used.
    ///
    /// # Errors
    /// When there are none.
    pub fn ladder(&self, goal: &Board) -> Result<Arc<[Rung]>, Error> {
        let boards = (goal.size(), goal.blank());
        let mut kept = lock(&self.ladder);
        if let Some(ladder) = kept.as_ref().filter(|ladder| ladder.boards == boards) {
            return Ok(Arc::clone(&ladder.rungs));
        }
        let rungs: Arc<[Rung]> =
            ladder(&self.config, goal, |tables| Database::build_bytes(tables) + SEARCH_BYTES)?
                .into();
        *kept = Some(Ladder { boards, rungs: Arc::clone(&rungs) });
        Ok(rungs)
    }

    /// The sum over the patterns of `partition`; its tables are made within the limits of `meter` if
    /// they are not there.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn sum<S: BoardSpace>(
        &self,
        space: &S,
        partition: &Partition,
        meter: &mut Meter<'_>,
    ) -> Result<PatternSum, Stop> {
        let database = meter.aside(|meter| self.shared.get(partition, meter))?;
        meter.hold_beside(database.bytes())?;
        Ok(PatternSum::new(database, space.relabelling()))
    }

    /// IDA* with `sum` from `position` by the kernel, or `None` if there is none for such tables.
    pub fn kernel(
        &self,
        sum: &PatternSum,
        position: &Position,
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Option<Outcome<Move>> {
        let database = sum.database();
        let fits = |resting: &Resting| {
            Arc::ptr_eq(&resting.database, database) && resting.threads == threads
        };
        let mut kept = lock(&self.resting);
        let resting = kept.iter().position(fits).map(|place| kept.swap_remove(place).search);
        drop(kept);
        let mut search = match resting {
            Some(search) => search,
            None => PatternSearch::new(database, Cpu::in_use(), threads)?,
        };
        let outcome = search.solve(position, 0, meter);
        lock(&self.resting).push(Resting { database: Arc::clone(database), threads, search });
        Some(match outcome {
            Outcome::Solved { path, cost } => {
                let path = path.into_iter().map(|m| sum.frame().returned(m)).collect();
                Outcome::Solved { path, cost }
            }
            other => other,
        })
    }

    /// Has the tables of `partition` made beside whatever the caller does, if nobody has them or makes
    /// them. What goes wrong shows when somebody needs them.
    pub fn make_beside(&self, partition: &Partition) {
        if self.shared.slots().contains_key(partition) {
            return;
        }
        let (shared, partition) = (Arc::clone(&self.shared), partition.clone());
        let limits = Limits { max_bytes: self.config.limits.max_bytes, ..Limits::default() };
        let work = move || {
            let mut meter = Meter::new(limits, shared.dropped.clone());
            // A thread that needs the tables tries again, and meets the same limit.
            let _ = shared.get(&partition, &mut meter);
        };
        // Without another thread the tables are made when they are needed.
        let _ = std::thread::Builder::new().name("tables".to_owned()).spawn(work);
    }
}

impl PatternTables {
    /// What there is to tell about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut lock(&self.shared.warnings))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for PatternTables {
    fn drop(&mut self) {
        self.shared.dropped.cancel();
    }
}

impl Shared {
    fn slots(&self) -> MutexGuard<'_, HashMap<Partition, Slot>> {
        lock(&self.slots)
    }

    /// The tables of `partition`: those that are there, or that somebody else is making, or else made
    /// now.
    fn get(&self, partition: &Partition, meter: &mut Meter<'_>) -> Result<Arc<Database>, Stop> {
        loop {
            let mut slots = self.slots();
            match slots.get(partition) {
                Some(Slot::Ready(database)) => return Ok(Arc::clone(database)),
                Some(Slot::InTheMaking) => {}
                None => {
                    slots.insert(partition.clone(), Slot::InTheMaking);
                    break;
                }
            }
            drop(slots);
            meter.check()?;
            std::thread::sleep(NAP);
        }
        let made = self.read_or_build(partition, meter);
        let mut slots = self.slots();
        match &made {
            Ok(database) => slots.insert(partition.clone(), Slot::Ready(Arc::clone(database))),
            Err(_) => slots.remove(partition),
        };
        made
    }

    fn read_or_build(
        &self,
        partition: &Partition,
        meter: &mut Meter<'_>,
    ) -> Result<Arc<Database>, Stop> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|_| Stop::Memory)?;
        // From a thread of its own: a caller that is itself a thread of rayon would, while it waits for
        // the pool, take up other work, which may be a search that waits for these very tables.
        let build = |partition: &Partition, meter: &mut Meter<'_>| {
            std::thread::scope(|scope| {
                let builder = scope.spawn(|| pool.install(|| build_tables(partition, meter)));
                builder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        };
        let Obtained { database, warnings, .. } =
            self.store.get_or_build(partition, meter, build)?;
        lock(&self.warnings).extend(warnings);
        Ok(database)
    }
}
