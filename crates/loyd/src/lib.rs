//! Sliding-tile puzzles, solved: shortest answers, every classic algorithm, reproducible counts.
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
//! [`ALGORITHMS`], one of the [`HEURISTICS`], how duplicates are found, and limits. It keeps its
//! tables, can be shared between threads, and answers with a [`Report`]: what was found, whether it
//! is proved to be shortest, and what it cost to find.
//!
//! Moves are the directions in which **the blank** travels: `u`, `d`, `l`, `r`.
#![forbid(unsafe_code)]

mod advice;
mod algorithms;
mod batch;
mod config;
mod dispatch;
mod error;
mod exact;
mod experiment;
mod explain;
mod fast;
mod heuristics;
mod ladder;
mod pattern_tables;
mod patterns;
mod plan;
mod problem;
mod quality;
mod report;
mod scramble;
mod shortest;
mod solver;
mod store;
mod tables;
mod verify;
mod wide;
mod workshop;

pub use advice::{Hint, Review, ReviewError, Stretch, moves_in};
pub use algorithms::{ALGORITHMS, Algorithm, Guarantee};
pub use batch::in_order;
pub use config::{Closed, Config, OpenList, Weight, WeightError};
pub use error::Error;
pub use experiment::{REALMS, Realm, RealmTotals};
pub use explain::{Estimated, Explanation, explain};
pub use heuristics::{Guide, HEURISTICS, HeuristicRow};
pub use ladder::default_tables;
pub use patterns::TableChoice;
pub use problem::Problem;
pub use quality::Quality;
pub use report::{Record, Report, Status, Written};
pub use scramble::{ScrambleError, Scrambled, Scrambler};
pub use shortest::Shortest;
pub use solver::Solver;
pub use store::{
    Build, Check, Compared, Kept, Obtained, Store, Warning, WrongEntry, WrongPlace, WrongState,
};
pub use verify::{Verification, WentWrong, verify};

pub use loyd_heuristics::{DistanceMatrix, MatrixError, file, pdb};
pub use loyd_kernels::{Cpu, CpuError, Fault, Tally, judge};
pub use loyd_search::{CancelToken, Cost, Event, Iteration, Limits, Meter, Observer, Stats, Stop};
pub use loyd_tiles::{
    Board, BoardError, CantorTerm, Cell, GOALS, Goal, GoalMismatch, IllegalMove, Metric,
    MetricError, Move, NamedGoal, PartialGoal, Random, RankError, Relabelling, Size, SizeError,
    Solvability, Tile, TurnsBack, Verdict, cantor_rank, cantor_terms, cantor_unrank, invert,
    notation, random_board, random_walk, runs, simplify,
};

/// The examples of the README, as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
