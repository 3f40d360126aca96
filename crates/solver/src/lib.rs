//! Solves sliding-tile puzzles: shortest solutions, every classic algorithm, reproducible counts.
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
//! A [`Problem`] is a start and a goal. A [`Solver`] is built from a [`Config`], which names one of the
//! [algorithms](search::ALGORITHMS) and one of the [heuristics](search::HEURISTICS), the duplicate detection, and
//! the limits. A solver keeps its tables and can be shared between threads. It returns a [`Report`]: the solution,
//! whether it is proved shortest, and the cost of the search.
//!
//! | task | modules |
//! |---|---|
//! | make, read and write boards and goals | [`board`], [`goal`], [`moves`], [`notation`] |
//! | choose a search and its limits | [`search`], and [`tables`] for tables in files |
//! | solve many problems, draw boards, answer files of 8-puzzles | [`batch`], [`scramble`], [`judge`](mod@judge) |
//! | explain, check and compare solutions | [`study`] |
//! | search with a heuristic of your own | [`engine`] |
//!
//! Cargo features, both on by default: `cache` stores tables in files, `parallel` uses several threads.
//!
//! Moves are the directions in which **the blank** travels: `u`, `d`, `l`, `r`.
#![forbid(unsafe_code)]

mod algorithms;
mod anytime;
mod attempt;
pub mod batch;
mod board_source;
#[cfg(feature = "cache")]
mod checkpoint;
mod choices;
mod config;
mod costs;
mod defaults;
mod error;
mod fast;
mod heuristics;
#[cfg(feature = "parallel")]
mod ordered;
mod plan;
mod problem;
mod quality;
mod report;
pub mod scramble;
mod shortest;
mod solver;
mod space;
mod store;
pub mod study;
mod sync;
pub mod tables;
mod tile_costs;
mod trace;

pub mod board {
    //! Boards, sizes, cells and tiles; solvability and ranks.
    //!
    //! ```
    //! use loyd::board::{Cell, Solvability, Tile, cantor_rank};
    //! use loyd::notation::parse_board;
    //! use loyd::{Goal, Size};
    //!
    //! let board = parse_board("2 3 4/1 5 x/7 6 8", None)?;
    //! assert_eq!((board.size(), board.blank()), (Size::EIGHT, Cell::new(5)));
    //! assert_eq!(board.find(Tile::new(8)), Some(Cell::new(8)));
    //! let goal = Goal::BlankLast.board(board.size())?;
    //! assert!(Solvability::new(&board, &goal).is_solvable());
    //! let numbers: Vec<u8> = goal.bytes().collect();
    //! assert_eq!(cantor_rank(&numbers)?, 46_233);
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```

    pub use loyd_tiles::{
        Board, BoardError, CantorTerm, Cell, IllegalMove, RankError, Size, SizeError, Solvability,
        Tile, Verdict, cantor_rank, cantor_terms, cantor_unrank,
    };
}

pub mod goal {
    //! Goals: named goals, any board, and partial goals, which leave cells open.
    //!
    //! ```
    //! use loyd::goal::GOALS;
    //! use loyd::notation::{parse_board, parse_partial_goal};
    //! use loyd::{Goal, Problem, Size};
    //!
    //! assert!(GOALS.iter().any(|row| row.name == "spiral"));
    //! assert_eq!(Goal::Spiral.board(Size::EIGHT)?.to_string(), "1 2 3 8 x 4 7 6 5");
    //! let first_row = parse_partial_goal("1 2 3/* * */* * *", None)?;
    //! let problem = Problem::with_partial_goal(parse_board("1 2 3/8 7 6/5 4 x", None)?, &first_row)?;
    //! assert!(problem.is_solved_by(problem.start()));
    //! # Ok::<(), Box<dyn std::error::Error>>(())
    //! ```

    pub use loyd_tiles::{Difference, EqualTiles, EqualTilesError};
    pub use loyd_tiles::{GOALS, Goal, GoalMismatch, NamedGoal, PartialGoal};
}

