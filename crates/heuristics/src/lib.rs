//! Estimates for sliding-tile puzzles, all carried along a path and all relative to any goal.
//!
//! [`TileSum`] adds up an estimate a tile, looked up in a cells × cells matrix: misplaced tiles,
//! Manhattan distance and a user's own matrix are three matrices. [`LinearConflict`] improves on
//! Manhattan distance by what tiles in their own row or column must do to pass each other.
//! [`WalkingDistance`] counts the vertical moves of all tiles together, and the horizontal ones.
//! [`LineCrossings`] holds for slides of several tiles: it counts those that have to cross a line. The
//! abstractions of Culberson and Schaeffer are three kinds of [pattern databases](pdb): sums of
//! patterns, the largest of several, and classes of indistinguishable tiles.
//!
//! Features, both on by default: `parallel`, tables are built on several [`threads`]; `huge-pages`, tables lie in
//! huge pages of the system.
#![forbid(unsafe_code)]

mod automaton;
pub mod file;
mod gaschnig;
mod inversion_distance;
mod line_crossings;
mod linear_conflict;
mod matrix;
pub mod pdb;
pub mod threads;
mod tile_sum;
mod walking_distance;

pub use automaton::AutomatonKey;
pub use gaschnig::Gaschnig;
pub use inversion_distance::{InversionDistance, Inversions};
pub use line_crossings::{Crossings, LineCrossings};
pub use linear_conflict::{Conflicts, Fields, LinearConflict, SmallLinearConflict};
pub use matrix::{DistanceMatrix, MatrixError};
pub use tile_sum::TileSum;
pub use walking_distance::{Walk, WalkingDistance};
