//! `linear-conflict`.

use std::sync::Arc;

use loyd_heuristics::{LinearConflict, SmallLinearConflict};

use super::row::HeuristicRow;

pub(crate) static LINEAR_CONFLICT: HeuristicRow = HeuristicRow {
    name: "linear-conflict",
    summary: "Manhattan, and two moves for each tile that must step out of its own line",
    partial_goals: true,
    memory: "a cells x cells matrix",
    source: "Hansson, Mayer and Yung 1992",
    make: |setting, _, _, _| {
        let (space, labels) = (setting.space, setting.space.relabelling());
        let whole = space.partial_goal().is_none();
        if whole && SmallLinearConflict::fits(space.size()) {
            return Ok(Arc::new(SmallLinearConflict::new(labels)).into());
        }
        let conflicts = LinearConflict::new(labels);
        let is_constrained = |label| space.is_constrained(label);
        Ok(Arc::new(conflicts.of_constrained(is_constrained)).into())
    },
    ..HeuristicRow::PLAIN
};
