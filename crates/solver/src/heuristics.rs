//! The registry of heuristics, with the name, properties and implementation of each.

mod abstractions;
mod any;
pub(crate) mod exact;
mod pdb;
mod row;
mod simple_heuristics;

pub(crate) use abstractions::{PDB_MAX, TILE_CLASSES, classes, subset_bytes};
pub(crate) use any::{AnyHeuristic, InstanceVisitor, SmallHeuristic};
pub(crate) use exact::EXACT;
pub(crate) use pdb::{
    PDB, SEARCH_BYTES, catalogue, fit_together, is_for_easy_boards, partition_for,
};
pub use row::{Boards, HeuristicRow};
pub(crate) use row::{Setting, Stage};
pub(crate) use simple_heuristics::{
    LINE_CROSSINGS, LINEAR_CONFLICT, MANHATTAN, MATRIX, MISPLACED, ZERO, is_admissible,
};

use loyd_heuristics::file::AnyTableKey;
use loyd_heuristics::pdb::{Orientation, Partition};
use loyd_tiles::{Board, Metric, Relabelling};

use crate::choices::HeuristicChoice;
use crate::error::Error;
use simple_heuristics::{GASCHNIG, INVERSION_DISTANCE, WALKING_DISTANCE};

/// All heuristics, least informed first.
pub static HEURISTICS: &[&HeuristicRow] = &[
    &ZERO,
    &LINE_CROSSINGS,
    &MISPLACED,
    &GASCHNIG,
    &MANHATTAN,
    &INVERSION_DISTANCE,
    &LINEAR_CONFLICT,
    &WALKING_DISTANCE,
    &PDB,
    &TILE_CLASSES,
    &PDB_MAX,
    &EXACT,
];

impl HeuristicRow {
    /// Returns the heuristic called `name`.
    ///
    /// # Errors
    /// Returns [`Error::UnknownName`] if there is no such heuristic.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        HEURISTICS.iter().copied().find(|row| row.name == name).ok_or_else(|| Error::UnknownName {
            kind: "heuristic",
            name: name.to_owned(),
            known: HEURISTICS.iter().map(|row| row.name).collect(),
        })
    }

    /// Returns the heuristic that `choice` specifies.
    pub(crate) fn chosen(choice: &HeuristicChoice) -> Result<&'static Self, Error> {
        match choice {
            HeuristicChoice::Named(name) => Self::named(name),
            HeuristicChoice::Matrix(_) => Ok(&MATRIX),
        }
    }
}

/// Returns the tables that a search builds by default for boards with this goal under `metric`, or `None` if there are
/// none for such boards.
pub fn default_tables(goal: &Board, metric: Metric) -> Option<AnyTableKey> {
    let labels = Relabelling::new(goal);
    match (metric, Orientation::new(&labels)) {
        (Metric::MultiTile, _) => classes(&labels).map(AnyTableKey::TileClasses),
        (Metric::SingleTile, Some(orientation)) => {
            let partition = Partition::default_for(orientation.size(), orientation.blank());
            Some(AnyTableKey::Patterns(partition))
        }
        (Metric::SingleTile, None) => None,
    }
}

#[cfg(test)]
mod tests;
