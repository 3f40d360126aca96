//! Hand-written kernels, where they are measurably faster than the generic code, and the only home of `unsafe`
//! in the project.
//!
//! * [`ExactEight`] knows the distance of every 8-puzzle board, for any goal, from one bit a state;
//! * [`ExactTable`] knows the distance of every board of up to twelve cells, from one bit a state, and
//!   [`ExactDistance`] walks down it;
//! * [`Census`] counts the states at each distance from a goal, on boards of up to fourteen cells;
//! * [`idastar`] is IDA* on 3x3 boards with the cell of the blank built into the code;
//! * [`judge`] answers files of 8-puzzle boards at the speed of reading them;
//! * [`build_patterns`] makes pattern databases with vector instructions;
//! * [`PatternSearch`] is IDA* on 4x4 boards with pattern databases, as a pipeline that requests bits
//!   long before it reads them;
//! * [`LargestSumSearch`] is IDA* on boards of 17 to 25 cells with the largest of several sums over pattern
//!   databases, by vectors of patterns;
//! * [`TileClassSearch`] is IDA* in slides on 4x4 boards, as such a pipeline too.
//!
//! The tables are made when the crate is built, by the same generic retrograde search that users
//! call. Each kernel has plain code that tests compare it with, on every [`Cpu`] level that the
//! machine has.
#![deny(unsafe_op_in_unsafe_fn)]

mod census;
mod cpu;
mod eight;
mod exact_table;
mod idastar;
mod judge;
mod largest_sum;
mod move_rows;
mod pattern_build;
mod pattern_search;
mod placement;
mod prefetch;
mod solvable;
mod tables;
mod tile_class_search;

pub use census::Census;
pub use cpu::{Cpu, CpuError};
pub use eight::{ExactEight, ExactMemo};
pub use exact_table::{DistanceMemo, ExactDistance, ExactTable};
pub use idastar::idastar;
pub use judge::{Fault, FaultKind, Tally, judge};
pub use largest_sum::{LargestSumSearch, Pending, Progress, Share};
pub use move_rows::MoveRows;
pub use pattern_build::build_patterns;
pub use pattern_search::PatternSearch;
pub use tile_class_search::TileClassSearch;
