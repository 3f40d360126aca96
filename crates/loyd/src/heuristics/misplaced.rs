//! `misplaced`.

use loyd_heuristics::DistanceMatrix;

use super::matrix::tile_sum;
use super::row::HeuristicRow;

pub(crate) static MISPLACED: HeuristicRow = HeuristicRow {
    name: "misplaced",
    summary: "tiles away from their goal cells (the blank never counts)",
    partial_goals: true,
    memory: "a cells x cells matrix",
    source: "Doran and Michie 1966",
    make: |setting, _, _, _| {
        Ok(tile_sum(setting, &DistanceMatrix::misplaced(setting.space.size())))
    },
    ..HeuristicRow::PLAIN
};
