//! Pattern databases for boards of more than 16 cells, in memory: each table made once, by whoever needs
//! it first.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use loyd_heuristics::pdb::{MAX_CELLS, WidePattern, WideSum, WideTable, wide_patterns};
use loyd_search::{Meter, Stop};
use loyd_tiles::{BoardSpace, Size};

use crate::tables::wait_for;

/// Of so few boards, those that linear conflict solves in so many expansions, a second and a half, need not
/// wait for tables: five of them on 5x5 take five seconds.
pub(crate) const FEW_BOARDS: u64 = 20;
pub(crate) const PATIENCE: u64 = 3_000_000;

/// Whether boards of `size` are too large for other pattern databases than these.
pub(crate) fn is_wide(size: Size) -> bool {
    size.cells() > MAX_CELLS
}

/// The bytes that it takes to make the tables for boards of `space`, they themselves included.
pub(crate) fn build_bytes<S: BoardSpace>(space: &S) -> u64 {
    let bytes =
        uprights(&wide_patterns(space)).iter().map(WidePattern::table_bytes).collect::<Vec<_>>();
    // Beside the largest: a bit for each of its bits, and two levels of states.
    bytes.iter().sum::<u64>() + 3 * bytes.iter().max().unwrap_or(&0)
}

fn uprights(sums: &[Vec<WidePattern>]) -> HashSet<WidePattern> {
    sums.iter().flatten().map(|pattern| pattern.upright().0).collect()
}

/// The tables of a solver.
#[derive(Debug, Default)]
pub(crate) struct WideTables {
    kept: Mutex<HashMap<WidePattern, Arc<WideTable>>>,
}

impl WideTables {
    /// The sum over the patterns for boards of `space`; tables are made within the limits of `meter` if they
    /// are not there yet. Those of other boards that no longer fit beside them are dropped.
    ///
    /// # Errors
    /// The limit that was reached; what has been made until then is kept.
    pub fn sum<S: BoardSpace>(&self, space: &S, meter: &mut Meter<'_>) -> Result<WideSum, Stop> {
        let sums = wide_patterns(space);
        let wanted = uprights(&sums);
        let mut kept = wait_for(&self.kept, meter)?;
        let others = kept.values().filter(|table| !wanted.contains(table.pattern()));
        let others: u64 = others.map(|table| table.bytes()).sum();
        if meter.limits().max_bytes.is_some_and(|limit| others + build_bytes(space) > limit) {
            kept.retain(|pattern, _| wanted.contains(pattern));
        }
        let mut bytes: u64 = wanted.iter().filter_map(|p| kept.get(p)).map(|t| t.bytes()).sum();
        meter.hold_beside(bytes)?;
        WideSum::new(space, &sums, |pattern| {
            if let Some(table) = kept.get(pattern) {
                return Ok(Arc::clone(table));
            }
            let table = meter.aside(|meter| WideTable::build(pattern.clone(), meter))?;
            let table = Arc::new(table);
            bytes += table.bytes();
            kept.insert(pattern.clone(), Arc::clone(&table));
            meter.hold_beside(bytes)?;
            Ok(table)
        })
    }
}
