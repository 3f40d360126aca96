//! What is kept, by its key.

use std::fmt;
use std::hash::Hash;

use loyd_heuristics::threads::among;
use loyd_search::{Meter, Stop};
use loyd_tiles::Size;

use crate::store::{Build, LoadedTable, Store};

/// What a table that a solver keeps is about.
pub(crate) trait Cached: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The table.
    type Table: fmt::Debug + Send + Sync + 'static;

    /// Reads the table from its file in `store` if it has one there, or else builds it on so many threads
    /// (see [`among`]).
    ///
    /// # Errors
    /// The limit that was reached.
    fn obtain(
        &self,
        store: &Store,
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<Self::Table>, Stop>;

    /// The bytes that the table takes.
    fn bytes(table: &Self::Table) -> u64;

    /// The bytes that it takes to build the table in the background, the table included.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "there is no background"))]
    fn working_bytes(&self) -> u64 {
        0
    }

    /// The boards that the table is for, as far as they have more than one table.
    fn boards(&self) -> Option<(Size, u8)> {
        None
    }
}

/// Tables that have files.
impl<K: Build> Cached for K {
    type Table = K::Table;

    fn obtain(
        &self,
        store: &Store,
        threads: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        store.get_or_build(self, meter, |key, meter| among(threads, || key.build(meter))?)
    }

    fn bytes(table: &K::Table) -> u64 {
        K::bytes(table)
    }

    fn working_bytes(&self) -> u64 {
        self.build_bytes()
    }

    fn boards(&self) -> Option<(Size, u8)> {
        let contents = self.contents();
        Some((contents.size(), contents.blank()))
    }
}
