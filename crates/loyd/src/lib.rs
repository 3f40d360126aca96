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
//! Cargo features, both on by default: `cache` keeps tables in files, `parallel` uses several threads.
//!
//! Moves are the directions in which **the blank** travels: `u`, `d`, `l`, `r`.
#![forbid(unsafe_code)]

mod advice;
mod algorithms;
mod attempt;
mod batch;
mod choices;
mod config;
mod error;
mod explain;
mod fast;
mod heuristics;
mod plan;
mod problem;
mod quality;
mod realms;
mod record;
mod report;
mod scramble;
mod shortest;
mod solver;
mod space;
mod store;
mod tables;
mod verify;

pub use advice::{Hint, Review, ReviewError, Stretch, moves_in};
pub use algorithms::{ALGORITHMS, Algorithm, Guarantee};
pub use batch::in_order;
pub use choices::{HeuristicChoice, Quality, QualityError, TableChoice, Weight, WeightError};
pub use config::Config;
pub use error::Error;
pub use explain::{Estimated, Explanation, explain};
pub use heuristics::{Boards, HEURISTICS, HeuristicRow, default_tables};
pub use problem::Problem;
pub use realms::{REALMS, Realm, RealmTotals};
pub use record::{Record, Round, Written};
pub use report::{Report, Status};
pub use scramble::{ScrambleError, Scrambled, Scrambler};
pub use shortest::Shortest;
pub use solver::Solver;
pub use store::{Build, LoadedTable, Store, Warning, WrongPlace, WrongState};
#[cfg(feature = "cache")]
pub use store::{Check, Compared, StoredTable, WrongEntry};
pub use verify::{Verification, WentWrong, verify};

pub use loyd_heuristics::{DistanceMatrix, MatrixError, file, pdb};
pub use loyd_kernels::{Cpu, CpuError, Fault, Tally, judge};
pub use loyd_search::{
    CancelToken, Clock, Closed, Cost, Event, Iteration, Limits, Meter, Observer, OpenList, Stats,
    Stop,
};
pub use loyd_tiles::{
    Board, BoardError, CantorTerm, Cell, GOALS, Goal, GoalMismatch, IllegalMove, Metric,
    MetricError, Move, NamedGoal, PartialGoal, Random, RankError, Relabelling, Size, SizeError,
    Solvability, Tile, TurnsBack, Verdict, cantor_rank, cantor_terms, cantor_unrank, invert,
    notation, random_board, random_walk, runs, simplify,
};

/// The examples of the documents, as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/library.md")]
struct Documents;
