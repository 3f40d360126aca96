//! State-space search, written once and generic over the domain.
//!
//! This crate does not depend on the puzzle: it prints nothing, reads no files and reads no clock except the one of its
//! [`Meter`]. A domain implements [`StateSpace`] (and [`Reversible`], [`Goals`], [`Packable`] or [`Rankable`] where it
//! can), a heuristic implements [`IncrementalHeuristic`], and the compiler generates a specialised search for each
//! pair.
//!
//! Two counts have the same meaning in every search from a start:
//!
//! * **expanded**: nodes whose successors were enumerated;
//! * **generated**: every legal child of an expanded node that does not undo the last move. Children that are then
//!   pruned by the bound or as duplicates are included, the root is not. Depth-first searches make children one by one,
//!   so the siblings that follow the solution are not generated.
//!
//! [`retrograde`] has no single last move, so it counts every legal child.
#![forbid(unsafe_code)]

mod all_shortest;
mod automaton;
mod best_first;
mod bidirectional;
mod bounded;
mod breadth_first;
mod budget;
mod closed;
mod depth_first;
mod frontier;
mod heuristic;
mod idastar;
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
#[cfg(test)]
mod testkit;
#[cfg(test)]
mod tests;
mod trace;

pub use all_shortest::{all_shortest, count_shortest};
pub use automaton::Automaton;
pub use best_first::{Evaluation, best_first, best_first_traced};
pub use bidirectional::{bidirectional, bidirectional_traced};
pub use bounded::{IterationEnd, bounded_search, count_later_siblings};
pub use breadth_first::{breadth_first, breadth_first_traced};
pub use closed::{
    AnyClosedList, ClosedKind, ClosedList, HashedClosedList, Insertion, NodeId, OrderedClosedList,
    RankedClosedList,
};
pub use depth_first::{depth_first, depth_first_traced, depth_first_with};
pub use frontier::{AnyFrontier, Buckets, Frontier, FrontierKind, Heap};
pub use heuristic::{Heuristic, IncrementalHeuristic, Recompute, Zero};
pub use idastar::{
    BoundedCall, idastar, idastar_cr, idastar_traced, iterative_deepening, run_iterations,
};
pub use limits::{CancelToken, Clock, Limits};
pub use meter::{Meter, SharedLimits};
pub use mm::{SideLists, mm, mm_traced};
pub use observer::{Event, Iteration, Observer};
pub use outcome::{Direction, DirectionError, Outcome, Path, ReplayError, Stats, Stop, replay};
pub use prune::{NoPruning, NoUndo, PathPruner};
pub use retrograde::{
    DistanceTable, breadth_first_levels, descend, descend_traced, retrograde, walk_down,
    walk_interleaved,
};
pub use space::{
    ActionSet, Contexts, Cost, Goals, Packable, Rankable, Reversible, SpecializedCode, StateSpace,
};
pub use trace::{NoTracer, NodeEvent, Pruning, TracedNode, Tracer};
