//! Estimates for sliding-tile puzzles, all carried along a path and all relative to any goal.
//!
//! [`TileSum`] adds up an estimate a tile, looked up in a cells × cells matrix: misplaced tiles,
//! Manhattan distance and a user's own matrix are three matrices. [`LinearConflict`] improves on
//! Manhattan distance by what tiles in their own row or column must do to pass each other.
//! [`WalkingDistance`] counts the vertical moves of all tiles together, and the horizontal ones. In the
//! multi-tile metric, where these do not hold, [`alike::Alike`] has the distance of a simpler puzzle.
//! [`subgoals::Subgoals`] is for part goals, in both metrics.
#![forbid(unsafe_code)]

pub mod alike;
pub mod file;
mod linear_conflict;
mod matrix;
pub mod pdb;
pub mod subgoals;
mod tile_sum;
mod walking_distance;

pub use linear_conflict::{Conflicts, Fields, LinearConflict, SmallLinearConflict};
pub use matrix::{DistanceMatrix, MatrixError};
pub use tile_sum::TileSum;
pub use walking_distance::{Walk, WalkingDistance};
