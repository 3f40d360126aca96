//! The searches themselves, generic over the space and the heuristic, and the spaces of boards: for heuristics
//! and algorithms of your own.
//!
//! ```
//! use loyd::Problem;
//! use loyd::engine::{ArraySpace, BoardSpace, Meter, NoUndo, Outcome, TileSum, idastar};
//!
//! let problem: Problem = "1 2 3 4/5 6 7 8/9 x 10 12/13 14 11 15".parse()?;
//! let space = ArraySpace::<16>::new(problem.goal());
//! let manhattan = TileSum::manhattan(space.relabelling());
//! let start = space.encode(problem.start());
//! let mut meter = Meter::default();
//! let outcome = idastar(&space, &manhattan, &NoUndo, &start, &mut meter);
//! assert!(matches!(outcome, Outcome::Solved { cost: 3, .. }));
//! assert_eq!(meter.finish().expanded, 3);
//! # Ok::<(), loyd::Error>(())
//! ```
//!
//! All that is needed to search something else than boards is here too: implement [`StateSpace`] for it.

pub use loyd_heuristics::{
    Gaschnig, InversionDistance, LinearConflict, SmallLinearConflict, TileSum, WalkingDistance,
};
#[doc(inline)]
pub use loyd_search::*;
pub use loyd_tiles::{
    ArraySpace, ArrayState, BoardSpace, DenseRank, MoveSet, Packed3x3, Packed4x4, Relabelling,
    Slide, Slides, State4x4, StepSpace,
};
