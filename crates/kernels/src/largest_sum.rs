//! IDA* with the largest of several sums over pattern databases, on boards of 17 to 25 cells.
//!
//! Each pattern is a *lane* of the vectors in a node. A move changes the distance of every pattern with the tile by 1,
//! up or down, and one table bit decides which. So all sums are updated incrementally, and a child costs one lookup per
//! pattern of its tile, up to eight. Batches of sixteen nodes prefetch their table words before they read them.
//!
//! Read [`node`] for the layout of nodes, [`tables`] for the address of a table bit, [`engine`] for the stages of a
//! batch, whose operations are in [`steps`] and, with vector instructions, `avx2`.
//!
//! **Pruning.** An automaton, [`MoveRows`], forbids moves that lead to redundant paths.
//!
//! **Lookahead.** An iteration costs about seven times as much as the previous one, so the last one would dominate. But
//! most solutions stay within the previous bound until they are near the goal. Each iteration therefore follows paths
//! near their end that exceed its bound by two moves, for about a tenth of its expansions. If one of them reaches the
//! goal, it is proved shortest when the iteration is complete, and the next iteration, which would be the last, is
//! skipped.
//!
//! **Beams.** Before an iteration, a beam search tries to find a solution exactly as long as the bound, which saves
//! that iteration. A beam that fails proves nothing.
//!
//! **Threads** share an iteration by donating nodes near the root to idle threads. The rest of an iteration is always a
//! list of nodes, so a search can be suspended and resumed elsewhere; see [`Progress`].
//!
//! # References
//! Korf and Felner (2002), "Disjoint pattern database heuristics", Artificial Intelligence 134; Clausecker and
//! Reinefeld (2019), "Zero-aware pattern databases with 1-bit compression for sliding tile puzzles", SoCS.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod beam;
mod engine;
#[cfg(target_arch = "x86_64")]
mod lane_vectors;
mod lanes;
mod layer;
mod node;
mod pool;
mod progress;
mod runner;
mod samples;
#[cfg(target_arch = "x86_64")]
mod slot_vectors;
mod split;
mod steps;
mod tables;

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Partition};
use loyd_search::{Cost, IterationEnd, Meter, Outcome, Stop, run_iterations};
use loyd_tiles::Move;

use crate::cpu::{Cpu, Level};
use crate::move_rows::MoveRows;
use crate::solvable::is_solvable;
use beam::Beam;
use engine::Engine;
use layer::Layer;
use node::{Node, SUMS};
use pool::IterationState;
use progress::LOOKAHEAD;
pub use progress::{PendingNode, Progress};
use runner::Runner;
pub use split::ShardId;
use tables::Tables;

/// IDA* with the largest of the sums over the partitions of a [`Database`], including those for the transposed board if
/// the goal allows it: equivalent to [`loyd_search::idastar`] with [`LargestSum`](loyd_heuristics::pdb::LargestSum) and
/// the same automaton.
///
/// One search serves any number of boards. Complete iterations expand and generate as many nodes as the generic search,
/// on any number of threads.
///
/// Cost: a few megabytes for the constants of the patterns, and the layers of beams.
pub struct LargestSumSearch {
    runner: Runner,
    rows: Arc<MoveRows>,
    engines: Vec<Engine>,
    beam: Beam,
    /// Maximum width of beams; 0 for no beams.
    beam_width: usize,
    /// Lookahead of the first iteration in moves; 0 for no lookahead at all.
    lookahead: u32,
    /// Minimum number of nodes expanded by an iteration for a beam before the next one.
    min_expanded_for_beam: u64,
    /// Shard of each iteration to search; `None` for all of it.
    shard: Option<ShardId>,
    /// Number of nodes expanded by complete iterations after which no iteration is started.
    iteration_budget: Option<u64>,
    /// Minimum number of subtrees into which the next iteration is divided, instead of searching it.
    division: Option<usize>,
    /// Maximum time between two calls of `save`.
    interval: Duration,
}

/// Slack of unused sums: never decremented, so never negative.
const NO_SUM: i8 = i8::MAX;
/// Maximum slack: larger values are reduced to this one, which no path exhausts.
const MAX_SLACK: u32 = NO_SUM as u32 - 1;
/// Maximum length of a solution.
const MAX_MOVES: Cost = node::MAX_MOVES - 1;

