//! Pattern databases for boards of more than 16 cells.

use loyd_heuristics::pdb::{MAX_CELLS, WideSet, WideSum, wide_patterns};
use loyd_search::{Meter, Stop};
use loyd_tiles::{BoardSpace, Size};

use crate::workshop::Workshop;

/// Whether boards of `size` are too large for other pattern databases than these.
pub(crate) fn is_wide(size: Size) -> bool {
    size.cells() > MAX_CELLS
}

/// The sum over the patterns for boards of `space`, whose tables are those of `set`.
///
/// # Errors
/// The limit that was reached.
pub(crate) fn wide_sum<S: BoardSpace>(
    workshop: &Workshop<WideSet>,
    space: &S,
    set: &WideSet,
    meter: &mut Meter<'_>,
) -> Result<WideSum, Stop> {
    let tables = workshop.get(set, meter)?;
    WideSum::new(space, &wide_patterns(space), |pattern| tables.get(pattern).ok_or(Stop::Tables))
}
