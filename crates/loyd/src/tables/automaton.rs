//! Automata, made once for all searches of a solver.

use loyd_heuristics::AutomatonKey;
use loyd_search::{Automaton, Meter, Stop};

use super::cached::Cached;
use crate::store::{LoadedTable, Store};

impl Cached for AutomatonKey {
    type Table = Automaton;

    fn obtain(
        &self,
        _: &Store,
        _: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<Automaton>, Stop> {
        Ok(LoadedTable::built(self.build(meter)?))
    }

    fn bytes(table: &Automaton) -> u64 {
        table.bytes()
    }
}
