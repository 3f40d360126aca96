//! Pattern databases: exact distances in a simpler puzzle, as lower bounds on the real one.
//!
//! Three abstractions, all of them Culberson and Schaeffer's idea:
//!
//! * *Additive*: only moves of a pattern's tiles count, so the distances of disjoint patterns add up
//!   ([`PatternSum`]). Single-tile metric.
//! * [`tile_classes`]: tiles of a class are indistinguishable, and all moves count. Multi-tile metric.
//! * [`maximum`]: a few tiles and the blank, all moves count, and the largest of several distances is the
//!   estimate. Any metric, and partial goals.
//!
//! # Additive pattern databases
//! A [`Partition`] divides the tiles into patterns. As each move moves one tile, the distances of all
//! patterns add up to an admissible estimate. A [`Database`] holds them in one bit a state:
//!
//! * A state of a pattern is the set of cells of its tiles, the permutation of the tiles on those cells,
//!   and the *region* of the blank: other cells that the blank can reach without moving a tile of the
//!   pattern. [`Coordinates`] numbers such states.
//! * With regions every move of a tile of the pattern changes the distance D by exactly one, and the
//!   parity of D is that of the cells. So the one bit kept, bit 1 of D, tells up from down, and
//!   a D is carried along a path, or found by walking down to the goal once.
//!
//! Patterns are named by goal cells in canonical [`Orientation`]: the board is rotated or mirrored so
//! that the goal cell of the blank comes as early as possible. One database serves every goal with the
//! blank there.
//!
//! # References
//! Culberson and Schaeffer (1998), "Pattern databases", Computational Intelligence 14; Korf and Felner
//! (2002), "Disjoint pattern database heuristics", Artificial Intelligence 134; Clausecker (2017),
//! "Notes on the construction of pattern databases" (regions of the blank).

mod additive;
pub mod levels;
pub mod maximum;
mod orientation;
pub mod tile_classes;
mod words;

pub use additive::{
    Block, Coordinates, Database, Inflow, InnerPermutation, LargestSum, Layout, LayoutMut,
    NAMED_PARTITIONS, NamedPartition, Part, Partition, PartitionError, Pattern, PatternMemo,
    PatternSpace, PatternState, PatternSum, Permutation, PermutationTables, Permuter, Plain, Room,
    Sample, Sums, TileMoves, advance, compact, distance_increases,
};
pub use orientation::{Orientation, Position};
pub use words::Words;

/// The most cells that a board with additive pattern databases has.
pub const MAX_CELLS: usize = 36;

/// The most cells of a board for which a table may have a place for every set of cells, and for which the other
/// kinds of tables and the kernels are made.
pub const DENSE_CELLS: usize = 16;
