//! Tables that are built once and kept, in files if the feature `cache` is there.

mod build;
#[cfg(feature = "cache")]
mod disk;
mod loaded;
#[cfg(not(feature = "cache"))]
mod nowhere;
mod place;

pub use build::Build;
#[cfg(feature = "cache")]
pub use disk::{Check, Compared, Store, StoredTable, WrongEntry};
pub use loaded::{LoadedTable, Warning};
#[cfg(not(feature = "cache"))]
pub use nowhere::Store;
pub use place::{WrongPlace, WrongState};
