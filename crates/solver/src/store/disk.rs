//! The store on disk, and the verification of its files against newly built tables.
//!
//! Each [`TableKey`] has its own file in the folder. A file is written under a temporary name and then renamed, so that
//! readers see a complete file or none. The builder of a file holds a lock, so that programs started together build it
//! once. Tables are rebuilt if their file is damaged, of an older format or for another key; if the folder is not
//! writable, they are built in every run. Both cases give a [`Warning`].

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use loyd_heuristics::file::{self, FileError, Header, TableKey};
use loyd_search::{Meter, Stop};

use super::build::{BitLocation, Build, LoadedTable, Warning};
use super::files::{self, Lock, Names, remove_table};

/// A folder for table files, or none.
#[derive(Clone, Debug)]
pub struct Store {
    /// The folder; or if there is none, the reason if the user should know it.
    folder: Result<PathBuf, Option<String>>,
    /// Maximum size in bytes of all tables in the folder, after writing a table.
    most_bytes: Option<u64>,
}

/// A file of a store.
#[derive(Debug)]
pub struct StoredTable {
    /// Path of the file.
    pub path: PathBuf,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Header of the file if its checksums are right, or else why a reader would refuse the file.
    pub state: Result<Header, FileError>,
}

impl Store {
    /// Name of a store that keeps nothing.
    pub const NONE: &str = "none";

