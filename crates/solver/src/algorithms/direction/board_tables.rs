//! Board-specific tables: a set of pattern databases chosen for the board that is being searched.
//!
//! The catalogue suits all boards. For a single board, other patterns prune more: with a set chosen for it, a search
//! needs one to two thirds of the nodes.
//!
//! - When: the complete iterations of the chosen search have taken
//!   [`specific_tables_after`](crate::Config::specific_tables_after) expansions (100 million by default), no solution
//!   is known, and the memory limit has room for the largest set.
//! - Measurement: at least [`SAMPLES`] nodes are drawn from the largest iteration of at most [`SAMPLED_EXPANSIONS`]
//!   expansions. Each is looked up in [`TABLES`] tables, which are built and dropped one after the other. The set whose
//!   sums would have pruned the most of these nodes is chosen: see [`Partition::chosen_for_samples`].
//! - Result: a set of at most [`MAX_BYTES`], with which the search starts again in the same direction; or, if no set is
//!   better than the catalogue or memory is short, the search resumes with the catalogue, which is read or built again
//!   ([`TableFit::NoGain`]).
//! - Cost: some 25 s on two cores, as long as some 350 million expansions, and the iterations done so far, which are
//!   repeated. Samples and tables add nothing to the node counts; the expansions before the restart count outside the
//!   iterations.
//!
//! The choice depends on the board and the direction alone, so that counts are reproducible.

use std::sync::Arc;

use loyd_heuristics::file::AnyTableKey;
use loyd_heuristics::pdb::{Database, LargestSum, Partition, Sample};
use loyd_heuristics::threads::run_in_pool;
use loyd_kernels::{LargestSumSearch, Progress};
use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::Move;

use super::choice::{DirectionChoice, Relay, total_counts};
use crate::algorithms::large;
use crate::algorithms::row::{BoardTables, Checkpointer, Run, TableFit};
use crate::choices::Round;
use crate::heuristics::{SEARCH_BYTES, catalogue};
use crate::sync::lock;
use crate::tables::Build;

/// Number of candidate tables. With half as many, the choice takes half the time, and the search needs a sixth more
/// nodes in the median.
const TABLES: usize = 96;
/// Minimum number of sampled nodes.
const SAMPLES: usize = 4000;
/// Maximum expansions of the iteration from which nodes are sampled.
const SAMPLED_EXPANSIONS: u64 = 5_000_000;
/// Maximum bytes of the chosen tables.
const MAX_BYTES: u64 = 300 << 20;

