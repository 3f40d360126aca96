//! Pattern databases: exact distances in an abstraction of the puzzle, used as lower bounds.
//!
//! There are three kinds of abstraction, all going back to Culberson and Schaeffer:
//!
//! * *Additive*: only moves of a pattern's tiles count, so the distances of disjoint patterns add up
//!   ([`PatternSum`]; [`LargestSum`] takes the maximum of several sums). Single-tile metric.
//! * [`tile_classes`]: tiles of the same class are indistinguishable, and all moves count. Multi-tile metric.
//! * [`maximum`]: the abstraction keeps a few tiles and the blank, and all moves count. The estimate is the maximum of
//!   several tables. Any metric, and partial goals.
//!
//! # Additive pattern databases
//! A [`Partition`] divides the tiles into patterns. As each move moves one tile, the sum of the distances of all
//! patterns is admissible. A [`Database`] stores them in one bit per state:
//!
//! * A state of a pattern is the set of cells of its tiles, the permutation of the tiles on those cells,
//!   and the *region* of the blank: the cells that the blank can reach without moving a tile of the
//!   pattern. [`Coordinates`] numbers the states.
//! * Because of the regions, every move of a tile of the pattern changes the distance D by exactly one, and the
//!   parity of D follows from the cells of the tiles. So the stored bit, bit 1 of D, determines whether a move
//!   increases or decreases D. D is updated along a path, starting from a value that is found once by descending to the
//!   goal.
//!
//! The tiles of a pattern are identified by their goal cells in canonical [`Orientation`]: the board is rotated or
//! mirrored so that the goal cell of the blank comes as early as possible. A database serves every goal with the
//! blank on that cell.
//!
//! The modules of `additive`, in the order of the data:
//!
//! | module | contents |
//! |---|---|
//! | `partition`, `named` | which tiles form patterns |
//! | `pattern` | the goal cells of a pattern, and where the blank may end |
//! | `layouts` | numbering of (set of cells, region of the blank): *q* |
//! | `coordinates` | numbering of whole states: q and the rank of the permutation |
//! | `permutations`, `permuter` | effect of a move on all permutations at once |
//! | `build` | moves between layouts, breadth-first search over them, and the conversion to the final table |
//! | `database` | tables of all patterns of a partition |
//! | `sum`, `largest_sum` | heuristics |
//! | `states` | descent from a state to the goal; the states as an ordinary search space, for tests |
//! | `candidates`, `board_specific` | choice of a set of partitions for a single board |
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
mod tile_subsets;
mod words;

pub use additive::*;
pub use orientation::{Orientation, Position};
pub use words::Words;

/// Maximum number of cells of boards with additive pattern databases.
pub const MAX_CELLS: usize = 36;

/// Maximum number of cells of boards for which tables are indexed directly by the set of cells (2¹⁶ entries). The other
/// kinds of tables and the kernels have the same limit.
pub const DENSE_CELLS: usize = 16;
