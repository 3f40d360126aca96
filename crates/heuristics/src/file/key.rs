//! What a file is about, as the program that wants it says.

use std::fmt;
use std::hash::Hash;

use super::contents::Contents;
use crate::pdb::Words;

/// What a table is about: enough to name its file, to know how large it is, and to read it.
pub trait TableKey: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// The table.
    type Table: fmt::Debug + Send + Sync + 'static;

    /// The key as any file may have it.
    fn contents(&self) -> Contents;

    /// The words of each piece of memory that the table is made of.
    fn lengths(&self) -> Vec<u64>;

    /// The table that consists of these pieces, as long as [`lengths`](Self::lengths) says, and has these
    /// censuses, as many as [`Contents`] has groups with distances.
    fn restore(&self, pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Self::Table;

    /// The pieces of a table.
    fn pieces(table: &Self::Table) -> Vec<&[u64]>;

    /// How many states there are at each distance.
    fn censuses(table: &Self::Table) -> Vec<Vec<u64>>;

    /// The bytes that the table holds in memory.
    fn bytes(table: &Self::Table) -> u64;
}