impl DirectionChoice<'_, '_> {
    /// Searches in the chosen direction: with the catalogue first, and then with board-specific tables.
    pub(super) fn search_chosen(
        &mut self,
        chosen: Relay<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome<Move>, Stop> {
        let direction = chosen.direction;
        let may_fit = self.reverse.board_tables.get().is_none() && self.has_room(direction);
        let may_fit = may_fit && self.run.round != Some(Round::Finish);
        let until = self.run.config.table_choice_after().filter(|_| may_fit);
        let run = Run { checkpointer: Some(&chosen), iterations_until: until, ..*self.run };
        let outcome = self.search_from(direction, self.stage(direction), &run, meter)?;
        let is_stopped = outcome == Outcome::Stopped(Stop::Expanded);
        let Some(until) = until.filter(|_| is_stopped && meter.remaining_expansions() > 0) else {
            return Ok(outcome);
        };
        let progress = lock(&chosen.progress).clone();
        let expanded: u64 = progress.iterations.iter().map(|iteration| iteration.1).sum();
        if !progress.pending.is_empty() || expanded < until {
            // A round has ended before the tables are chosen.
            return Ok(outcome);
        }
        let partition = self.choose(direction, &progress, meter);
        let built = partition.and_then(|partition| self.build_tables(direction, partition, meter));
        let chosen = Relay { is_counted: true, ..chosen };
        let run = Run { checkpointer: Some(&chosen), ..*self.run };
        match built {
            Ok(()) => {}
            // Continue with the catalogue.
            Err(Stop::Memory | Stop::Tables) => {
                let _ = self.reverse.board_tables.set(None);
                chosen.save_table_fit(TableFit::NoGain);
                chosen.save_progress();
                meter.restart();
                return self.search_from(direction, self.stage(direction), &run, meter);
            }
            Err(stop) => return Err(stop),
        }
        let restarted =
            Progress { outside_iterations: total_counts(&progress), ..Progress::default() };
        *lock(&chosen.progress) = restarted;
        chosen.save_progress();
        meter.restart();
        let tables = self.reverse.board_tables().ok_or(Stop::Tables)?;
        self.search_from(direction, &tables.stage, &run, meter)
    }

    /// Returns whether memory has room for the largest set and the working memory to build it. This depends on the
    /// limit alone, so that the choice does too.
    fn has_room(&self, direction: Direction) -> bool {
        let working_bytes = |of: &Partition| Database::build_bytes(of) - of.table_bytes();
        let working_bytes = catalogue(Some(self.stage(direction))).map_or(0, working_bytes);
        MAX_BYTES + working_bytes + SEARCH_BYTES <= self.run.config.max_bytes()
    }

    /// Chooses tables for the search in `direction`, given its `progress` so far. Drops the catalogue tables once nodes
    /// are sampled, to make room for the candidates.
    ///
    /// # Errors
    /// Returns the limit that was reached, or [`Stop::Tables`] if no set is better than the catalogue.
    fn choose(
        &mut self,
        direction: Direction,
        progress: &Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Partition, Stop> {
        meter.enter_stage("choosing tables", Some(self.stage(direction).heuristic.name))?;
        let partition = catalogue(Some(self.stage(direction)));
        let partition = partition.ok_or(Stop::Tables)?.clone();
        let samples = self.samples(direction, progress, meter)?;
        self.drop_catalogue();
        meter.release();
        meter.release_tables();
        let (limits, threads) =
            (LargestSumSearch::table_limits(MAX_BYTES), self.run.tables.threads());
        let mut build = |partition: Partition| partition.build(&mut Meter::default());
        let chosen = meter.build_tables(|meter| {
            // An upper bound for all candidates.
            meter.reserve_tables(Database::build_bytes(&partition))?;
            run_in_pool(threads, || {
                partition.chosen_for_samples(&samples, TABLES, limits, &mut build, meter)
            })?
        })?;
        if chosen == partition { Err(Stop::Tables) } else { Ok(chosen) }
    }

    /// Samples nodes of the largest iteration that is small enough. Their expansions count nowhere, like the entries of
    /// a table.
    fn samples(
        &self,
        direction: Direction,
        progress: &Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Sample>, Stop> {
        let (run, stage) = (self.run(direction, self.run), self.stage(direction));
        let (heuristic, automaton) =
            (run.heuristic(stage, meter)?, run.automaton(Some(stage), meter)?);
        let mut latest_first = progress.iterations.iter().rev();
        let sampled = latest_first.find(|iteration| iteration.1 <= SAMPLED_EXPANSIONS);
        // The samples are the nodes within two moves beyond the bound.
        let bound = sampled.map_or(0, |iteration| iteration.0).saturating_sub(2);
        let pruned = (automaton.as_ref(), 1);
        meter.build_tables(|meter| large::samples(&run, heuristic, pruned, (bound, SAMPLES), meter))
    }

    /// Drops the catalogue tables of both directions.
    fn drop_catalogue(&mut self) {
        for stage in [&mut self.forward, &mut self.backward] {
            *stage = stage.unmade();
            catalogue(Some(stage)).inspect(|key| self.run.tables.forget(key));
        }
    }

    /// Builds the tables of `partition` for the search in `direction`.
    pub(super) fn build_tables(
        &mut self,
        direction: Direction,
        partition: Partition,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let threads = self.run.tables.threads();
        meter.enter_stage("proving", Some(self.stage(direction).heuristic.name))?;
        meter.release_tables();
        let tables = &self.run.tables;
        // The parts of a divided search share them; otherwise no other search needs them.
        let database = match self.run.round.is_some() || tables.holds(&partition) {
            true => tables.get(&partition, meter)?,
            false => Arc::new(
                meter.build_tables(|meter| run_in_pool(threads, || partition.build(meter)))??,
            ),
        };
        meter.reserve_tables(database.bytes())?;
        let (text, bytes) = (partition.to_string(), database.bytes());
        let run = self.run(direction, self.run);
        let heuristic = LargestSum::new(database, run.plan.space.relabelling());
        let tables = AnyTableKey::Patterns(partition);
        let stage = self.stage(direction).with(tables, Arc::new(heuristic).into(), bytes);
        let _ = self.reverse.board_tables.set(Some(BoardTables { direction, stage }));
        self.run
            .checkpointer
            .inspect(|checkpointer| checkpointer.save_table_fit(TableFit::Chosen(text)));
        Ok(())
    }
}
