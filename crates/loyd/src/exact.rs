//! Exact tables in memory: each made once, by whoever needs it first.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use loyd_heuristics::pdb::Orientation;
use loyd_kernels::{Cpu, DistanceMemo, ExactDistance, ExactTable};
use loyd_search::{Cost, DistanceTable, Heuristic, IncrementalHeuristic, Meter, Stop};
use loyd_tiles::{BoardSpace, Move, Size, StepSpace};

use crate::config::Config;
use crate::tables::{Tables, wait_for};

/// Boards for which the table is built by the kernel: on smaller ones there is nothing to gain, and
/// larger ones have too many states.
const KERNEL_CELLS: RangeInclusive<usize> = 10..=ExactTable::MAX_CELLS;

/// From so many boards on a table of a board of twelve cells pays: it takes 0.2 to 0.4 s to build, and a
/// search with pattern databases 0.03 to 0.07 ms.
pub(crate) const MANY: u64 = 5_000;

/// Whether the exact table is the quickest way to answer the boards of `config`, if they have `size` and
/// nothing else is asked for.
///
/// On ten cells it is made sooner than pattern databases are.
pub(crate) fn pays(config: &Config, size: Size) -> bool {
    let worth = match size.cells() {
        10 | 11 => true,
        12 => size.is_line() || config.boards.unwrap_or(1) >= MANY,
        _ => false,
    };
    let limit = config.limits.max_bytes.unwrap_or(u64::MAX);
    worth && ExactTable::build_bytes(size) <= limit
}

/// The true distance, from a table of all states.
pub(crate) enum Exact {
    Plain(Arc<DistanceTable>),
    Kernel(ExactDistance),
}

/// What [`Exact`] carries down a path.
#[derive(Clone, Copy)]
pub(crate) enum ExactMemo {
    Plain(Cost),
    Kernel(DistanceMemo),
}

impl Exact {
    /// The true distance in `space`; its table is built within the limits of `meter` if it is not there
    /// yet.
    ///
    /// # Errors
    /// The limit that the build reached.
    pub fn new<S: StepSpace>(
        space: &S,
        tables: &Tables,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let by_kernel = KERNEL_CELLS.contains(&BoardSpace::size(space).cells());
        match Orientation::new(space.relabelling()).filter(|_| by_kernel) {
            Some(frame) => {
                let table = tables.kernel_exact.get(&frame, meter)?;
                Ok(Self::Kernel(ExactDistance::new(table, space.relabelling())))
            }
            None => tables.exact(space, meter).map(Self::Plain),
        }
    }
}

impl<S: StepSpace> Heuristic<S> for Exact {
    fn h(&self, space: &S, state: &S::State) -> Cost {
        match self {
            Self::Plain(table) => table.h(space, state),
            Self::Kernel(exact) => exact.h(space, state),
        }
    }
}

impl<S: StepSpace> IncrementalHeuristic<S> for Exact {
    type Memo = ExactMemo;

    fn memo(&self, space: &S, state: &S::State) -> ExactMemo {
        match self {
            Self::Plain(table) => ExactMemo::Plain(table.memo(space, state)),
            Self::Kernel(exact) => ExactMemo::Kernel(exact.memo(space, state)),
        }
    }

    #[inline]
    fn update(
        &self,
        space: &S,
        memo: ExactMemo,
        parent: &S::State,
        m: Move,
        child: &S::State,
    ) -> ExactMemo {
        match (self, memo) {
            (Self::Kernel(exact), ExactMemo::Kernel(memo)) => {
                ExactMemo::Kernel(exact.update(space, memo, parent, m, child))
            }
            _ => self.memo(space, child),
        }
    }

    #[inline]
    fn value(&self, memo: &ExactMemo) -> Cost {
        match memo {
            ExactMemo::Plain(distance) => *distance,
            ExactMemo::Kernel(memo) => memo.distance(),
        }
    }
}

/// The exact tables of a solver that the kernel builds.
#[derive(Debug)]
pub(crate) struct ExactTables {
    /// By the size of the board and the goal cell of the blank in their frame.
    kept: Mutex<HashMap<(Size, u8), Arc<ExactTable>>>,
    threads: usize,
}

impl ExactTables {
    /// No tables yet.
    pub fn new(config: &Config) -> Self {
        Self { kept: Mutex::default(), threads: config.threads.max(1) }
    }

    /// The table for boards in `frame`, built within the limits of `meter` if it is not there yet. Tables
    /// that no longer fit those limits together are dropped.
    fn get(&self, frame: &Orientation, meter: &mut Meter<'_>) -> Result<Arc<ExactTable>, Stop> {
        let mut kept = wait_for(&self.kept, meter)?;
        let key = (frame.size(), frame.blank());
        if let Some(table) = kept.get(&key) {
            meter.reserve_tables(table.bytes())?;
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(meter.off_the_clock(|meter| self.build(frame, meter))?);
        let held: u64 = kept.values().map(|table| table.bytes()).sum();
        if held + table.bytes() > meter.limits().max_bytes.unwrap_or(u64::MAX) {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&table));
        Ok(table)
    }

    /// From a thread of its own: a caller that is itself a thread of rayon would, while it waits for the
    /// pool, take up other work, which may be a search that waits for this very table.
    fn build(&self, frame: &Orientation, meter: &mut Meter<'_>) -> Result<ExactTable, Stop> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|_| Stop::Memory)?;
        let work = || pool.install(|| ExactTable::build(frame, Cpu::in_use(), meter));
        std::thread::scope(|scope| {
            scope.spawn(work).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

#[cfg(test)]
mod tests {
    use loyd_search::{Limits, Rankable, retrograde};
    use loyd_tiles::{ArraySpace, Goal};

    use super::*;

    #[test]
    fn tables_pay_on_ten_cells_and_for_many_boards() {
        let pays = |boards, size: &str| {
            pays(&Config { boards, ..Config::default() }, size.parse().unwrap())
        };
        assert!(pays(None, "2x5") && pays(Some(1), "5x2") && pays(None, "1x12"));
        assert!(!pays(None, "3x4") && !pays(Some(MANY - 1), "2x6"));
        assert!(pays(Some(MANY), "4x3") && pays(Some(MANY), "2x6"));
        assert!(!pays(Some(MANY), "2x7") && !pays(Some(MANY), "3x3"));
    }

    #[test]
    fn goals_that_differ_by_the_side_they_are_seen_from_share_a_table() {
        let (tables, mut meter) = (Tables::new(&Config::default()), Meter::default());
        for (goal, size) in [(Goal::BlankLast, "2x5"), (Goal::BlankFirst, "5x2")] {
            let space = ArraySpace::<16>::new(&goal.board(size.parse().unwrap()).unwrap());
            let exact = Exact::new(&space, &tables, &mut meter).unwrap();
            let plain = retrograde(&space, &mut Meter::default()).unwrap();
            for rank in (0..1_814_400).step_by(997) {
                let state = space.unrank(rank);
                assert_eq!(exact.h(&space, &state), plain.distance(&space, &state));
            }
        }
        assert_eq!(tables.kernel_exact.kept.lock().unwrap().len(), 1);
    }

    #[test]
    fn tables_that_do_not_fit_do_not_pay() {
        let limits = Limits { max_bytes: Some(50 << 20), ..Limits::default() };
        let config = Config { boards: Some(MANY), limits, ..Config::default() };
        assert!(pays(&config, "2x5".parse().unwrap()));
        assert!(!pays(&config, "3x4".parse().unwrap()));
    }
}
