//! Search kernels that a solver keeps for the next board.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Orientation, PatternSum, Position, Sample};
use loyd_kernels::{Cpu, LargestSumSearch, MoveRows, PatternSearch, Progress, ShardId};
use loyd_search::{Automaton, Cost, Meter, Outcome, Stop};
use loyd_tiles::Move;

use crate::sync::lock;

/// The idle search kernels of a solver.
#[derive(Default)]
pub(crate) struct IdleKernels {
    fifteen: Mutex<Vec<IdleFifteen>>,
    /// The last kernel for larger boards.
    large: Mutex<Option<IdleLarge>>,
}

struct IdleFifteen {
    database: Arc<Database>,
    pruning: Pruning,
    threads: usize,
    search: PatternSearch,
}

/// An idle kernel for boards of more than 16 cells.
struct IdleLarge {
    database: Arc<Database>,
    pruning: Pruning,
    threads: usize,
    search: LargestSumSearch,
}

/// The automaton of a search, and the board's moves that correspond to the canonical ones. Together they determine the
/// move rows of a kernel.
struct Pruning {
    automaton: Option<Arc<Automaton>>,
    moves: [Move; 4],
}

/// Parameters of a search on boards of more than 16 cells.
pub(crate) struct LargeSearch<'a> {
    pub database: &'a Arc<Database>,
    pub orientation: &'a Orientation,
    pub automaton: Option<&'a Arc<Automaton>>,
    pub threads: usize,
    /// Width of the widest beam for which memory has room.
    pub widest: usize,
    /// Share of each iteration to search; all of it if `None`.
    pub shard: Option<ShardId>,
    /// No further iteration starts once complete iterations have taken this many expansions.
    pub until: Option<u64>,
    /// Minimum number of subtrees into which the next iteration is divided, instead of searching it.
    pub division: Option<usize>,
    /// Maximum time between two progress reports.
    pub interval: Duration,
}

impl IdleKernels {
    /// Runs IDA* with `sum` from `position` in a kernel, pruned by `automaton`, on up to `threads` threads. Returns
    /// `None` if no kernel supports such tables or such an automaton.
    pub fn idastar(
        &self,
        sum: &PatternSum,
        position: &Position,
        (automaton, threads): (Option<&Arc<Automaton>>, usize),
        meter: &mut Meter<'_>,
    ) -> Option<Outcome<Move>> {
        let (database, orientation) = (sum.database(), sum.orientation());
        let mut idle = match self.take(database, orientation, (automaton, threads)) {
            Some(idle) => idle,
            None => {
                let rows = rows_of(automaton, orientation)?;
                let search =
                    PatternSearch::new(database, &rows, Cpu::from_env_or_detect(), threads)?;
                let pruning = Pruning::new(automaton, orientation);
                IdleFifteen { database: Arc::clone(database), pruning, threads, search }
            }
        };
        let outcome = idle.search.solve(position.first_chunk()?, meter);
        self.put_back(idle);
        Some(to_board_moves(outcome, orientation))
    }

    /// Runs IDA* from `position` in the kernel for larger boards. Resumes from `progress`, and passes its progress to
    /// `keep` at intervals. Returns `None` if no kernel supports the tables.
    pub fn large(
        &self,
        with: &LargeSearch<'_>,
        position: &Position,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
        save: &mut dyn FnMut(&Progress),
    ) -> Option<Outcome<Move>> {
        let mut large = self.take_large(with)?;
        let start = &position[..with.orientation.size().cells()];
        let outcome = large.search.resume(start, progress, meter, save);
        *lock(&self.large) = Some(large);
        Some(to_board_moves(outcome, with.orientation))
    }

    /// Samples nodes that a search expands: see [`LargestSumSearch::samples`]. Returns `None` if no kernel supports the
    /// tables. Drops the kernel, because a search with other tables follows.
    pub fn samples(
        &self,
        with: &LargeSearch<'_>,
        position: &Position,
        (bound, count): (Cost, usize),
        meter: &mut Meter<'_>,
    ) -> Option<Result<Vec<Sample>, Stop>> {
        let mut large = self.take_large(with)?;
        let start = &position[..with.orientation.size().cells()];
        Some(large.search.samples(start, bound, count, meter))
    }

    /// Drops the kernel for larger boards, which releases its tables.
    pub fn forget_large(&self) {
        *lock(&self.large) = None;
    }

