//! Tables: pattern databases and others, kept by solvers and, with the feature `cache`, in files.
//!
//! ```
//! # #[cfg(feature = "cache")] {
//! use loyd::search::Meter;
//! use loyd::tables::{Build, Store, pdb::Partition};
//! use loyd::{Config, Solver};
//!
//! let folder = std::env::temp_dir().join(format!("loyd-tables-{}", std::process::id()));
//! let store = Store::new(&folder);
//! let key = Partition::named("5-5-5", "4x4".parse()?, 15).unwrap();
//! let table = store.get_or_build(&key, &mut Meter::default(), |key, meter| key.build(meter))?;
//! assert!(table.built && store.path(&key).unwrap().exists());
//! // Solvers read them there.
//! let solver = Solver::new(Config { store, ..Config::default() })?;
//! # std::fs::remove_dir_all(folder)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Store`] is a place for tables in files; by default a solver makes its tables anew, in memory. The kinds of
//! tables are those of [`pdb`] and automata, by their [`AutomatonKey`]; [`file`](mod@file) has the format.

#[cfg(feature = "parallel")]
mod cache;
mod cached;
#[cfg(not(feature = "parallel"))]
mod in_turn;
mod kernels;

pub use loyd_heuristics::{AutomatonKey, file, pdb};

pub use crate::heuristics::default_tables;
pub use crate::store::{Build, LoadedTable, Store, Warning, WrongPlace, WrongState};
#[cfg(feature = "cache")]
pub use crate::store::{Check, Compared, StoredTable, WrongEntry};
pub(crate) use cached::Cached;

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::Partition;
use loyd_search::{AnyClosedList, Closed, ClosedList, Meter, Ranked, Stop};
use loyd_tiles::{BoardSpace, Size};

use crate::config::Config;
use crate::sync::lock;
#[cfg(feature = "parallel")]
use cache::TableCache;
use cached::TableSource;
#[cfg(not(feature = "parallel"))]
use in_turn::TableCache;
use kernels::IdleKernels;
pub(crate) use kernels::LargeSearch;

/// Arrays up to this many bytes are kept for the next search instead of being zeroed again.
const KEPT_BYTES: u64 = 16 << 20;

/// The size of the board, and how many states there are: fewer if there are don't-care tiles.
type States = (Size, Option<u64>);

/// What a solver keeps between problems, shared by all threads: tables, kernels at rest, and the arrays of ranked
/// closed lists.
pub(crate) struct Tables {
    source: Arc<TableSource>,
    /// A cache for each type of key.
    caches: Mutex<HashMap<TypeId, Arc<dyn AnyCache>>>,
    /// Search kernels that wait for the next board.
    pub kernels: IdleKernels,
    /// Arrays that wait for the next search, with the boards and the number of states that they are for.
    ranked: Mutex<Vec<(States, Ranked)>>,
}

/// What can be done with a cache of any type.
trait AnyCache: Any + Send + Sync {
    fn held_bytes(&self) -> u64;
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<K: Cached> AnyCache for TableCache<K> {
    fn held_bytes(&self) -> u64 {
        self.held_bytes()
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("source", &self.source).finish_non_exhaustive()
    }
}

impl Tables {
    /// No tables yet, for problems that are solved as `config` says.
    pub fn new(config: &Config) -> Self {
        Self {
            source: Arc::new(TableSource::new(config)),
            caches: Mutex::default(),
            kernels: IdleKernels::default(),
            ranked: Mutex::default(),
        }
    }

    /// The tables of `key`, built within the limits of `meter` if they are not there yet; `meter` then has
    /// their bytes reserved beside those of the search.
    pub fn get<K: Cached>(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        self.cache::<K>().get(key, meter)
    }

    /// Has tables built while the caller searches: see [`TableCache::build_in_background`].
    pub fn build_in_background(&self, tables: &Contents, meter: &Meter<'_>) {
        match tables {
            Contents::Patterns(key) => self.cache().build_in_background(key, meter),
            Contents::TileClasses(key) => self.cache().build_in_background(key, meter),
            Contents::Automaton(key) => self.cache().build_in_background(key, meter),
        }
    }

    /// Drops patterns that are there, and the kernel that may use them. What is in use stays until it is not.
    pub fn forget(&self, key: &Partition) {
        self.kernels.forget_large();
        self.cache().forget(key);
    }

    /// Whether patterns are there, in memory.
    pub fn holds(&self, key: &Partition) -> bool {
        self.cache().has(key)
    }

    /// The threads that build tables.
    pub fn threads(&self) -> usize {
        self.source.threads()
    }

    /// Whether tables are there, in memory or in a file.
    pub fn has(&self, tables: &Contents) -> bool {
        match tables {
            Contents::Patterns(key) => self.source.has_file(key) || self.cache().has(key),
            Contents::TileClasses(key) => self.source.has_file(key) || self.cache().has(key),
            Contents::Automaton(key) => self.source.has_file(key) || self.cache().has(key),
        }
    }

    /// The cache for keys of one type.
    fn cache<K: Cached>(&self) -> Arc<TableCache<K>> {
        let new = || Arc::new(TableCache::<K>::new(Arc::clone(&self.source)));
        let mut caches = lock(&self.caches);
        let cache = Arc::clone(caches.entry(TypeId::of::<K>()).or_insert_with(|| new()));
        cache.as_any().downcast().expect("each type of key has its own cache")
    }

    /// The bytes that are held between searches: of tables that are there or being built, idle kernels and
    /// arrays.
    pub fn held_bytes(&self) -> u64 {
        let caches: u64 = lock(&self.caches).values().map(|cache| cache.held_bytes()).sum();
        let states = |((_, states), _): &(States, Ranked)| states.unwrap_or(0);
        let places: u64 = lock(&self.ranked).iter().map(states).sum();
        caches + self.kernels.held_bytes() + places * size_of::<u32>() as u64
    }

    /// The warnings about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.source.take_warnings()
    }

    /// An empty closed list for a search in `space`, perhaps a used one.
    ///
    /// # Errors
    /// [`Stop::Memory`] if it would take more than allowed.
    pub fn closed_list<S: BoardSpace>(
        &self,
        kind: Closed,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<AnyClosedList<S>, Stop> {
        if kind == Closed::Ranked {
            let mut kept = lock(&self.ranked);
            let fits = |(states, _): &(States, Ranked)| *states == states_of(space);
            if let Some(index) = kept.iter().position(fits) {
                let list = AnyClosedList::Ranked(kept.swap_remove(index).1);
                meter.reserve_more(list.bytes(0))?;
                return Ok(list);
            }
        }
        AnyClosedList::new(kind, space, meter)
    }

    /// Gives a closed list back for the next search.
    pub fn give_back<S: BoardSpace>(&self, list: AnyClosedList<S>, space: &S) {
        if list.bytes(0) <= KEPT_BYTES
            && let AnyClosedList::Ranked(mut ranked) = list
        {
            ranked.clear();
            lock(&self.ranked).push((states_of(space), ranked));
        }
    }
}

fn states_of<S: BoardSpace>(space: &S) -> States {
    (space.size(), space.state_count())
}
