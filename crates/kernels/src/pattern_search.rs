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
//! A child needs one table bit per half, usually two cache misses. The loop in [`engine`] overlaps them:
//!
//! | stage | does | reads | writes |
//! |---|---|---|---|
//! | pop | takes up to `LANES` nodes from the top | stack | registers |
//! | expand | makes all children, computes their bit indices, prefetches both cache lines | registers | queue |
//! | test | reads the bits of the `LANES` oldest children, updates D mod 4 and slack | queue | stack or pruned |
//!
//! While fewer than `LOOKAHEAD` children wait, the loop pops and expands; otherwise it tests. [`avx512`] handles eight
//! nodes per stage, [`scalar`] one; there is no AVX2 version.
//!
//! # Data
//! | module | holds |
//! |---|---|
//! | [`node`] | a node: five 64-bit words, stored as a structure of arrays; the path to each node, as (parent, move) entries |
//! | [`steps`] | move descriptors: constants by blank cell and last move; the move-pruning automaton ([`MoveRows`]), one word per state, which a node carries |
//! | [`tables`] | constants by tile (pattern, label, offset of the pattern's table), layout numbers by cell set |
//!
//! # Iterations
//! All nodes pruned in one iteration have the same f, the bound + 2. As long as there are at most `MAX_FRONTIER` of
//! them, the next iteration starts from these *seeds*, the deepest first, rather than from the root. This skips the
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
#[cfg(target_arch = "x86_64")]
mod lookups;
mod node;
mod runner;
mod scalar;
mod seeds;
mod steps;
mod tables;
#[cfg(feature = "parallel")]
mod workers;

use std::sync::Arc;

use loyd_heuristics::pdb::Database;
use loyd_search::{Cost, IterationEnd, Meter, Outcome, Stop, run_iterations};
use loyd_tiles::Move;

use crate::cpu::{Cpu, Level};
use crate::move_rows::MoveRows;
use crate::solvable::is_solvable;
use engine::Engine;
use node::{Nodes, SLACK};
use runner::Runner;
use seeds::Seeds;
use steps::Rows;
use tables::Tables;

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
    runner: Runner,
    threads: usize,
    /// One per thread, created when first needed.
    engines: Vec<Engine>,
    seeds: Seeds,
    /// Parent links of the seeds and their ancestors.
    seed_links: Vec<u32>,
    /// Number of nodes expanded and generated above the seeds, which the current iteration skips but counts.
    skipped: (u64, u64),
}

/// Maximum number of pruned nodes kept as seeds of the next iteration.
const MAX_FRONTIER: usize = 1 << 16;
/// Like [`MAX_FRONTIER`], with several threads. Lower, because larger iterations are worth sharing.
const MAX_SHARED_FRONTIER: usize = 1 << 14;
/// Length of the longest shortest solution of a 15-puzzle board. A higher bound means that the tables are corrupt.
const MAX_SOLUTION: Cost = 80;

impl PatternSearch {
    /// Returns whether this kernel supports `database`: 4x4 boards, at most three patterns, at most eight tiles each.
    pub fn supports(database: &Database) -> bool {
        Tables::supports(database)
    }

