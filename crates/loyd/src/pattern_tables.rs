//! Pattern databases in memory, and the searches that use them.

mod workshop;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Partition, PatternSum, Position};
use loyd_kernels::{Cpu, PatternSearch};
use loyd_search::{Meter, Outcome, Stop};
use loyd_tiles::{BoardSpace, Cell, Move, PartGoal, Size};

use crate::config::Config;
use crate::error::Error;
use crate::patterns::{Rung, ladder};
use crate::problem::Problem;
use crate::store::Warning;
use workshop::Workshop;

/// Most boards are solved with small tables before anything is done about larger ones.
const HEAD_START: Duration = Duration::from_millis(5);

/// The pattern databases of a solver. Dropping it ends what is still being made.
pub(crate) struct PatternTables {
    workshop: Arc<Workshop>,
    config: Config,
    ladder: Mutex<Option<Ladder>>,
    resting: Mutex<Vec<Resting>>,
}

/// The tables for boards of a size with a goal cell of the blank, or with a part goal.
struct Ladder {
    boards: (Size, Cell, Option<PartGoal>),
    rungs: Arc<[Rung]>,
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
        Self {
            workshop: Arc::new(Workshop::new(config)),
            config: config.clone(),
            ladder: Mutex::default(),
            resting: Mutex::default(),
        }
    }

    /// The tables for boards with the goal of `problem`, in the order in which they are used: none if
    /// memory is too short.
    ///
    /// # Errors
    /// When there are no tables for boards of this size.
    pub fn ladder(&self, problem: &Problem) -> Result<Arc<[Rung]>, Error> {
        let goal = problem.goal();
        let boards = (goal.size(), goal.blank(), problem.part().cloned());
        let mut kept = lock(&self.ladder);
        if let Some(ladder) = kept.as_ref().filter(|ladder| ladder.boards == boards) {
            return Ok(Arc::clone(&ladder.rungs));
        }
        let rungs: Arc<[Rung]> = ladder(&self.config, problem)?.into();
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
        let database = meter.aside(|meter| self.workshop.get(partition, meter))?;
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
                let path = path.into_iter().map(|m| sum.frame().returned(m)).collect();
                Outcome::Solved { path, cost }
            }
            other => other,
        })
    }

    /// Has the tables of `partition` made beside whatever the caller does, in the memory that `meter`
    /// leaves. What goes wrong shows when somebody needs them.
    pub fn make_beside(&self, partition: &Partition, meter: &Meter<'_>) {
        self.workshop.begin(partition, meter.left_to_hold(), HEAD_START);
    }

    /// What there is to tell about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.workshop.take_warnings()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for PatternTables {
    fn drop(&mut self) {
        self.workshop.close();
    }
}
