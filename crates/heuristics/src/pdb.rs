//! Pattern databases: the exact distance of some tiles to their goal cells, whatever the others do,
//! for every way in which those tiles and the blank can lie.
//!
//! A [`Partition`] divides the tiles into patterns. As each move moves one tile, the distances of all
//! patterns add up to an admissible estimate. A [`Database`] holds them in one bit a state:
//!
//! * A state of a pattern is the set of cells of its tiles, the order of the tiles on those cells, and
//!   the *region* of the blank: other cells that the blank can reach without moving a tile of the
//!   pattern. [`Coordinates`] numbers such states.
//! * With regions every move of a tile of the pattern changes the distance D by exactly one, and the
//!   parity of D is that of the cells. So the one bit kept, bit 1 of D, tells up from down, and
//!   a D is carried along a path, or found by walking down to the goal once.
//!
//! Patterns are named by goal cells in a [`Frame`]: the board turned and mirrored so that the goal cell
//! of the blank comes as early as possible. One database serves every goal with the blank there.
//!
//! # References
//! Culberson and Schaeffer (1998), "Pattern databases", Computational Intelligence 14; Korf and Felner
//! (2002), "Disjoint pattern database heuristics", Artificial Intelligence 134; Clausecker (2017),
//! "Notes on the construction of pattern databases" (regions of the blank).

mod additive;
mod build;
mod coordinates;
mod database;
mod frame;
mod graph;
mod partition;
mod rows;
mod space;
mod turns;
mod wide;
mod words;

pub use additive::{PatternMemo, PatternSum};
pub use coordinates::{Coordinates, Row};
pub use database::{Database, Part, rises};
pub use frame::{Frame, Position};
pub use partition::{NAMED_PARTITIONS, NamedPartition, Partition, PartitionError, Pattern};
pub use rows::{Inflow, Plain, RowMover, RowMut, advance};
pub use space::{PatternSpace, PatternState, TileMoves};
pub use turns::{Block, InnerTurn, Turn, Turns};
pub use wide::{
    MAX_WIDE_CELLS, WideMemo, WidePattern, WideSet, WideSum, WideTable, WideTables, wide_patterns,
};
pub use words::Words;

/// The most cells that a board with pattern databases has.
pub const MAX_CELLS: usize = 16;
