//! Heuristics for sliding-tile puzzles. All of them work for any goal and are updated incrementally along a path.
//!
//! | heuristic | estimate |
//! |---|---|
//! | [`TileSum`] | sum over the tiles of a cells × cells matrix: misplaced tiles, Manhattan distance, or a user's matrix |
//! | [`CostDistance`] | Manhattan distance, weighted with the cost of moving each tile |
//! | [`LinearConflict`] | Manhattan distance plus detours of tiles that must pass each other in their goal line |
//! | [`WalkingDistance`] | vertical moves if tiles of the same goal row are interchangeable, plus horizontal moves likewise |
//! | [`InversionDistance`] | moves needed to remove all inversions of the reading order |
//! | [`Gaschnig`] | swaps with the blank, if the blank may swap with any tile |
//! | [`LineCrossings`] | tiles that must cross a line; admissible for slides of several tiles |
//! | [pattern databases](pdb) | sums over patterns, the maximum of several tables, and classes of indistinguishable tiles |
//!
//! Features, both on by default: `parallel` builds tables on several [`threads`]; `huge-pages` allocates large
//! tables in huge pages of the operating system.
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
pub use linear_conflict::{Conflicts, LinearConflict, SmallConflicts, SmallLinearConflict};
pub use matrix::{DistanceMatrix, MatrixError};
pub use tile_sum::{CostDistance, TileSum};
pub use walking_distance::{Walk, WalkingDistance};
