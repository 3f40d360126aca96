//! Keys of cached tables, and the source of the tables. Without the feature `parallel`, also the cache, in which the
//! caller builds tables within its own limits.

#[cfg(not(feature = "parallel"))]
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use loyd_heuristics::threads::run_in_pool;
use loyd_search::{Meter, Stop};
use loyd_tiles::Size;

use crate::config::Config;
use crate::store::{Build, LoadedTable, Store, Warning};
use crate::sync::lock;

/// Key of a table in a cache.
pub(crate) trait Cached: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// Type of the table.
    type Table: fmt::Debug + Send + Sync + 'static;

    /// Reads the table from its file in `store` if it has one, or else builds it with this number of threads (see
    /// [`run_in_pool`]).
    ///
    /// # Errors
    /// Returns the limit that was reached.
    fn obtain(
        &self,
        store: &Store,
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<Self::Table>, Stop>;

    /// Returns the bytes of the table in memory.
    fn bytes(table: &Self::Table) -> u64;

    /// Returns the bytes needed to build the table in the background, the table included.
    #[cfg_attr(
        not(feature = "parallel"),
        expect(dead_code, reason = "no builds run in the background")
    )]
    fn working_bytes(&self) -> u64 {
        0
    }

    /// Returns the boards that the table is for (size and blank's goal cell), if boards of one kind can have several
    /// tables.
    fn boards(&self) -> Option<(Size, u8)> {
        None
    }
}

/// Reads or builds the tables of a solver, and collects the warnings about their files.
#[derive(Debug)]
pub(crate) struct TableSource {
    store: Store,
    threads: usize,
    max_bytes: Option<u64>,
    warnings: Mutex<Vec<Warning>>,
}

impl TableSource {
    /// Returns a source for problems that are solved with `config`.
    pub fn new(config: &Config) -> Self {
        Self {
            store: config.store.clone(),
            threads: config.threads.max(1),
            max_bytes: config.limits.max_bytes,
            warnings: Mutex::default(),
        }
    }

    /// Reads or builds the table of `key`.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn obtain<K: Cached>(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let loaded = key.obtain(&self.store, self.threads, meter)?;
        let mut warnings = lock(&self.warnings);
        for warning in loaded.warnings {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        Ok(loaded.table)
    }

    /// Returns whether the table of `key` has a file, valid or not.
    pub fn has_file<K: Build>(&self, key: &K) -> bool {
        self.store.has_file(key)
    }

    /// Returns the number of threads that build tables.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns whether only one thread may be busy.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "no other thread exists"))]
    pub fn has_one_thread(&self) -> bool {
        self.threads == 1
    }

    /// Returns whether tables of this many bytes exceed the memory limit.
    pub fn is_full(&self, bytes: u64) -> bool {
        self.max_bytes.is_some_and(|limit| bytes > limit)
    }

    /// Returns the warnings about table files since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut lock(&self.warnings))
    }
}

/// Tables that can be stored in files.
impl<K: Build> Cached for K {
    type Table = K::Table;

    fn obtain(
        &self,
        store: &Store,
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        store.get_or_build(self, meter, |key, meter| run_in_pool(threads, || key.build(meter))?)
    }

    fn bytes(table: &K::Table) -> u64 {
        K::bytes(table)
    }

    fn working_bytes(&self) -> u64 {
        self.build_bytes().unwrap_or(0)
    }

    fn boards(&self) -> Option<(Size, u8)> {
        let contents = self.contents();
        Some((contents.size(), contents.blank()?))
    }
}

/// The finished tables of one key type.
#[cfg(not(feature = "parallel"))]
pub(crate) struct TableCache<K: Cached> {
    tables: Mutex<HashMap<K, Arc<K::Table>>>,
    source: Arc<TableSource>,
}

#[cfg(not(feature = "parallel"))]
impl<K: Cached> TableCache<K> {
    /// Returns an empty cache.
    pub fn new(source: Arc<TableSource>) -> Self {
        Self { tables: Mutex::default(), source }
    }

    /// Returns the tables of `key`, and builds them if they do not exist yet. Reserves their bytes in `meter` on top of
    /// the memory of the search.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn get(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let found = lock(&self.tables).get(key).map(Arc::clone);
        let table = match found {
            Some(table) => table,
            None => meter.build_tables(|meter| self.build(key, meter))?,
        };
        meter.reserve_tables(K::bytes(&table))?;
        Ok(table)
    }

    /// Returns whether the tables of `key` exist.
    pub fn has(&self, key: &K) -> bool {
        lock(&self.tables).contains_key(key)
    }

    /// Drops the tables of `key`.
    pub fn forget(&self, key: &K) {
        lock(&self.tables).remove(key);
    }

    /// Builds and inserts the tables of `key`. If all tables together exceed the memory limit, drops those for other
    /// boards.
    fn build(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let table = self.source.obtain(key, meter)?;
        let mut tables = lock(&self.tables);
        let bytes = |table: &Arc<K::Table>| K::bytes(table);
        let all = tables.values().map(bytes).sum::<u64>() + K::bytes(&table);
        if self.source.is_full(all) {
            let boards = key.boards();
            tables.retain(|other, _| boards.is_some() && other.boards() == boards);
        }
        tables.insert(key.clone(), Arc::clone(&table));
        Ok(table)
    }

    /// Does nothing, because there is no other thread.
    pub fn build_in_background(&self, _: &K, _: &Meter<'_>) {}

    /// Returns the bytes of all tables.
    pub fn held_bytes(&self) -> u64 {
        lock(&self.tables).values().map(|table| K::bytes(table)).sum()
    }
}

#[cfg(all(test, not(feature = "parallel")))]
mod tests {
    use loyd_heuristics::pdb::tile_classes::TileClasses;
    use loyd_search::{CancelToken, Limits};

    use super::*;
    use crate::config::Config;

    #[test]
    fn tables_are_built_once_and_failures_are_not_cached() {
        let classes = TileClasses::default_for("2x6".parse().unwrap(), 0).unwrap();
        let cache = TableCache::new(Arc::new(TableSource::new(&Config::default())));
        let limits = Limits { max_bytes: Some(1 << 10), ..Limits::default() };
        let little = cache.get(&classes, &mut Meter::new(limits, CancelToken::new()));
        assert_eq!(little.unwrap_err(), Stop::Memory);
        let table = cache.get(&classes, &mut Meter::default()).unwrap();
        assert!(Arc::ptr_eq(&table, &cache.get(&classes, &mut Meter::default()).unwrap()));
        assert_eq!(cache.held_bytes(), <TileClasses as Cached>::bytes(&table));
    }
}
