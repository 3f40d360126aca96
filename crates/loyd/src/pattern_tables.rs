//! Pattern databases in memory, and the searches that use them.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loyd_heuristics::pdb::{Database, Partition, PatternSum, Position};
use loyd_kernels::{Cpu, PatternSearch};
use loyd_search::{Meter, NoUndo, Outcome, Stop, idastar};
use loyd_tiles::{BoardSpace, Move, StepSpace};

use crate::config::Config;
use crate::workshop::Workshop;

/// The pattern databases of a solver.
pub(crate) struct PatternTables {
    pub workshop: Workshop<Partition>,
    resting: Mutex<Vec<Resting>>,
}

/// A kernel at rest, ready for the next board.
struct Resting {
    database: Arc<Database>,
    threads: usize,
    search: PatternSearch,
}

impl fmt::Debug for PatternTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.workshop.fmt(f)
    }
}

impl PatternTables {
    /// No tables yet.
    pub fn new(config: &Config) -> Self {
        Self { workshop: Workshop::new(config), resting: Mutex::default() }
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
        let database = self.workshop.get(partition, meter)?;
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
        let outcome = search.solve(position, meter);
        let mut kept = lock(&self.resting);
        // Those for other boards would keep tables that may have been dropped.
        let boards = |database: &Database| {
            let partition = database.partition();
            (partition.size(), partition.blank())
        };
        kept.retain(|resting| boards(&resting.database) == boards(database));
        kept.push(Resting { database: Arc::clone(database), threads, search });
        drop(kept);
        Some(match outcome {
            Outcome::Solved { path, cost } => {
                let path = path.into_iter().map(|m| sum.orientation().from_canonical(m)).collect();
                Outcome::Solved { path, cost }
            }
            other => other,
        })
    }
}

/// The generic IDA* with pattern databases, if they are right about the start.
pub(crate) fn idastar_with<S: StepSpace>(
    space: &S,
    sum: &PatternSum,
    start: &S::State,
    meter: &mut Meter<'_>,
) -> Outcome<Move> {
    match sum.leads_from(&sum.orientation().position(space, start)) {
        true => idastar(space, sum, &NoUndo, start, meter),
        false => Outcome::Stopped(Stop::Tables),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
