//! A folder of files, each with the rows of a fixed number of boards.
//!
//! | file | content |
//! |---|---|
//! | `dataset.json` | the options that determine the rows; a folder with different options is refused |
//! | `SHA256SUMS` | the checksums of the complete parts, as `sha256sum --check` reads them |
//! | `lock` | locked while a process writes to the folder |
//!
//! A file is written under a temporary name and then renamed, and its checksum is added afterwards, so every file with a
//! checksum is complete. To resume, the boards of these parts are skipped; their files must have their checksums.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use loyd::Board;
use loyd::notation::slashes;
use loyd_lab::dataset::{LabelledBoards, Part};
use loyd_lab::header::Header;
use serde_json::{Value, json};

use super::command_line;
use super::dataset_layout::{ABOUT, CHECKSUMS, MAX_ABOUT, check_checksum, checksum_line};
use super::dataset_layout::{file_in_the_way, part_names, read_checksums, read_text};
use super::dataset_shards::{Notes, OwnParts};
use crate::args::{DatasetArgs, Form};
use crate::failure::{Failure, Status};
use crate::saved_files::{checksum, lock_folder, write_atomically};

/// An output folder.
pub struct Folder {
    path: PathBuf,
    form: Form,
    own: OwnParts,
    part_rows: u64,
    seed: u64,
    split: Option<f64>,
    /// Number of complete own parts.
    parts: u64,
    /// The rows of the next part, and the number of boards that they cover.
    part: Option<Part>,
    boards: u64,
    empty: Option<Part>,
    written: u64,
    /// Notes about the shard, if the dataset is one.
    notes: Option<Notes>,
    /// Keeps other processes from writing to the folder.
    _lock: File,
}