/// Minimum number of nodes expanded by an iteration for a beam before the next one to be worthwhile.
const MIN_EXPANDED_FOR_BEAM: u64 = 1_000_000;
/// Maximum width of a beam that is worthwhile.
const MAX_BEAM_WIDTH: usize = 1_000_000;
/// Number of nodes expanded by the last iteration per node of the width of the beam. With this ratio the beam finds a
/// solution on 28 of 39 boards of Korf and Felner, and on two more if it is four times as wide.
const EXPANDED_PER_BEAM_NODE: u64 = 1000;

impl LargestSumSearch {
    /// Returns whether the kernel supports these partitions. It requires boards of 17 to 25 cells in two to five
    /// columns, a complete goal, at most 31 patterns and 16 sums (transposes included), at most eight patterns per tile
    /// and eight tiles per pattern, every tile in every sum, and at most 8 GiB of tables.
    pub fn supports(partition: &Partition) -> bool {
        Tables::supports(partition)
    }

    /// Creates a search with `database` and the automaton `rows`, with the instructions of the machine up to the level
    /// `cpu`, on up to `threads` threads (one without the feature `parallel`). Returns `None` if the kernel does not
    /// [support](Self::supports) the partitions, if their patterns leave the blank too many different regions (on boards
    /// of two columns), or if `rows` are for another size.
    pub fn new(
        database: &Arc<Database>,
        rows: Arc<MoveRows>,
        cpu: Cpu,
        threads: usize,
    ) -> Option<Self> {
        let tables = Tables::new(database)?;
        if rows.size() != Some(tables.size) {
            return None;
        }
        let beam_rows = MoveRows::no_undo(tables.size);
        let threads = if cfg!(feature = "parallel") { threads.max(1) } else { 1 };
        Some(Self {
            runner: Runner { level: Level::at_most(cpu), tables, beam_rows },
            rows,
            engines: (0..threads).map(|_| Engine::new()).collect(),
            beam: Beam::default(),
            beam_width: 0,
            lookahead: LOOKAHEAD,
            min_expanded_for_beam: MIN_EXPANDED_FOR_BEAM,
            shard: None,
            iteration_budget: None,
            division: None,
            interval: Progress::DEFAULT_SAVE_INTERVAL,
        })
    }

    /// Sets the maximum width of the beam before each iteration, at most 2²¹ nodes; 0 for no beams.
    #[must_use]
    pub fn with_beams(mut self, beam_width: usize) -> Self {
        let beam_width = beam_width.min(Layer::MAX_WIDTH);
        if beam_width < self.beam_width {
            self.beam = Beam::default();
        }
        self.beam_width = beam_width;
        self
    }

    /// Restricts the search to a shard of each iteration. All shards together expand and generate as many nodes as the
    /// whole search, in each iteration that all of them complete, and one of them finds a shortest solution.
    ///
    /// # Panics
    /// If the index of the shard is not below the number of shards.
    #[must_use]
    pub fn with_shard(self, shard: Option<ShardId>) -> Self {
        assert!(shard.is_none_or(|shard| shard.index < shard.count), "the shard must exist");
        Self { shard, ..self }
    }

    /// Stops the search with [`Stop::Expanded`] before a new iteration if the complete ones have expanded at least
    /// `until` nodes in total and no solution is known. Unlike a limit on expansions, this gives the same result on any
    /// number of threads.
    #[must_use]
    pub fn with_iterations_until(self, until: Option<u64>) -> Self {
        Self { iteration_budget: until, ..self }
    }

    /// Stops the search with [`Stop::Expanded`] when the top of the next iteration is expanded, down to the first level
    /// with at least `nodes` nodes, which are then [pending](Progress::pending). Iterations without such a level are
    /// completed before. Subsets of the nodes can be searched apart:
    /// see [`Progress::part`].
    #[must_use]
    pub fn with_division(self, nodes: Option<usize>) -> Self {
        Self { division: nodes, ..self }
    }

