//! The registry of search algorithms: one file per family, with the name, properties and implementation of each
//! algorithm.

mod best_first;
mod breadth_first;
mod by_cost;
mod depth_first;
mod direction;
mod idastar;
mod large;
mod mm;
mod row;
mod table;

pub(crate) use best_first::{ASTAR, WASTAR};
pub(crate) use breadth_first::BIBFS;
pub(crate) use idastar::IDASTAR;
#[cfg(feature = "cache")]
pub(crate) use row::Checkpointer;
pub use row::{Algorithm, Guarantee};
pub(crate) use row::{Finished, Plan, Resumed, ReverseProblem, Run, TableFit};
pub(crate) use table::TABLE;

use crate::choices::Prune;
use crate::error::Error;
use best_first::{GREEDY, UCS};
use breadth_first::BFS;
use depth_first::{DFS, IDDFS};
use mm::MM;

/// All algorithms, in the order in which they were first applied to this puzzle.
pub static ALGORITHMS: &[&Algorithm] =
    &[&BFS, &BIBFS, &DFS, &IDDFS, &UCS, &GREEDY, &ASTAR, &WASTAR, &IDASTAR, &MM, &TABLE];

impl Algorithm {
    /// Returns an error if `prune` is given and this algorithm is not depth-first.
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

    /// Returns the algorithm called `name`.
    ///
    /// # Errors
    /// Returns [`Error::UnknownName`] if there is no such algorithm.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        ALGORITHMS.iter().copied().find(|row| row.name == name).ok_or_else(|| Error::UnknownName {
            kind: "algorithm",
            name: name.to_owned(),
            known: ALGORITHMS.iter().map(|row| row.name).collect(),
        })
    }
}
