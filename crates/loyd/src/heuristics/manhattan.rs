//! `manhattan`.

use loyd_heuristics::DistanceMatrix;

use super::matrix::tile_sum;
use super::row::HeuristicRow;

pub(crate) static MANHATTAN: HeuristicRow = HeuristicRow {
    name: "manhattan",
    summary: "rows and columns that each tile is away from its goal cell, added up",
    partial_goals: true,
    memory: "a cells x cells matrix",
    source: "Doran and Michie 1966",
    make: |setting, _, _, _| {
        Ok(tile_sum(setting, &DistanceMatrix::manhattan(setting.space.size())))
    },
    ..HeuristicRow::PLAIN
};
