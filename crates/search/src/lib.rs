//! State-space search, written once and generic over the domain.
//!
//! Nothing in this crate knows what a tile is: it prints nothing, reads no files and never looks at
//! a clock outside [`Meter`]. A domain implements [`StateSpace`] (and [`Reversible`], [`Goals`],
//! [`Packable`] or [`Rankable`] where it can), a heuristic implements [`IncrementalHeuristic`], and
//! the compiler makes one specialised search of each pair.
//!
//! Two counts mean the same in every algorithm:
//!
//! * **expanded**: nodes whose successors were enumerated;
//! * **generated**: every legal child of an expanded node that does not undo the last move. Those
//!   then pruned by the bound or as duplicates are included, the root is not.
#![forbid(unsafe_code)]

mod heuristic;
mod meter;
mod observer;
mod outcome;
mod prune;
mod retrograde;
mod space;

pub use heuristic::{Heuristic, IncrementalHeuristic, Recompute, Zero};
pub use meter::{CancelToken, Limits, Meter, Stats, Stop};
pub use observer::{Event, Iteration, Observer};
pub use outcome::{Outcome, Path, ReplayError, replay};
pub use prune::{NoPruning, NoUndo, PathPruner};
pub use retrograde::{DistanceTable, UNREACHED, descend, retrograde};
pub use space::{Cost, Goals, Packable, Rankable, Reversible, StateSpace};
