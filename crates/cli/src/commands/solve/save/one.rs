//! The solution of one board in a file, and the search for it in another beside it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use loyd::Problem;
use loyd::search::Checkpoint;
use serde_json::Value;

use super::notes::{Notes, check_places, with_suffix};
use super::own;
use super::settings::{Asked, settings};
use crate::commands::solve::answer::Answerer;
use crate::failure::Failure;

/// The file of the solution.
pub struct SavedOne {
    path: PathBuf,
    file: File,
    /// Where the search is put aside until the solution is there.
    pub checkpoint: Checkpoint,
    /// Whether the solution is there.
    pub is_done: bool,
}

impl SavedOne {
    /// Opens the file of `--save` for the solution of `problem`, to begin or to continue.
    ///
    /// # Errors
    /// When there is a solution or a search that must not be written over, or that belongs to another board or other
    /// options, and when files cannot be read or written.
    pub fn open(answerer: &Answerer<'_>, path: &Path, problem: &Problem) -> Result<Self, Failure> {
        let settings = settings(answerer, &Asked::Board(problem))?;
        check_places(path, None)?;
        let checkpoint = Checkpoint::new(with_suffix(path, ".checkpoint"));
        let is_aside = checkpoint.path().exists();
        let resume = answerer.args.batch.resume;
        if is_aside && !resume {
            let at = checkpoint.path().display();
            let message = "a search is put aside here: continue it with --resume, or remove it";
            return Err(anyhow::anyhow!("{at}: {message}").into());
        }
        let open = || -> anyhow::Result<Self> {
            let mut file = own(path)?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            if !resume && !text.is_empty() {
                bail!("it is not empty: continue it with --resume, or remove it");
            }
            if is_aside || !text.is_empty() {
                Notes::read(path, &settings)?;
            }
            drop(Notes::renew(path, &settings, crate::Status::Yes)?);
            Ok(Self { path: path.to_owned(), file, checkpoint, is_done: is_answer(&text) })
        };
        Ok(open().with_context(|| path.display().to_string())?)
    }

    /// Writes what was found. The search is no longer put aside if it has `ended`.
    ///
    /// # Errors
    /// When that fails.
    pub fn write(&mut self, text: &[u8], ended: bool) -> Result<(), Failure> {
        let mut write = || {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(text)?;
            // Before what it was found with is removed.
            self.file.sync_all()
        };
        write().with_context(|| self.path.display().to_string())?;
        if ended {
            let at = || self.checkpoint.path().display().to_string();
            self.checkpoint.remove().with_context(at)?;
        }
        Ok(())
    }

    /// What to tell whoever has interrupted the search, or limited it.
    pub fn how_to_continue(&self) -> String {
        let at = self.checkpoint.path();
        match at.exists() {
            true => format!(
                "the search is put aside in {}; the same command with --resume goes on",
                at.display()
            ),
            false => {
                "nothing is put aside yet; the same command with --resume begins again".to_owned()
            }
        }
    }
}

/// Whether this is a whole line with a solution. What a shard has not found up to some depth it may find further down.
fn is_answer(text: &str) -> bool {
    let is_stopped = |line: &str| {
        let record = serde_json::from_str::<Value>(line);
        record.is_ok_and(|record| record["status"] == "stopped")
    };
    text.strip_suffix('\n').is_some_and(|line| !is_stopped(line))
}
