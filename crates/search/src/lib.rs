//! State-space search, written once and generic over the domain.
//!
//! Nothing in this crate knows what a tile is: it prints nothing, reads no files and never looks at
//! a clock but the one that its [`Meter`] has. A domain implements [`StateSpace`] (and [`Reversible`], [`Goals`],
//! [`Packable`] or [`Rankable`] where it can), a heuristic implements [`IncrementalHeuristic`], and
//! the compiler makes one specialised search of each pair.
//!
//! Two counts mean the same in every search from a start:
//!
//! * **expanded**: nodes whose successors were enumerated;
//! * **generated**: every legal child of an expanded node that does not undo the last move. Those
//!   then pruned by the bound or as duplicates are included, the root is not. Depth-first searches
//!   make children one by one, so those that come after the solution are not generated.
//!
//! [`retrograde`] knows no single last move, so there every legal child counts.
#![forbid(unsafe_code)]

mod all_shortest;
mod automaton;
mod best_first;
mod bidirectional;
mod bounded;
mod breadth_first;
mod budget;
mod clock;
mod closed;
mod depth_first;
mod direction;
mod frontier;
mod heuristic;
mod idastar;
mod iddfs;
mod levels;
mod limits;
mod memory;
mod meter;
mod mm;
mod nodes;
mod observer;
mod outcome;
mod prune;
mod retrograde;
mod space;
mod stats;
mod stop;
#[cfg(test)]
mod testkit;
#[cfg(test)]
mod tests;
mod trace;
mod walk_down;

pub use all_shortest::{all_shortest, count_shortest};
pub use automaton::Automaton;
pub use best_first::{Evaluation, best_first, best_first_traced};
pub use bidirectional::{bidirectional, bidirectional_traced};
pub use bounded::{Round, bounded_search, later_siblings};
pub use breadth_first::{breadth_first, breadth_first_traced};
pub use clock::Clock;
pub use closed::{AnyClosedList, Closed, ClosedList, Hashed, Insertion, NodeId, Ordered, Ranked};
pub use depth_first::{depth_first, depth_first_by, depth_first_traced};
pub use direction::{Direction, DirectionError};
pub use frontier::{AnyFrontier, Buckets, Frontier, Heap, OpenList};
pub use heuristic::{Heuristic, IncrementalHeuristic, Recompute, Zero};
pub use idastar::{deepen, idastar, idastar_traced};
pub use iddfs::iterative_deepening;
pub use levels::level_by_level;
pub use limits::{CancelToken, Limits};
pub use meter::{Account, Meter};
pub use mm::{Half, mm, mm_traced};
pub use observer::{Event, Iteration, Observer};
pub use outcome::{Outcome, Path, ReplayError, replay};
pub use prune::{NoPruning, NoUndo, PathPruner};
pub use retrograde::{DistanceTable, descend, descend_traced, retrograde};
pub use space::{
    ActionSet, Contexts, Cost, Goals, Packable, Rankable, Reversible, Specialized, StateSpace,
};
pub use stats::Stats;
pub use stop::Stop;
pub use trace::{NodeEvent, Pruning, TracedNode, Tracer, Untraced};
pub use walk_down::{walk_down, walk_together};
