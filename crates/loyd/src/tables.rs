//! What a solver keeps between problems: exact tables and the arrays of ranked searches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::WideSet;
use loyd_heuristics::pdb::maximum::{MaxOfPatterns, TileSubset, TileSubsetTable, tile_subsets};
use loyd_heuristics::pdb::tile_classes::{TileClassDistance, TileClasses};
use loyd_heuristics::{TileSum, WalkingDistance};
use loyd_search::{
    DistanceTable, Duplicates, Hashed, Meter, Ordered, Rankable, Ranked, Stop, retrograde,
};
use loyd_tiles::{Board, BoardSpace, Cell, Metric, PartialGoal, Relabelling, Size};

use crate::config::Config;
use crate::exact::ExactTables;
use crate::pattern_tables::PatternTables;
use crate::store::Warning;
use crate::workshop::Workshop;

/// Arrays up to this many bytes are kept for the next search instead of being zeroed again.
const KEPT_BYTES: u64 = 16 << 20;

/// How long a thread that waits for another's table sleeps between two looks at its own limits.
const NAP: Duration = Duration::from_millis(2);

/// What one table is about: the size of the board, the goal cell of the blank, what counts, and a part goal
/// with a board that meets it, from which tiles have their labels.
type Key = (Size, Cell, Metric, Option<(PartialGoal, Board)>);

/// The size of the board, and how many states there are: fewer where some tiles are alike.
type States = (Size, Option<u64>);

/// Tables that are built once and shared by all threads.
#[derive(Debug)]
pub(crate) struct Tables {
    pub config: Config,
    pub patterns: PatternTables,
    pub wide: Workshop<WideSet>,
    alike: Workshop<TileClasses>,
    exact: Mutex<HashMap<Key, Arc<DistanceTable>>>,
    /// Those that a kernel builds.
    pub kernel_exact: ExactTables,
    walking_distance: Mutex<HashMap<Key, Arc<WalkingDistance>>>,
    subgoals: Mutex<HashMap<TileSubset, Arc<TileSubsetTable>>>,
    /// The last sum over the tiles, with the name of its heuristic.
    sum: Mutex<Option<(Key, &'static str, Arc<TileSum>)>>,
    /// Arrays at rest, with the boards and the number of states that they are for.
    ranked: Mutex<Vec<(States, Ranked)>>,
}

impl Tables {
    /// Tables for problems that are solved as `config` says: none yet.
    pub fn new(config: &Config) -> Self {
        Self {
            config: config.clone(),
            patterns: PatternTables::new(config),
            wide: Workshop::new(config),
            alike: Workshop::new(config),
            walking_distance: Mutex::default(),
            exact: Mutex::default(),
            kernel_exact: ExactTables::new(config),
            subgoals: Mutex::default(),
            sum: Mutex::default(),
            ranked: Mutex::default(),
        }
    }

    /// The exact table of `space`, built within the limits of `meter` if it is not there yet. Tables
    /// that no longer fit those limits together are dropped.
    ///
    /// # Errors
    /// The limit that the build reached.
    pub fn exact<S: BoardSpace>(
        &self,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<Arc<DistanceTable>, Stop> {
        let mut kept = wait_for(&self.exact, meter)?;
        let key = key(space);
        let bytes = |table: &DistanceTable| 2 * table.distances().len() as u64;
        if let Some(table) = kept.get(&key) {
            meter.reserve(bytes(table))?;
            return Ok(Arc::clone(table));
        }
        let table = Arc::new(meter.off_the_clock(|meter| retrograde(space, meter))?);
        let held: u64 = kept.values().map(|table| bytes(table)).sum();
        if held + bytes(&table) > meter.limits().max_bytes.unwrap_or(u64::MAX) {
            kept.clear();
        }
        kept.insert(key, Arc::clone(&table));
        Ok(table)
    }

    /// Walking distance for the goal of `labels`, made within the limits of `meter` if it is not there
    /// yet.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn walking_distance(
        &self,
        labels: &Relabelling,
        meter: &mut Meter<'_>,
    ) -> Result<Arc<WalkingDistance>, Stop> {
        let mut kept = wait_for(&self.walking_distance, meter)?;
        let key = (labels.goal().size(), labels.goal().blank(), Metric::SingleTile, None);
        if let Some(walking) = kept.get(&key) {
            meter.reserve_tables(walking.bytes())?;
            return Ok(Arc::clone(walking));
        }
        let walking = Arc::new(meter.off_the_clock(|meter| WalkingDistance::new(labels, meter))?);
        kept.insert(key, Arc::clone(&walking));
        Ok(walking)
    }

