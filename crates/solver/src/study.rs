//! Studies of boards and moves: explanations, hints, reviews, bounds and traces.
//!
//! ```
//! use loyd::notation::parse_moves;
//! use loyd::{CancelToken, Problem, Solver};
//!
//! let (solver, cancel) = (Solver::default(), CancelToken::new());
//! let problem: Problem = "1 2 3/4 5 6/7 x 8".parse()?;
//! assert_eq!(solver.explain(&problem, &cancel, None)?.distance(), Some(1));
//! let moves = parse_moves("lrr").unwrap();
//! let verification = solver.verify(&problem, &moves, &cancel, None)?;
//! assert_eq!((verification.is_solution(), verification.is_shortest()), (true, Some(false)));
//! # Ok::<(), loyd::Error>(())
//! ```
//!
//! | method of [`Solver`](crate::Solver) | result |
//! |---|---|
//! | [`explain`](crate::Solver::explain) | an [`Explanation`]: solvability, heuristic values and distance |
//! | [`verify`](crate::Solver::verify) | a [`Verification`] of a solution |
//! | [`hint`](crate::Solver::hint) | a [`Hint`]: the best next moves |
//! | [`review`](crate::Solver::review) | a [`Review`]: where moves were lost |
//! | [`optimize`](crate::Solver::optimize) | a shorter solution, [`OptimizedMoves`] |
//! | [`bounds`](crate::Solver::bounds) | [`Bounds`] on a distance |
//! | [`estimates`](crate::Solver::estimates) | [`Estimates`]: values of heuristics for many boards |
//! | [`trace`](crate::Solver::trace) | a [`TraceEvent`] for each event of a node |
//!
//! If the limits do not suffice to prove a distance, [`Bounds`] contain the proved range. The [eight realms](REALMS)
//! are eight classic programs, each a step up from the previous one.

mod advice;
mod explain;
pub(crate) mod optimize;
mod realms;
mod review;
mod searches;
mod verify;

pub use advice::Hint;
pub use explain::{Estimates, Explanation, HeuristicEstimate};
pub use optimize::OptimizedMoves;
pub use realms::{REALMS, Realm, RealmTotals};
pub use review::{Review, ReviewError, Segment};
pub use verify::{InvalidSolution, Verification};

pub use crate::report::Bounds;
pub use crate::trace::{Pruning, TraceEvent, TraceKind};
