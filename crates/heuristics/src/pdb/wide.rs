//! Pattern databases for boards of up to 36 cells: small patterns, and a place for every way in which their
//! tiles could be written down, so that a move changes that place by a number looked up.
//!
//! A state of a [`WidePattern`] is the cells of its tiles and the region of the blank, as on smaller boards,
//! and a [`WideTable`] keeps bit 1 of its distance. Its place is `blank + cells · (c₀ + cells · (c₁ + …))`
//! for tiles on the cells c₀, c₁, …: most numbers of this kind that stand for nothing are a fair price
//! for needing no sets of cells, of which a board of 25 cells has 33 million. All cells of a region have
//! the same bit, so nobody has to know regions but who builds.
//!
//! A pattern that is another one turned or mirrored has the same table ([`WidePattern::upright`]); of a
//! [`WideSum`] only what is added for a tile on a cell knows how it is turned. So one table serves all
//! corners, all arrangements of the goal, and the transpose.

mod build;
mod grid;
mod partition;
mod pattern;
mod set;
mod sum;
mod table;

pub use partition::wide_patterns;
pub use pattern::WidePattern;
pub use set::{WideSet, WideTables};
pub use sum::{WideMemo, WideSum};
pub use table::WideTable;

/// The most cells that a board with tables of this kind has.
pub const MAX_WIDE_CELLS: usize = 36;
