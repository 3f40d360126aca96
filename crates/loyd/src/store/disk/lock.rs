//! The lock of a table's file: one builder at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use loyd_search::{Meter, Stop};

use super::files::{self, Names};

/// How long a waiting builder sleeps between two checks of the lock and of its own limits.
const NAP: Duration = Duration::from_millis(3);

/// The right to write the file of a table, until this is dropped or the program ends in any way: the lock
/// belongs to the system.
pub struct Lock(File);

impl Lock {
    /// What is in the place of the lock file, if it is not a file: a folder, or a pipe, which would block
    /// whoever opens it.
    pub fn obstacle(names: &Names) -> Option<PathBuf> {
        let path = names.lock();
        let found = fs::metadata(&path).ok()?;
        (!found.is_file()).then_some(path)
    }

    /// Waits for the lock; `None` where there can be none, as in a folder that cannot be written to.
    ///
    /// # Errors
    /// The limit that was reached while waiting.
    pub fn wait_for(names: &Names, meter: &mut Meter<'_>) -> Result<Option<Self>, Stop> {
        let Ok(mut file) = open(names) else { return Ok(None) };
        loop {
            match file.try_lock() {
                Ok(()) if is_there(&file, names) => break,
                // Its holder has removed it.
                Ok(()) => match open(names) {
                    Ok(another) => file = another,
                    Err(_) => return Ok(None),
                },
                Err(TryLockError::WouldBlock) => {
                    meter.check()?;
                    std::thread::sleep(NAP);
                }
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
        // Leftovers that cannot be removed do no harm.
        let _ = names.sweep();
        Ok(Some(Self(file)))
    }

    /// Takes the lock if it is free.
    pub fn take(names: &Names) -> io::Result<Option<Self>> {
        let file = open(names)?;
        match file.try_lock() {
            Ok(()) if is_there(&file, names) => {
                names.sweep()?;
                Ok(Some(Self(file)))
            }
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Removes the lock file. Whoever waits for it finds that it is not there any more, and makes another one.
    fn remove(self, names: &Names) -> io::Result<()> {
        if cfg!(unix) {
            files::remove(&names.lock())?;
        }
        drop(self.0);
        Ok(())
    }
}

/// Whether `file` is the one that others find in its place.
#[cfg(unix)]
fn is_there(file: &File, names: &Names) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: io::Result<fs::Metadata>| found.map(|found| (found.dev(), found.ino())).ok();
    let own = id(file.metadata());
    own.is_some() && own == id(fs::metadata(names.lock()))
}

/// Elsewhere nobody removes it.
#[cfg(not(unix))]
fn is_there(_: &File, _: &Names) -> bool {
    true
}

fn open(names: &Names) -> io::Result<File> {
    names.make_folder()?;
    if Lock::obstacle(names).is_some() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    OpenOptions::new().create(true).truncate(false).write(true).open(names.lock())
}

/// Removes a table, and, unless another builder is at work on it, what belongs to it. Returns whether there
/// was a table.
pub fn remove_table(names: &Names) -> io::Result<bool> {
    let removed = files::remove(&names.table())?;
    if names.lock().is_file() {
        // Taking the lock removes leftovers.
        if let Some(lock) = Lock::take(names)? {
            lock.remove(names)?;
        }
    }
    Ok(removed)
}
