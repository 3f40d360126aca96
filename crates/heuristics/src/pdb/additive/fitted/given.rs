//! What a set of partitions is chosen by.

use loyd_search::Cost;

use crate::pdb::Position;

/// A node that a search expanded: what lies where, and how many moves the search had left there.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The goal cell of what lies on each cell, in canonical orientation.
    pub position: Position,
    /// The bound of the search without the moves made so far.
    pub left: Cost,
}

/// How much a set of partitions may be, images for the transposed board included where they count.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The most patterns.
    pub patterns: usize,
    /// The most patterns that have the same tile.
    pub of_tile: usize,
    /// The most sums.
    pub sums: usize,
    /// The most bytes of tables.
    pub bytes: u64,
}
