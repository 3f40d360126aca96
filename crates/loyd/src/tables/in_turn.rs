//! Where tables are built without the feature `parallel`: by whoever needs them, within its own limits.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use loyd_search::{Meter, Stop};

use super::cached::Cached;
use crate::store::{Store, Warning};

/// The tables of one type that are there.
pub(crate) struct TableCache<K: Cached> {
    tables: Mutex<HashMap<K, Arc<K::Table>>>,
    store: Store,
    max_bytes: Option<u64>,
    warnings: Mutex<Vec<Warning>>,
}

impl<K: Cached> TableCache<K> {
    /// No tables yet; they are looked for in `store`.
    pub fn new(store: &Store, _threads: usize, max_bytes: Option<u64>) -> Self {
        let (tables, warnings) = (Mutex::default(), Mutex::default());
        Self { tables, store: store.clone(), max_bytes, warnings }
    }

    /// The tables of `key`, built if they are not there; `meter` then has their bytes reserved beside those of
    /// the search.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn get(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let found = lock(&self.tables).get(key).map(Arc::clone);
        let table = match found {
            Some(table) => table,
            None => meter.off_the_clock(|meter| self.build(key, meter))?,
        };
        meter.reserve_tables(K::bytes(&table))?;
        Ok(table)
    }

    /// Builds the tables of `key` and keeps them. If there is too little room for all, those of other boards go.
    fn build(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let loaded = key.obtain(&self.store, 1, meter)?;
        let mut warnings = lock(&self.warnings);
        for warning in loaded.warnings {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        drop(warnings);
        let mut tables = lock(&self.tables);
        let bytes = |table: &Arc<K::Table>| K::bytes(table);
        let all = tables.values().map(bytes).sum::<u64>() + K::bytes(&loaded.table);
        if self.max_bytes.is_some_and(|limit| all > limit) {
            let boards = key.boards();
            tables.retain(|other, _| boards.is_some() && other.boards() == boards);
        }
        tables.insert(key.clone(), Arc::clone(&loaded.table));
        Ok(loaded.table)
    }

    /// Nothing: no thread is there to build the tables meanwhile.
    pub fn build_in_background(&self, _: &K, _: &Meter<'_>) {}

    /// The bytes of all tables that are there.
    pub fn held_bytes(&self) -> u64 {
        lock(&self.tables).values().map(|table| K::bytes(table)).sum()
    }

    /// The warnings about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut lock(&self.warnings))
    }
}

impl<K: Cached> fmt::Debug for TableCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(lock(&self.tables).keys()).finish()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use loyd_heuristics::pdb::tile_classes::TileClasses;
    use loyd_search::{CancelToken, Limits};

    use super::*;

    #[test]
    fn tables_are_built_once_and_a_limit_that_ends_a_build_is_not_kept() {
        let classes = TileClasses::default_for("2x6".parse().unwrap(), 0).unwrap();
        let cache = TableCache::new(&Store::nowhere(), 1, None);
        let limits = Limits { max_bytes: Some(1 << 10), ..Limits::default() };
        let little = cache.get(&classes, &mut Meter::new(limits, CancelToken::new()));
        assert_eq!(little.unwrap_err(), Stop::Memory);
        let table = cache.get(&classes, &mut Meter::default()).unwrap();
        assert!(Arc::ptr_eq(&table, &cache.get(&classes, &mut Meter::default()).unwrap()));
        assert_eq!(cache.held_bytes(), <TileClasses as Cached>::bytes(&table));
    }
}
