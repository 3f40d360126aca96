//! What a search reports about its work.

use std::time::Duration;

use crate::direction::Direction;
use crate::observer::Iteration;

/// What a search did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes whose successors were enumerated.
    pub expanded: u64,
    /// Legal children of expanded nodes that do not undo the last move.
    pub generated: u64,
    /// Generated children that were already known (0 in searches that keep no closed list).
    pub duplicates: u64,
    /// Closed nodes that were opened again because a shorter path to them was found.
    pub reopened: u64,
    /// The largest number of bytes held at once by the search's own structures.
    pub peak_bytes: u64,
    /// The time of the search itself, from the making of the meter to the end.
    pub elapsed: Duration,
    /// The time that went into making or reading tables, which is no part of `elapsed`.
    pub tables: Duration,
    /// The rounds of an iterative search, the last one included.
    pub iterations: Vec<Iteration>,
    /// What found the solution, in searches that look for one before the last round: `ahead`, in the round before, or
    /// `beam`, so that the last round was not searched, or `round`, the last round itself; or `improver`, a search for
    /// better solutions, whose best one is as long as the proof allows.
    pub ended_by: Option<&'static str>,
    /// At which end the search began that the rounds are of, where it could begin at either.
    pub direction: Option<Direction>,
}

impl Stats {
    /// Nodes expanded in all iterations but the last: independent of the order of moves, so equal
    /// between any two programs that search with the same heuristic.
    pub fn expanded_complete(&self) -> u64 {
        self.iterations.iter().rev().skip(1).map(|i| i.expanded).sum()
    }
}
