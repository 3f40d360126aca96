//! Censuses: how many states there are at each distance from a goal, and which boards are farthest from it.
//!
//! ```
//! use loyd::engine::Meter;
//! use loyd::goal::Goal;
//! use loyd::moves::Metric;
//! use loyd_lab::census::{Question, Survey};
//!
//! let goal = Goal::BlankLast.board("3x3".parse()?)?;
//! let question = Question::to_board(&goal, Metric::SingleTile)?;
//! let mut survey = Survey::new(vec![question], 2);
//! let mut meter = Meter::default();
//! while survey.advance(&mut meter)? {}
//! let answers = survey.answers();
//! assert_eq!((answers[0].depth(), answers[0].states()), (31, 181_440));
//! assert_eq!(answers[0].farthest.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod question;
mod survey;

pub use question::{Question, QuestionError, all_goals};
pub use survey::{Answer, Checkpoint, RestoreError, Survey};
