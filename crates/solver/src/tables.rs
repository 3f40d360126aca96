//! Tables: pattern databases and others, held in memory by solvers and, with the feature `cache`, kept in files.
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
//! // Solvers with this store read the file.
//! let solver = Solver::new(Config { store, ..Config::default() })?;
//! # std::fs::remove_dir_all(folder)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Store`] is a place for table files. By default a solver has none and builds its tables in memory. The kinds of
//! tables are those in [`pdb`], and automata, identified by an [`AutomatonKey`]; [`file`](mod@file) defines the format.

#[cfg(feature = "parallel")]
mod cache;
mod cached;
mod kernels;
pub use crate::heuristics::default_tables;
pub use crate::store::{BitLocation, Build, LoadedTable, PatternState, Store, Warning};
#[cfg(feature = "cache")]
pub use crate::store::{Check, Compared, StoredTable, WrongEntry};
pub(crate) use cached::Cached;
pub(crate) use kernels::LargeSearch;
pub use loyd_heuristics::{AutomatonKey, file, pdb};

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use loyd_heuristics::file::AnyTableKey;
use loyd_heuristics::pdb::Partition;
use loyd_search::{AnyClosedList, ClosedKind, ClosedList, Meter, RankedClosedList, Stop};
use loyd_tiles::{BoardSpace, Size};

use crate::config::Config;
use crate::sync::lock;
#[cfg(feature = "parallel")]
use cache::TableCache;
#[cfg(not(feature = "parallel"))]
use cached::TableCache;
use cached::TableSource;
use kernels::IdleKernels;

/// Maximum bytes of an array that is kept for the next search, which saves zeroing a new one.
const REUSED_BYTES: u64 = 16 << 20;

/// Size of the board and number of states, which is smaller with don't-care tiles.
type States = (Size, Option<u64>);

/// Resources that a solver reuses between problems, shared by all threads: tables, idle kernels, and the arrays of
/// ranked closed lists.
pub(crate) struct Tables {
    source: Arc<TableSource>,
    /// One cache per key type.
    caches: Mutex<HashMap<TypeId, Arc<dyn AnyCache>>>,
    /// Idle search kernels.
    pub kernels: IdleKernels,
    /// Idle arrays of ranked closed lists, with the boards and the number of states that each fits.
    ranked: Mutex<Vec<(States, RankedClosedList)>>,
}

/// A cache of tables with any key type.
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
    /// Returns an empty set of tables for problems that are solved with `config`.
    pub fn new(config: &Config) -> Self {
        Self {
            source: Arc::new(TableSource::new(config)),
            caches: Mutex::default(),
            kernels: IdleKernels::default(),
            ranked: Mutex::default(),
        }
    }

    /// Returns the tables of `key`, built within the limits of `meter` if they do not exist yet. Reserves their bytes
    /// in `meter` on top of the memory of the search.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn get<K: Cached>(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        self.cache::<K>().get(key, meter)
    }

    /// Starts building tables in the background: see [`TableCache::build_in_background`].
    pub fn build_in_background(&self, tables: &AnyTableKey, meter: &Meter<'_>) {
        match tables {
            AnyTableKey::Patterns(key) => self.cache().build_in_background(key, meter),
            AnyTableKey::TileClasses(key) => self.cache().build_in_background(key, meter),
            AnyTableKey::Automaton(key) => self.cache().build_in_background(key, meter),
        }
    }

    /// Drops a pattern database from the cache, and the kernel that may use it. The memory is freed when its last user
    /// is done.
    pub fn forget(&self, key: &Partition) {
        self.kernels.forget_large();
        self.cache().forget(key);
    }

    /// Returns whether a pattern database is in memory.
    pub fn holds(&self, key: &Partition) -> bool {
        self.cache().has(key)
    }

    /// Returns the number of threads that build tables.
    pub fn threads(&self) -> usize {
        self.source.threads()
    }

    /// Returns whether tables are in memory or have a file.
    pub fn has(&self, tables: &AnyTableKey) -> bool {
        match tables {
            AnyTableKey::Patterns(key) => self.source.has_file(key) || self.cache().has(key),
            AnyTableKey::TileClasses(key) => self.source.has_file(key) || self.cache().has(key),
            AnyTableKey::Automaton(key) => self.source.has_file(key) || self.cache().has(key),
        }
    }

    /// Returns the cache for one key type.
    fn cache<K: Cached>(&self) -> Arc<TableCache<K>> {
        let new = || Arc::new(TableCache::<K>::new(Arc::clone(&self.source)));
        let mut caches = lock(&self.caches);
        let cache = Arc::clone(caches.entry(TypeId::of::<K>()).or_insert_with(|| new()));
        cache.as_any().downcast().expect("each type of key has its own cache")
    }

    /// Returns the bytes held between searches: by finished tables, tables that are being built, idle kernels and
    /// arrays.
    pub fn held_bytes(&self) -> u64 {
        let caches: u64 = lock(&self.caches).values().map(|cache| cache.held_bytes()).sum();
        let states = |((_, states), _): &(States, RankedClosedList)| states.unwrap_or(0);
        let entries: u64 = lock(&self.ranked).iter().map(states).sum();
        caches + self.kernels.held_bytes() + entries * size_of::<u32>() as u64
    }

    /// Returns the warnings about table files since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        self.source.take_warnings()
    }

    /// Returns an empty closed list for a search in `space`, possibly with a reused array.
    ///
    /// # Errors
    /// Returns [`Stop::Memory`] if it would take more memory than allowed.
    pub fn closed_list<S: BoardSpace>(
        &self,
        kind: ClosedKind,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<AnyClosedList<S>, Stop> {
        if kind == ClosedKind::Ranked {
            let mut idle = lock(&self.ranked);
            let fits = |(states, _): &(States, RankedClosedList)| *states == states_of(space);
            if let Some(index) = idle.iter().position(fits) {
                let list = AnyClosedList::Ranked(idle.swap_remove(index).1);
                meter.reserve_more(list.bytes(0))?;
                return Ok(list);
            }
        }
        AnyClosedList::new(kind, space, meter)
    }

    /// Takes a closed list back, to reuse its array in the next search.
    pub fn give_back<S: BoardSpace>(&self, list: AnyClosedList<S>, space: &S) {
        if list.bytes(0) <= REUSED_BYTES
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
