//! Boards with exact labels, for training models.
//!
//! * [`Boards`] draws boards, each determined by the seed and its number.
//! * [`Labeller`] specifies the labels and holds the tables that compute them.
//! * [`label_all`] labels boards on several threads, in order.
//! * [`Part`] holds labelled rows and writes them as CSV, JSON Lines, NumPy's `.npz` or Parquet.
//! * [`pickle`] reads boards from Python pickles.
//!
//! Directions refer to the blank: bit 0 of a mask is up, bit 1 left, bit 2 right and bit 3 down, in the order of
//! [`Move::index`](loyd::Move::index).

mod draw;
mod exact;
mod label;
#[cfg(feature = "parquet")]
mod parquet;
mod part;
pub mod pickle;
mod pickle_machine;
mod row_set;
mod write;

pub use draw::{Boards, Distribution, DrawError};
pub use exact::ExactLabels;
pub use label::{DatasetError, LabelledBoards, Labeller, WorkLayout, label_all};
pub use part::{LabelOptions, Labels, Part};
pub use write::Format;
