//! `inversion-distance`.

use std::sync::Arc;

use loyd_heuristics::InversionDistance;

use super::row::HeuristicRow;

pub(crate) static INVERSION_DISTANCE: HeuristicRow = HeuristicRow {
    name: "inversion-distance",
    summary: "vertical moves that put the tiles in order by rows, and horizontal ones by columns",
    memory: "a number for each tile",
    source: "Takahashi (takaken)",
    make: |setting, _, _, _| {
        Ok(Arc::new(InversionDistance::new(setting.space.relabelling())).into())
    },
    ..HeuristicRow::PLAIN
};
