//! Building each kind of table from its key; the tables that a store returns, with warnings; and the state that a bit of
//! a table stands for. Without the feature `cache`, also the store itself, which has no files.

use std::path::PathBuf;
use std::sync::Arc;

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::TableKey;
use loyd_heuristics::pdb::tile_classes::{TileClassTable, TileClasses};
use loyd_heuristics::pdb::{Database, Partition, Pattern};
use loyd_kernels::{Cpu, build_patterns};
use loyd_search::{Automaton, Meter, Stop};

/// Keys from which tables can be built.
pub trait Build: TableKey {
    /// Builds the tables, on all [threads](loyd_heuristics::threads::thread_count) that share work if more than one
    /// helps, with the instruction set that `LOYD_CPU` names or the best of this machine.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    fn build(&self, meter: &mut Meter<'_>) -> Result<Self::Table, Stop>;

    /// Returns the bytes needed to build them, the tables included, or `None` if that is not known in advance.
    fn build_bytes(&self) -> Option<u64>;

    /// Returns the number of states in the tables.
    fn state_count(table: &Self::Table) -> u64 {
        Self::censuses(table).iter().flatten().sum()
    }

    /// Returns the location of bit `bit` of the words, if the kind of table defines one.
    fn place_of(_table: &Self::Table, _bit: u64) -> Option<BitLocation> {
        None
    }
}

impl Build for Partition {
    fn build(&self, meter: &mut Meter<'_>) -> Result<Database, Stop> {
        build_patterns(self.clone(), Cpu::from_env_or_detect(), meter)
    }

    fn build_bytes(&self) -> Option<u64> {
        Some(Database::build_bytes(self))
    }

    /// A table that several patterns share counts once.
    fn state_count(database: &Database) -> u64 {
        let sharing = database.partition().sharing();
        let first = |places: &Vec<usize>| &database.parts()[places[0]];
        sharing.iter().flat_map(|places| first(places).census()).sum()
    }

    fn place_of(database: &Database, bit: u64) -> Option<BitLocation> {
        let before = database.parts().iter().filter(|part| part.first_bit() <= bit);
        let part = before.max_by_key(|part| part.first_bit())?;
        let coordinates = part.coordinates();
        let place = bit - part.first_bit();
        let (rank, q) = (place / coordinates.stride(), place % coordinates.stride());
        let state = coordinates.layouts().get(q as usize).map(|layout| {
            let order = coordinates.unrank(rank as u32);
            let mut tiles = vec![0; coordinates.tiles()];
            for (&label, cell) in order.iter().zip(layout.tiles) {
                tiles[usize::from(label)] = cell;
            }
            PatternState { tiles, blank: layout.region.iter().collect() }
        });
        Some(BitLocation { pattern: part.pattern().clone(), state })
    }
}

impl Build for TileClasses {
    fn build(&self, meter: &mut Meter<'_>) -> Result<TileClassTable, Stop> {
        TileClassTable::build(self.clone(), meter)
    }

    fn build_bytes(&self) -> Option<u64> {
        Some(TileClassTable::build_bytes(self))
    }
}

impl Build for AutomatonKey {
    fn build(&self, meter: &mut Meter<'_>) -> Result<Automaton, Stop> {
        AutomatonKey::build(*self, meter)
    }

    fn build_bytes(&self) -> Option<u64> {
        None
    }
}

/// Tables and their origin.
#[derive(Debug)]
pub struct LoadedTable<T> {
    /// The tables.
    pub table: Arc<T>,
    /// Whether they were built now, rather than read from a file.
    pub built: bool,
    /// Warnings for the user. The tables are correct even so.
    pub warnings: Vec<Warning>,
}

impl<T> LoadedTable<T> {
    /// Wraps a table that was built now and has no file.
    pub(crate) fn built(table: T) -> Self {
        Self { table: Arc::new(table), built: true, warnings: Vec::new() }
    }
}

/// A problem with files that does not affect what a solver finds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// An existing file was not used.
    #[error("{} is not used: {reason}; rebuilding it", .path.display())]
    Refused {
        /// Path of the file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// Tables were built, but could not be written to a file.
    #[error("the tables are not saved for later runs: {0}")]
    NotSaved(String),
    /// The lock file is not a regular file, so other programs may build the same tables at the same time.
    #[error("{} is not a file that can be locked; the tables are built without a lock", .0.display())]
    NotLocked(PathBuf),
    /// A file could not be removed.
    #[error("cannot remove {0}")]
    NotRemoved(String),
}

/// Location of a bit in a pattern database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitLocation {
    /// Pattern whose table contains the bit.
    pub pattern: Pattern,
    /// State of the bit; `None` for padding at the end of a row.
    pub state: Option<PatternState>,
}

/// A state of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternState {
    /// Cell of each tile, in the order of the pattern.
    pub tiles: Vec<u8>,
    /// Cells on which the blank may be.
    pub blank: Vec<u8>,
}

/// A store that keeps nothing.
#[cfg(not(feature = "cache"))]
#[derive(Clone, Debug)]
pub struct Store(());

#[cfg(not(feature = "cache"))]
impl Store {
    /// A store that keeps nothing.
    pub fn disabled() -> Self {
        Self(())
    }

    /// Returns `false`: no table has a file.
    pub(crate) fn has_file(&self, _: &impl TableKey) -> bool {
        false
    }

    /// Calls `build` for the tables of `key`. On return, `meter` has reserved their bytes on top of the memory of the
    /// search.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn get_or_build<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
        build: impl FnOnce(&K, &mut Meter<'_>) -> Result<K::Table, Stop>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        let loaded = LoadedTable::built(meter.build_tables(|meter| build(key, meter))?);
        meter.reserve_tables(K::bytes(&loaded.table))?;
        Ok(loaded)
    }
}