    /// Returns a store in `folder`, which is created with the first table. The name `none` gives a store that keeps
    /// nothing.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        match folder.as_os_str() == Self::NONE {
            true => Self::disabled(),
            false => Self { folder: Ok(folder), most_bytes: None },
        }
    }

    /// Returns a store that keeps nothing.
    pub fn disabled() -> Self {
        Self { folder: Err(None), most_bytes: None }
    }

    /// Returns the user's store: the folder named by `LOYD_CACHE` (or nothing for `none`), or else `loyd` in the user's
    /// cache folder, which is `XDG_CACHE_HOME` or `~/.cache`, and on Windows the system's.
    pub fn of_user() -> Self {
        if let Some(folder) = std::env::var_os("LOYD_CACHE").filter(|folder| !folder.is_empty()) {
            return Self::new(folder);
        }
        let folder = etcetera::choose_base_strategy().map(|base| base.cache_dir().join("loyd"));
        let reason =
            |_| Some("there is no home folder; set LOYD_CACHE to choose a folder".to_owned());
        Self { folder: folder.map_err(reason), most_bytes: None }
    }

    /// Limits the size of all tables in the folder. Tables that would exceed it are not written.
    #[must_use]
    pub fn with_most_bytes(self, bytes: u64) -> Self {
        Self { most_bytes: Some(bytes), ..self }
    }

    /// Returns the folder, or `None` if the store keeps nothing.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref().ok()
    }

    /// Returns whether the tables of `key` have a file, valid or not.
    pub(crate) fn has_file(&self, key: &impl TableKey) -> bool {
        self.path(key).is_some_and(|path| path.exists())
    }

    /// Returns the path of the file for the tables of `key`, or `None` if such tables are not kept.
    pub fn path(&self, key: &impl TableKey) -> Option<PathBuf> {
        self.names(key).map(|names| names.table())
    }

    fn names(&self, key: &impl TableKey) -> Option<Names> {
        self.folder()
            .filter(|_| key.is_worth_storing())
            .map(|folder| Names::new(folder, &key.contents()))
    }

    /// Reads the tables of `key` from their file. Returns `None` if there is no file.
    ///
    /// # Errors
    /// Returns the reason why the file is refused, or [`FileError::Stopped`] if a limit was reached.
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

    /// Opens the file of `key`, if it exists.
    fn open(&self, key: &impl TableKey) -> io::Result<Option<File>> {
        let Some(path) = self.path(key) else { return Ok(None) };
        match files::open(&path) {
            Ok(file) => Ok(Some(file)),
            // A missing folder means that there is no table; a file in its place does too, and will be reported on
            // writing.
            Err(e)
                if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes the tables to their file and replaces an existing one, without disturbing its readers. Returns the path
    /// of the file, or `None` if such tables are not kept.
    ///
    /// # Errors
    /// File-system errors, and if the tables in the folder would exceed the limit. No incomplete file is left behind.
    pub fn save<K: TableKey>(&self, key: &K, table: &K::Table) -> io::Result<Option<PathBuf>> {
        let Some(names) = self.names(key) else { return Ok(None) };
        if let (Some(most), Some(folder)) = (self.most_bytes, self.folder()) {
            let others =
                files::tables_in(folder)?.into_iter().filter(|path| *path != names.table());
            // A file may be removed in the meantime, and a link may lead nowhere.
            let size = |path| match fs::metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
                found => found.map(|file| file.len()),
            };
            let others: u64 = others.map(size).sum::<io::Result<u64>>()?;
            if others.saturating_add(K::bytes(table)) > most {
                let folder = folder.display();
                return Err(io::Error::other(format!(
                    "the tables in {folder} would take more than {most} bytes"
                )));
            }
        }
        names.write(|file| file::write(key, table, file)).map(Some)
    }

    /// Reads the tables of `key` from their file, or else calls `build` and writes the result to the file.
    ///
    /// If several threads or programs need the same tables, one of them builds the file. The others wait within their
    /// own limits and then read it. If the builder is killed, another one takes over. Problems with files are reported
    /// as warnings.
    ///
    /// On return, `meter` has reserved the bytes of the tables on top of the memory of the search.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn get_or_build<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
        build: impl FnOnce(&K, &mut Meter<'_>) -> Result<K::Table, Stop>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        let loaded = match self.try_load(key, meter)? {
            Ok(read) => read,
            Err(_) => self.build_once(key, meter, build)?,
        };
        meter.reserve_tables(K::bytes(&loaded.table))?;
        Ok(loaded)
    }

    /// Reads the tables from their file. If that is not possible, returns a warning unless there simply is no file.
    fn try_load<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
    ) -> Result<Result<LoadedTable<K::Table>, Option<Warning>>, Stop> {
        match meter.build_tables(|meter| self.load(key, meter)) {
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

    /// Builds the tables and writes them to their file, unless another builder has finished the file in the meantime.
    fn build_once<K: TableKey>(
        &self,
        key: &K,
        meter: &mut Meter<'_>,
        build: impl FnOnce(&K, &mut Meter<'_>) -> Result<K::Table, Stop>,
    ) -> Result<LoadedTable<K::Table>, Stop> {
        let names = self.names(key);
        let not_locked = names.as_ref().and_then(Lock::obstacle).map(Warning::NotLocked);
        let _lock = match &names {
            Some(names) if not_locked.is_none() => Lock::acquire(names, meter)?,
            _ => None,
        };
        let refused = match self.try_load(key, meter)? {
            Ok(read) => return Ok(read),
            Err(refused) => refused,
        };
        let table = Arc::new(meter.build_tables(|meter| build(key, meter))?);
        let not_saved = match (&self.folder, self.save(key, &table)) {
            _ if !key.is_worth_storing() => None,
            (Err(reason), _) => reason.clone(),
            (Ok(_), Err(error)) => Some(error.to_string()),
            (Ok(_), Ok(_)) => None,
        };
        let not_saved = not_saved.map(Warning::NotSaved);
        let warnings = [not_locked, refused, not_saved].into_iter().flatten().collect();
        Ok(LoadedTable { table, built: true, warnings })
    }

    /// Reads the header of the file of `key`, if the file exists, and verifies its checksums. Reads the file once.
    ///
    /// # Errors
    /// Returns the reason why a reader would refuse the file.
    pub fn header(&self, key: &impl TableKey) -> Result<Option<Header>, FileError> {
        let Some(mut file) = self.open(key)? else { return Ok(None) };
        let header = Header::read_for(key, &mut file)?;
        header.read_words(&mut file, &mut Meter::default(), |_| {})?;
        Ok(Some(header))
    }

    /// Returns all files that contain tables or are named like one, in the order of names. Reads each file once. Empty
    /// if the store keeps nothing.
    ///
    /// # Errors
    /// Returns the error of reading the folder, or the limit that was reached.
    pub fn list(&self, meter: &mut Meter<'_>) -> Result<Vec<StoredTable>, FileError> {
        let mut all = Vec::new();
        for path in self.folder().map_or(Ok(Vec::new()), files::tables_in)? {
            let state = match verified_header(&path, meter) {
                Err(FileError::Stopped(stop)) => return Err(stop.into()),
                state => state,
            };
            let bytes = path.metadata().map_or(0, |file| file.len());
            all.push(StoredTable { path, bytes, state });
        }
        Ok(all)
    }

    /// Removes the file of `key` and the leftovers of killed builders. Returns whether there was a file.
    ///
    /// # Errors
    /// File-system errors.
    pub fn remove(&self, key: &impl TableKey) -> io::Result<bool> {
        self.names(key).map_or(Ok(false), |names| remove_table(&names))
    }

    /// Removes all files that contain tables or are named like one, the leftovers of builders, and the folder if a
    /// store has created it and it is then empty. Touches nothing else in the folder. Returns the removed files, and a
    /// warning for each file that could not be removed.
    ///
    /// # Errors
    /// Returns the error of reading the folder.
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

/// Reads the header of the file at `path` and verifies its checksums and its name: all that can be checked without
/// building the tables.
fn verified_header(path: &Path, meter: &mut Meter<'_>) -> Result<Header, FileError> {
    let mut file = files::open(path)?;
    let header = Header::read(&mut file)?;
    header.read_words(&mut file, meter, |_| {})?;
    let folder = path.parent().unwrap_or(Path::new(""));
    match Names::new(folder, &header.contents).table() == path {
        true => Ok(header),
        false => Err(FileError::OtherKey(Box::new(header.contents))),
    }
}

/// Result of verifying the file of a table.
#[derive(Debug)]
pub enum Check {
    /// There is no file.
    Missing,
    /// The file was refused, for instance because it belongs to other tables.
    Refused(FileError),
    /// The tables were built again and compared with the file.
    Compared(Box<Compared>),
}

/// Comparison of a file with newly built tables.
#[derive(Debug, Default)]
pub struct Compared {
    /// Number of bits compared, including padding.
    pub entries: u64,
    /// Number of bits that differ.
    pub wrong: u64,
    /// The first bit that differs.
    pub first: Option<WrongEntry>,
    /// Whether the numbers of states at each distance are equal too.
    pub census_is_right: bool,
    /// The error that a reader of the file would report.
    pub fault: Option<FileError>,
}

impl Compared {
    /// Returns whether the file equals the newly built tables.
    pub fn is_sound(&self) -> bool {
        self.wrong == 0 && self.census_is_right && self.fault.is_none()
    }
}

/// A wrong bit of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongEntry {
    /// Index of the bit in the words of the file.
    pub bit: u64,
    /// Expected value of the bit; the file has the opposite.
    pub expected: bool,
    /// Location of the bit in the tables, if the kind of table defines one.
    pub place: Option<BitLocation>,
}

impl Store {
    /// Builds the tables of `key` again and compares every bit with the file.
    ///
    /// Cost: that of building; the file is read piece by piece.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn verify<K: Build>(&self, key: &K, meter: &mut Meter<'_>) -> Result<Check, Stop> {
        let mut file = match self.open(key) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(Check::Missing),
            Err(error) => return Ok(Check::Refused(error.into())),
        };
        let header = match Header::read_for(key, &mut file) {
            Ok(header) => header,
            Err(error) => return Ok(Check::Refused(error)),
        };
        if let Err(error) = header.expect_words(key.piece_lengths(&header.censuses).iter().sum()) {
            return Ok(Check::Refused(error));
        }
        let table = key.build(meter)?;
        let compared = compare::<K>(&header, &table, &mut file, meter)?;
        Ok(Check::Compared(Box::new(compared)))
    }
}

