//! The files of a table: their names and operations on them, and the lock, which admits one builder at a time.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use loyd_heuristics::file::AnyTableKey;
use loyd_search::{Meter, Stop};

/// Extension of table files.
const TABLE: &str = "pdb";

/// The file that marks a folder as a cache, so that backup programs skip it: <https://bford.info/cachedir/>.
const CACHE_TAG: &str = "CACHEDIR.TAG";
const CACHE_TAG_TEXT: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# Loyd made this folder for its tables.\n";

/// Removes a folder that [`Names::make_folder`] has created, if nothing else is in it.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    let tag = folder.join(CACHE_TAG);
    let is_ours = || {
        let mut text = Vec::new();
        let read = open(&tag)
            .and_then(|file| file.take(CACHE_TAG_TEXT.len() as u64 + 1).read_to_end(&mut text));
        read.is_ok() && text == CACHE_TAG_TEXT.as_bytes()
    };
    if files_in(folder)? == [tag.clone()] && is_ours() {
        remove(&tag)?;
        match fs::remove_dir(folder) {
            // Another process has started to build tables in the meantime.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            removed => removed.map_err(at(folder))?,
        }
    }
    Ok(())
}

/// The names of a table's file and its companions, which differ in their extensions.
pub struct Names {
    folder: PathBuf,
    stem: String,
}

impl Names {
    /// Returns the names for `contents`, such as `4x4-blank0-7-7-1.pdb` or `3x3-blank0-1,2,3,4_5,6,7,8.pdb`.
    pub fn new(folder: &Path, contents: &AnyTableKey) -> Self {
        Self { folder: folder.to_owned(), stem: contents.stem() }
    }

    /// Returns the names of all files in `folder` that contain tables or are named like one.
    pub fn all_in(folder: &Path) -> io::Result<Vec<Self>> {
        let mut stems = BTreeSet::new();
        for path in files_in(folder)? {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or("");
            let stem = match name.strip_suffix(".pdb") {
                Some(stem) if AnyTableKey::is_stem(stem) || holds_tables(&path) => stem,
                Some(_) => continue,
                None => match name.strip_suffix(".lock").or_else(|| unfinished(name)) {
                    Some(stem) if AnyTableKey::is_stem(stem) => stem,
                    _ => continue,
                },
            };
            stems.insert(stem.to_owned());
        }
        Ok(stems.into_iter().map(|stem| Self { folder: folder.to_owned(), stem }).collect())
    }

    fn with(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", self.stem))
    }

    /// Returns the path of the table.
    pub fn table(&self) -> PathBuf {
        self.with(TABLE)
    }

    /// Returns the path of the file that the builder locks. Only the holder of the lock may remove it.
    pub fn lock(&self) -> PathBuf {
        self.with("lock")
    }

    /// Creates the folder if it does not exist, with a cache tag in it.
    ///
    /// # Errors
    /// File-system errors.
    pub fn make_folder(&self) -> io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
        // Without the tag, the folder merely stays when all tables are removed.
        let _ = fs::write(self.folder.join(CACHE_TAG), CACHE_TAG_TEXT);
        Ok(())
    }

    /// Writes the table under a temporary name, and renames the file when it is complete.
    ///
    /// # Errors
    /// File-system errors. The temporary file is removed then.
    pub fn write(&self, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<PathBuf> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        self.make_folder()?;
        let (unfinished, table) =
            (self.with(&format!("{}-{count}.tmp", std::process::id())), self.table());
        let written = File::create(&unfinished).and_then(|mut file| write(&mut file));
        match written.and_then(|()| fs::rename(&unfinished, &table)) {
            Ok(()) => Ok(table),
            Err(error) => {
                let _ = fs::remove_file(&unfinished);
                Err(at(&table)(error))
            }
        }
    }

    /// Removes the leftovers of killed builders. The caller must hold the lock, so that no other process is writing.
    pub fn remove_leftovers(&self) -> io::Result<()> {
        for path in files_in(&self.folder)? {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or("");
            if unfinished(name) == Some(&self.stem) && !path.is_dir() {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

/// Returns the stem of a temporary file, which is being written or was left by a killed builder; `None` for other
/// names.
fn unfinished(name: &str) -> Option<&str> {
    let (stem, number) = name.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (process, count) = number.split_once('-')?;
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|number| number.to_string() == text);
    (is_number(process) && is_number(count)).then_some(stem)
}

/// Returns whether a file starts with the magic bytes of a table.
fn holds_tables(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    read.is_ok() && AnyTableKey::has_known_magic(&start)
}

/// Opens a file for reading.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe would block until another process writes to it.
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}

/// Adds the path to the message of an error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Removes a file. Returns whether it existed.
pub fn remove(path: &Path) -> io::Result<bool> {
    if fs::symlink_metadata(path).is_ok_and(|file| file.is_dir()) {
        return Err(at(path)(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
    }
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(at(path)(error)),
    }
}

/// Returns the files in `folder` with the extension of tables, in the order of names.
pub fn tables_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = files_in(folder)?;
    files.retain(|path| path.extension() == Some(OsStr::new(TABLE)));
    files.sort_unstable();
    Ok(files)
}

/// Returns the paths of all entries of `folder`. Empty if it does not exist.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(files) => files.map(|file| file.map(|file| file.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(at(folder)(error)),
    }
}

