//! Searches side by side: every way to search on every board, a record for each run, and what they say together.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use std::ops::ControlFlow;
//!
//! use loyd::{CancelToken, Config};
//! use loyd_lab::compare::{Comparison, Row, Subject, Summary};
//!
//! let rows = vec![Row::of("bfs", None)?, Row::of("astar", Some("manhattan"))?];
//! let boards = vec![Subject { problem: "2 3 4 1 5 x 7 6 8".parse()?, optimal_length: None }];
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
mod presets;
mod record;
mod row;
mod run;
mod summary;

#[cfg(feature = "parquet")]
pub use export::parquet;
pub use export::{csv, lab, markdown};
pub use file::{Header, ReadError, read};
pub use presets::{PRESETS, Preset};
pub use record::{Record, Subject};
pub use row::{Choices, Row};
pub use run::{Comparison, Run};
pub use summary::{RowSummary, Spread, Summary};
