//! IDA* on 4x4 boards with additive pattern databases, as a software pipeline that hides memory latency.
//!
//! # Heuristic
//! h is the sum of the pattern distances. If the goal cell of the blank lies on the main diagonal, h is the larger of
//! that sum and the sum for the transposed board (rows and columns exchanged), which the same tables serve. A node
//! therefore carries most of its data twice, in two 32-bit halves: low for the board, high for its transpose.
//!
//! A table stores bit 1 of each distance D. A move of a tile of the pattern changes D by exactly 1, so the node's
//! D mod 4 and the new bit decide whether D rose or fell. f then rises by 2 or stays. The search carries the *slack*
//! (bound − f) / 2 of each half and prunes a node when either becomes negative.
//!
//! # Stages
//! A child needs one table bit per half, usually a cache miss each. So each kernel is a pipeline: it makes the children
//! of several nodes, prefetches what it will read, and reads the bits of the children that it made some time ago.
//!
//! | kernel | machine | nodes are | stages |
//! |---|---|---|---|
//! | [`portable`] | any | lines of a pool, named by number | expand, test of the likelier half, test of the other half for the survivors |
//! | [`avx512`] | x86-64 with AVX-512 VBMI | a structure of arrays, copied | pop, expand, test of both halves; eight nodes per instruction |
//!
//! # Data
//! | module | holds |
//! |---|---|
//! | [`tables`] | the database, the root of a search, and constants by tile |
//! | [`links`] | the path to each node, as (parent, move) entries |
//! | [`seeds`] | the nodes from which an iteration starts |
//! | [`iterations`] | the loop over the bounds, the same for both kernels |
//!
//! # Iterations
//! All nodes pruned in one iteration have the same f, the bound + 2. As long as there are at most
//! [`MAX_FRONTIER`](engine::Engine::MAX_FRONTIER) of them, the next iteration starts from these *seeds*, the deepest first, rather than from the root. This skips the
//! work of earlier iterations, and most of the last one too, because the solution usually lies below one of the first
//! seeds. Node counts are still exactly those of IDA\*: an iteration counts every node within its bound, including
//! nodes expanded by an earlier iteration. Once an iteration prunes too many nodes, the last complete set of seeds
//! stays in use.
//!
//! # Threads
//! The threads divide the seeds of an iteration among themselves. Iterations are shared only after the frontier has
//! outgrown its limit, so one thread solves the easy boards alone.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod engine;
mod iterations;
mod links;
mod portable;
mod seeds;
mod tables;
#[cfg(feature = "parallel")]
mod workers;

use std::sync::Arc;

use loyd_heuristics::pdb::Database;
use loyd_search::{Meter, Outcome, Stop};
use loyd_tiles::Move;

use crate::cpu::Cpu;
#[cfg(target_arch = "x86_64")]
use crate::cpu::Level;
use crate::move_rows::MoveRows;
use crate::solvable::is_solvable;
#[cfg(target_arch = "x86_64")]
use avx512::{VectorEngine, VectorTables};
use iterations::Iterations;
use portable::{BatchEngine, PortableTables};
use tables::{SLACK, Tables};

/// IDA* with the sum over the patterns of a [`Database`], and with the sum for the transpose where the goal allows it.
///
/// Equivalent to [`loyd_search::idastar`] with [`PatternSum`](loyd_heuristics::pdb::PatternSum) and an
/// [`Automaton`](loyd_search::Automaton) or [`NoUndo`](loyd_search::NoUndo).
///
/// Create one search per database and reuse it for any number of boards. All iterations but the last expand and
/// generate as many nodes as the generic search. The last one visits nodes in another order and counts all children
/// generated before the solution was found, whether or not they were tested.
///
/// Cost: constant memory, a few megabytes.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use loyd_heuristics::pdb::{Database, Partition, Plain};
/// use loyd_kernels::{Cpu, MoveRows, PatternSearch};
/// use loyd_search::{Meter, Outcome};
/// let size = loyd_tiles::Size::new(4, 4).unwrap();
/// let partition = Partition::named("5-5-5", size, 0).unwrap();
/// let database = Database::build::<Plain>(partition, &mut Meter::default()).unwrap();
/// let rows = MoveRows::no_undo(size);
/// let mut search = PatternSearch::new(&Arc::new(database), &rows, Cpu::detect(), 1).unwrap();
/// let start = [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3];
/// let outcome = search.solve(&start, &mut Meter::default());
/// assert!(matches!(outcome, Outcome::Solved { cost: 57, .. }));
/// ```
pub struct PatternSearch {
    tables: Arc<Tables>,
    iterations: Kernel,
}