    /// The distances to parts of the goal of `space`; their tables are made within the limits of `meter` if
    /// they are not there yet. Those of other goals that no longer fit beside them are dropped.
    ///
    /// # Errors
    /// The limit that was reached; what has been made until then is kept.
    pub fn subgoals<S: BoardSpace>(
        &self,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<MaxOfPatterns, Stop> {
        let wanted = tile_subsets(space);
        let mut kept = wait_for(&self.subgoals, meter)?;
        let limit = meter.limits().max_bytes.unwrap_or(u64::MAX);
        if kept.values().map(|table| table.bytes()).sum::<u64>() + subgoal_bytes(&wanted) > limit {
            kept.retain(|subgoal, _| wanted.contains(subgoal));
        }
        let (mut tables, mut bytes) = (Vec::new(), 0);
        for subgoal in wanted {
            let table = match kept.get(&subgoal) {
                Some(table) => Arc::clone(table),
                None => {
                    let build =
                        |meter: &mut Meter<'_>| TileSubsetTable::build(subgoal.clone(), meter);
                    Arc::new(meter.off_the_clock(build)?)
                }
            };
            bytes += table.bytes();
            meter.reserve_tables(bytes)?;
            kept.insert(subgoal, Arc::clone(&table));
            tables.push(table);
        }
        Ok(MaxOfPatterns::new(space, tables))
    }

    /// The distances of alike tiles for the goal of `labels`; they are made within the limits of `meter` if
    /// they are not there.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn alike(
        &self,
        labels: &Relabelling,
        classes: &TileClasses,
        meter: &mut Meter<'_>,
    ) -> Result<TileClassDistance, Stop> {
        Ok(TileClassDistance::new(self.alike.get(classes, meter)?, labels))
    }

    /// Has tables made beside whatever the caller does: see [`Workshop::make_beside`].
    pub fn make_beside(&self, tables: &Contents, meter: &Meter<'_>) {
        match tables {
            Contents::Patterns(partition) => self.patterns.workshop.make_beside(partition, meter),
            Contents::TileClasses(classes) => self.alike.make_beside(classes, meter),
            Contents::Wide(set) => self.wide.make_beside(set, meter),
        }
    }

    /// What there is to tell about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        let (patterns, alike) =
            (self.patterns.workshop.take_warnings(), self.alike.take_warnings());
        [patterns, alike, self.wide.take_warnings()].concat()
    }

    /// The sum over the tiles that is called `name`: the last one again, or a new one.
    pub fn sum<S: BoardSpace>(
        &self,
        space: &S,
        name: &'static str,
        make: impl FnOnce(&Relabelling) -> TileSum,
    ) -> Arc<TileSum> {
        let mut kept = self.sum.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((k, n, sum)) if *k == key(space) && *n == name => Arc::clone(sum),
            _ => {
                let sum = Arc::new(make(space.relabelling()));
                *kept = Some((key(space), name, Arc::clone(&sum)));
                sum
            }
        }
    }
}

/// The bytes that it takes to make these tables, they themselves included.
pub(crate) fn subgoal_bytes(subgoals: &[TileSubset]) -> u64 {
    let largest = subgoals.iter().map(TileSubset::build_bytes).max().unwrap_or(0);
    subgoals.iter().map(TileSubset::bytes).sum::<u64>() + largest
}

/// Locks what is held while tables are built: whoever needs the same table waits for it, within the
/// limits of `meter`, instead of building too.
pub(crate) fn wait_for<'a, T>(
    tables: &'a Mutex<T>,
    meter: &mut Meter<'_>,
) -> Result<MutexGuard<'a, T>, Stop> {
    loop {
        match tables.try_lock() {
            Ok(kept) => return Ok(kept),
            Err(TryLockError::Poisoned(kept)) => return Ok(kept.into_inner()),
            Err(TryLockError::WouldBlock) => {
                meter.check()?;
                std::thread::sleep(NAP);
            }
        }
    }
}

fn key<S: BoardSpace>(space: &S) -> Key {
    let goal = space.relabelling().goal();
    let part = space.part().map(|part| (part.clone(), goal.clone()));
    (space.size(), goal.blank(), S::METRIC, part)
}

/// Duplicate detection whose storage may outlive a search.
pub(crate) trait Reusable<S: BoardSpace>: Duplicates<S> {
    /// An empty detector, perhaps a used one.
    fn take(_: &Tables, space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        Self::new(space, meter)
    }

    /// Gives the detector back for the next search.
    fn give(self, _: &Tables, _: &S) {}
}

impl<S: BoardSpace> Reusable<S> for Ordered<S> {}
impl<S: BoardSpace> Reusable<S> for Hashed<S> {}

impl<S: BoardSpace> Reusable<S> for Ranked {
    fn take(tables: &Tables, space: &S, meter: &mut Meter<'_>) -> Result<Self, Stop> {
        let mut kept = tables.ranked.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.iter().position(|(states, _)| *states == states_of(space)) {
            Some(index) => {
                let (_, ranked) = kept.swap_remove(index);
                meter.reserve_more(Duplicates::<S>::bytes(&ranked, 0))?;
                Ok(ranked)
            }
            None => Self::new(space, meter),
        }
    }

    fn give(mut self, tables: &Tables, space: &S) {
        if Duplicates::<S>::bytes(&self, 0) <= KEPT_BYTES {
            self.clear();
            let mut kept = tables.ranked.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push((states_of(space), self));
        }
    }
}

fn states_of<S: BoardSpace>(space: &S) -> States {
    (space.size(), space.state_count())
}

/// Whether an array with `bytes` for each state of `space` takes at most `limit` bytes.
pub(crate) fn fits<S: Rankable>(space: &S, bytes: u64, limit: u64) -> bool {
    let needed = space.state_count().and_then(|states| states.checked_mul(bytes));
    needed.is_some_and(|needed| needed <= limit)
}