    /// Creates a search with `database` along the paths that `rows` allow.
    ///
    /// Uses the highest instruction level up to `cpu` that has a kernel, and up to `threads` threads (one without the
    /// feature `parallel`). Returns `None` if the kernel does not [support](Self::supports) the database, or if the
    /// automaton has more than 65,535 states or is for boards of other than 16 cells.
    pub fn new(
        database: &Arc<Database>,
        rows: &MoveRows,
        cpu: Cpu,
        threads: usize,
    ) -> Option<Self> {
        let (tables, rows) = (Tables::new(database)?, Rows::new(rows)?);
        let runner = Runner { level: Level::at_most(cpu), tables, rows };
        Some(Self {
            runner,
            threads: if cfg!(feature = "parallel") { threads.max(1) } else { 1 },
            engines: vec![Engine::new()],
            seeds: Seeds::default(),
            seed_links: Vec::new(),
            skipped: (0, 0),
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
        if !is_solvable(start, self.runner.tables.blank(), 4) {
            return Outcome::Exhausted;
        }
        let Some((mut root, sums)) = self.runner.tables.root(start) else {
            return Outcome::Stopped(Stop::Tables);
        };
        let bound = sums[0].max(sums[1]);
        // Each move raises f by 0 or 2, so slack is counted in steps of two. The board and its transpose have the same
        // parity, so the difference is even.
        let slack = sums.map(|sum| u64::from((bound - sum) / 2));
        root.meta += slack[0] << SLACK | slack[1] << (32 + SLACK);
        let blank = start.iter().position(|&goal| goal == self.runner.tables.blank());
        root.state = self.runner.rows.start(blank.unwrap_or(0));
        self.seeds.set_root(root);
        self.seed_links.clear();
        self.seed_links.push(0);
        self.skipped = (0, 0);
        let is_goal = root.board == Tables::GOAL;
        run_iterations(bound, meter, &mut |bound, meter| {
            if is_goal {
                return Ok(IterationEnd::Solved { path: Vec::new(), cost: 0 });
            }
            if bound > MAX_SOLUTION {
                return Err(Stop::Tables);
            }
            meter.reserve(self.bytes())?;
            self.iterate(bound, meter)
        })
    }

    /// Returns the memory used apart from the database, in bytes.
    pub fn bytes(&self) -> u64 {
        let layouts = size_of_val(&*self.runner.tables.layouts) as u64;
        let constants = layouts + self.runner.rows.bytes();
        // Two sets of nodes: the seeds, and the nodes that the current iteration prunes.
        constants + 2 * Nodes::bytes(self.max_frontier()) + self.threads as u64 * Engine::bytes()
    }

    fn max_frontier(&self) -> usize {
        if self.threads > 1 { MAX_SHARED_FRONTIER } else { MAX_FRONTIER }
    }

    /// Runs one iteration: searches everything within `bound`.
    fn iterate(&mut self, bound: Cost, meter: &mut Meter<'_>) -> Result<IterationEnd<Move>, Stop> {
        self.count_skipped(meter)?;
        let before = (meter.expanded(), meter.generated());
        // `raised` above 1 means that the last iteration pruned too many nodes to keep: enough work for all threads.
        let shared = self.threads > 1 && self.seeds.raised() > 1;
        let threads = if shared { self.threads } else { 1 };
        while self.engines.len() < threads {
            self.engines.push(Engine::new());
        }
        for engine in &mut self.engines {
            engine.start_iteration(self.seed_links.len());
        }
        if !shared {
            let max_frontier = self.max_frontier();
            self.engines[0].keep_pruned(max_frontier);
        }
        let queue = self.seeds.queue(threads);
        let engines = &mut self.engines[..threads];
        #[cfg(feature = "parallel")]
        if shared {
            workers::run(&self.runner, engines, &queue, meter)?;
        }
        let found = |engines: &[Engine]| engines.iter().any(|engine| engine.goal.is_some());
        // The workers stop early near an expansion limit; one engine after the other then finishes its share.
        for index in 0..threads {
            if !found(engines) {
                self.runner.finish(&mut engines[index], &queue, meter)?;
            }
        }
        for engine in engines {
            if let Some((link, depth)) = engine.goal {
                if depth > bound {
                    return Err(Stop::Tables);
                }
                let path = engine.links.path(&self.seed_links, link, depth);
                return Ok(IterationEnd::Solved { path, cost: depth });
            }
        }
        self.adopt_frontier((meter.expanded() - before.0, meter.generated() - before.1));
        Ok(IterationEnd::Unsolved { next_bound: Some(bound + 2) })
    }

    /// Counts the nodes above the seeds, which an earlier iteration expanded.
    fn count_skipped(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.check()?;
        let expanded = self.skipped.0.min(meter.remaining_expansions());
        meter.expand_many(expanded);
        meter.generate(self.skipped.1);
        if expanded < self.skipped.0 { Err(Stop::Expanded) } else { Ok(()) }
    }

    /// Makes the pruned nodes the seeds of the next iteration, provided that all of them were kept. `counts` are the
    /// nodes expanded and generated in this iteration.
    fn adopt_frontier(&mut self, counts: (u64, u64)) {
        let engine = &mut self.engines[0];
        if engine.has_all_pruned() {
            self.seed_links.extend(&engine.links.entries[..engine.links.len]);
            self.seeds.replace(&mut engine.pruned);
            self.skipped = (self.skipped.0 + counts.0, self.skipped.1 + counts.1);
        }
        self.seeds.raise();
    }
}

#[cfg(test)]
mod tests;
