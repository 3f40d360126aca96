//! The algorithms by name.

mod best_first;
mod breadth_first;
mod depth_first;
mod idastar;
mod table;

pub(crate) use best_first::{ASTAR, WASTAR};
pub(crate) use breadth_first::BIBFS;
pub(crate) use idastar::IDASTAR;
pub(crate) use table::TABLE;

use std::fmt;

use best_first::{GREEDY, UCS};
use breadth_first::BFS;
use depth_first::{DFS, IDDFS};
use loyd_search::{Hashed, Meter, Ordered, Outcome, Ranked, Stop};
use loyd_tiles::{BoardSpace, Move};

use crate::config::Closed;
use crate::dispatch::in_moves;
use crate::error::Error;
use crate::solver::Run;
use crate::tables::Reusable;

/// What an algorithm promises about the length of its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Always shortest.
    Optimal,
    /// Shortest if the heuristic is admissible.
    OptimalIfAdmissible,
    /// At most the weight times as long as the shortest, if the heuristic is admissible.
    WithinWeight,
    /// None.
    Nothing,
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Optimal => "shortest",
            Self::OptimalIfAdmissible => "shortest if h is admissible",
            Self::WithinWeight => "at most w times optimal",
            Self::Nothing => "any answer",
        })
    }
}

/// One row of [`ALGORITHMS`].
pub struct Algorithm {
    /// The name, as in `--algorithm`.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: Guarantee,
    /// Whether it uses a heuristic.
    pub uses_heuristic: bool,
    /// Whether it keeps a closed list, so that duplicate detection can be chosen.
    pub uses_closed: bool,
    /// What it keeps in memory.
    pub memory: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Whether it reads an exact table, which knows solvable boards only.
    pub(crate) uses_table: bool,
    /// Whether it never ends without a limit on depth.
    pub(crate) needs_depth: bool,
    pub(crate) run: fn(&Run<'_>, &mut Meter<'_>) -> Outcome<Move>,
}

/// All algorithms, in the order of their history on this puzzle.
pub const ALGORITHMS: &[Algorithm] =
    &[BFS, BIBFS, DFS, IDDFS, UCS, GREEDY, ASTAR, WASTAR, IDASTAR, TABLE];

impl Algorithm {
    /// The algorithm of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        ALGORITHMS.iter().find(|row| row.name == name).ok_or_else(|| Error::UnknownName {
            kind: "algorithm",
            name: name.to_owned(),
            known: ALGORITHMS.iter().map(|row| row.name).collect(),
        })
    }
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A search that needs duplicate detection of some kind.
pub(crate) trait WithDuplicates<S: BoardSpace> {
    fn search<D: Reusable<S>>(self, meter: &mut Meter<'_>) -> Result<Outcome<S::Action>, Stop>;
}

/// Runs `search` with the kind of duplicate detection that `run` asks for.
pub(crate) fn with_duplicates<S: BoardSpace>(
    run: &Run<'_>,
    meter: &mut Meter<'_>,
    search: impl WithDuplicates<S>,
) -> Outcome<Move> {
    let outcome = Outcome::from_result(match run.plan.closed {
        Closed::Ordered => search.search::<Ordered<S>>(meter),
        Closed::Hashed => search.search::<Hashed<S>>(meter),
        Closed::Ranked => search.search::<Ranked>(meter),
    });
    in_moves::<S>(outcome)
}