pub mod moves {
    //! Moves of the blank, and the metrics that count them.
    //!
    //! ```
    //! use loyd::Move::{Left, Right, Up};
    //! use loyd::moves::{Metric, invert, moves_in, simplify};
    //!
    //! let moves = [Up, Up, Right];
    //! assert_eq!(moves_in(Metric::MultiTile, &moves), [vec![Up, Up], vec![Right]]);
    //! assert_eq!(Metric::MultiTile.length(&moves), 2);
    //! assert_eq!(invert(&moves)[0], Left);
    //! assert_eq!(simplify(&[Up, Left, Right]), [Up]);
    //! ```

    pub use loyd_tiles::{Metric, MetricError, Move, invert, runs, simplify};

    pub use crate::study::optimize::moves_in;
}

pub mod search {
    //! Algorithms, heuristics, limits and observers of searches, and their results.
    //!
    //! ```
    //! use std::time::Duration;
    //!
    //! use loyd::search::{ALGORITHMS, Limits, Status, Stop};
    //! use loyd::{Config, Solver};
    //!
    //! let second = Limits { max_time: Some(Duration::from_secs(1)), ..Limits::default() };
    //! let few = Limits { max_expanded: Some(10), ..second };
    //! for row in ALGORITHMS.iter().filter(|row| row.uses_heuristic) {
    //!     let config = Config { algorithm: Some(row.name), limits: few, ..Config::default() };
    //!     let report = Solver::new(config)?.solve(&"8 6 7 2 5 4 3 x 1".parse()?)?;
    //!     assert_eq!(report.status, Status::Stopped(Stop::Expanded), "{}", row.name);
    //! }
    //! # Ok::<(), loyd::Error>(())
    //! ```
    //!
    //! A [`Config`](crate::Config) names one of the [`ALGORITHMS`] and one of the [`HEURISTICS`], or a [`Quality`]
    //! instead. [`engine`](crate::engine) has the generic searches, for spaces and heuristics of your own.

    pub use loyd_heuristics::{DistanceMatrix, MatrixError};
    pub use loyd_search::{
        CancelToken, Clock, ClosedKind, Cost, Direction, DirectionError, Event, FrontierKind,
        Iteration, Limits, Meter, Observer, Stats, Stop,
    };

    pub use crate::algorithms::{ALGORITHMS, Algorithm, Guarantee};
    #[cfg(feature = "cache")]
    pub use crate::checkpoint::SuspendedSearch;
    #[cfg(feature = "cache")]
    pub use crate::choices::Checkpoint;
    pub use crate::choices::{
        HeuristicChoice, Prune, PruneError, Round, Shard, ShardError, TableChoice,
    };
    pub use crate::heuristics::{Boards, HEURISTICS, HeuristicRow};
    pub use crate::quality::{Quality, QualityError, Weight, WeightError};
    pub use crate::report::{CostReport, Status};
    pub use crate::shortest::Shortest;
    pub use crate::tile_costs::{Fraction, TileCosts, TileCostsError};
}

pub mod engine {
    //! The searches, generic over the space and the heuristic, and the spaces of boards: for heuristics and algorithms of
    //! your own.
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
    //! To search other state spaces than boards, implement [`StateSpace`].

    pub use loyd_heuristics::{
        Gaschnig, InversionDistance, LinearConflict, SmallLinearConflict, TileSum, WalkingDistance,
    };
    #[doc(inline)]
    pub use loyd_search::*;
    pub use loyd_tiles::{
        ArraySpace, ArrayState, BoardSpace, MoveSet, Packed3x3, Packed4x4, Relabelling, Slide,
        Slides, State4x4, StateRanking, StepSpace,
    };
}

pub mod judge {
    //! Answers files of 8-puzzle boards at the speed of reading them.
    //!
    //! ```
    //! use loyd::judge::{Cpu, judge};
    //!
    //! let (mut answers, mut faults) = (Vec::new(), 0);
    //! let boards = "1 2 3 4 5 6 7 x 8\n1 2 3 4 5 6 8 7 x\n1 2 3\n";
    //! judge(boards.as_bytes(), &mut answers, Cpu::from_env_or_detect(), &mut |_| faults += 1)?;
    //! assert_eq!((&answers[..], faults), (&b"r\nunsolvable\ninvalid\n"[..], 1));
    //! # Ok::<(), std::io::Error>(())
    //! ```

    pub use loyd_kernels::{AnswerCounts, Cpu, CpuError, Fault, FaultKind, judge};
}

/// Reading and writing boards, goals and moves.
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

/// Runs the examples of the documents as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/library.md")]
struct Documents;
