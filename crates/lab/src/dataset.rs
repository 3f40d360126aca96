//! Boards with exact labels, for those who train models.
//!
//! [`Boards`] draws boards, each a function of the seed and its number; [`Labels`] says what is written about each;
//! [`label_all`] labels them on several threads, in order; [`Part`] holds labelled rows and writes them as CSV, JSON
//! Lines, NumPy's `.npz` or Parquet. Boards of Python's pickles are read by [`pickle`].
//!
//! Directions are those of the blank: bit 0 of a mask is up, bit 1 left, bit 2 right and bit 3 down, in the order of
//! [`Move::index`](loyd::Move::index).

mod draw;
mod exact;
mod label;
mod npz;
mod parquet;
mod part;
pub mod pickle;
mod write;

pub use draw::{Boards, DrawError, Drawing};
pub use exact::Exact;
pub use label::{DatasetError, Labelled, Labels, Shape, label_all};
pub use part::{Part, Wanted};
pub use write::Format;
