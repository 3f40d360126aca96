//! IDA* on 4x4 boards with pattern databases, as a pipeline that does not wait for memory.
//!
//! A child needs one bit of the database for the board and one for its transpose, and both take long
//! to arrive from memory. So children wait in a queue. As long as too few wait, nodes are taken from a
//! stack, their children are made, and their bits requested; otherwise the oldest children are tested, and
//! those within the bound go to the stack. On AVX-512 all of that is done to eight nodes at once.
//!
//! **Rounds.** All nodes that a round cuts off have the same f, two above the bound. As long as they are
//! no more than some ten thousand they are kept, and the next round begins with them, the deepest
//! first, rather than at the start. That saves what earlier rounds have searched, and most of the last
//! round too, for the solution is usually below one of the first. Counts are those of IDA* all the same:
//! a round counts every node within its bound, those included that an earlier round has expanded.
//! When the nodes become too many, those of the last round that kept all go on serving.
//!
//! **Which moves a path may go on with** is told by an automaton, [`MoveRows`], whose row is one word here: a node carries
//! its state.
//!
//! **Threads** share the seeds of a round. Rounds are shared once nodes are too many to be kept, so
//! easy boards are for one thread alone.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod engine;
mod node;
mod parent_links;
mod rows;
mod runner;
mod scalar;
mod seeds;
mod steps;
mod tables;
#[cfg(feature = "parallel")]
mod workers;

use std::sync::Arc;

use loyd_heuristics::pdb::Database;
use loyd_search::{Cost, Meter, Outcome, Round, Stop, deepen};
use loyd_tiles::Move;

use crate::cpu::{Cpu, Level};
use crate::move_rows::MoveRows;
use crate::solvable::is_solvable;
use engine::Engine;
use node::{Nodes, SLACK};
use rows::Rows;
use runner::Runner;
use seeds::Seeds;
use tables::Tables;

/// IDA* with the sum over the patterns of a [`Database`], and with the sum for the transpose where the
/// goal allows it: what [`loyd_search::idastar`] does with
/// [`PatternSum`](loyd_heuristics::pdb::PatternSum) and an [`Automaton`](loyd_search::Automaton), or with
/// [`NoUndo`](loyd_search::NoUndo).
///
/// Made once for a database and used for any number of boards. All rounds but the last expand and
/// generate as many nodes as the generic search. In the last one the order differs, and children that
/// were made before the solution was found are counted whether they were looked at or not.
///
/// Cost: memory constant, some megabytes.
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
    /// One for each thread that was needed so far.
    engines: Vec<Engine>,
    seeds: Seeds,
    /// The parent links of the seeds.
    seed_links: Vec<u32>,
    /// Nodes expanded and generated above the seeds.
    above: (u64, u64),
}

/// Nodes beyond the bound that are kept.
const KEPT: usize = 1 << 16;
/// The same if there are threads to share them: a round that has more of them is worth sharing.
const KEPT_TO_SHARE: usize = 1 << 14;
/// No solution is longer, unless the tables are wrong.
const LONGEST: Cost = 80;
impl PatternSearch {
    /// Whether there is a kernel for `database`: one of 4x4 boards, with at most three patterns of at most eight
    /// tiles.
    pub fn takes(database: &Database) -> bool {
        Tables::takes(database)
    }

