//! Search kernels that a solver keeps for the next board.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Orientation, PatternSum, Position, Sample};
use loyd_kernels::{Cpu, LargestSumSearch, MoveRows, PatternSearch, Progress, Share};
use loyd_search::{Automaton, Cost, Meter, Outcome, Stop};
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
    pruning: Pruning,
    threads: usize,
    search: PatternSearch,
}

/// A kernel for boards of more than 16 cells.
struct Large {
    database: Arc<Database>,
    pruning: Pruning,
    threads: usize,
    search: LargestSumSearch,
}

/// What prunes a search, and the moves of boards that stand for canonical ones: where the rows of a kernel come from.
struct Pruning {
    automaton: Option<Arc<Automaton>>,
    moves: [Move; 4],
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
    /// No round begins after rounds of so many expansions.
    pub until: Option<u64>,
    /// How often it tells how far it is.
    pub interval: Duration,
}

impl IdleKernels {
    /// IDA* with `sum` from `position` by the kernel, pruned by `automaton`, on up to so many threads; `None` if there
    /// is no kernel for such tables, or none for such an automaton.
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
                let search = PatternSearch::new(database, &rows, Cpu::in_use(), threads)?;
                let pruning = Pruning::new(automaton, orientation);
                Idle { database: Arc::clone(database), pruning, threads, search }
            }
        };
        let outcome = idle.search.solve(position.first_chunk()?, meter);
        self.put_back(idle);
        Some(on_board(outcome, orientation))
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

    /// Nodes that it expands: see [`LargestSumSearch::samples`]; `None` if there is no kernel for such tables. The kernel is
    /// dropped, because a search with other tables follows.
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

    /// Drops the one for larger boards, and with it its hold on tables.
    pub fn forget_large(&self) {
        *lock(&self.large) = None;
    }

    fn take_large(&self, with: &LargeSearch<'_>) -> Option<Large> {
        let idle = lock(&self.large).take().filter(|idle| idle.is_for(with));
        let mut large = idle.or_else(|| Large::new(with))?;
        let search = large.search.with_beams(with.widest).with_share(with.share);
        large.search = search.with_rounds_until(with.until).with_interval(with.interval);
        Some(large)
    }

    /// The bytes of all of them, without their tables.
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
    ) -> Option<Idle> {
        let mut all = lock(&self.fifteen);
        let fits = |idle: &Idle| {
            Arc::ptr_eq(&idle.database, database)
                && idle.pruning.is_by(automaton, orientation)
                && idle.threads == threads
        };
        let place = all.iter().position(fits)?;
        Some(all.swap_remove(place))
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
        if !LargestSumSearch::takes(with.database.partition()) {
            return None;
        }
        let rows = rows_of(with.automaton, with.orientation)?;
        let search =
            LargestSumSearch::new(with.database, Arc::new(rows), Cpu::in_use(), with.threads)?;
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
            (Some(own), Some(other)) => {
                Arc::ptr_eq(own, other) && self.moves == moves_of(orientation)
            }
            _ => false,
        }
    }
}

/// The moves on a board that stand for those in canonical orientation.
fn moves_of(orientation: &Orientation) -> [Move; 4] {
    Move::ALL.map(|m| orientation.from_canonical(m))
}

/// The rows of an automaton for the moves of a board, as moves in canonical orientation: the search refuses what the
/// generic one refuses on the board. Without one, moves that take the last one back are refused.
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
