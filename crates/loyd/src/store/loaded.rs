//! What a store gives.

use std::path::PathBuf;
use std::sync::Arc;

/// Tables, and where they come from.
#[derive(Debug)]
pub struct LoadedTable<T> {
    /// The tables.
    pub table: Arc<T>,
    /// Whether they have just been built, rather than read from a file.
    pub built: bool,
    /// What the user may want to know. The tables are right all the same.
    pub warnings: Vec<Warning>,
}

impl<T> LoadedTable<T> {
    /// A table that was just built and has no file.
    pub(crate) fn built(table: T) -> Self {
        Self { table: Arc::new(table), built: true, warnings: Vec::new() }
    }
}

/// A problem with files that does not change what a solver finds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A file that was there is not used.
    #[error("{} is not used: {reason}; it is built again", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Tables were built, but could not be written to a file.
    #[error("the tables are not kept for next time: {0}")]
    NotKept(String),
    /// Something else stands where the lock file belongs, so other programs may build the same tables at the
    /// same time.
    #[error("{} is not a file that can be locked; the tables are built without a lock", .0.display())]
    NotLocked(PathBuf),
    /// A file could not be removed.
    #[error("it is not removed: {0}")]
    NotRemoved(String),
}