/// Interval at which a waiting builder checks the lock and its own limits.
const POLL_INTERVAL: Duration = Duration::from_millis(3);

/// The right to write the file of a table, until it is dropped. The operating system releases the lock however the
/// program ends.
pub struct Lock(File);

impl Lock {
    /// Returns the path of the lock file if it is not a regular file but a folder, or a pipe, which would block the
    /// process that opens it.
    pub fn obstacle(names: &Names) -> Option<PathBuf> {
        let path = names.lock();
        let found = fs::metadata(&path).ok()?;
        (!found.is_file()).then_some(path)
    }

    /// Waits for the lock. Returns `None` if it cannot be taken, for instance in a folder that is not writable.
    ///
    /// # Errors
    /// Returns the limit that was reached while waiting.
    pub fn acquire(names: &Names, meter: &mut Meter<'_>) -> Result<Option<Self>, Stop> {
        let Ok(mut file) = open_lock(names) else { return Ok(None) };
        loop {
            match file.try_lock() {
                Ok(()) if is_current(&file, names) => break,
                // The previous holder has removed the file: lock its successor.
                Ok(()) => match open_lock(names) {
                    Ok(another) => file = another,
                    Err(_) => return Ok(None),
                },
                Err(TryLockError::WouldBlock) => {
                    meter.check()?;
                    std::thread::sleep(POLL_INTERVAL);
                }
                Err(TryLockError::Error(_)) => return Ok(None),
            }
        }
        // Leftovers that cannot be removed do no harm.
        let _ = names.remove_leftovers();
        Ok(Some(Self(file)))
    }

    /// Takes the lock if it is free; returns `None` otherwise.
    ///
    /// # Errors
    /// File-system errors.
    pub fn try_acquire(names: &Names) -> io::Result<Option<Self>> {
        let file = open_lock(names)?;
        match file.try_lock() {
            Ok(()) if is_current(&file, names) => {
                names.remove_leftovers()?;
                Ok(Some(Self(file)))
            }
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Removes the lock file. A process that waits for it notices that the file is gone, and creates another one.
    fn remove(self, names: &Names) -> io::Result<()> {
        if cfg!(unix) {
            remove(&names.lock())?;
        }
        drop(self.0);
        Ok(())
    }
}

/// Returns whether `file` is still the lock file at its path.
#[cfg(unix)]
fn is_current(file: &File, names: &Names) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: io::Result<fs::Metadata>| found.map(|found| (found.dev(), found.ino())).ok();
    let own = id(file.metadata());
    own.is_some() && own == id(fs::metadata(names.lock()))
}

/// On other systems the lock file is never removed.
#[cfg(not(unix))]
fn is_current(_: &File, _: &Names) -> bool {
    true
}

fn open_lock(names: &Names) -> io::Result<File> {
    names.make_folder()?;
    if Lock::obstacle(names).is_some() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    OpenOptions::new().create(true).truncate(false).write(true).open(names.lock())
}

/// Removes a table, and its lock file and leftovers unless another builder is working on it. Returns whether there was
/// a table.
pub fn remove_table(names: &Names) -> io::Result<bool> {
    let removed = remove(&names.table())?;
    if names.lock().is_file() {
        // Taking the lock removes the leftovers.
        if let Some(lock) = Lock::try_acquire(names)? {
            lock.remove(names)?;
        }
    }
    Ok(removed)
}
