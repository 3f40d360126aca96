//! Hand-written kernels, used where they are measurably faster than the generic code. The only crate of the project
//! with `unsafe` code.
//!
//! * [`ExactEight`]: the distance of every 8-puzzle board, for any goal, from one bit per state;
//! * [`ExactTable`]: the distance of every board of up to twelve cells, from one bit per state; [`ExactDistance`] walks
//!   down it to a goal;
//! * [`Census`]: the number of states at each distance from a goal, on boards of up to fourteen cells;
//! * [`idastar`]: IDA* on 3x3 boards, with the cell of the blank as a constant in the code;
//! * [`judge`]: solves files of 8-puzzle boards about as fast as they can be read;
//! * [`build_patterns`]: builds pattern databases with vector instructions;
//! * [`PatternSearch`]: IDA* on 4x4 boards with pattern databases, as a pipeline that prefetches table bits long before
//!   it reads them;
//! * [`LargestSumSearch`]: IDA* on boards of 17 to 25 cells with the largest of several sums over pattern databases,
//!   vectorized over patterns;
//! * [`TileClassSearch`]: IDA* in slides on 4x4 boards, also as a prefetching pipeline.
//!
//! The 8-puzzle tables are computed when the crate is built, by the same generic retrograde search that users call.
//! Tests compare each kernel with plain code on every [`Cpu`] level of the machine.
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
#[cfg(target_arch = "x86_64")]
mod permuters;
mod placement;
mod solvable;
mod tables;
mod tile_class_search;

pub use census::{BlockCensus, BoardOrder, Census, PackedSlice, Slice, Window};
pub use cpu::{Cpu, CpuError};
pub use eight::{ExactEight, ExactMemo};
pub use exact_table::{DistanceMemo, ExactDistance, ExactTable};
pub use idastar::idastar;
pub use judge::{AnswerCounts, Fault, FaultKind, judge};
pub use largest_sum::{LargestSumSearch, PendingNode, Progress, ShardId};
pub use move_rows::MoveRows;
pub use pattern_build::build_patterns;
pub use pattern_search::PatternSearch;
pub use tile_class_search::TileClassSearch;
