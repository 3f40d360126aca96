//! Additive pattern databases. See [`pdb`](crate::pdb) for an overview and a table of the modules.

mod board_specific;
mod build;
mod candidates;
mod coordinates;
mod database;
mod largest_sum;
mod layouts;
mod named;
mod partition;
mod pattern;
mod permutations;
mod permuter;
mod states;
mod sum;
#[cfg(test)]
mod tests;

pub use board_specific::SetLimits;
pub use candidates::Sample;
pub use coordinates::Coordinates;
pub use database::{Database, Part};
pub use largest_sum::{LargestSum, Sums};
pub use layouts::Layout;
pub use named::{NAMED_PARTITIONS, NamedPartition, compact};
pub use partition::{Partition, PartitionError};
pub use pattern::Pattern;
pub use permutations::{Block, InnerPermutation, Permutation, PermutationTables};
pub use permuter::{Inflow, LayoutMut, Permuter, Plain, advance};
pub use states::{PatternSpace, PatternState, TileMoves, distance_increases};
pub use sum::{PatternMemo, PatternSum};
