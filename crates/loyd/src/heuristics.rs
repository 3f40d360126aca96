//! The heuristics by name: a file each, which says all that Loyd knows of it.

mod any;
pub(crate) mod exact;
mod gaschnig;
mod inversion_distance;
mod line_crossings;
mod linear_conflict;
mod manhattan;
mod matrix;
mod misplaced;
mod pdb;
pub(crate) mod pdb_max;
mod row;
mod tile_classes;
mod walking_distance;
mod zero;

pub(crate) use any::{AnyHeuristic, InstanceVisitor, SmallHeuristic, in_instance};
pub(crate) use exact::EXACT;
pub(crate) use line_crossings::LINE_CROSSINGS;
pub(crate) use linear_conflict::LINEAR_CONFLICT;
pub(crate) use manhattan::MANHATTAN;
pub(crate) use matrix::{MATRIX, is_admissible};
pub(crate) use pdb::{PDB, SEARCH_BYTES, catalogue, fit_together, partition_for};
pub(crate) use pdb_max::PDB_MAX;
pub use row::{Boards, HeuristicRow};
pub(crate) use row::{Setting, Stage};
pub(crate) use tile_classes::{TILE_CLASSES, classes};
pub(crate) use zero::ZERO;

use loyd_heuristics::file::Contents;
use loyd_heuristics::pdb::{Orientation, Partition};
use loyd_tiles::{Board, Metric, Relabelling};

use crate::choices::HeuristicChoice;
use crate::error::Error;
use gaschnig::GASCHNIG;
use inversion_distance::INVERSION_DISTANCE;
use misplaced::MISPLACED;
use walking_distance::WALKING_DISTANCE;

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
    /// The heuristic of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        HEURISTICS.iter().copied().find(|row| row.name == name).ok_or_else(|| Error::UnknownName {
            kind: "heuristic",
            name: name.to_owned(),
            known: HEURISTICS.iter().map(|row| row.name).collect(),
        })
    }

    /// The heuristic that `choice` asks for.
    pub(crate) fn chosen(choice: &HeuristicChoice) -> Result<&'static Self, Error> {
        match choice {
            HeuristicChoice::Named(name) => Self::named(name),
            HeuristicChoice::Matrix(_) => Ok(&MATRIX),
        }
    }
}

/// The tables that are built for boards with this goal where `metric` counts and nothing else is asked for;
/// `None` if there are none for such boards.
pub fn default_tables(goal: &Board, metric: Metric) -> Option<Contents> {
    let labels = Relabelling::new(goal);
    match (metric, Orientation::new(&labels)) {
        (Metric::MultiTile, _) => classes(&labels).map(Contents::TileClasses),
        (Metric::SingleTile, Some(orientation)) => {
            let partition = Partition::default_for(orientation.size(), orientation.blank());
            Some(Contents::Patterns(partition))
        }
        (Metric::SingleTile, None) => None,
    }
}

#[cfg(test)]
mod tests;
