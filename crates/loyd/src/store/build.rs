//! How each kind of table is built.

use loyd_heuristics::AutomatonKey;
use loyd_heuristics::file::TableKey;
use loyd_heuristics::pdb::tile_classes::{TileClassTable, TileClasses};
use loyd_heuristics::pdb::{Database, Partition};
use loyd_kernels::{Cpu, build_patterns};
use loyd_search::{Automaton, Meter, Stop};

use super::place::{WrongPlace, place_of};

/// Tables that can be built from their key alone.
pub trait Build: TableKey {
    /// Makes the tables, on all [threads](loyd_heuristics::threads::count) that share work where more than one
    /// can be of use, with the instructions that `LOYD_CPU` names, or the best of this machine.
    ///
    /// # Errors
    /// The limit that was reached.
    fn build(&self, meter: &mut Meter<'_>) -> Result<Self::Table, Stop>;

    /// The bytes that it takes to build them, the tables included, where that is known before.
    fn build_bytes(&self) -> Option<u64>;

    /// How many states the tables have.
    fn states(table: &Self::Table) -> u64 {
        Self::censuses(table).iter().flatten().sum()
    }

    /// What a bit of the words stands for, if that can be told.
    fn place_of(_table: &Self::Table, _bit: u64) -> Option<WrongPlace> {
        None
    }
}

impl Build for Partition {
    fn build(&self, meter: &mut Meter<'_>) -> Result<Database, Stop> {
        build_patterns(self.clone(), Cpu::in_use(), meter)
    }

    fn build_bytes(&self) -> Option<u64> {
        Some(Database::build_bytes(self))
    }

    /// Those of a table that several patterns share count once.
    fn states(database: &Database) -> u64 {
        let sharing = database.partition().sharing();
        let first = |places: &Vec<usize>| &database.parts()[places[0]];
        sharing.iter().flat_map(|places| first(places).census()).sum()
    }

    fn place_of(database: &Database, bit: u64) -> Option<WrongPlace> {
        place_of(database, bit)
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
