//! A matrix of the user's own, which has no name of its own in the registry.

use std::sync::Arc;

use loyd_heuristics::{DistanceMatrix, TileSum};

use super::any::AnyHeuristic;
use super::row::{HeuristicRow, Setting};
use crate::choices::HeuristicChoice;
use crate::error::Error;

pub(crate) static MATRIX: HeuristicRow = HeuristicRow {
    name: HeuristicChoice::MATRIX,
    summary: "the sum over the tiles of the entries of a matrix",
    // That depends on the matrix: see `is_admissible`.
    admissible: false,
    consistent: false,
    partial_goals: true,
    memory: "a cells x cells matrix",
    check: |setting| match matrix(setting) {
        Some(matrix) if matrix.cells() != setting.space.size().cells() => {
            Err(Error::MatrixSize { matrix: matrix.cells(), size: setting.space.size() })
        }
        _ => Ok(()),
    },
    make: |setting, _, _, _| {
        Ok(matrix(setting).map_or(AnyHeuristic::ZERO, |matrix| tile_sum(setting, matrix)))
    },
    ..HeuristicRow::PLAIN
};

fn matrix<'a>(setting: &Setting<'a>) -> Option<&'a DistanceMatrix> {
    match &setting.config.heuristic {
        Some(HeuristicChoice::Matrix(matrix)) => Some(matrix),
        _ => None,
    }
}

/// Whether `row` never exceeds the true distance in `setting`.
pub(crate) fn is_admissible(row: &HeuristicRow, setting: &Setting<'_>) -> bool {
    match matrix(setting) {
        Some(matrix) if row.name == MATRIX.name => matrix.is_admissible(setting.space.size()),
        _ => row.admissible,
    }
}

/// The sum over the constrained tiles of the entries of `matrix`.
pub(super) fn tile_sum(setting: &Setting<'_>, matrix: &DistanceMatrix) -> AnyHeuristic {
    let sum = TileSum::new(setting.space.relabelling(), matrix);
    let is_constrained = |label| setting.space.is_constrained(label);
    let partial = setting.space.partial_goal().is_some();
    Arc::new(if partial { sum.of_constrained(is_constrained) } else { sum }).into()
}
