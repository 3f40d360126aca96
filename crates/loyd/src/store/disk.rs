//! The store on disk.
//!
//! Each [`TableKey`] has a file of its own in the folder. A file is written under a temporary name and then
//! renamed, so a reader sees a whole file or none. The builder of a file holds a lock, so programs that start
//! together build it once. Tables are built again if their file is damaged, old or about something else; if the
//! folder cannot be written to, they are built each time. Both give a [`Warning`].

mod files;
mod lock;
mod verify;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use loyd_heuristics::file::{self, FileError, Header, TableKey};
use loyd_search::{Meter, Stop};

use super::loaded::{LoadedTable, Warning};
use files::Names;
use lock::{Lock, remove_table};

pub use verify::{Check, Compared, WrongEntry};

/// Where tables are kept.
#[derive(Clone, Debug)]
pub struct Store {
    /// The folder; if there is none, the reason, where the user should know it.
    folder: Result<PathBuf, Option<String>>,
}

/// A file of a store.
#[derive(Debug)]
pub struct StoredTable {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// What it holds, with its checksums found right; else why it would not be used.
    pub state: Result<Header, FileError>,
}

impl Store {
    /// The name of a store that keeps nothing.
    pub const NONE: &str = "none";

    /// A store that keeps tables in `folder`, which is created with the first of them; `none` keeps nothing.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        match folder.as_os_str() == Self::NONE {
            true => Self::nowhere(),
            false => Self { folder: Ok(folder) },
        }
    }

    /// A store that keeps nothing.
    pub fn nowhere() -> Self {
        Self { folder: Err(None) }
    }

    /// The user's store: the folder that `LOYD_CACHE` names (or `none`), else `loyd` in the user's
    /// cache folder: `XDG_CACHE_HOME` or `~/.cache`, on Windows the one of the system.
    pub fn of_user() -> Self {
        if let Some(folder) = std::env::var_os("LOYD_CACHE").filter(|folder| !folder.is_empty()) {
            return Self::new(folder);
        }
        let folder = etcetera::choose_base_strategy().map(|base| base.cache_dir().join("loyd"));
        let reason = |_| Some("there is no home folder; LOYD_CACHE can name another".to_owned());
        Self { folder: folder.map_err(reason) }
    }

    /// The folder, if anything is kept.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref().ok()
    }

    /// Whether the tables of `key` have a file, be it a good one or not.
    pub(crate) fn has_file(&self, key: &impl TableKey) -> bool {
        self.path(key).is_some_and(|path| path.exists())
    }

    /// The file in which the tables of `key` are kept, if they are.
    pub fn path(&self, key: &impl TableKey) -> Option<PathBuf> {
        self.names(key).map(|names| names.table())
    }

    fn names(&self, key: &impl TableKey) -> Option<Names> {
        self.folder().filter(|_| key.is_filed()).map(|folder| Names::new(folder, &key.contents()))
    }

    /// The tables of `key` from their file, or `None` if there is no file.
    ///
    /// # Errors
    /// Why the file is not used, or [`FileError::Stopped`].
    pub fn load<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
    ) -> Result<Option<K::Table>, FileError> {
        match self.open(key)? {
            None => Ok(None),
            Some(mut file) => file::read(key, &mut file, meter).map(Some),
        }
    }

    /// Opens the file of `key`, if there is one.
    fn open(&self, key: &impl TableKey) -> io::Result<Option<File>> {
        let Some(path) = self.path(key) else { return Ok(None) };
        match files::open(&path) {
            Ok(file) => Ok(Some(file)),
            // If the folder is missing, or is a file, there is no table; a writer will report that.
            Err(e)
                if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes the tables to their file, in place of the one that is there; its readers are not disturbed.
    /// Returns the path of the file, or `None` if nothing is kept.
    ///
    /// # Errors
    /// Those of the file system; nothing is left behind then.
    pub fn save<K: TableKey>(&self, key: &K, table: &K::Table) -> io::Result<Option<PathBuf>> {
        let Some(names) = self.names(key) else { return Ok(None) };
        names.write(|file| file::write(key, table, file)).map(Some)
    }

    /// The tables of `key`: from their file, or else made by `build` and written to it.
    ///
    /// If several threads or programs need the same tables, one of them builds the file; the others wait
    /// within their own limits, and then read it. If the builder is killed, another one takes over. Problems
    /// with files are warnings.
    ///
    /// When this returns, `meter` holds the bytes of the tables beside those of the search.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn get_or_build<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
        build: impl FnOnce(&K, &mut Meter<'_>) -> Result<K::Table, Stop>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        let loaded = match self.look(key, meter)? {
            Ok(read) => read,
            Err(_) => self.build_once(key, meter, build)?,
        };
        meter.reserve_tables(K::bytes(&loaded.table))?;
        Ok(loaded)
    }

    /// The tables from their file, or the reason why there are none.
    fn look<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
    ) -> Result<Result<LoadedTable<K::Table>, Option<Warning>>, Stop> {
        match meter.off_the_clock(|meter| self.load(key, meter)) {
            Ok(None) => Ok(Err(None)),
            Ok(Some(table)) => {
                Ok(Ok(LoadedTable { table: Arc::new(table), built: false, warnings: Vec::new() }))
            }
            Err(FileError::Stopped(stop)) => Err(stop),
            Err(error) => {
                let path = self.path(key).unwrap_or_default();
                Ok(Err(Some(Warning::Refused { path, reason: error.to_string() })))
            }
        }
    }

    /// Builds the tables and writes them to their file, unless another builder has done so meanwhile.
    fn build_once<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
        build: impl FnOnce(&K, &mut Meter<'_>) -> Result<K::Table, Stop>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        let names = self.names(key);
        let not_locked = names.as_ref().and_then(Lock::obstacle).map(Warning::NotLocked);
        let _lock = match &names {
            Some(names) if not_locked.is_none() => Lock::wait_for(names, meter)?,
            _ => None,
        };
        let refused = match self.look(key, meter)? {
            Ok(read) => return Ok(read),
            Err(refused) => refused,
        };
        let table = Arc::new(meter.off_the_clock(|meter| build(key, meter))?);
        let not_kept = match (&self.folder, self.save(key, &table)) {
            _ if !key.is_filed() => None,
            (Err(reason), _) => reason.clone(),
            (Ok(_), Err(error)) => Some(error.to_string()),
            (Ok(_), Ok(_)) => None,
        };
        let not_kept = not_kept.map(Warning::NotKept);
        let warnings = [not_locked, refused, not_kept].into_iter().flatten().collect();
        Ok(LoadedTable { table, built: true, warnings })
    }

    /// What the file of `key` holds, if there is one, with its checksums found right. The file is read once.
    ///
    /// # Errors
    /// Why the file would not be used.
    pub fn header(&self, key: &impl TableKey) -> Result<Option<Header>, FileError> {
        let Some(mut file) = self.open(key)? else { return Ok(None) };
        let header = Header::read_for(key, &mut file)?;
        header.read_words(&mut file, &mut Meter::default(), |_| {})?;
        Ok(Some(header))
    }

    /// All files that hold tables or have such a name, in the order of names; each is read once. None if nothing
    /// is kept.
    ///
    /// # Errors
    /// When the folder cannot be read, or the limit that was reached.
    pub fn list(&self, meter: &mut Meter<'_>) -> Result<Vec<StoredTable>, FileError> {
        let mut all = Vec::new();
        for path in self.folder().map_or(Ok(Vec::new()), files::tables_in)? {
            let state = match kept(&path, meter) {
                Err(FileError::Stopped(stop)) => return Err(stop.into()),
                state => state,
            };
            let bytes = path.metadata().map_or(0, |file| file.len());
            all.push(StoredTable { path, bytes, state });
        }
        Ok(all)
    }

    /// Removes the file of `key` and what a killed builder has left. Returns whether there was
    /// a file.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn remove(&self, key: &impl TableKey) -> io::Result<bool> {
        self.names(key).map_or(Ok(false), |names| remove_table(&names))
    }

    /// Removes all files that hold tables or have the name of such a file, what builders have left, and the folder
    /// if a store has made it and it is empty then. Returns the files that were removed, and a warning for each that could not be. Nothing else in the folder
    /// is touched.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn remove_all(&self) -> io::Result<(Vec<PathBuf>, Vec<Warning>)> {
        let (mut removed, mut warnings) = (Vec::new(), Vec::new());
        let Some(folder) = self.folder() else { return Ok((removed, warnings)) };
        for names in Names::all_in(folder)? {
            match remove_table(&names) {
                Ok(true) => removed.push(names.table()),
                Ok(false) => {}
                Err(error) => warnings.push(Warning::NotRemoved(error.to_string())),
            }
        }
        if let Err(error) = files::remove_folder(folder) {
            warnings.push(Warning::NotRemoved(error.to_string()));
        }
        Ok((removed, warnings))
    }
}

/// What is in the file at `path`, with everything checked that can be checked without building it again.
fn kept(path: &Path, meter: &mut Meter<'_>) -> Result<Header, FileError> {
    let mut file = files::open(path)?;
    let header = Header::read(&mut file)?;
    header.read_words(&mut file, meter, |_| {})?;
    let folder = path.parent().unwrap_or(Path::new(""));
    match Names::new(folder, &header.contents).table() == path {
        true => Ok(header),
        false => Err(FileError::Other(Box::new(header.contents))),
    }
}
