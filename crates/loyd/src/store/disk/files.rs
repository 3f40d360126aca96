//! The files of a table.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use loyd_heuristics::file::Contents;

/// The extension of a table's file.
const TABLE: &str = "pdb";

/// The file that says who made a folder, which tells programs that save files to leave it out:
/// <https://bford.info/cachedir/>.
const NOTE: &str = "CACHEDIR.TAG";
const NOTE_TEXT: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# Loyd made this folder for its tables.\n";

/// Removes a folder that [`Names::make_folder`] has made, if nothing is left in it.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    let note = folder.join(NOTE);
    let is_ours = || fs::read(&note).is_ok_and(|text| text == NOTE_TEXT.as_bytes());
    if files_in(folder)? == [note.clone()] && is_ours() {
        remove(&note)?;
        match fs::remove_dir(folder) {
            // Somebody has begun to build tables meanwhile.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
            removed => removed.map_err(at(folder))?,
        }
    }
    Ok(())
}

/// The names of a table's file and of the files beside it, which differ in their endings.
pub struct Names {
    folder: PathBuf,
    stem: String,
}

impl Names {
    /// The names for tables, as in `4x4-blank0-7-7-1.pdb` or `3x3-blank0-1,2,3,4_5,6,7,8.pdb`.
    pub fn new(folder: &Path, contents: &Contents) -> Self {
        Self { folder: folder.to_owned(), stem: contents.stem() }
    }

    /// The names of all files in `folder` that hold tables or have the name of such a file.
    pub fn all_in(folder: &Path) -> io::Result<Vec<Self>> {
        let mut stems = BTreeSet::new();
        for path in files_in(folder)? {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or("");
            let stem = match name.strip_suffix(".pdb") {
                Some(stem) if Contents::is_stem(stem) || holds_tables(&path) => stem,
                Some(_) => continue,
                None => match name.strip_suffix(".lock").or_else(|| unfinished(name)) {
                    Some(stem) if Contents::is_stem(stem) => stem,
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

    /// The file of the table.
    pub fn table(&self) -> PathBuf {
        self.with(TABLE)
    }

    /// The file that the builder of the table locks. Only who holds the lock may remove it.
    pub fn lock(&self) -> PathBuf {
        self.with("lock")
    }

    /// Makes the folder, with a note in it that it was made here.
    pub fn make_folder(&self) -> io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
        // Without it the folder only stays when all tables are removed.
        let _ = fs::write(self.folder.join(NOTE), NOTE_TEXT);
        Ok(())
    }

    /// Writes the table under a temporary name, and renames the file when it is complete.
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

    /// Removes what builders that were killed have left. Only for the holder of the lock, since nobody else is
    /// writing then.
    pub fn sweep(&self) -> io::Result<()> {
        for path in files_in(&self.folder)? {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or("");
            if unfinished(name) == Some(&self.stem) && !path.is_dir() {
                remove(&path)?;
            }
        }
        Ok(())
    }
}

/// The stem of a file that is being written, or was left by a builder that was killed.
fn unfinished(name: &str) -> Option<&str> {
    let (stem, number) = name.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (process, count) = number.split_once('-')?;
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|number| number.to_string() == text);
    (is_number(process) && is_number(count)).then_some(stem)
}

/// Whether a file begins with one of the magic words.
fn holds_tables(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    read.is_ok() && Contents::is_start(&start)
}

/// Opens a file to be read.
pub fn open(path: &Path) -> io::Result<File> {
    // Opening a pipe would block until a program writes to it.
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file")),
    }
}

/// The error with the path that it is about.
fn at(path: &Path) -> impl FnOnce(io::Error) -> io::Error + '_ {
    |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Removes a file; returns whether there was one.
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

/// The files in `folder` with the extension of tables, in the order of names.
pub fn tables_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = files_in(folder)?;
    files.retain(|path| path.extension() == Some(OsStr::new(TABLE)));
    files.sort_unstable();
    Ok(files)
}

/// What is in `folder`; nothing if it does not exist.
fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(files) => files.map(|file| file.map(|file| file.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(at(folder)(error)),
    }
}
