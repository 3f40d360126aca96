//! Comparisons in the forms of other programs.

mod csv;
mod lab;
mod markdown;
#[cfg(feature = "parquet")]
mod parquet;

pub use csv::csv;
pub use lab::lab;
pub use markdown::markdown;
#[cfg(feature = "parquet")]
pub use parquet::parquet;
