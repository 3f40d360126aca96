//! Checkpoints of a census in memory, from which `--resume` continues.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use loyd::search::Meter;
use loyd_lab::census::Survey;

use super::folder::SavedFolder;
use crate::failure::Failure;
use crate::files::open_regular;
use crate::units::{Limit, size};

/// The prefix of the names of files with levels.
const LEVELS: &str = "levels-";

/// The checkpoints in a folder.
pub struct Checkpoints {
    saved: SavedFolder,
    every: Option<Duration>,
    written: Instant,
    /// The number of the next checkpoint.
    number: u64,
}

impl Checkpoints {
    /// Prepares checkpoints of `survey` in a folder.
    ///
    /// # Errors
    /// Fails if the disk has too little free space.
    pub fn new(
        saved: SavedFolder,
        Limit(every): Limit<Duration>,
        survey: &Survey,
    ) -> anyhow::Result<Self> {
        // While a checkpoint is written, the previous one still exists.
        let needed = survey.bytes().saturating_mul(2);
        let room = saved.room(LEVELS);
        let room = room.with_context(|| saved.path().display().to_string())?;
        if let Some(room) = room.filter(|&room| room < needed) {
            bail!(
                "{}: checkpoints need up to {}, but only {} are free",
                saved.path().display(),
                size(needed),
                size(room)
            );
        }
        let number = saved.number().map_or(0, |number| number + 1);
        Ok(Self { saved, every, written: Instant::now(), number })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &SavedFolder {
        &self.saved
    }

    /// Restores `survey` from the last checkpoint, if there is one.
    pub fn restore(&mut self, survey: &mut Survey, meter: &mut Meter<'_>) -> Result<(), Failure> {
        let Some(checkpoint) = self.saved.take_checkpoint() else { return Ok(()) };
        let path = self.levels(self.number - 1);
        let restored = if checkpoint.has_blocks() {
            open_regular(&path)
                .map_err(Into::into)
                .and_then(|file| survey.resume(checkpoint, &mut BufReader::new(file), meter))
        } else {
            survey.resume(checkpoint, &mut io::empty(), meter)
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
        written.with_context(|| self.saved.path().display().to_string())?;
        self.written = Instant::now();
        self.number += 1;
        Ok(())
    }

    fn write_files(&self, survey: &Survey) -> anyhow::Result<()> {
        let checkpoint = survey.checkpoint();
        let has_blocks = checkpoint.has_blocks();
        let current = self.levels(self.number);
        if has_blocks {
            let mut out = BufWriter::new(File::create(&current)?);
            survey.write_blocks(&mut out)?;
            out.into_inner()?.sync_all()?;
        }
        self.saved.write(self.number, checkpoint)?;
        for old in self.saved.files(LEVELS)? {
            if old != current || !has_blocks {
                fs::remove_file(old)?;
            }
        }
        Ok(())
    }

    /// Returns the path of the levels of a checkpoint.
    fn levels(&self, number: u64) -> PathBuf {
        self.saved.path().join(format!("{LEVELS}{number}"))
    }
}
