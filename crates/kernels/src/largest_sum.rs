//! IDA* with the largest of several sums over pattern databases, on boards of 17 to 25 cells.
//!
//! Each pattern is a *lane* of the vectors in a node. A move changes the distance of each pattern that has its tile by
//! one, up or down, and one bit of a table tells which: so all sums are carried along, and a child costs a lookup
//! for each pattern of its tile, up to eight at once. Sixteen nodes are expanded together, and all bits are asked
//! for before the first is looked at.
//!
//! **Which moves a path may go on with** is told by an automaton, [`MoveRows`].
//!
//! **Looking ahead.** A round costs some seven times as much as the one before, so the last round would be most of the
//! work. But most solutions do not exceed the bound of the round before until they are near the goal. So
//! there each round follows paths that exceed its bound by two moves, for about a tenth of its expansions. If
//! one of them reaches the goal, it is a shortest solution as soon as the round is complete, and the next round, which
//! would be the last, is not searched.
//!
//! **Beams** look before each round for a solution exactly as long as its bound, in the same hope. A beam that finds
//! nothing proves nothing.
//!
//! **Threads** share a round: one that has nothing left is given nodes that another has not expanded yet, those highest
//! up. What is left of a round at any time is a list of nodes, so a search may be put aside and continued
//! elsewhere: see [`Progress`].
//!
//! # References
//! Korf and Felner (2002), "Disjoint pattern database heuristics", Artificial Intelligence 134; Clausecker and Reinefeld
//! (2019), "Zero-aware pattern databases with 1-bit compression for sliding tile puzzles", SoCS.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod beam;
mod engine;
mod jumps;
mod kept;
mod lane;
mod layer;
mod node;
mod pool;
mod progress;
mod runner;
mod samples;
mod scalar;
#[cfg(not(feature = "parallel"))]
mod single;
mod split;
mod steps;
mod tables;
#[cfg(feature = "parallel")]
mod threads;

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::Arc;
use std::time::Duration;

use loyd_heuristics::pdb::{Database, Partition};
use loyd_search::{Cost, Meter, Outcome, Round, Stop, deepen};
use loyd_tiles::Move;

use crate::cpu::{Cpu, Level};
use crate::move_rows::MoveRows;
use crate::solvable::is_solvable;
use beam::Beam;
use engine::Engine;
use layer::Layer;
use node::{Node, SUMS};
use pool::Rest;
use progress::AHEAD;
pub use progress::{Pending, Progress};
use runner::Runner;
pub use split::Share;
use tables::Tables;

/// IDA* with the largest of the sums over the patterns of the partitions of a [`Database`], and of the sums for the
/// transpose of the board where the goal allows it: what [`loyd_search::idastar`] does with
/// [`LargestSum`](loyd_heuristics::pdb::LargestSum) and the same automaton.
///
/// Made once for a database and used for any number of boards. All completed rounds expand and generate as many nodes
/// as the generic search, on any number of threads.
///
/// Cost: memory for the constants of the patterns, a few megabytes; with beams, their layers.
pub struct LargestSumSearch {
    runner: Runner,
    rows: Arc<MoveRows>,
    engines: Vec<Engine>,
    beam: Beam,
    /// The widest beam; 0 for none.
    widest: usize,
    /// How far ahead the first round looks; 0 for rounds that never do.
    ahead: u32,
    /// A beam follows a round that expands so many nodes.
    least_round: u64,
    /// What is searched of each round; all of it for none.
    share: Option<Share>,
    /// No round begins after rounds of so many expansions.
    until: Option<u64>,
    /// How often a search tells how far it is.
    interval: Duration,
}

/// The slack in places of a node that have no sum.
const ENDLESS: i8 = i8::MAX;
/// Larger slack is cut to this: no path uses it up.
const MOST_SLACK: u32 = ENDLESS as u32 - 1;
/// The longest solution that a node can hold.
const LONGEST: Cost = node::LONGEST - 1;

/// A round that expands fewer nodes is not worth a beam before the next one.
const LEAST_ROUND: u64 = 1_000_000;
/// The widest beam.
const WIDEST: usize = 1_000_000;
/// A beam keeps this part of the nodes that the last round expanded, in each of its layers. On 28 of 39 boards of Korf and
/// Felner it finds a solution, and on two more if it is four times as wide.
const BEAM_SHARE: u64 = 1000;

impl LargestSumSearch {
    /// Whether there is a kernel for these partitions: for boards of 17 to 25 cells in two to five columns, whose goal is
    /// whole, with at most 31 patterns and 16 sums, transposes included, at most eight patterns for each tile and eight
    /// tiles for each pattern, each tile in each sum, and at most 8 GiB of tables.
    pub fn takes(partition: &Partition) -> bool {
        Tables::takes(partition)
    }

