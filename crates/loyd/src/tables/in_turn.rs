//! Where tables are built without the feature `parallel`: by whoever needs them, within its own limits.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use loyd_search::{Meter, Stop};

use super::cached::{Cached, TableSource};
use crate::sync::lock;

/// The tables of one type that are there.
pub(crate) struct TableCache<K: Cached> {
    tables: Mutex<HashMap<K, Arc<K::Table>>>,
    source: Arc<TableSource>,
}

impl<K: Cached> TableCache<K> {
    /// No tables yet.
    pub fn new(source: Arc<TableSource>) -> Self {
        Self { tables: Mutex::default(), source }
    }

    /// The tables of `key`, built if they are not there; `meter` then has their bytes reserved beside those of
    /// the search.
    pub fn get(&self, key: &K, meter: &mut Meter<'_>) -> Result<Arc<K::Table>, Stop> {
        let found = lock(&self.tables).get(key).map(Arc::clone);
        let table = match found {
            Some(table) => table,
            None => meter.off_the_clock(|meter| self.build(key, meter))?,
        };
        meter.reserve_tables(K::bytes(&table))?;
        Ok(table)
    }

    /// Whether the tables of `key` are there.
    pub fn has(&self, key: &K) -> bool {
        lock(&self.tables).contains_key(key)
    }

    /// Drops the tables of `key`.
    pub fn forget(&self, key: &K) {
        lock(&self.tables).remove(key);
    }

    /// Builds the tables of `key` and keeps them. If there is too little room for all, those of other boards go.
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

    /// Nothing: no thread is there to build the tables meanwhile.
    pub fn build_in_background(&self, _: &K, _: &Meter<'_>) {}

    /// The bytes of all tables that are there.
    pub fn held_bytes(&self) -> u64 {
        lock(&self.tables).values().map(|table| K::bytes(table)).sum()
    }
}

impl<K: Cached> fmt::Debug for TableCache<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(lock(&self.tables).keys()).finish()
    }
}

#[cfg(test)]
mod tests {
    use loyd_heuristics::pdb::tile_classes::TileClasses;
    use loyd_search::{CancelToken, Limits};

    use super::*;
    use crate::config::Config;

    #[test]
    fn tables_are_built_once_and_a_limit_that_ends_a_build_is_not_kept() {
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