fn compare<K: Build>(
    header: &Header,
    table: &K::Table,
    file: &mut impl io::Read,
    meter: &mut Meter<'_>,
) -> Result<Compared, Stop> {
    let census_is_right = K::censuses(table) == header.censuses;
    let mut compared = Compared { census_is_right, ..Compared::default() };
    let pieces = K::pieces(table);
    let mut words = pieces.iter().flat_map(|piece| piece.iter());
    let read = header.read_words(file, meter, |piece| {
        for (&found, &expected) in piece.iter().zip(words.by_ref()) {
            let difference = expected ^ found;
            if difference != 0 && compared.first.is_none() {
                let bit = compared.entries + u64::from(difference.trailing_zeros());
                let expected = expected >> (bit % 64) & 1 == 1;
                let place = K::place_of(table, bit);
                compared.first = Some(WrongEntry { bit, expected, place });
            }
            compared.wrong += u64::from(difference.count_ones());
            compared.entries += 64;
        }
    });
    match read {
        Ok(()) => Ok(compared),
        Err(FileError::Stopped(stop)) => Err(stop),
        Err(error) => Ok(Compared { fault: Some(error), ..compared }),
    }
}

#[cfg(test)]
mod tests {
    use loyd_heuristics::pdb::Partition;

    use super::*;

    #[test]
    fn tables_are_written_up_to_a_total_size() {
        let folder = std::env::temp_dir().join(format!("loyd-most-bytes-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let [key, other] = [[1, 2], [2, 3]].map(|tiles| {
            let others = (0..8).filter(|tile| !tiles.contains(tile)).collect();
            Partition::new("3x3".parse().unwrap(), 8, vec![tiles.to_vec(), others]).unwrap()
        });
        let build = |key: &Partition| key.build(&mut Meter::default()).unwrap();
        let table = build(&key);
        let bytes = Partition::bytes(&table);
        let within = |bytes| Store::new(&folder).with_most_bytes(bytes);
        assert!(within(bytes - 1).save(&key, &table).is_err());
        assert!(!folder.exists());
        let path = within(bytes).save(&key, &table).unwrap().unwrap();
        // A link that leads nowhere, like a file that is removed in the meantime, has no size.
        #[cfg(unix)]
        std::os::unix::fs::symlink(folder.join("nowhere"), folder.join("link.pdb")).unwrap();
        // The old file is replaced.
        assert_eq!(within(bytes).save(&key, &table).unwrap(), Some(path.clone()));
        let refused = within(bytes).save(&other, &build(&other)).unwrap_err().to_string();
        assert!(refused.contains("would take more than"), "{refused}");
        let all = fs::metadata(path).unwrap().len() + bytes;
        assert!(within(all).save(&other, &build(&other)).unwrap().is_some());
        fs::remove_dir_all(folder).unwrap();
    }
}
