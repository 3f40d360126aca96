//! The algorithms by name: a file each, which says all that Loyd knows of it.

mod astar;
mod best_first;
mod bfs;
mod bibfs;
mod dfs;
mod either_end;
mod greedy;
mod idastar;
mod iddfs;
mod large;
mod mm;
mod pruned;
mod row;
mod table;
mod ucs;
mod wastar;

pub(crate) use astar::ASTAR;
pub(crate) use bibfs::BIBFS;
pub(crate) use idastar::IDASTAR;
#[cfg(feature = "cache")]
pub(crate) use row::Keeper;
pub use row::{Algorithm, Guarantee};
pub(crate) use row::{Back, Begun, Finished, Fit, Plan, Run};
pub(crate) use table::TABLE;
pub(crate) use wastar::WASTAR;

use crate::choices::Prune;
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
    /// Refuses what is to be left out of a search that is not depth-first.
    pub(crate) fn check_prune(&self, prune: Option<Prune>) -> Result<(), Error> {
        match prune.filter(|_| !self.is_depth_first) {
            None => Ok(()),
            Some(prune) => {
                let instead = ALGORITHMS.iter().filter(|row| row.is_depth_first);
                let (algorithm, instead) = (self.name, instead.map(|row| row.name).collect());
                Err(Error::PruneUnused { algorithm, prune, instead })
            }
        }
    }

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
