//! Comparisons of searches: every configuration runs on every board and yields a record; a summary aggregates them.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::ops::ControlFlow;
//!
//! use loyd::{CancelToken, Config};
//! use loyd_lab::compare::{Comparison, Row, Instance, Summary};
//!
//! let rows = vec![Row::of("bfs", None)?, Row::of("astar", Some("manhattan"))?];
//! let boards = vec![Instance { problem: "2 3 4 1 5 x 7 6 8".parse()?, optimal_length: None }];
//! let comparison = Comparison::new(rows, boards, &Config::default())?;
//! let mut records = Vec::new();
//! comparison.run(&[], NonZeroUsize::MIN, &CancelToken::new(), |record| {
//!     records.push(record);
//!     ControlFlow::Continue(())
//! });
//! let summary = Summary::of(&records);
//! assert_eq!(summary.sentences(), ["astar/manhattan expanded 67.0x fewer than bfs"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod export;
mod file;
#[cfg(feature = "parquet")]
mod parquet;
mod record;
mod rows;
mod run;
mod summary;

pub use export::{csv, lab, markdown};
pub use file::{Header, ReadError, read};
#[cfg(feature = "parquet")]
pub use parquet::parquet;
pub use record::{Instance, Record};
pub use rows::{Choices, PRESETS, Preset, Row};
pub use run::{Checker, Comparison, Run};
pub use summary::{RowSummary, Spread, Summary};
