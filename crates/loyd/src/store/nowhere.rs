//! The store where there are no files.

use loyd_heuristics::file::TableKey;
use loyd_search::{Meter, Stop};

use super::loaded::LoadedTable;

/// Where tables are kept: nowhere, without the feature `cache`.
#[derive(Clone, Debug)]
pub struct Store(());

impl Store {
    /// A store that keeps nothing.
    pub fn nowhere() -> Self {
        Self(())
    }

    /// No table has a file.
    pub(crate) fn has_file(&self, _: &impl TableKey) -> bool {
        false
    }

    /// The tables of `key`, made by `build`.
    ///
    /// When this returns, `meter` holds the bytes of the tables beside those of the search.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn get_or_build<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
        build: impl FnOnce(&K, &mut Meter<'_>) -> Result<K::Table, Stop>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        let loaded = LoadedTable::built(meter.off_the_clock(|meter| build(key, meter))?);
        meter.reserve_tables(K::bytes(&loaded.table))?;
        Ok(loaded)
    }
}
