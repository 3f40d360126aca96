//! Parquet, where the feature is on.

#[cfg(feature = "parquet")]
mod arrow;

#[cfg(feature = "parquet")]
pub use arrow::write;

/// Refuses to write.
#[cfg(not(feature = "parquet"))]
pub fn write(_: &super::part::Part, _: impl std::io::Write) -> std::io::Result<()> {
    Err(std::io::Error::other("this program was built without Parquet"))
}