    /// A search with `database`, along the paths that `rows` allow, on the highest level of instructions up to `cpu`
    /// for which there is a kernel, on up to `threads` threads (one without the feature `parallel`); `None` for
    /// databases that no kernel [takes](Self::takes), and for automata of more than 65,535 states.
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
            above: (0, 0),
        })
    }

    /// A shortest path from `start`, the goal cell of what lies on each cell, as moves of the blank in canonical orientation, or
    /// [`Outcome::Exhausted`] if the parity of `start` is not that of the goal. Wrong tables
    /// may give any outcome, but no panic.
    ///
    /// Limits, cancellation and the observer are checked every few thousand expansions, a fraction of a
    /// millisecond.
    pub fn solve(&mut self, start: &[u8; 16], meter: &mut Meter<'_>) -> Outcome<Move> {
        // What keeps every number that is looked up with within its table.
        let cells =
            start.iter().fold(0_u32, |cells, &goal| cells | 1_u32.wrapping_shl(goal.into()));
        assert!(cells == 0xffff && start.iter().all(|&goal| goal < 16), "each goal cell once");
        if !is_solvable(start, self.runner.tables.blank(), 4) {
            return Outcome::Exhausted;
        }
        let Some((mut root, sums)) = self.runner.tables.root(start) else {
            return Outcome::Stopped(Stop::Tables);
        };
        let bound = sums[0].max(sums[1]);
        // Every step changes f by two or not at all.
        let slack = sums.map(|sum| u64::from((bound - sum) / 2));
        root.meta += slack[0] << SLACK | slack[1] << (32 + SLACK);
        let blank = start.iter().position(|&goal| goal == self.runner.tables.blank());
        root.state = self.runner.rows.start(blank.unwrap_or(0));
        self.seeds.set_root(root);
        self.seed_links.clear();
        self.seed_links.push(0);
        self.above = (0, 0);
        let is_goal = root.board == Tables::GOAL;
        deepen(bound, meter, |bound, meter| {
            if is_goal {
                return Ok(Round::Solved { path: Vec::new(), cost: 0 });
            }
            if bound > LONGEST {
                return Err(Stop::Tables);
            }
            meter.reserve(self.bytes())?;
            self.round(bound, meter)
        })
    }

    /// Bytes of everything but the tables.
    pub fn bytes(&self) -> u64 {
        let info = size_of_val(&*self.runner.tables.info) as u64;
        let info = info + self.runner.rows.bytes();
        info + 2 * Nodes::bytes(self.kept()) + self.threads as u64 * Engine::bytes()
    }

    fn kept(&self) -> usize {
        if self.threads > 1 { KEPT_TO_SHARE } else { KEPT }
    }

    /// Searches everything within `bound`.
    fn round(&mut self, bound: Cost, meter: &mut Meter<'_>) -> Result<Round<Move>, Stop> {
        self.count_above(meter)?;
        let before = (meter.expanded(), meter.generated());
        // Where nodes have been too many to keep, there is work for all threads.
        let shared = self.threads > 1 && self.seeds.raised() > 1;
        let threads = if shared { self.threads } else { 1 };
        while self.engines.len() < threads {
            self.engines.push(Engine::new());
        }
        for engine in &mut self.engines {
            engine.begin(self.seed_links.len());
        }
        if !shared {
            let kept = self.kept();
            self.engines[0].keep_cut(kept);
        }
        let queue = self.seeds.queue(threads);
        let engines = &mut self.engines[..threads];
        #[cfg(feature = "parallel")]
        if shared {
            workers::share(&self.runner, engines, &queue, meter)?;
        }
        let found = |engines: &[Engine]| engines.iter().any(|engine| engine.goal.is_some());
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
                return Ok(Round::Solved { path, cost: depth });
            }
        }
        self.adopt((meter.expanded() - before.0, meter.generated() - before.1));
        Ok(Round::Failed { least_overrun: Some(bound + 2) })
    }

    /// Counts the nodes of the round that an earlier one has searched.
    fn count_above(&self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        meter.check()?;
        let expanded = self.above.0.min(meter.left_to_expand());
        meter.expand_many(expanded);
        meter.generate(self.above.1);
        if expanded < self.above.0 { Err(Stop::Expanded) } else { Ok(()) }
    }

    /// Makes the nodes that the round cut off the seeds of the next one, if all were kept.
    fn adopt(&mut self, counts: (u64, u64)) {
        let engine = &mut self.engines[0];
        if engine.has_all_cut() {
            self.seed_links.extend(&engine.links.entries[..engine.links.len]);
            self.seeds.replace(&mut engine.cut);
            self.above = (self.above.0 + counts.0, self.above.1 + counts.1);
        }
        self.seeds.raise();
    }
}

#[cfg(test)]
mod tests;
