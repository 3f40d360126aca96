//! Tables that are chosen for a board.

use std::sync::Arc;

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::{Database, LargestSum, Partition, Sample};
use loyd_heuristics::threads::among;
use loyd_kernels::{LargestSumSearch, Progress};
use loyd_search::{Direction, Meter, Outcome, Stop};
use loyd_tiles::Move;

use super::ends::Ends;
use super::trial::{Relay, counts};
use crate::algorithms::large;
use crate::algorithms::row::{Fit, Fitted, Keeper, Run};
use crate::heuristics::{SEARCH_BYTES, catalogue};
use crate::sync::lock;
use crate::tables::Build;

/// So many tables are tried. With half of them, in half of the time, a search needs a sixth more nodes in the median.
const TABLES: usize = 96;
/// So many nodes at least are looked at, drawn from the largest round that expanded no more than so many.
const SAMPLES: usize = 4000;
const SAMPLED_ROUND: u64 = 5_000_000;
/// The most bytes of the tables that are chosen.
const MOST_BYTES: u64 = 300 << 20;

impl Ends<'_, '_> {
    /// Searches from the end that was chosen, and then with tables of its own.
    pub(super) fn go_on(
        &mut self,
        chosen: Relay<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Outcome<Move>, Stop> {
        let direction = chosen.direction;
        let may_fit = self.back.fitted.get().is_none() && self.has_room(direction);
        let until = self.run.config.fits_after().filter(|_| may_fit);
        let run = Run { keeper: Some(&chosen), rounds_until: until, ..*self.run };
        let outcome = self.from(direction, self.stage(direction), &run, meter)?;
        let is_over = until.is_none() || meter.left_to_expand() == 0;
        if is_over || outcome != Outcome::Stopped(Stop::Expanded) {
            return Ok(outcome);
        }
        let progress = lock(&chosen.progress).clone();
        let partition = self.choose(direction, &progress, meter);
        let fitted = partition.and_then(|partition| self.fit_with(direction, partition, meter));
        let chosen = Relay { is_counted: true, ..chosen };
        let run = Run { keeper: Some(&chosen), ..*self.run };
        match fitted {
            Ok(()) => {}
            // Then those for all boards have to do.
            Err(Stop::Memory | Stop::Tables) => {
                let _ = self.back.fitted.set(None);
                chosen.fit(Fit::InVain);
                chosen.keep_all();
                meter.begin_again();
                return self.from(direction, self.stage(direction), &run, meter);
            }
            Err(stop) => return Err(stop),
        }
        let begins = Progress { beside: counts(&progress), ..Progress::default() };
        *lock(&chosen.progress) = begins;
        chosen.keep_all();
        meter.begin_again();
        let fitted = self.back.fitted().ok_or(Stop::Tables)?;
        self.from(direction, &fitted.stage, &run, meter)
    }

    /// Whether memory has room for all tables that may be chosen. It depends on nothing but the limit, so that the choice
    /// does not.
    fn has_room(&self, direction: Direction) -> bool {
        let beside = |of: &Partition| Database::build_bytes(of) - of.table_bytes();
        let beside = catalogue(Some(self.stage(direction))).map_or(0, beside);
        MOST_BYTES + beside + SEARCH_BYTES <= self.run.config.max_bytes()
    }

    /// Chooses tables for the search from this end, which came so far; drops those that there are.
    fn choose(
        &mut self,
        direction: Direction,
        progress: &Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Partition, Stop> {
        meter.stage("choosing tables", Some(self.stage(direction).heuristic.name))?;
        let partition = catalogue(Some(self.stage(direction)));
        let partition = partition.ok_or(Stop::Tables)?.clone();
        let samples = self.samples(direction, progress, meter)?;
        self.forget();
        meter.release();
        meter.release_tables();
        let (room, threads) = (LargestSumSearch::room(MOST_BYTES), self.run.tables.threads());
        let mut build = |partition: Partition| partition.build(&mut Meter::default());
        let fitted = meter.off_the_clock(|meter| {
            // More than any of the tables needs that are tried.
            meter.reserve_tables(Database::build_bytes(&partition))?;
            among(threads, || partition.fitted(&samples, TABLES, room, &mut build, meter))?
        })?;
        if fitted == partition { Err(Stop::Tables) } else { Ok(fitted) }
    }

    /// Nodes of the largest round that is not too large. They are no part of the search's counts, as if they were read from
    /// tables.
    fn samples(
        &self,
        direction: Direction,
        progress: &Progress,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Sample>, Stop> {
        let (run, stage) = (self.run(direction, self.run), self.stage(direction));
        let (heuristic, automaton) =
            (run.heuristic(stage, meter)?, run.automaton(Some(stage), meter)?);
        let rounds = progress.rounds.iter().rev();
        let round = rounds.clone().find(|round| round.1 <= SAMPLED_ROUND);
        let bound = round.map_or(0, |round| round.0).saturating_sub(2);
        let pruned = (automaton.as_ref(), 1);
        meter
            .off_the_clock(|meter| large::samples(&run, heuristic, pruned, (bound, SAMPLES), meter))
    }

    /// Drops the tables for all boards.
    fn forget(&mut self) {
        for stage in [&mut self.forward, &mut self.backward] {
            *stage = stage.unmade();
            catalogue(Some(stage)).inspect(|key| self.run.tables.forget(key));
        }
    }

    /// Builds the tables of `partition`, with which the search from this end goes on.
    pub(super) fn fit_with(
        &mut self,
        direction: Direction,
        partition: Partition,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let threads = self.run.tables.threads();
        meter.stage("proving", Some(self.stage(direction).heuristic.name))?;
        meter.release_tables();
        let database = meter.off_the_clock(|meter| among(threads, || partition.build(meter)))??;
        meter.reserve_tables(database.bytes())?;
        let (text, bytes) = (partition.to_string(), database.bytes());
        let run = self.run(direction, self.run);
        let heuristic = LargestSum::new(Arc::new(database), run.plan.space.relabelling());
        let tables = Contents::Patterns(partition);
        let stage = self.stage(direction).with(tables, Arc::new(heuristic).into(), bytes);
        let _ = self.back.fitted.set(Some(Fitted { direction, stage }));
        self.run.keeper.inspect(|keeper| keeper.fit(Fit::Chosen(text)));
        Ok(())
    }
}
