//! What is kept, by its key.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use loyd_heuristics::threads::among;
use loyd_search::{Meter, Stop};
use loyd_tiles::Size;

use crate::config::Config;
use crate::store::{Build, LoadedTable, Store, Warning};
use crate::sync::lock;

/// What a table that a solver keeps is about.
pub(crate) trait Cached: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The table.
    type Table: fmt::Debug + Send + Sync + 'static;

    /// Reads the table from its file in `store` if it has one there, or else builds it on so many threads
    /// (see [`among`]).
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

/// How the tables of a solver are made, and the warnings about their files.
#[derive(Debug)]
pub(crate) struct TableSource {
    store: Store,
    threads: usize,
    max_bytes: Option<u64>,
    warnings: Mutex<Vec<Warning>>,
}

impl TableSource {
    /// Tables for problems that are solved as `config` says.
    pub fn new(config: &Config) -> Self {
        Self {
            store: config.store.clone(),
            threads: config.threads.max(1),
            max_bytes: config.limits.max_bytes,
            warnings: Mutex::default(),
        }
    }

    /// Reads or builds the table of `key`.
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

    /// Whether there is a file of the table of `key`, be it a good one or not.
    pub fn has_file<K: Build>(&self, key: &K) -> bool {
        self.store.has_file(key)
    }

    /// The threads that build tables.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether only one thread may be busy.
    #[cfg_attr(not(feature = "parallel"), expect(dead_code, reason = "there is no other thread"))]
    pub fn has_one_thread(&self) -> bool {
        self.threads == 1
    }

    /// Whether tables of so many bytes are more than may be kept.
    pub fn is_full(&self, bytes: u64) -> bool {
        self.max_bytes.is_some_and(|limit| bytes > limit)
    }

    /// The warnings about files of tables since the last call.
    pub fn take_warnings(&self) -> Vec<Warning> {
        std::mem::take(&mut lock(&self.warnings))
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
        self.build_bytes().unwrap_or(0)
    }

    fn boards(&self) -> Option<(Size, u8)> {
        let contents = self.contents();
        Some((contents.size(), contents.blank()?))
    }
}
