//! Where a search is put aside.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loyd_kernels::Progress;

/// A file in which a search is put aside: every 30 seconds, after each iteration, and when a limit ends it. A search that
/// finds the file goes on from there, and in the end its complete iterations count as much as those of one that was never
/// put aside; if it was stopped while both ends were tried, they may be those from the other end. Who uses it removes the
/// file when the board is solved.
///
/// See [`Solver::can_be_put_aside`](crate::Solver::can_be_put_aside) for the searches that can be.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    path: PathBuf,
    every: Duration,
}

impl Checkpoint {
    /// The checkpoint in this file, which need not be there.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), every: Progress::INTERVAL }
    }

    /// The same, written so often at least, in place of every 30 seconds.
    #[must_use]
    pub fn every(self, every: Duration) -> Self {
        Self { every, ..self }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, if it is there.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// How often it is written at least.
    pub(crate) fn interval(&self) -> Duration {
        self.every
    }
}
