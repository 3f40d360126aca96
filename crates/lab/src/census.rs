//! Censuses: the number of states at each distance from a goal, and the boards farthest from it.
//!
//! ```
//! use loyd::engine::Meter;
//! use loyd::goal::Goal;
//! use loyd::moves::Metric;
//! use loyd_lab::census::{CensusSpec, Survey};
//!
//! let goal = Goal::BlankLast.board("3x3".parse()?)?;
//! let spec = CensusSpec::to_board(&goal, Metric::SingleTile)?;
//! let mut survey = Survey::new(vec![spec], 2);
//! let mut meter = Meter::default();
//! while survey.advance(&mut meter)? {}
//! let results = survey.results();
//! assert_eq!((results[0].depth(), results[0].state_count()), (31, 181_440));
//! assert_eq!(results[0].farthest.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod disk;
mod files;
mod spec;
mod survey;

pub use disk::{DiskPlan, DiskSurvey};
pub use spec::{CensusError, CensusSpec, all_goals};
pub use survey::{CensusResult, Checkpoint, ResumeError, Survey};
