//! Search kernels that a solver keeps for the next board.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Orientation, PatternSum, Position};
use loyd_kernels::{Cpu, LargestSumSearch, MoveRows, PatternSearch, Progress, Share};
use loyd_search::{Automaton, Meter, Outcome};
use loyd_tiles::Move;

use crate::sync::lock;

/// The idle search kernels of a solver.
#[derive(Default)]
pub(crate) struct IdleKernels {
    fifteen: Mutex<Vec<Idle>>,
    /// The last one for larger boards.
    large: Mutex<Option<Large>>,
}

struct Idle {
    database: Arc<Database>,
    threads: usize,
    search: PatternSearch,
}

/// A kernel for boards of more than 16 cells.
struct Large {
    database: Arc<Database>,
    /// The automaton that its rows come from, and the moves of boards that stand for canonical ones.
    automaton: Option<Arc<Automaton>>,
    moves: [Move; 4],
    threads: usize,
    search: LargestSumSearch,
}

/// A search on boards of more than 16 cells: tables, how boards are looked up in them, what prunes it, and threads.
pub(crate) struct LargeSearch<'a> {
    pub database: &'a Arc<Database>,
    pub orientation: &'a Orientation,
    pub automaton: Option<&'a Arc<Automaton>>,
    pub threads: usize,
    /// The widest beam that memory has room for.
    pub widest: usize,
    /// What is searched of each round; all of it for none.
    pub share: Option<Share>,
    /// How often it tells how far it is.
    pub interval: Duration,
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
        Some(on_board(outcome, sum.orientation()))
    }

    /// IDA* by the kernel for larger boards from `position`, which goes on from where `progress` says and tells `keep`
    /// how far it is; `None` if there is no kernel for such tables.
    pub fn large(
        &self,
        with: &LargeSearch<'_>,
        position: &Position,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
        keep: &mut dyn FnMut(&Progress),
    ) -> Option<Outcome<Move>> {
        let mut large = self.take_large(with)?;
        let start = &position[..with.orientation.size().cells()];
        let outcome = large.search.continue_from(start, progress, meter, keep);
        *lock(&self.large) = Some(large);
        Some(on_board(outcome, with.orientation))
    }

    /// Whether that search could go on from where `progress` says; `None` if there is no kernel for it.
    pub fn accepts(
        &self,
        with: &LargeSearch<'_>,
        position: &Position,
        progress: &Progress,
    ) -> Option<bool> {
        let mut large = self.take_large(with)?;
        let start = &position[..with.orientation.size().cells()];
        let accepts = large.search.accepts(start, progress);
        *lock(&self.large) = Some(large);
        Some(accepts)
    }

    fn take_large(&self, with: &LargeSearch<'_>) -> Option<Large> {
        let idle = lock(&self.large).take().filter(|idle| idle.is_for(with));
        let mut large = idle.or_else(|| Large::new(with))?;
        let search = large.search.with_beams(with.widest).with_share(with.share);
        large.search = search.with_interval(with.interval);
        Some(large)
    }

    /// The bytes of all of them, without their tables.
    pub fn held_bytes(&self) -> u64 {
        let all = lock(&self.fifteen);
        let fifteen: u64 = all.iter().map(|idle| idle.search.bytes()).sum();
        fifteen + lock(&self.large).as_ref().map_or(0, |large| large.search.bytes())
    }

    fn take(&self, database: &Arc<Database>, threads: usize) -> Option<PatternSearch> {
        let mut all = lock(&self.fifteen);
        let fits = |idle: &Idle| Arc::ptr_eq(&idle.database, database) && idle.threads == threads;
        let place = all.iter().position(fits)?;
        Some(all.swap_remove(place).search)
    }

    fn put_back(&self, kernel: Idle) {
        let boards = |idle: &Idle| {
            let partition = idle.database.partition();
            (partition.size(), partition.blank())
        };
        let mut all = lock(&self.fifteen);
        // Kernels for other boards would keep tables that may have been dropped.
        all.retain(|idle| boards(idle) == boards(&kernel));
        all.push(kernel);
    }
}

/// The outcome with the moves of a board for those in canonical orientation.
fn on_board(outcome: Outcome<Move>, orientation: &Orientation) -> Outcome<Move> {
    match outcome {
        Outcome::Solved { path, cost } => {
            let path = path.into_iter().map(|m| orientation.from_canonical(m)).collect();
            Outcome::Solved { path, cost }
        }
        other => other,
    }
}

impl Large {
    fn new(with: &LargeSearch<'_>) -> Option<Self> {
        if !LargestSumSearch::takes(with.database) {
            return None;
        }
        let rows = match with.automaton {
            Some(automaton) => rows_of(automaton, with.orientation)?,
            None => MoveRows::no_undo(with.orientation.size()),
        };
        let search =
            LargestSumSearch::new(with.database, Arc::new(rows), Cpu::in_use(), with.threads)?;
        Some(Self {
            database: Arc::clone(with.database),
            automaton: with.automaton.map(Arc::clone),
            moves: moves_of(with.orientation),
            threads: with.threads,
            search,
        })
    }

    fn is_for(&self, with: &LargeSearch<'_>) -> bool {
        let same_rows = match (&self.automaton, with.automaton) {
            (None, None) => true,
            (Some(own), Some(other)) => {
                Arc::ptr_eq(own, other) && self.moves == moves_of(with.orientation)
            }
            _ => false,
        };
        Arc::ptr_eq(&self.database, with.database) && same_rows && self.threads == with.threads
    }
}

/// The moves on a board that stand for those in canonical orientation.
fn moves_of(orientation: &Orientation) -> [Move; 4] {
    Move::ALL.map(|m| orientation.from_canonical(m))
}

/// The rows of an automaton for the moves of a board, as moves in canonical orientation: the search refuses what the
/// generic one refuses on the board.
fn rows_of(automaton: &Automaton, orientation: &Orientation) -> Option<MoveRows> {
    let moves = moves_of(orientation).map(Move::index);
    let rows = automaton.rows::<4>()?.iter().map(|row| moves.map(|m| row[m])).collect();
    let start = |cell: u8| automaton.start(orientation.origin(cell).index());
    let starts = (0..orientation.size().cells() as u8).map(start).collect();
    MoveRows::new(orientation.size(), rows, starts)
}
