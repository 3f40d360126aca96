//! `line-crossings`.

use std::sync::Arc;

use loyd_heuristics::LineCrossings;

use super::row::HeuristicRow;

pub(crate) static LINE_CROSSINGS: HeuristicRow = HeuristicRow {
    name: "line-crossings",
    summary: "tiles that have to cross a line between two rows, and between two columns: the most for any line",
    slides: true,
    partial_goals: true,
    memory: "none",
    source: "Loyd",
    make: |setting, _, _, _| {
        let crossings = LineCrossings::new(setting.space.relabelling());
        let is_constrained = |label| setting.space.is_constrained(label);
        Ok(Arc::new(crossings.of_constrained(is_constrained)).into())
    },
    ..HeuristicRow::PLAIN
};
