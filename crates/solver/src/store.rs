//! Storage for tables, which are built once and kept in files if the feature `cache` is enabled.

mod build;
#[cfg(feature = "cache")]
mod disk;
#[cfg(feature = "cache")]
mod files;

#[cfg(not(feature = "cache"))]
pub use build::Store;
pub use build::{BitLocation, Build, LoadedTable, PatternState, Warning};
#[cfg(feature = "cache")]
pub use disk::{Check, Compared, Store, StoredTable, WrongEntry};
