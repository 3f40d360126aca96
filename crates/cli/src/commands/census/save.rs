//! Checkpoints of a census, from which `--resume` continues.
//!
//! | file | content |
//! |---|---|
//! | `levels-N` | the levels from which the search continues |
//! | `census.json` | the goals, the counts so far, and the number `N` of the checkpoint |
//! | `lock` | locked while a process writes to the folder |
//!
//! A checkpoint writes a new file of levels, then a new `census.json` under a temporary name, which it renames. If the
//! process is killed at any time, `census.json` therefore refers to a complete file of levels.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use loyd::search::Meter;
use loyd_lab::census::{Checkpoint, Survey};
use serde::{Deserialize, Serialize};

use crate::args::CensusArgs;
use crate::failure::Failure;
use crate::files::{open_regular, read_text};
use crate::memory::free_disk;
use crate::saved_files::{checksum, lock_folder};
use crate::units::{Limit, size};

/// The name of the file that describes the folder.
const MANIFEST: &str = "census.json";

/// Maximum length of `census.json` in bytes: `--farthest` may list many boards.
const MAX_MANIFEST: u64 = 1 << 30;

/// The prefix of the names of files with levels.
const LEVELS: &str = "levels-";

/// The folder of checkpoints.
pub struct CheckpointFolder {
    folder: PathBuf,
    every: Option<Duration>,
    written: Instant,
    /// The number of the next checkpoint.
    number: u64,
    settings: Settings,
    manifest: Option<Manifest>,
    /// SHA-256 checksum of the `census.json` from which the census is resumed, if it is.
    pub resumed_from: Option<String>,
    /// Keeps other processes from writing to the folder.
    _lock: File,
}

/// The options that determine a census.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Settings {
    goals: Vec<String>,
    metric: String,
    farthest: usize,
}

/// The content of `census.json`.
#[derive(Debug, Deserialize, Serialize)]
struct Manifest {
    loyd: String,
    version: String,
    #[serde(flatten)]
    settings: Settings,
    number: u64,
    #[serde(flatten)]
    checkpoint: Checkpoint,
}

impl CheckpointFolder {
    /// Opens the folder, to start a census or to resume one.
    ///
    /// # Errors
    /// Fails if the folder has a different census, or any census without `--resume`, if another process writes to it,
    /// or if its disk has too little free space.
    pub fn open(folder: &Path, args: &CensusArgs, survey: &Survey) -> anyhow::Result<Self> {
        let goals = survey.specs().iter().map(|question| question.goal().to_string());
        let settings = Settings {
            goals: goals.collect(),
            metric: args.metric.name().to_owned(),
            farthest: args.farthest,
        };
        let Limit(every) = args.every;
        Self::open_with((folder, every), args.resume, settings, survey.bytes())
            .with_context(|| folder.display().to_string())
    }

    fn open_with(
        (folder, every): (&Path, Option<Duration>),
        resume: bool,
        settings: Settings,
        bytes: u64,
    ) -> anyhow::Result<Self> {
        if folder.exists() && !folder.is_dir() {
            bail!("not a folder");
        }
        fs::create_dir_all(folder)?;
        let lock = lock_folder(folder)?;
        let found = read_manifest(&folder.join(MANIFEST))?;
        match &found {
            Some(_) if !resume => {
                bail!("the folder has a census: resume it with --resume, or remove it")
            }
            Some(manifest) if manifest.settings != settings => {
                let Settings { goals, metric, farthest } = &manifest.settings;
                let goals = goals.join(", ");
                bail!(
                    "the folder has a different census: of {goals} in {metric}, --farthest {farthest}"
                )
            }
            _ => {}
        }
        // While a checkpoint is written, the previous one still exists.
        let (needed, existing) = (bytes.saturating_mul(2), level_bytes(folder)?);
        if let Some(free) = free_disk(folder)?.filter(|free| free.saturating_add(existing) < needed)
        {
            bail!(
                "checkpoints need up to {}, but only {} are free",
                size(needed),
                size(free.saturating_add(existing))
            );
        }
        let resumed_from = found.as_ref().map(|_| checksum(&folder.join(MANIFEST))).transpose()?;
        let number = found.as_ref().map_or(0, |manifest| manifest.number + 1);
        let (folder, written) = (folder.to_owned(), Instant::now());
        Ok(Self {
            folder,
            every,
            written,
            number,
            settings,
            manifest: found,
            resumed_from,
            _lock: lock,
        })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Restores `survey` from the last checkpoint, if there is one.
    pub fn restore(&mut self, survey: &mut Survey, meter: &mut Meter<'_>) -> Result<(), Failure> {
        let Some(manifest) = self.manifest.take() else { return Ok(()) };
        let path = self.levels(manifest.number);
        let restored = if manifest.checkpoint.has_blocks() {
            open_regular(&path).map_err(Into::into).and_then(|file| {
                survey.resume(manifest.checkpoint, &mut BufReader::new(file), meter)
            })
        } else {
            survey.resume(manifest.checkpoint, &mut io::empty(), meter)
        };
        Ok(restored.with_context(|| path.display().to_string())?)
    }

    /// Writes a checkpoint if the interval since the last one is over.
    pub fn write_if_due(&mut self, survey: &Survey) -> Result<(), Failure> {
        match self.every {
            Some(every) if self.written.elapsed() >= every => self.write(survey),
            _ => Ok(()),
        }
    }

    /// Writes a checkpoint.
    pub fn write(&mut self, survey: &Survey) -> Result<(), Failure> {
        let written = self.write_files(survey);
        written.with_context(|| self.folder.display().to_string())?;
        self.written = Instant::now();
        self.number += 1;
        Ok(())
    }

    fn write_files(&self, survey: &Survey) -> anyhow::Result<()> {
        let checkpoint = survey.checkpoint();
        let current = self.levels(self.number);
        if checkpoint.has_blocks() {
            let mut out = BufWriter::new(File::create(&current)?);
            survey.write_blocks(&mut out)?;
            out.into_inner()?.sync_all()?;
        }
        let manifest = Manifest {
            loyd: "census".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            settings: self.settings.clone(),
            number: self.number,
            checkpoint,
        };
        let (path, new) = (self.folder.join(MANIFEST), self.folder.join("census.json.new"));
        let mut out = File::create(&new)?;
        writeln!(out, "{}", serde_json::to_string(&manifest)?)?;
        out.sync_all()?;
        fs::rename(&new, &path)?;
        for old in level_files(&self.folder)? {
            if old != current || !manifest.checkpoint.has_blocks() {
                fs::remove_file(old)?;
            }
        }
        Ok(())
    }

    /// Returns the path of the levels of a checkpoint.
    fn levels(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{LEVELS}{number}"))
    }
}

fn read_manifest(path: &Path) -> anyhow::Result<Option<Manifest>> {
    let text = match open_regular(path).and_then(|file| read_text(file, MAX_MANIFEST)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.context(MANIFEST)?,
    };
    let manifest: Manifest = serde_json::from_str(&text).context(MANIFEST)?;
    let version = env!("CARGO_PKG_VERSION");
    if manifest.loyd != "census" || manifest.version != version {
        bail!("{MANIFEST} was not written by a census of loyd {version}");
    }
    Ok(Some(manifest))
}

fn level_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(LEVELS)) {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// Returns the total size in bytes of the files of levels.
fn level_bytes(folder: &Path) -> io::Result<u64> {
    level_files(folder)?.iter().map(|path| Ok(fs::metadata(path)?.len())).sum()
}
