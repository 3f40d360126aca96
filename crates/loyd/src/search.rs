//! How to search, within which limits, watched by whom; and what comes of it.
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
//! instead. The searches themselves, for spaces and heuristics of your own, are in [`engine`](crate::engine).

pub use loyd_heuristics::{DistanceMatrix, MatrixError};
pub use loyd_search::{
    CancelToken, Clock, Closed, Cost, Direction, DirectionError, Event, Iteration, Limits, Meter,
    Observer, OpenList, Stats, Stop,
};

pub use crate::algorithms::{ALGORITHMS, Algorithm, Guarantee};
#[cfg(feature = "cache")]
pub use crate::choices::Checkpoint;
pub use crate::choices::{
    HeuristicChoice, Prune, PruneError, Quality, QualityError, Shard, ShardError, TableChoice,
    Weight, WeightError,
};
pub use crate::heuristics::{Boards, HEURISTICS, HeuristicRow};
pub use crate::report::Status;
pub use crate::shortest::Shortest;
