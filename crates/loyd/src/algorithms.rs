//! The algorithms by name: a file each, which says all that Loyd knows of it.

mod astar;
mod best_first;
mod bfs;
mod bibfs;
mod dfs;
mod greedy;
mod idastar;
mod iddfs;
mod mm;
mod row;
mod table;
mod ucs;
mod wastar;

pub(crate) use astar::ASTAR;
pub(crate) use bibfs::BIBFS;
pub(crate) use idastar::IDASTAR;
pub use row::{Algorithm, Guarantee};
pub(crate) use row::{Finished, Plan, Run};
pub(crate) use table::TABLE;
pub(crate) use wastar::WASTAR;

use crate::error::Error;
use bfs::BFS;
use dfs::DFS;
use greedy::GREEDY;
use iddfs::IDDFS;
use mm::MM;
use ucs::UCS;

/// All algorithms, in the order of their history on this puzzle.
pub static ALGORITHMS: &[&Algorithm] =
    &[&BFS, &BIBFS, &DFS, &IDDFS, &UCS, &GREEDY, &ASTAR, &WASTAR, &IDASTAR, &MM, &TABLE];

impl Algorithm {
    /// The algorithm of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        ALGORITHMS.iter().copied().find(|row| row.name == name).ok_or_else(|| Error::UnknownName {
            kind: "algorithm",
            name: name.to_owned(),
            known: ALGORITHMS.iter().map(|row| row.name).collect(),
        })
    }
}