impl Folder {
    /// Opens a folder without files of a dataset, or with `--resume` one that has the same dataset.
    ///
    /// # Errors
    /// Fails if the folder has another dataset, or files that this one would replace, if a complete file has changed, if
    /// another process writes to the folder, or if it cannot be written.
    pub fn open(path: &Path, args: &DatasetArgs, seed: u64, goal: &Board) -> Result<Self, Failure> {
        let name = || path.display().to_string();
        fs::create_dir_all(path).with_context(name)?;
        let lock = lock_folder(path).with_context(name)?;
        let about = path.join(ABOUT);
        let options = options(args, seed, goal);
        let mut folder = Self {
            path: path.to_owned(),
            form: args.output,
            own: OwnParts::new(args),
            part_rows: args.part_rows,
            seed,
            split: args.split,
            parts: 0,
            part: None,
            boards: 0,
            empty: None,
            written: 0,
            notes: args.shard.map(|_| Notes::default()),
            _lock: lock,
        };
        match read_text(&about, MAX_ABOUT) {
            Ok(text) if args.resume => {
                let saved: Value = serde_json::from_str(&text).context(ABOUT)?;
                same_options(&saved["options"], &options)?;
                folder.check_parts()?;
                if let Some(notes) = &mut folder.notes {
                    *notes = Notes::read(path)?;
                }
            }
            Ok(_) => {
                let name = name();
                return Err(anyhow!("{name} already has a dataset: --resume continues it").into());
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                refuse_other_files(path)?;
                for file in folder.files(0) {
                    let parent = file.parent().expect("a file in the folder");
                    fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
                }
                let text = serde_json::to_string_pretty(&header(&options, seed))? + "\n";
                // First, so that a folder with any other file of a dataset has this one.
                write_atomically(&about, |out| out.write_all(text.as_bytes()))?;
                write_atomically(&path.join(CHECKSUMS), |_| Ok(()))?;
            }
            Err(error) => return Err(anyhow!("{}: {error}", about.display()).into()),
        }
        Ok(folder)
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of the first board that may be without labels.
    pub fn boards(&self) -> u64 {
        self.own.part(self.parts) * self.part_rows
    }

    /// Returns the number of rows written.
    pub fn rows(&self) -> u64 {
        self.written
    }

    /// Sets the part without rows, from which each part starts.
    pub fn set_empty_part(&mut self, empty: Part) {
        self.part = Some(empty.clone());
        self.empty = Some(empty);
    }

    /// Adds rows, and writes the part if they complete it.
    pub fn add(&mut self, labelled: LabelledBoards) -> Result<(), Failure> {
        if let Some(notes) = self.notes.as_mut().filter(|_| !labelled.skipped.is_empty()) {
            notes.add_unlabelled(&self.path)?;
        }
        self.boards += labelled.boards;
        self.written += labelled.part.len() as u64;
        if let Some(part) = &mut self.part {
            part.append(labelled.part);
        }
        if self.boards == self.part_rows { self.write() } else { Ok(()) }
    }

    /// Writes the remaining rows of a dataset of this number of boards, and what is known about a shard.
    pub fn finish(&mut self, boards: u64, status: Status) -> Result<(), Failure> {
        if self.boards > 0 || self.own.part(self.parts) == 0 {
            self.write()?;
        }
        match &mut self.notes {
            Some(notes) => notes.finish(&self.path, boards, status == Status::Bad),
            None => Ok(()),
        }
    }

    fn write(&mut self) -> Result<(), Failure> {
        let part = std::mem::replace(&mut self.part, self.empty.clone());
        let Some(part) = part else { return Ok(()) };
        let parts = match self.split {
            None => vec![part],
            Some(fraction) => part.split(self.seed, fraction).into(),
        };
        let format = self.form.into();
        for (file, part) in self.files(self.own.part(self.parts)).iter().zip(parts) {
            write_atomically(file, |out| part.write(format, out))?;
        }
        self.add_checksums()?;
        (self.parts, self.boards) = (self.parts + 1, 0);
        Ok(())
    }

    /// Counts the complete parts and compares their files with their checksums. Later checksums are removed, so that
    /// the file of checksums ends with a complete line.
    fn check_parts(&mut self) -> Result<(), Failure> {
        let known = read_checksums(&self.path)?;
        let mut kept = String::new();
        loop {
            let files = self.files(self.own.part(self.parts));
            let names: Vec<String> = files.iter().map(|file| self.relative_name(file)).collect();
            let sums: Option<Vec<&String>> = names.iter().map(|name| known.get(name)).collect();
            let Some(sums) = sums.filter(|_| files.iter().all(|file| file.exists())) else { break };
            for ((file, name), sum) in files.iter().zip(&names).zip(sums) {
                check_checksum(file, sum)?;
                kept += &checksum_line(sum, name);
            }
            self.parts += 1;
        }
        write_atomically(&self.path.join(CHECKSUMS), |out| out.write_all(kept.as_bytes()))
    }

    /// Adds the checksums of the files of the next part.
    fn add_checksums(&self) -> Result<(), Failure> {
        let mut lines = String::new();
        for file in self.files(self.own.part(self.parts)) {
            let sum = checksum(&file).with_context(|| file.display().to_string())?;
            lines += &checksum_line(&sum, &self.relative_name(&file));
        }
        let path = self.path.join(CHECKSUMS);
        let sums = File::options().append(true).create(true).open(&path);
        let added = sums.and_then(|mut sums| {
            sums.write_all(lines.as_bytes())?;
            sums.sync_all()
        });
        Ok(added.with_context(|| path.display().to_string())?)
    }

    /// Returns the name of a file in the folder, with `/` between its parts.
    fn relative_name(&self, file: &Path) -> String {
        let inside = file.strip_prefix(&self.path).expect("the file is in the folder");
        inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
    }

    /// Returns the files of a part.
    fn files(&self, part: u64) -> Vec<PathBuf> {
        let names = part_names(self.form, self.split.is_some(), part);
        names.iter().map(|name| self.path.join(name)).collect()
    }
}

/// Returns the options that determine the rows and files. All options are listed, so that a new one is not forgotten.
pub fn options(args: &DatasetArgs, seed: u64, goal: &Board) -> Value {
    let DatasetArgs {
        size: _,
        goal: _,
        metric,
        number,
        seed: _,
        length,
        walks,
        unique,
        file,
        first_moves,
        heuristics,
        solutions,
        output,
        save: _,
        split,
        part_rows,
        resume: _,
        shard,
        on: _,
        tables,
        threads: _,
        limits,
        cache: _,
        progress: _,
    } = args;
    let is_drawn = file.is_none();
    json!({
        "goal": slashes(goal).to_string(),
        "metric": metric.to_string(),
        "number": number.map(u64::from),
        "seed": (is_drawn || split.is_some()).then_some(seed),
        "length": length.as_ref().map(|lengths| &lengths.0),
        "walks": walks,
        "unique": unique,
        "file": file,
        "file_sha256": file.as_deref().and_then(|path| checksum(path).ok()),
        "first_moves": first_moves,
        "heuristics": heuristics,
        "solutions": solutions,
        "output": format!("{output:?}").to_lowercase(),
        "split": split,
        "part_rows": part_rows,
        "shard": shard.map(|shard| shard.to_string()),
        "tables": tables.as_ref().map(ToString::to_string),
        "max_expanded": limits.max_expanded,
        "max_time": limits.max_time.and_then(|limit| limit.0).map(|time| time.as_secs_f64()),
        "max_memory": limits.max_memory.and_then(|limit| limit.0),
    })
}

/// Returns the content of `dataset.json`.
fn header(options: &Value, seed: u64) -> Value {
    let mut header = json!(Header::new("dataset", &command_line(), Some(seed)));
    header["directions"] =
        "bits of first_moves, directions of the blank: 1 up, 2 left, 4 right, 8 down".into();
    header["options"] = options.clone();
    header
}

/// Refuses a folder without `dataset.json` that has files that the dataset would replace: they are the user's, or of a
/// dataset about which nothing is known.
fn refuse_other_files(folder: &Path) -> Result<(), Failure> {
    match file_in_the_way(folder).with_context(|| folder.display().to_string())? {
        None => Ok(()),
        Some(file) => Err(anyhow!(
            "{} exists, but {}, which describes its dataset, does not: a dataset starts in a folder without such files; name another \
             folder, or move them away",
            file.display(),
            folder.join(ABOUT).display()
        )
        .into()),
    }
}

/// Refuses to resume a dataset that has other options.
fn same_options(saved: &Value, now: &Value) -> Result<(), Failure> {
    let names = now.as_object().into_iter().flat_map(|options| options.keys());
    let differs = |name: &&String| saved[name.as_str()] != now[name.as_str()];
    match names.into_iter().find(differs) {
        None => Ok(()),
        Some(name) => Err(anyhow!(
            "the dataset was started with other options: {name} was {} and is now {}",
            saved[name],
            now[name]
        )
        .into()),
    }
}
