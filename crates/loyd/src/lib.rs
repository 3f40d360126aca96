//! Sliding-tile puzzles, solved: shortest solutions, every classic algorithm, reproducible counts.
//!
//! ```
//! use loyd::{Problem, Solver};
//!
//! let problem: Problem = "2 3 4 1 5 x 7 6 8".parse()?;
//! let report = Solver::default().solve(&problem)?;
//! assert_eq!((report.length(), report.optimal), (Some(19), true));
//! # Ok::<(), loyd::Error>(())
//! ```
//!
//! A [`Problem`] is a start and a goal. A [`Solver`] is made of a [`Config`]: one of the
//! [algorithms](search::ALGORITHMS), one of the [heuristics](search::HEURISTICS), how duplicates are found, and
//! limits. It keeps its tables, can be shared between threads, and answers with a [`Report`]: what was found,
//! whether it is proved to be shortest, and what it cost to find.
//!
//! | to | look in |
//! |---|---|
//! | make boards and goals, read and write them | [`board`], [`goal`], [`moves`], [`notation`] |
//! | choose how to search, and within which limits | [`search`], and [`tables`] for those in files |
//! | solve many problems, draw boards, answer judges' files | [`batch`], [`scramble`], [`judge`](mod@judge) |
//! | explain, check and compare solutions | [`study`] |
//! | search with a heuristic of your own | [`engine`] |
//!
//! Cargo features, both on by default: `cache` keeps tables in files, `parallel` uses several threads.
//!
//! Moves are the directions in which **the blank** travels: `u`, `d`, `l`, `r`.
#![forbid(unsafe_code)]

mod advice;
mod algorithms;
mod anytime;
mod attempt;
pub mod batch;
pub mod board;
mod bounds;
#[cfg(feature = "cache")]
mod checkpoint;
mod choices;
mod config;
pub mod engine;
mod error;
mod estimates;
mod explain;
mod fast;
pub mod goal;
mod heuristics;
pub mod judge;
pub mod moves;
mod optimize;
mod plan;
mod problem;
mod quality;
mod realms;
mod record;
mod report;
mod review;
pub mod scramble;
pub mod search;
mod searches;
mod shortest;
mod solver;
mod space;
mod store;
pub mod study;
mod sync;
pub mod tables;
mod trace;
mod trace_event;
mod verify;
mod windows;

/// Boards, goals and moves, read and written.
///
/// ```
/// use loyd::notation::{parse_board, parse_moves, slashes};
///
/// let mut board = parse_board("[[1, 2, 3], [4, 5, 6], [7, 0, 8]]", None)?;
/// board.walk(&parse_moves("r")?).unwrap();
/// assert_eq!(slashes(&board).to_string(), "1 2 3/4 5 6/7 8 0");
/// # Ok::<(), loyd::notation::NotationError>(())
/// ```
pub use loyd_tiles::notation;

pub use board::{Board, Size};
pub use config::Config;
pub use error::Error;
pub use goal::Goal;
pub use moves::Move;
pub use problem::Problem;
pub use report::Report;
pub use search::CancelToken;
pub use solver::Solver;

/// The examples of the documents, as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/library.md")]
struct Documents;
