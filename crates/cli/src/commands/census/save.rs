//! Checkpoints of a census, from which it is continued.
//!
//! A folder holds the levels from which the search goes on, in a file, and `census.json`, which says what is counted,
//! what was found, and which file it is. A checkpoint writes a new file of levels, then `census.json` anew beside the
//! old one, and renames it: whenever the program is killed, the one that is there belongs to a whole file of levels.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use loyd::search::Meter;
use loyd_lab::census::{Checkpoint, Survey};
use serde::{Deserialize, Serialize};

use super::memory::free_disk;
use crate::args::CensusArgs;
use crate::failure::Failure;
use crate::units::{Limit, size};

/// The file that says what is in the folder.
const MANIFEST: &str = "census.json";

/// How the names of files with levels begin.
const LEVELS: &str = "levels-";

/// The folder of checkpoints.
pub struct Saved {
    folder: PathBuf,
    every: Option<Duration>,
    written: Instant,
    /// The number of the next checkpoint.
    number: u64,
    settings: Settings,
    found: Option<Manifest>,
    /// Nobody else writes to the folder while it is locked.
    _lock: File,
}

/// What a census depends on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Settings {
    goals: Vec<String>,
    metric: String,
    farthest: usize,
}

/// What `census.json` says.
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

impl Saved {
    /// Opens the folder, to begin or to continue.
    ///
    /// # Errors
    /// When it has another census, or one that is not to be continued, when another process writes to it, and when
    /// its disk is too full.
    pub fn open(folder: &Path, args: &CensusArgs, survey: &Survey) -> anyhow::Result<Self> {
        let goals = survey.questions().iter().map(|question| question.goal().to_string());
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
            bail!("it is no folder");
        }
        fs::create_dir_all(folder)?;
        let lock = File::create(folder.join("lock"))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("another process is writing to it"),
            // Some file systems know no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let found = read_manifest(&folder.join(MANIFEST))?;
        match &found {
            Some(_) if !resume => {
                bail!("it has a census already: continue it with --resume, or remove it")
            }
            Some(manifest) if manifest.settings != settings => {
                let Settings { goals, metric, farthest } = &manifest.settings;
                let goals = goals.join(", ");
                bail!("it has another census: of {goals} in {metric}, --farthest {farthest}")
            }
            _ => {}
        }
        // For a moment there are two checkpoints.
        let (needed, kept) = (bytes.saturating_mul(2), kept_bytes(folder)?);
        if let Some(free) = free_disk(folder)?.filter(|free| free.saturating_add(kept) < needed) {
            bail!(
                "checkpoints take up to {}, and {} are free there",
                size(needed),
                size(free.saturating_add(kept))
            );
        }
        let number = found.as_ref().map_or(0, |manifest| manifest.number + 1);
        let (folder, written) = (folder.to_owned(), Instant::now());
        Ok(Self { folder, every, written, number, settings, found, _lock: lock })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes `survey` to where the last checkpoint was, if there is one.
    pub fn restore(&mut self, survey: &mut Survey, meter: &mut Meter<'_>) -> Result<(), Failure> {
        let Some(manifest) = self.found.take() else { return Ok(()) };
        let path = self.levels(manifest.number);
        let restored = if manifest.checkpoint.has_blocks() {
            File::open(&path).map_err(Into::into).and_then(|file| {
                survey.restore(manifest.checkpoint, &mut BufReader::new(file), meter)
            })
        } else {
            survey.restore(manifest.checkpoint, &mut io::empty(), meter)
        };
        Ok(restored.with_context(|| path.display().to_string())?)
    }

    /// Writes a checkpoint if the last one was long enough ago.
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
        let kept = self.levels(self.number);
        if checkpoint.has_blocks() {
            let mut out = BufWriter::new(File::create(&kept)?);
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
            if old != kept || !manifest.checkpoint.has_blocks() {
                fs::remove_file(old)?;
            }
        }
        Ok(())
    }

    /// The file with the levels of a checkpoint.
    fn levels(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{LEVELS}{number}"))
    }
}

fn read_manifest(path: &Path) -> anyhow::Result<Option<Manifest>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    let manifest: Manifest = serde_json::from_str(&text).context(MANIFEST)?;
    let version = env!("CARGO_PKG_VERSION");
    if manifest.loyd != "census" || manifest.version != version {
        bail!("{MANIFEST} is not that of a census by loyd {version}");
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

/// The bytes of checkpoints that are there.
fn kept_bytes(folder: &Path) -> io::Result<u64> {
    level_files(folder)?.iter().map(|path| Ok(fs::metadata(path)?.len())).sum()
}
