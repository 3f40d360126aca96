//! What there is to learn about a board, beyond a solution.
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
//! [`Solver::explain`](crate::Solver::explain) returns an [`Explanation`], [`verify`](crate::Solver::verify) a
//! [`Verification`], [`hint`](crate::Solver::hint) a [`Hint`], and [`review`](crate::Solver::review) a [`Review`]. They
//! answer on boards of any size: where a distance is not proved within the limits, [`Bounds`] tell what is.
//! [`Estimates`] are the values of heuristics for many boards.
//! [`optimize`](crate::Solver::optimize) makes a solution shorter, and [`bounds`](crate::Solver::bounds) are all that is
//! known of a distance.
//! [`trace`](crate::Solver::trace) tells what happens to each node of a search, as [`TraceEvent`]s.
//! The [eight realms](REALMS) are eight classic programs, each a step up from the one before.

pub use crate::advice::Hint;
pub use crate::bounds::Bounds;
pub use crate::estimates::Estimates;
pub use crate::explain::{Estimated, Explanation};
pub use crate::optimize::Optimized;
pub use crate::realms::{REALMS, Realm, RealmTotals};
pub use crate::review::{Review, ReviewError, Segment};
pub use crate::trace_event::{Pruning, TraceEvent, TraceKind};
pub use crate::verify::{Verification, WentWrong};
