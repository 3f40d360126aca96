//! What there is to learn about a board, beyond a solution.
//!
//! ```
//! use loyd::study::{explain, verify};
//! use loyd::notation::parse_moves;
//! use loyd::{CancelToken, Config, Problem};
//!
//! let problem: Problem = "1 2 3/4 5 6/7 x 8".parse()?;
//! let explanation = explain(&problem, Config::default(), &CancelToken::new())?;
//! assert_eq!(explanation.distance(), Some(1));
//! let moves = parse_moves("lrr").unwrap();
//! let verification = verify(&problem, &moves, Config::default(), &CancelToken::new())?;
//! assert_eq!((verification.is_solution(), verification.is_shortest()), (true, Some(false)));
//! # Ok::<(), loyd::Error>(())
//! ```
//!
//! [`Solver::hint`](crate::Solver::hint) and [`review`](crate::Solver::review) return a [`Hint`] and a [`Review`].
//! The [eight realms](REALMS) are eight classic programs, each a step up from the one before.

pub use crate::advice::{Hint, Review, ReviewError, Segment};
pub use crate::explain::{Estimated, Explanation, explain};
pub use crate::realms::{REALMS, Realm, RealmTotals};
pub use crate::verify::{Verification, WentWrong, verify};