/// The iterations on the chosen level.
enum Kernel {
    #[cfg(target_arch = "x86_64")]
    Avx512(Box<Iterations<VectorEngine>>),
    Portable(Box<Iterations<BatchEngine>>),
}

impl PatternSearch {
    /// Returns whether this kernel supports `database`: 4x4 boards, at most three patterns, at most eight tiles each.
    pub fn supports(database: &Database) -> bool {
        Tables::supports(database)
    }

    /// Creates a search with `database` along the paths that `rows` allow.
    ///
    /// Uses the highest instruction level up to `cpu` that has a kernel, and up to `threads` threads (one without the
    /// feature `parallel`). Returns `None` if the kernel does not [support](Self::supports) the database, or if the
    /// automaton has more than 65,535 states or is not for 4x4 boards.
    pub fn new(
        database: &Arc<Database>,
        rows: &MoveRows,
        cpu: Cpu,
        threads: usize,
    ) -> Option<Self> {
        // The kernels read the tables unchecked, so every move has to be legal on these boards.
        if rows.size() != Some(database.partition().size()) {
            return None;
        }
        let tables = Arc::new(Tables::new(database)?);
        let threads = if cfg!(feature = "parallel") { threads.max(1) } else { 1 };
        #[cfg(target_arch = "x86_64")]
        if let Some(constants) = VectorTables::new(Level::at_most(cpu), &tables, rows) {
            let iterations = Kernel::Avx512(Box::new(Iterations::new(constants, threads)));
            return Some(Self { tables, iterations });
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = cpu;
        let constants = PortableTables::new(&tables, rows)?;
        Some(Self {
            tables,
            iterations: Kernel::Portable(Box::new(Iterations::new(constants, threads))),
        })
    }

    /// Finds a shortest path from `start` as moves of the blank in canonical orientation.
    ///
    /// `start` holds, for each cell, the goal cell of the tile (or blank) on it. Returns [`Outcome::Exhausted`] if the
    /// parity of `start` differs from the goal's. Corrupt tables may give any outcome, but no panic.
    ///
    /// Limits, cancellation and the observer are checked every few thousand expansions, a fraction of a millisecond.
    pub fn solve(&mut self, start: &[u8; 16], meter: &mut Meter<'_>) -> Outcome<Move> {
        // The unchecked gathers rely on this: with each goal cell exactly once, every index stays inside its table.
        let cells =
            start.iter().fold(0_u32, |cells, &goal| cells | 1_u32.wrapping_shl(goal.into()));
        assert!(
            cells == 0xffff && start.iter().all(|&goal| goal < 16),
            "each goal cell must occur once"
        );
        if !is_solvable(start, self.tables.blank(), 4) {
            return Outcome::Exhausted;
        }
        let Some((mut root, sums)) = self.tables.root(start) else {
            return Outcome::Stopped(Stop::Tables);
        };
        let bound = sums[0].max(sums[1]);
        // Each move raises f by 0 or 2, so slack is counted in steps of two. The board and its transpose have the same
        // parity, so the difference is even.
        let slack = sums.map(|sum| u64::from((bound - sum) / 2));
        root.meta += slack[0] << SLACK | slack[1] << (32 + SLACK);
        let shared = self.tables.bytes();
        match &mut self.iterations {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(iterations) => iterations.solve(root, bound, shared, meter),
            Kernel::Portable(iterations) => iterations.solve(root, bound, shared, meter),
        }
    }

    /// Returns the memory used apart from the database, in bytes.
    pub fn bytes(&self) -> u64 {
        let iterations = match &self.iterations {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(iterations) => iterations.bytes(),
            Kernel::Portable(iterations) => iterations.bytes(),
        };
        self.tables.bytes() + iterations
    }
}

#[cfg(test)]
mod tests;
