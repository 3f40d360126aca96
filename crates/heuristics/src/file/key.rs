//! What a file is about, as the program that wants it says.

use std::borrow::Cow;
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

    /// Whether building the table takes so long that it is kept in a file.
    fn is_filed(&self) -> bool {
        true
    }

    /// The words of each piece of memory that a table with these censuses is made of.
    fn lengths(&self, censuses: &[Vec<u64>]) -> Vec<u64>;

    /// The table that consists of these pieces, as long as [`lengths`](Self::lengths) says, and has these
    /// censuses, as many as [`Contents`] has groups with distances; `None` if no table does.
    fn restore(&self, pieces: Vec<Words>, censuses: Vec<Vec<u64>>) -> Option<Self::Table>;

    /// The pieces of a table.
    fn pieces(table: &Self::Table) -> Vec<Cow<'_, [u64]>>;

    /// How many states there are at each distance, by group of cells; of an automaton, how many remember so many moves.
    fn censuses(table: &Self::Table) -> Vec<Vec<u64>>;

    /// The bytes that the table holds in memory.
    fn bytes(table: &Self::Table) -> u64;
}