    /// Sets the maximum time between two calls of `save`; the default is [`Progress::DEFAULT_SAVE_INTERVAL`].
    #[must_use]
    pub fn with_interval(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// Returns the maximum width of a beam that takes at most `bytes` and is worthwhile, for
    /// [`with_beams`](Self::with_beams).
    pub fn max_beam_width(bytes: u64) -> usize {
        Beam::max_width(bytes).min(MAX_BEAM_WIDTH)
    }

    /// Returns the memory of the search in bytes, without the tables.
    pub fn bytes(&self) -> u64 {
        let engines: u64 = self.engines.iter().map(Engine::bytes).sum();
        engines + self.rows.bytes() + self.beam.held_bytes()
    }

    /// Returns a shortest path from `start` as moves of the blank in canonical orientation, or [`Outcome::Exhausted`]
    /// if the parity of `start` differs from that of the goal. `start` is the goal cell of the tile or blank on each
    /// cell. Wrong tables may give any outcome, but no panic.
    ///
    /// Limits, cancellation and the observer are checked every few thousand expansions.
    ///
    /// # Panics
    /// If `start` is not a board of the size.
    pub fn solve(&mut self, start: &[u8], meter: &mut Meter<'_>) -> Outcome<Move> {
        self.resume(start, &mut Progress::default(), meter, &mut |_| {})
    }

    /// Like [`solve`](Self::solve), but resumes the suspended search of `progress`. Calls `save` with the current
    /// progress after each iteration and at least every [interval](Self::with_interval) by the clock of `meter`.
    ///
    /// Returns [`Stop::Tables`] if no search of `start` can have produced `progress`: wrong bounds, paths that leave
    /// the board or the bound, or a solution that does not reach the goal.
    ///
    /// # Panics
    /// If `start` is not a board of the size.
    pub fn resume(
        &mut self,
        start: &[u8],
        progress: &mut Progress,
        meter: &mut Meter<'_>,
        save: &mut dyn FnMut(&Progress),
    ) -> Outcome<Move> {
        assert_eq!(start.len(), self.runner.tables.size.cells(), "wrong number of cells");
        let all = start.iter().fold(0_u64, |all, &goal| all | 1 << (goal & 63));
        assert_eq!(all, (1 << start.len()) - 1, "each goal cell must occur once");
        if !self.is_solvable(start) {
            return Outcome::Exhausted;
        }
        let Some((root, sums)) = self.runner.tables.root(start) else {
            return Outcome::Stopped(Stop::Tables);
        };
        let h = sums.into_iter().max().unwrap_or(0);
        if !(progress.fits(h) && progress.has_sound_solution(&self.runner.tables, start)) {
            return Outcome::Stopped(Stop::Tables);
        }
        progress.initialize(h, self.lookahead);
        let bound = progress.bound;
        // Holds for shards too: the estimate is a lower bound without any search.
        if let Err(stop) = meter.raise_lower_bound(h) {
            return Outcome::Stopped(stop);
        }
        run_iterations(bound, meter, &mut |bound, meter| {
            let bytes = self.bytes();
            meter.reserve(bytes)?;
            let Some(root) = self.root_with_slack(&root, &sums, bound) else {
                return Err(if bound > MAX_MOVES { Stop::Depth } else { Stop::Tables });
            };
            progress.bound = bound;
            if h == 0 {
                return Ok(IterationEnd::Solved { path: Vec::new(), cost: 0 });
            }
            let path = self.run_iteration(&root, progress, meter, save)?;
            Ok(match path {
                Some(path) => IterationEnd::Solved { cost: path.len() as Cost, path },
                None => IterationEnd::Unsolved { next_bound: Some(bound + 2) },
            })
        })
    }

    /// Returns the start node with the slack of its sums under `bound`; `None` if the bound exceeds the maximum length.
    fn root_with_slack(&self, root: &Node, sums: &[u32; SUMS], bound: Cost) -> Option<Node> {
        let mut root = Node { automaton: self.rows.start(root.blank), ..root.clone() };
        let count = self.runner.tables.sums.len();
        root.slack = [NO_SUM; SUMS];
        for (slack, sum) in root.slack[..count].iter_mut().zip(sums) {
            *slack = ((bound - sum) / 2).min(MAX_SLACK) as i8;
        }
        (bound <= MAX_MOVES).then_some(root)
    }

    /// Runs one iteration, or the rest of it, with a beam before a new one if that may pay. Returns a solution, if any.
    fn run_iteration(
        &mut self,
        root: &Node,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
        save: &mut dyn FnMut(&Progress),
    ) -> Result<Option<Vec<Move>>, Stop> {
        let mut state = match progress.pending.is_empty() {
            false => {
                let engine = &mut self.engines[0];
                progress.resume(&self.runner, &self.rows, root, engine).ok_or(Stop::Tables)?
            }
            true => match self.start_iteration(root, progress, meter, save)? {
                Continue(state) => state,
                Break(path) => return Ok(Some(path)),
            },
        };
        loop {
            let (clock, started) = (meter.clock(), meter.clock().now());
            let mut is_due = || clock.now().saturating_sub(started) >= self.interval;
            let (engines, limit) = (&mut self.engines, progress.limit());
            let found = pool::search(
                &self.runner,
                &self.rows,
                limit,
                engines,
                &mut state,
                meter,
                &mut is_due,
            );
            progress.record(&state);
            if let Ok(Some(goal)) = found {
                meter.set_ended_by("round");
                let path = goal.moves();
                // Of a part of an iteration, the result is the progress.
                if self.iteration_budget == Some(0) {
                    progress.solution = Some(path.clone());
                    progress.pending.clear();
                    save(progress);
                }
                return Ok(Some(path));
            }
            // Even if a limit stops the search: a complete iteration is never repeated, and it proves the solution that
            // its lookahead has found.
            let is_complete = state.nodes.is_empty();
            if is_complete {
                let lookahead = progress.lookahead;
                progress.finish_iteration();
                // A divided iteration without subtrees has no lookahead, so its counts do not predict the next one.
                if self.division.is_some() {
                    progress.lookahead = lookahead;
                }
            }
            save(progress);
            match found {
                Err(stop) if !is_complete || progress.solution.is_none() => return Err(stop),
                _ if is_complete => return Ok(None),
                _ => {}
            }
        }
    }

    /// Returns the state of a new iteration, or a solution that makes it unnecessary.
    fn start_iteration(
        &mut self,
        root: &Node,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
        save: &mut dyn FnMut(&Progress),
    ) -> Result<ControlFlow<Vec<Move>, IterationState>, Stop> {
        if let Some(path) = progress.solution.take() {
            meter.set_ended_by("ahead");
            return Ok(Break(path));
        }
        let complete: u64 = progress.iterations.iter().map(|iteration| iteration.1).sum();
        if self.iteration_budget.is_some_and(|budget| complete >= budget) {
            return Err(Stop::Expanded);
        }
        if let Some(goal) = self.beam(root, progress, meter)? {
            meter.set_ended_by("beam");
            return Ok(Break(goal.moves()));
        }
        progress.start_iteration();
        if let Some(nodes) = self.division {
            let (start, engine) = ((root, progress.bound as u8), &mut self.engines[0]);
            let state = split::top(&self.runner, &self.rows, start, nodes, engine, meter)?;
            if let Continue(state) = &state
                && !state.nodes.is_empty()
            {
                progress.record(state);
                save(progress);
                return Err(Stop::Expanded);
            }
            // Without such a level, the iteration is complete.
            return Ok(state.map_break(|goal| goal.moves()));
        }
        let Some(shard) = self.shard else {
            let nodes = vec![root.clone()];
            return Ok(Continue(IterationState { nodes, ..Default::default() }));
        };
        let start = (root, progress.bound as u8);
        let engine = &mut self.engines[0];
        let state = split::start(&self.runner, &self.rows, start, shard, engine, meter)?;
        Ok(state.map_break(|goal| goal.moves()))
    }

    /// Searches for a solution as long as the bound with a beam, if that may pay.
    fn beam(
        &mut self,
        root: &Node,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Box<Node>>, Stop> {
        let bound = progress.bound as u8;
        let last = progress.iterations.last().map_or(0, |iteration| iteration.1);
        if self.beam_width == 0 || last < self.min_expanded_for_beam {
            return Ok(None);
        }
        if !Beam::supports(bound) {
            return Ok(None);
        }
        let width = usize::try_from(last / EXPANDED_PER_BEAM_NODE)
            .unwrap_or(usize::MAX)
            .min(self.beam_width);
        meter.reserve(self.bytes() - self.beam.held_bytes() + Beam::bytes(width))?;
        let (stage, with) = meter.current_stage();
        meter.enter_stage("beam", with)?;
        let before = (meter.expanded(), meter.generated());
        let engine = &mut self.engines[0];
        let goal = self.beam.search(&self.runner, root, (bound, width), engine, meter)?;
        progress.outside_iterations.0 += meter.expanded() - before.0;
        progress.outside_iterations.1 += meter.generated() - before.1;
        if goal.is_none() {
            meter.enter_stage(stage, with)?;
        }
        Ok(goal)
    }

    /// Returns whether the goal can be reached.
    fn is_solvable(&self, start: &[u8]) -> bool {
        let tables = &self.runner.tables;
        is_solvable(start, tables.blank(), tables.size.width())
    }
}

#[cfg(test)]
mod tests;
