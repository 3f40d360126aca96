//! The iterations of a search, on the engines of one level.

use loyd_search::{Cost, IterationEnd, Meter, Outcome, Stop, run_iterations};
use loyd_tiles::Move;

use super::engine::{Engine, Root, finish};
use super::seeds::Seeds;
use super::tables::Tables;
#[cfg(feature = "parallel")]
use super::workers;

/// The state of a search, with engines for up to `threads` threads.
pub struct Iterations<E: Engine> {
    tables: E::Tables,
    threads: usize,
    /// One per thread, created when first needed.
    pub engines: Vec<E>,
    seeds: Seeds<E::Nodes>,
    /// Parent links of the seeds and their ancestors.
    seed_links: Vec<u32>,
    /// Number of nodes expanded and generated above the seeds, which the current iteration skips but counts.
    skipped: (u64, u64),
}

/// Like [`Engine::MAX_FRONTIER`], with several threads. Lower, because larger iterations are worth sharing.
const MAX_SHARED_FRONTIER: usize = 1 << 14;
/// Length of the longest shortest solution of a 15-puzzle board. A higher bound means that the tables are corrupt.
const MAX_SOLUTION: Cost = 80;

impl<E: Engine> Iterations<E> {
    /// Creates the state with the constants of the engines.
    pub fn new(tables: E::Tables, threads: usize) -> Self {
        Self {
            tables,
            threads,
            engines: vec![E::new()],
            seeds: Seeds::default(),
            seed_links: Vec::new(),
            skipped: (0, 0),
        }
    }

    /// Searches from `root`, starting with `bound`. `other_bytes` is the memory used outside of this struct.
    pub fn solve(
        &mut self,
        root: Root,
        bound: Cost,
        other_bytes: u64,
        meter: &mut Meter<'_>,
    ) -> Outcome<Move> {
        E::set_root(&mut self.seeds, &self.tables, root);
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
            meter.reserve(other_bytes + self.bytes())?;
            self.iterate(bound, meter)
        })
    }

    /// Returns the memory of the constants, the engines, the seeds and the pruned nodes, in bytes.
    pub fn bytes(&self) -> u64 {
        // Two sets of nodes: the seeds, and the nodes that the current iteration prunes.
        E::table_bytes(&self.tables)
            + 2 * E::pruned_bytes(self.max_frontier())
            + self.threads as u64 * E::bytes()
    }

    fn max_frontier(&self) -> usize {
        if self.threads > 1 { MAX_SHARED_FRONTIER } else { E::MAX_FRONTIER }
    }

    /// Runs one iteration: searches everything within `bound`.
    fn iterate(&mut self, bound: Cost, meter: &mut Meter<'_>) -> Result<IterationEnd<Move>, Stop> {
        self.count_skipped(meter)?;
        let before = (meter.expanded(), meter.generated());
        // `raised` above 1 means that the last iteration pruned too many nodes to keep: enough work for all threads.
        let shared = self.threads > 1 && self.seeds.raised > 1;
        let threads = if shared { self.threads } else { 1 };
        while self.engines.len() < threads {
            self.engines.push(E::new());
        }
        for engine in &mut self.engines {
            engine.start_iteration(&self.seeds, self.seed_links.len());
        }
        if !shared {
            let max_frontier = self.max_frontier();
            self.engines[0].keep_pruned(max_frontier);
        }
        let queue = self.seeds.queue(threads);
        let engines = &mut self.engines[..threads];
        #[cfg(feature = "parallel")]
        if shared {
            workers::run(&self.tables, engines, &queue, meter)?;
        }
        let found = |engines: &[E]| engines.iter().any(|engine| engine.goal().is_some());
        // The workers stop early near an expansion limit; one engine after the other then finishes its share.
        for index in 0..threads {
            if !found(engines) {
                finish(&mut engines[index], &self.tables, &queue, meter)?;
            }
        }
        for engine in engines {
            if let Some((link, depth)) = engine.goal() {
                if depth > bound {
                    return Err(Stop::Tables);
                }
                let path = engine.links().path(&self.seed_links, link, depth);
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
        if engine.replace_seeds(&mut self.seeds) {
            let links = engine.links();
            self.seed_links.extend(&links.entries[..links.len]);
            self.skipped = (self.skipped.0 + counts.0, self.skipped.1 + counts.1);
        }
        self.seeds.raised += 1;
    }
}
