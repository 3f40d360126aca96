//! A folder of files, each with the rows of some boards.
//!
//! A file is written under another name and then renamed, so one that is there is whole. To continue, the boards of all
//! files that are there are left out. `dataset.json` says what the rows depend on; a folder with other options is
//! refused.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use loyd::Board;
use loyd::notation::slashes;
use loyd_lab::dataset::{Labelled, Part};
use loyd_lab::header::Header;
use serde_json::{Value, json};

use crate::args::{DatasetArgs, Form};
use crate::commands::command_line;
use crate::failure::Failure;

/// The file that says what the rows depend on.
const ABOUT: &str = "dataset.json";

/// The seed of the dataset in a folder, if there is one.
pub fn seed_in(path: &Path) -> Option<u64> {
    let text = fs::read_to_string(path.join(ABOUT)).ok()?;
    serde_json::from_str::<Value>(&text).ok()?["seed"].as_u64()
}

/// A folder that is written.
pub struct Folder {
    path: PathBuf,
    form: Form,
    part_rows: u64,
    seed: u64,
    split: Option<f64>,
    /// The files that are there.
    parts: u64,
    /// The rows of the next one, and how many boards they are about.
    part: Option<Part>,
    boards: u64,
    empty: Option<Part>,
    written: u64,
}

impl Folder {
    /// Opens a folder, a new or an empty one unless it is to be continued.
    ///
    /// # Errors
    /// When it holds something else, and when it cannot be written.
    pub fn open(path: &Path, args: &DatasetArgs, seed: u64, goal: &Board) -> Result<Self, Failure> {
        let about = path.join(ABOUT);
        let options = options(args, seed, goal);
        let mut folder = Self {
            path: path.to_owned(),
            form: args.format,
            part_rows: args.part_rows,
            seed,
            split: args.split,
            parts: 0,
            part: None,
            boards: 0,
            empty: None,
            written: 0,
        };
        match fs::read_to_string(&about) {
            Ok(text) if args.resume => {
                let begun: Value = serde_json::from_str(&text).context(ABOUT)?;
                same_options(&begun["options"], &options)?;
                while folder.files(folder.parts).iter().all(|file| file.exists()) {
                    folder.parts += 1;
                }
            }
            Ok(_) => {
                let name = path.display();
                return Err(anyhow!("{name} has a dataset already: --resume continues it").into());
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                for file in folder.files(0) {
                    let parent = file.parent().expect("a file in the folder");
                    fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
                }
                let text = serde_json::to_string_pretty(&header(&options, seed))? + "\n";
                whole(&about, |out| out.write_all(text.as_bytes()))?;
            }
            Err(error) => return Err(anyhow!("{}: {error}", about.display()).into()),
        }
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The boards of the files that are there.
    pub fn boards(&self) -> u64 {
        self.parts * self.part_rows
    }

    /// The rows that were written.
    pub fn rows(&self) -> u64 {
        self.written
    }

    /// Says what a part without rows is.
    pub fn begin(&mut self, empty: Part) {
        self.part = Some(empty.clone());
        self.empty = Some(empty);
    }

    /// Adds rows, and writes the file that they complete.
    pub fn add(&mut self, labelled: Labelled) -> Result<(), Failure> {
        self.boards += labelled.boards;
        self.written += labelled.part.len() as u64;
        if let Some(part) = &mut self.part {
            part.append(labelled.part);
        }
        if self.boards == self.part_rows { self.write() } else { Ok(()) }
    }

    /// Writes what is left.
    pub fn finish(&mut self) -> Result<(), Failure> {
        if self.boards > 0 || self.parts == 0 { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), Failure> {
        let part = std::mem::replace(&mut self.part, self.empty.clone());
        let Some(part) = part else { return Ok(()) };
        let parts = match self.split {
            None => vec![part],
            Some(fraction) => part.split(self.seed, fraction).into(),
        };
        let format = self.form.into();
        for (file, part) in self.files(self.parts).iter().zip(parts) {
            whole(file, |out| part.write(format, out))?;
        }
        (self.parts, self.boards) = (self.parts + 1, 0);
        Ok(())
    }

    /// The files of a part.
    fn files(&self, part: u64) -> Vec<PathBuf> {
        let ending = match self.form {
            Form::Csv => "csv",
            Form::Jsonl => "jsonl",
            Form::Parquet => "parquet",
            Form::Npz => "npz",
        };
        let name = format!("{part:05}.{ending}");
        match self.split {
            None => vec![self.path.join(name)],
            Some(_) => ["train", "test"].map(|set| self.path.join(set).join(&name)).into(),
        }
    }
}

/// Writes a file so that it is there as a whole or not at all.
fn whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Failure> {
    let unfinished = path.with_extension("unfinished");
    let done = File::create(&unfinished).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(&mut out)?;
        out.into_inner()?.sync_all()?;
        fs::rename(&unfinished, path)
    });
    Ok(done.with_context(|| path.display().to_string())?)
}

/// All that the rows and the files depend on.
fn options(args: &DatasetArgs, seed: u64, goal: &Board) -> Value {
    let DatasetArgs {
        size: _,
        goal: _,
        metric,
        number,
        seed: _,
        lengths,
        walks,
        unique,
        file,
        first_moves,
        heuristics,
        solutions,
        format,
        out: _,
        split,
        part_rows,
        resume: _,
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
        "lengths": lengths.as_ref().map(|lengths| &lengths.0),
        "walks": walks,
        "unique": unique,
        "file": file,
        "first_moves": first_moves,
        "heuristics": heuristics,
        "solutions": solutions,
        "format": format!("{format:?}").to_lowercase(),
        "split": split,
        "part_rows": part_rows,
        "tables": tables.as_ref().map(ToString::to_string),
        "max_expanded": limits.max_expanded,
        "max_time": limits.max_time.and_then(|limit| limit.0).map(|time| time.as_secs_f64()),
        "max_memory": limits.max_memory.and_then(|limit| limit.0),
    })
}

/// What `dataset.json` says.
fn header(options: &Value, seed: u64) -> Value {
    let mut header = json!(Header::new("dataset", &command_line(), Some(seed)));
    header["directions"] =
        "bits of first_moves, directions of the blank: 1 up, 2 left, 4 right, 8 down".into();
    header["options"] = options.clone();
    header
}

/// Refuses to continue what was begun with other options.
fn same_options(begun: &Value, now: &Value) -> Result<(), Failure> {
    let names = now.as_object().into_iter().flat_map(|options| options.keys());
    let differs = |name: &&String| begun[name.as_str()] != now[name.as_str()];
    match names.into_iter().find(differs) {
        None => Ok(()),
        Some(name) => Err(anyhow!(
            "the dataset was begun with other options: {name} was {} and is {} now",
            begun[name],
            now[name]
        )
        .into()),
    }
}
