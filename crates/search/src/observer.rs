//! What a caller may watch while a search runs.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::space::Cost;

/// One round of an iterative search (a bound of IDA*, a depth limit, a layer of a table).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The bound on path cost; for a layer, its distance from the goal.
    pub bound: Cost,
    /// Nodes expanded in this round.
    pub expanded: u64,
    /// Nodes generated in this round.
    pub generated: u64,
}

/// Something that happened in a search.
///
/// An observer that is a closure has to name the type of its argument: `|event: Event<'_>| …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Sent every thousand expansions or so; long silences do not happen.
    Progress {
        /// Nodes expanded so far.
        expanded: u64,
        /// Bytes that the search's own structures hold.
        bytes: u64,
        /// Time since the search began, that for tables included.
        elapsed: Duration,
    },
    /// A table is being built.
    Table {
        /// Entries found so far.
        done: u64,
        /// Entries in all.
        total: u64,
    },
    /// A round has ended, with a solution or without.
    Iteration(Iteration),
    /// A solution that is better than all before it. Sent as soon as it is there.
    Incumbent {
        /// Its cost.
        cost: Cost,
        /// Its actions, as text: the moves of the blank, as `ullddr`.
        solution: &'a str,
    },
    /// No solution costs less than this, which is more than was known before.
    LowerBound(Cost),
    /// What the search does from now on.
    Stage {
        /// `first solution`, `improving`, `proving`, `searching`, or the like.
        name: &'static str,
        /// The heuristic or the algorithm with which it does so.
        with: Option<&'static str>,
    },
    /// The search for one of several boards begins; what was told of solutions and bounds before was about others.
    Board {
        /// The number of the search, from 1.
        number: u64,
    },
}

/// Watches a search and may end it.
///
/// Returning [`ControlFlow::Break`] stops the search with [`Stop::Cancelled`](crate::Stop::Cancelled);
/// statistics up to there survive. Events come from the searching thread, so an observer should
/// return quickly.
pub trait Observer: Send {
    /// Called for each event.
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()>;
}

/// Any closure over events is an observer.
impl<F: FnMut(Event<'_>) -> ControlFlow<()> + Send> Observer for F {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        self(event)
    }
}
