//! The folder in which a census is saved, from which `--resume` continues.
//!
//! | file | content |
//! |---|---|
//! | `levels-N` | a census in memory: the levels from which the search continues |
//! | `search-S-level-L-block-B` | a census on disk: a [block](loyd_lab::census::DiskSurvey) of a level |
//! | `census.json` | the goals, the counts so far, and the number `N` of the checkpoint or of the tiles that determine a block |
//! | `lock` | locked while a process writes to the folder |
//!
//! A checkpoint writes its levels, then a new `census.json` under a temporary name, which it renames. If the process is
//! killed at any time, `census.json` therefore refers to complete files of levels.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use loyd_lab::census::{Checkpoint, Survey};
use serde::{Deserialize, Serialize};

use crate::args::CensusArgs;
use crate::files::{open_regular, read_text};
use crate::memory::free_disk;
use crate::saved_files::{checksum, lock_folder};

/// The name of the file that describes the folder.
const MANIFEST: &str = "census.json";

/// Maximum length of `census.json` in bytes: `--farthest` may list many boards.
const MAX_MANIFEST: u64 = 1 << 30;

/// A folder that belongs to a census.
pub struct SavedFolder {
    folder: PathBuf,
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
    on_disk: bool,
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

impl SavedFolder {
    /// Opens the folder, to start a census or to resume one.
    ///
    /// # Errors
    /// Fails if the folder has a different census, or any census without `--resume`, or if another process writes to it.
    pub fn open(folder: &Path, args: &CensusArgs, survey: &Survey) -> anyhow::Result<Self> {
        let goals = survey.specs().iter().map(|question| question.goal().to_string());
        let settings = Settings {
            goals: goals.collect(),
            metric: args.metric.name().to_owned(),
            farthest: args.farthest,
            on_disk: args.on_disk,
        };
        Self::open_with(folder, args.resume, settings).with_context(|| folder.display().to_string())
    }

    fn open_with(folder: &Path, resume: bool, settings: Settings) -> anyhow::Result<Self> {
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
                let Settings { goals, metric, farthest, on_disk } = &manifest.settings;
                let goals = goals.join(", ");
                let on_disk = if *on_disk { ", --on-disk" } else { "" };
                bail!(
                    "the folder has a different census: of {goals} in {metric}, --farthest {farthest}{on_disk}"
                )
            }
            _ => {}
        }
        let resumed_from = found.as_ref().map(|_| checksum(&folder.join(MANIFEST))).transpose()?;
        Ok(Self { folder: folder.to_owned(), settings, manifest: found, resumed_from, _lock: lock })
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Returns the number in `census.json`, if the folder has one.
    pub fn number(&self) -> Option<u64> {
        self.manifest.as_ref().map(|manifest| manifest.number)
    }

    /// Returns the checkpoint in `census.json`, if the folder has one. It is returned once.
    pub fn take_checkpoint(&mut self) -> Option<Checkpoint> {
        self.manifest.take().map(|manifest| manifest.checkpoint)
    }

    /// Replaces `census.json`.
    pub fn write(&self, number: u64, checkpoint: Checkpoint) -> anyhow::Result<()> {
        let manifest = Manifest {
            loyd: "census".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            settings: self.settings.clone(),
            number,
            checkpoint,
        };
        let (path, new) = (self.folder.join(MANIFEST), self.folder.join("census.json.new"));
        let mut out = File::create(&new)?;
        writeln!(out, "{}", serde_json::to_string(&manifest)?)?;
        out.sync_all()?;
        Ok(fs::rename(&new, &path)?)
    }

    /// Returns the files whose names start with `prefix`.
    pub fn files(&self, prefix: &str) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix)) {
                files.push(entry.path());
            }
        }
        Ok(files)
    }

    /// Returns the bytes for files whose names start with `prefix`: those that they take already, and those that are
    /// free. `None` if that is unknown.
    pub fn room(&self, prefix: &str) -> io::Result<Option<u64>> {
        let Some(free) = free_disk(&self.folder)? else { return Ok(None) };
        let files = self.files(prefix)?;
        let taken =
            files.iter().map(|path| Ok(fs::metadata(path)?.len())).sum::<io::Result<u64>>()?;
        Ok(Some(free.saturating_add(taken)))
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