    fn take_large(&self, with: &LargeSearch<'_>) -> Option<IdleLarge> {
        let idle = lock(&self.large).take().filter(|idle| idle.is_for(with));
        let mut large = idle.or_else(|| IdleLarge::new(with))?;
        let search = large.search.with_beams(with.widest).with_shard(with.shard);
        large.search = search
            .with_iterations_until(with.until)
            .with_division(with.division)
            .with_interval(with.interval);
        Some(large)
    }

    /// Returns the bytes of all idle kernels, without their tables.
    pub fn held_bytes(&self) -> u64 {
        let all = lock(&self.fifteen);
        let fifteen: u64 = all.iter().map(|idle| idle.search.bytes()).sum();
        fifteen + lock(&self.large).as_ref().map_or(0, |large| large.search.bytes())
    }

    fn take(
        &self,
        database: &Arc<Database>,
        orientation: &Orientation,
        (automaton, threads): (Option<&Arc<Automaton>>, usize),
    ) -> Option<IdleFifteen> {
        let mut all = lock(&self.fifteen);
        let fits = |idle: &IdleFifteen| {
            Arc::ptr_eq(&idle.database, database)
                && idle.pruning.is_by(automaton, orientation)
                && idle.threads == threads
        };
        let place = all.iter().position(fits)?;
        Some(all.swap_remove(place))
    }

    fn put_back(&self, kernel: IdleFifteen) {
        let boards = |idle: &IdleFifteen| {
            let partition = idle.database.partition();
            (partition.size(), partition.blank())
        };
        let mut all = lock(&self.fifteen);
        // Kernels for other boards would keep alive tables that the cache has dropped.
        all.retain(|idle| boards(idle) == boards(&kernel));
        all.push(kernel);
    }
}

/// Converts the moves of an outcome from canonical orientation to the board's.
fn to_board_moves(outcome: Outcome<Move>, orientation: &Orientation) -> Outcome<Move> {
    match outcome {
        Outcome::Solved { path, cost } => {
            let path = path.into_iter().map(|m| orientation.from_canonical(m)).collect();
            Outcome::Solved { path, cost }
        }
        other => other,
    }
}

impl IdleLarge {
    fn new(with: &LargeSearch<'_>) -> Option<Self> {
        if !LargestSumSearch::supports(with.database.partition()) {
            return None;
        }
        let rows = rows_of(with.automaton, with.orientation)?;
        let search = LargestSumSearch::new(
            with.database,
            Arc::new(rows),
            Cpu::from_env_or_detect(),
            with.threads,
        )?;
        Some(Self {
            database: Arc::clone(with.database),
            pruning: Pruning::new(with.automaton, with.orientation),
            threads: with.threads,
            search,
        })
    }

    fn is_for(&self, with: &LargeSearch<'_>) -> bool {
        Arc::ptr_eq(&self.database, with.database)
            && self.pruning.is_by(with.automaton, with.orientation)
            && self.threads == with.threads
    }
}

impl Pruning {
    fn new(automaton: Option<&Arc<Automaton>>, orientation: &Orientation) -> Self {
        Self { automaton: automaton.map(Arc::clone), moves: moves_of(orientation) }
    }

    fn is_by(&self, automaton: Option<&Arc<Automaton>>, orientation: &Orientation) -> bool {
        match (&self.automaton, automaton) {
            (None, None) => true,
            (Some(own_automaton), Some(other)) => {
                Arc::ptr_eq(own_automaton, other) && self.moves == moves_of(orientation)
            }
            _ => false,
        }
    }
}

/// Returns the board's moves that correspond to the canonical ones.
fn moves_of(orientation: &Orientation) -> [Move; 4] {
    Move::ALL.map(|m| orientation.from_canonical(m))
}

/// Returns the rows of an automaton for canonical moves, such that the kernel prunes exactly what the generic search
/// prunes on the board. Without an automaton, only moves that undo the previous one are pruned. Returns `None` if no
/// kernel supports the automaton.
fn rows_of(automaton: Option<&Arc<Automaton>>, orientation: &Orientation) -> Option<MoveRows> {
    let Some(automaton) = automaton else {
        return Some(MoveRows::no_undo(orientation.size()));
    };
    let moves = moves_of(orientation).map(Move::index);
    let rows = automaton.rows::<4>()?.iter().map(|row| moves.map(|m| row[m]));
    let start = |cell: u8| automaton.start(orientation.origin(cell).index());
    let starts = (0..orientation.size().cells() as u8).map(start).collect();
    MoveRows::new(orientation.size(), rows, starts)
}
