//! Search kernels that a solver keeps for the next board.

use std::sync::{Arc, Mutex};

use loyd_heuristics::pdb::{Database, PatternSum, Position};
use loyd_kernels::{Cpu, PatternSearch};
use loyd_search::{Meter, Outcome};
use loyd_tiles::Move;

use crate::sync::lock;

/// The idle search kernels of a solver.
#[derive(Default)]
pub(crate) struct IdleKernels(Mutex<Vec<Idle>>);

struct Idle {
    database: Arc<Database>,
    threads: usize,
    search: PatternSearch,
}

impl IdleKernels {
    /// IDA* with `sum` from `position` by the kernel, on up to so many threads; `None` if there is no
    /// kernel for such tables.
    pub fn idastar(
        &self,
        sum: &PatternSum,
        position: &Position,
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Option<Outcome<Move>> {
        let database = sum.database();
        let idle = self.take(database, threads);
        let mut search = idle.or_else(|| PatternSearch::new(database, Cpu::in_use(), threads))?;
        let outcome = search.solve(position.first_chunk()?, meter);
        self.put_back(Idle { database: Arc::clone(database), threads, search });
        Some(match outcome {
            Outcome::Solved { path, cost } => {
                let path = path.into_iter().map(|m| sum.orientation().from_canonical(m)).collect();
                Outcome::Solved { path, cost }
            }
            other => other,
        })
    }

    /// The bytes of all of them, without their tables.
    pub fn held_bytes(&self) -> u64 {
        let all = lock(&self.0);
        all.iter().map(|idle| idle.search.bytes()).sum()
    }

    fn take(&self, database: &Arc<Database>, threads: usize) -> Option<PatternSearch> {
        let mut all = lock(&self.0);
        let fits = |idle: &Idle| Arc::ptr_eq(&idle.database, database) && idle.threads == threads;
        let place = all.iter().position(fits)?;
        Some(all.swap_remove(place).search)
    }

    fn put_back(&self, kernel: Idle) {
        let boards = |idle: &Idle| {
            let partition = idle.database.partition();
            (partition.size(), partition.blank())
        };
        let mut all = lock(&self.0);
        // Kernels for other boards would keep tables that may have been dropped.
        all.retain(|idle| boards(idle) == boards(&kernel));
        all.push(kernel);
    }
}
