//! `walking-distance`.

use loyd_heuristics::WalkingDistance;
use loyd_search::{Meter, Stop};
use loyd_tiles::{Board, Cell, Relabelling, Size};

use super::row::{Boards, HeuristicRow};
use crate::store::{LoadedTable, Store};
use crate::tables::Cached;

pub(crate) static WALKING_DISTANCE: HeuristicRow = HeuristicRow {
    name: "walking-distance",
    summary: "vertical moves as if the tiles of a goal row were interchangeable; horizontal ones likewise",
    memory: "tables of rows and columns, 5 MB for 4x4",
    source: "Takahashi (takaken)",
    boards: Boards {
        words: "boards of at most 16 cells, six rows and six columns",
        contains: WalkingDistance::fits,
    },
    make: |setting, _, tables, meter| {
        let goal = setting.space.relabelling().goal();
        Ok(tables.get(&Goal { size: goal.size(), blank: goal.blank() }, meter)?.into())
    },
    ..HeuristicRow::PLAIN
};

/// Tiles are known by their goal cells, so only the blank tells one goal from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Goal {
    size: Size,
    blank: Cell,
}

impl Cached for Goal {
    type Table = WalkingDistance;

    fn obtain(
        &self,
        _: &Store,
        _: usize,
        meter: &mut Meter<'_>,
    ) -> Result<LoadedTable<WalkingDistance>, Stop> {
        let labels = Relabelling::new(&Board::in_order(self.size, self.blank));
        Ok(LoadedTable::built(WalkingDistance::new(&labels, meter)?))
    }

    fn bytes(table: &WalkingDistance) -> u64 {
        table.bytes()
    }
}
