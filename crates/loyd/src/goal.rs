//! Goals: those with names, any board, and partial goals, which leave cells open.
//!
//! ```
//! use loyd::goal::GOALS;
//! use loyd::notation::{parse_board, parse_partial_goal};
//! use loyd::{Goal, Problem, Size};
//!
//! assert!(GOALS.iter().any(|row| row.name == "spiral"));
//! assert_eq!(Goal::Spiral.board(Size::EIGHT)?.to_string(), "1 2 3 8 x 4 7 6 5");
//! let first_row = parse_partial_goal("1 2 3/* * */* * *", None)?;
//! let problem = Problem::to_partial(parse_board("1 2 3/8 7 6/5 4 x", None)?, &first_row)?;
//! assert!(problem.is_solved_by(problem.start()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use loyd_tiles::{GOALS, Goal, GoalMismatch, NamedGoal, PartialGoal};
