//! Events that a caller can observe while a search runs.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::space::Cost;

/// One iteration of a search: a bound of IDA*, a depth limit, or a layer of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The bound on path cost; for a layer, its distance from the goal.
    pub bound: Cost,
    /// Nodes expanded in this iteration.
    pub expanded: u64,
    /// Nodes generated in this iteration.
    pub generated: u64,
}

/// An event in a search.
///
/// A closure that is an observer must name the type of its argument: `|event: Event<'_>| …`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Sent about every thousand expansions, so there are no long silences.
    Progress {
        /// Nodes expanded so far.
        expanded: u64,
        /// Bytes held by the search's own structures and its tables.
        bytes: u64,
        /// Time since the search started, including that for tables.
        elapsed: Duration,
    },
    /// A table is being built.
    Table {
        /// Entries made so far.
        done: u64,
        /// Entries in total.
        total: u64,
    },
    /// An iteration has ended, with or without a solution.
    Iteration(Iteration),
    /// A solution that is better than all before it, sent as soon as it is found.
    Incumbent {
        /// Its cost.
        cost: Cost,
        /// Its actions, as text: the moves of the blank, as `ullddr`.
        solution: &'a str,
    },
    /// No solution costs less than this, which is more than the previous lower bound.
    LowerBound(Cost),
    /// The search enters a new stage.
    Stage {
        /// `first solution`, `improving`, `proving`, `searching`, or the like.
        name: &'static str,
        /// The heuristic or algorithm of this stage.
        with: Option<&'static str>,
    },
    /// The search for the next of several boards starts; earlier solutions and bounds were for other boards.
    Board {
        /// The number of the search, from 1.
        number: u64,
    },
}

/// Observes a search and may end it.
///
/// Returning [`ControlFlow::Break`] stops the search with [`Stop::Cancelled`](crate::Stop::Cancelled); the statistics
/// up to that point are kept. Events come from the searching thread, so an observer should return quickly.
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
