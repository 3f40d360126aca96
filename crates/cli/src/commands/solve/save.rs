//! Solutions in a file that can be continued.
//!
//! The file holds a line for each board, nothing else. Beside it stands another with `.batch` behind
//! its name: a line of JSON with all that solutions depend on, and a line for each time that the exit
//! status became worse. A process that is killed leaves whole lines and at most one torn one, so the
//! number of whole lines tells where to go on.

mod notes;
mod one;
mod settings;

use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use super::answer::{Answerer, Answers};
use super::dealt::Dealt;
use crate::Status;
use crate::failure::{Failure, tell};
pub use notes::settings_beside;
use notes::{Notes, Settings, check_places};
pub use one::SavedOne;
use settings::{Asked, settings};

/// The file of solutions.
pub struct Saved {
    path: PathBuf,
    answers: File,
    notes: Notes,
    /// How many boards are answered.
    boards: u64,
    /// The worst that was found so far.
    pub status: Status,
}

impl Saved {
    /// Opens the file of `--save`, to begin or to continue.
    ///
    /// # Errors
    /// When there are solutions that must not be written over, or that belong to another input or other
    /// options, and when files cannot be read or written.
    pub fn open(answerer: &Answerer<'_>) -> Result<Self, Failure> {
        let args = answerer.args;
        let (Some(path), Some(input)) = (&args.batch.save, &args.file) else {
            return Err(anyhow!("--save needs a file of boards").into());
        };
        let settings = settings(answerer, &Asked::File(input))?;
        check_places(path, Some(input))?;
        let saved = Self::open_with(path, args.batch.resume, &settings);
        Ok(saved.with_context(|| path.display().to_string())?)
    }

    fn open_with(path: &Path, resume: bool, settings: &Settings) -> anyhow::Result<Self> {
        let mut answers = own(path)?;
        if !resume && answers.metadata()?.len() > 0 {
            bail!("it is not empty: continue it with --resume, or remove it");
        }
        let (mut boards, mut status) = (0, Status::Yes);
        if resume && answers.metadata()?.len() > 0 {
            status = Notes::read(path, settings)?;
            let (lines, length) = whole_lines(&mut answers)?;
            answers.set_len(length)?;
            answers.seek(SeekFrom::Start(length))?;
            boards = lines;
        }
        // Written anew, so that they end with a whole line.
        let notes = Notes::renew(path, settings, status)?;
        Ok(Self { path: path.to_owned(), answers, notes, boards, status })
    }

    /// Skips the boards that are answered.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn skip(&self, items: &mut Dealt) -> Result<(), Failure> {
        for number in 0..self.boards {
            if items.next().transpose()?.is_none() {
                let path = self.path.display();
                let answers = self.boards;
                let message =
                    format!("{path}: {answers} answers, but the input has {number} boards");
                return Err(anyhow!(message).into());
            }
        }
        Ok(())
    }

    /// Writes the solutions of some `boards`, and says what is to be said about them.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, answers: &Answers, boards: u64) -> Result<(), Failure> {
        // First, so that it cannot be lost when the solutions are not.
        if answers.status > self.status {
            self.status = answers.status;
            self.notes.add(answers.status)?;
        }
        let written = self.answers.write_all(&answers.text);
        written.with_context(|| self.path.display().to_string())?;
        self.boards += boards;
        answers.remarks.iter().for_each(|(_, remark)| tell(remark));
        Ok(())
    }

    /// What to tell whoever has interrupted the batch.
    pub fn how_to_continue(&self) -> String {
        let (boards, path) = (self.boards, self.path.display());
        let s = if boards == 1 { "" } else { "s" };
        format!(
            "interrupted: {boards} board{s} answered in {path}; the same command with --resume goes on"
        )
    }
}

/// Opens the file at `path`, as the one process that writes to it.
fn own(path: &Path) -> anyhow::Result<File> {
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another process is writing to it"),
        // Some file systems know no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// How many whole lines `file` has, and their bytes.
fn whole_lines(file: &mut File) -> anyhow::Result<(u64, u64)> {
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    let (mut lines, mut bytes) = (0, 0);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            return Ok((lines, bytes));
        }
        lines += 1;
        bytes += read as u64;
    }
}
