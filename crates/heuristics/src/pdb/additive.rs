//! Additive pattern databases: see [`pdb`](crate::pdb).

mod build;
mod catalogues;
mod coordinates;
mod database;
mod fitted;
mod goal;
mod graph;
mod largest_sum;
mod layouts;
mod named;
mod partition;
mod pattern;
mod permutations;
mod permuter;
mod space;
mod sum;
mod walk;

pub use coordinates::Coordinates;
pub use database::{Database, Part};
pub use fitted::{Room, Sample};
pub use largest_sum::{LargestSum, Sums};
pub use layouts::Layout;
pub use named::{NAMED_PARTITIONS, NamedPartition, compact};
pub use partition::{Partition, PartitionError};
pub use pattern::Pattern;
pub use permutations::{Block, InnerPermutation, Permutation, PermutationTables};
pub use permuter::{Inflow, LayoutMut, Permuter, Plain, advance};
pub use space::{PatternSpace, PatternState, TileMoves};
pub use sum::{PatternMemo, PatternSum};
pub use walk::distance_increases;