    /// A search with `database` that refuses the moves that `rows` refuse, on the highest level of instructions up to
    /// `cpu` for which there is a kernel, on up to `threads` threads (one without the feature `parallel`); `None` for
    /// partitions that no kernel [takes](Self::takes), and for rows of another size.
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
            widest: 0,
            ahead: AHEAD,
            least_round: LEAST_ROUND,
            share: None,
            until: None,
            interval: Progress::INTERVAL,
        })
    }

    /// The same with a beam of at most `widest` nodes before each round, and of no more than a layer can have; without one
    /// for 0.
    #[must_use]
    pub fn with_beams(mut self, widest: usize) -> Self {
        let widest = widest.min(Layer::WIDEST);
        if widest < self.widest {
            self.beam = Beam::default();
        }
        self.widest = widest;
        self
    }

    /// The same with this share of each round alone. Shares add up: all of them together expand and generate as many
    /// nodes as a search of all, in each round that all of them complete, and one of them finds a shortest solution.
    ///
    /// # Panics
    /// If there are no shares, or not so many.
    #[must_use]
    pub fn with_share(self, share: Option<Share>) -> Self {
        assert!(share.is_none_or(|share| share.index < share.count), "a share that there is");
        Self { share, ..self }
    }

    /// The same that ends with [`Stop::Expanded`] before the first round that would follow complete rounds of so many
    /// expansions in all, unless a solution is known by then: what it has done is the same on any number of threads.
    #[must_use]
    pub fn with_rounds_until(self, until: Option<u64>) -> Self {
        Self { until, ..self }
    }

    /// The same that tells how far it is at least so often, in place of every [`Progress::INTERVAL`].
    #[must_use]
    pub fn with_interval(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// The widest beam that takes no more than so many bytes, and no more than pays: see [`with_beams`](Self::with_beams).
    pub fn widest_beam(bytes: u64) -> usize {
        Beam::widest(bytes).min(WIDEST)
    }

    /// Bytes of everything but the tables.
    pub fn bytes(&self) -> u64 {
        let engines: u64 = self.engines.iter().map(Engine::bytes).sum();
        engines + self.rows.bytes() + self.beam.held_bytes()
    }

    /// A shortest path from `start`, the goal cell of what lies on each cell, as moves of the blank in canonical
    /// orientation, or [`Outcome::Exhausted`] if the parity of `start` is not that of the goal. Wrong tables
    /// may give any outcome, but no panic.
    ///
    /// Limits, cancellation and the observer are checked every few thousand expansions.
    pub fn solve(&mut self, start: &[u8], meter: &mut Meter<'_>) -> Outcome<Move> {
        self.continue_from(start, &mut Progress::default(), meter, &mut |_| {})
    }

    /// The same from where a search of `start` was put aside. `keep` is called from time to time, when a round is
    /// over and at least every [interval](Self::with_interval) by the clock of `meter`, with all that it takes to continue. What
    /// no search of `start` has put aside ends with [`Stop::Tables`]: other rounds, paths that leave the board or the
    /// bound, or a solution that is none.
    ///
    /// # Panics
    /// If `start` is no board of the size.
    pub fn continue_from(
        &mut self,
        start: &[u8],
        progress: &mut Progress,
        meter: &mut Meter<'_>,
        keep: &mut dyn FnMut(&Progress),
    ) -> Outcome<Move> {
        assert_eq!(start.len(), self.runner.tables.size.cells(), "a board of the size");
        let all = start.iter().fold(0_u64, |all, &goal| all | 1 << (goal & 63));
        assert_eq!(all, (1 << start.len()) - 1, "each goal cell once");
        if !self.is_solvable(start) {
            return Outcome::Exhausted;
        }
        let Some((root, sums)) = self.runner.tables.root(start) else {
            return Outcome::Stopped(Stop::Tables);
        };
        let h = sums.into_iter().max().unwrap_or(0);
        if !(progress.is_of(h) && progress.has_sound_solution(&self.runner.tables, start)) {
            return Outcome::Stopped(Stop::Tables);
        }
        progress.begin(h, self.ahead);
        let bound = progress.bound;
        // A share proves nothing by itself, but no solution is shorter than the tables tell.
        if let Err(stop) = meter.at_least(h) {
            return Outcome::Stopped(stop);
        }
        deepen(bound, meter, |bound, meter| {
            let bytes = self.bytes();
            meter.reserve(bytes)?;
            let Some(root) = self.within(&root, &sums, bound) else {
                return Err(if bound > LONGEST { Stop::Depth } else { Stop::Tables });
            };
            progress.bound = bound;
            if h == 0 {
                return Ok(Round::Solved { path: Vec::new(), cost: 0 });
            }
            let path = self.round(&root, progress, meter, keep)?;
            Ok(match path {
                Some(path) => Round::Solved { cost: path.len() as Cost, path },
                None => Round::Failed { least_overrun: Some(bound + 2) },
            })
        })
    }

    /// The start with what its sums may still grow by.
    fn within(&self, root: &Node, sums: &[u32; SUMS], bound: Cost) -> Option<Node> {
        let mut root = Node { automaton: self.rows.start(root.blank), ..root.clone() };
        let count = self.runner.tables.sums.len();
        root.slack = [ENDLESS; SUMS];
        for (slack, sum) in root.slack[..count].iter_mut().zip(sums) {
            *slack = ((bound - sum) / 2).min(MOST_SLACK) as i8;
        }
        (bound <= LONGEST).then_some(root)
    }

    /// Searches everything within the bound: first with a beam, if that may pay.
    fn round(
        &mut self,
        root: &Node,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
        keep: &mut dyn FnMut(&Progress),
    ) -> Result<Option<Vec<Move>>, Stop> {
        let mut rest = match progress.pending.is_empty() {
            false => {
                let engine = &mut self.engines[0];
                progress.rest(&self.runner, &self.rows, root, engine).ok_or(Stop::Tables)?
            }
            true => match self.begin_round(root, progress, meter)? {
                Continue(rest) => rest,
                Break(path) => return Ok(Some(path)),
            },
        };
        loop {
            let (clock, begun) = (meter.clock(), meter.clock().now());
            let mut look = || clock.now().saturating_sub(begun) >= self.interval;
            let (engines, within) = (&mut self.engines, progress.within());
            let found = pool::search(
                &self.runner,
                &self.rows,
                within,
                engines,
                &mut rest,
                meter,
                &mut look,
            );
            progress.take(&rest);
            if let Ok(Some(goal)) = found {
                meter.ended_by("round");
                return Ok(Some(goal.moves()));
            }
            // Whatever stops the search: a round that is complete is not searched again, and a solution that it found ahead
            // is proved.
            let is_complete = rest.nodes.is_empty();
            if is_complete {
                progress.end_round();
            }
            keep(progress);
            match found {
                Err(stop) if !is_complete || progress.solution.is_none() => return Err(stop),
                _ if is_complete => return Ok(None),
                _ => {}
            }
        }
    }

    /// What is to be searched within the bound, or a path to the goal that is found before.
    fn begin_round(
        &mut self,
        root: &Node,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<Vec<Move>, Rest>, Stop> {
        if let Some(path) = progress.solution.take() {
            meter.ended_by("ahead");
            return Ok(Break(path));
        }
        let complete: u64 = progress.rounds.iter().map(|round| round.1).sum();
        if self.until.is_some_and(|until| complete >= until) {
            return Err(Stop::Expanded);
        }
        if let Some(goal) = self.beam(root, progress, meter)? {
            meter.ended_by("beam");
            return Ok(Break(goal.moves()));
        }
        progress.start_round();
        let Some(share) = self.share else {
            return Ok(Continue(Rest { nodes: vec![root.clone()], ..Rest::default() }));
        };
        let within = (root, progress.bound as u8);
        let engine = &mut self.engines[0];
        let begun = split::begin(&self.runner, &self.rows, within, share, engine, meter)?;
        Ok(begun.map_break(|goal| goal.moves()))
    }

    /// Looks for a solution as long as the bound with a beam, if that may pay.
    fn beam(
        &mut self,
        root: &Node,
        progress: &mut Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Box<Node>>, Stop> {
        let bound = progress.bound as u8;
        let last = progress.rounds.last().map_or(0, |round| round.1);
        if self.widest == 0 || last < self.least_round {
            return Ok(None);
        }
        if !Beam::is_for(bound) {
            return Ok(None);
        }
        let width = usize::try_from(last / BEAM_SHARE).unwrap_or(usize::MAX).min(self.widest);
        meter.reserve(self.bytes() - self.beam.held_bytes() + Beam::bytes(width))?;
        let (stage, with) = meter.current_stage();
        meter.stage("beam", with)?;
        let before = (meter.expanded(), meter.generated());
        let engine = &mut self.engines[0];
        let goal = self.beam.search(&self.runner, root, (bound, width), engine, meter)?;
        progress.beside.0 += meter.expanded() - before.0;
        progress.beside.1 += meter.generated() - before.1;
        if goal.is_none() {
            meter.stage(stage, with)?;
        }
        Ok(goal)
    }

    /// Whether the goal can be reached.
    fn is_solvable(&self, start: &[u8]) -> bool {
        let tables = &self.runner.tables;
        is_solvable(start, tables.blank(), tables.size.width())
    }
}

#[cfg(test)]
mod tests;
