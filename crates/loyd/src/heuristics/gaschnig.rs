//! `gaschnig`.

use std::sync::Arc;

use loyd_heuristics::Gaschnig;

use super::row::HeuristicRow;

pub(crate) static GASCHNIG: HeuristicRow = HeuristicRow {
    name: "gaschnig",
    summary: "exchanges that solve the board if the blank may change places with any tile",
    memory: "a goal cell for each tile",
    source: "Gaschnig 1979",
    make: |setting, _, _, _| Ok(Arc::new(Gaschnig::new(setting.space.relabelling())).into()),
    ..HeuristicRow::PLAIN
};
