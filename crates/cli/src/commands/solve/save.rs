//! Saves solutions so that a batch or the search for a single board can be resumed.
//!
//! The file of a batch contains one line per board and nothing else. A second file, with `.batch` appended to the name,
//! holds a line of JSON with everything that the solutions depend on, followed by one line for each time the exit
//! status became worse, and a last line with the checksum of the solutions, which `loyd merge` compares. A process that
//! is killed leaves complete lines and at most one partial line, so the number of complete lines is the number of boards
//! to skip on resume.
//!
//! The file of a single board contains its solution. Until the search is complete, the suspended search is in a
//! checkpoint next to it.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use loyd::Problem;
use loyd::search::Checkpoint;
use serde_json::Value;

use super::answer::{Answerer, Answers, exit_status};
use super::batch_file::{
    BatchFile, Input, Settings, check_places, read_notes, settings, with_suffix,
};
use super::kept_lines::{KeptLines, MAX_LINE, check_line, check_lines};
use super::shard::ShardInput;
use crate::failure::{Failure, Status, print_note};
use crate::files::{check_regular, read_text};
use crate::input::Item;
use crate::saved_files::{checksum, checksum_from};

/// Answers boards, which have the numbers of their lines; returns `None` after an interruption.
pub type AnswerAgain<'a> =
    dyn FnMut(Vec<(u64, Item)>) -> Result<Option<Vec<Answers>>, Failure> + 'a;

/// The file of solutions.
pub struct SavedBatch {
    path: PathBuf,
    answers: File,
    /// `None` if all boards were answered before: the files then stay as they are.
    batch_file: Option<BatchFile>,
    /// Number of boards answered.
    boards: u64,
    /// The boards that no worker of an earlier run could solve, each with the number of its line, from 0.
    failed: Vec<(u64, Item)>,
    settings: Settings,
    /// The worst status so far.
    pub status: Status,
    new: NewFiles,
}

impl SavedBatch {
    /// Opens the file of `--save` for a new or a resumed batch. Takes the boards that are already answered from
    /// `items`, and checks their lines. The file is not changed before all lines are checked.
    ///
    /// # Errors
    /// Returns an error if the file has solutions and `--resume` is not set, if it belongs to another input or other
    /// options, if a line is not the answer to its board, if all boards were answered and the file was changed since, or
    /// if files cannot be read or written.
    pub fn open(answerer: &Answerer<'_>, items: &mut ShardInput) -> Result<Self, Failure> {
        let args = answerer.args;
        let (Some(path), Some(input)) = (&args.batch.save, &args.file) else {
            return Err(anyhow!("--save needs a file of boards").into());
        };
        let settings = settings(answerer, &Input::File(input))?;
        check_places(path, Some(input))?;
        let name = || path.display().to_string();
        let (mut answers, new) = open_locked(path).with_context(name)?;
        let (mut kept, mut status) = (KeptLines::default(), Status::Yes);
        if answers.metadata()?.len() > 0 {
            if !args.batch.resume {
                return Err(not_empty()).with_context(name)?;
            }
            status = BatchFile::read(path, &settings).with_context(name)?;
            kept = check_lines(answerer, path, &mut answers, items)?;
        }
        let boards = kept.lines;
        // A shard may have no boards.
        let is_same_work = kept.lines > 0 || BatchFile::read(path, &settings).is_ok();
        let finished = read_notes(path).filter(|_| is_same_work).and_then(|notes| notes.checksum);
        let is_complete = finished.is_some() && !items.has_next();
        if let Some(finished) = finished.filter(|_| is_complete) {
            check_unchanged(&mut answers, &finished).with_context(name)?;
        }
        if is_complete && kept.failed.is_empty() {
            // Left by a process that was killed; one that stays does no harm.
            let _ = fs::remove_file(with_suffix(path, ".batch.new"));
            return Ok(Self {
                path: path.to_owned(),
                answers,
                batch_file: None,
                boards,
                failed: Vec::new(),
                settings,
                status,
                new,
            });
        }
        let mut begin = || {
            answers.set_len(kept.bytes)?;
            answers.seek(SeekFrom::Start(kept.bytes))?;
            // Rewritten, so that the batch file ends with a complete line.
            BatchFile::renew(path, &settings, status)
        };
        let batch_file = Some(begin().with_context(name)?);
        let (path, failed) = (path.to_owned(), kept.failed);
        Ok(Self { path, answers, batch_file, boards, failed, settings, status, new })
    }

    /// Writes the solutions of `boards` boards, and prints the remarks.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&mut self, answers: &Answers, boards: u64) -> Result<(), Failure> {
        if boards > 0 {
            self.new.keep();
        }
        // The status first: if the process is killed here, the boards are solved again, but no bad status is lost.
        if answers.status > self.status {
            self.status = answers.status;
            self.batch_file.iter_mut().try_for_each(|file| file.add(answers.status))?;
        }
        let written = self.answers.write_all(&answers.text);
        written.with_context(|| self.path.display().to_string())?;
        self.boards += boards;
        answers.remarks.iter().for_each(|(_, remark)| print_note(remark));
        Ok(())
    }

    /// Answers the boards again that no worker of an earlier run could solve, with `answer`. Returns whether it was not interrupted.
    ///
    /// # Errors
    /// Returns an error of `answer`, or if the answers cannot be written.
    pub fn try_failed_again(&mut self, answer: &mut AnswerAgain<'_>) -> Result<bool, Failure> {
        let failed = std::mem::take(&mut self.failed);
        if failed.is_empty() {
            return Ok(true);
        }
        let numbers: Vec<u64> = failed.iter().map(|&(number, _)| number).collect();
        let Some(answers) = answer(failed)? else { return Ok(false) };
        self.replace(&numbers.into_iter().zip(answers).collect())?;
        Ok(true)
    }

    /// Replaces the lines of boards that were tried again, by their number. The new file is complete before it is
    /// renamed.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails.
    fn replace(&mut self, answers: &BTreeMap<u64, Answers>) -> Result<(), Failure> {
        let new = with_suffix(&self.path, ".batch.lines");
        let mut replace = || -> anyhow::Result<Status> {
            self.answers.rewind()?;
            let (to, mut is_new) = open_locked(&new)?;
            is_new.keep();
            to.set_len(0)?;
            let mut written = BufWriter::new(&to);
            let (mut status, mut is_text) = (Status::Yes, false);
            for (number, line) in (0..).zip(BufReader::new(&self.answers).split(b'\n')) {
                let mut line = line?;
                line.push(b'\n');
                let line = answers.get(&number).map_or(&line, |answers| &answers.text);
                match serde_json::from_slice(line) {
                    Ok(record @ Value::Object(_)) => status = status.max(exit_status(&record)),
                    _ => is_text = true,
                }
                written.write_all(line)?;
            }
            written.flush()?;
            drop(written);
            to.sync_all()?;
            fs::rename(&new, &self.path)?;
            self.answers = to;
            // Lines of text do not show whether a length is the one that their file expects.
            Ok(if is_text { status.max(self.status) } else { status })
        };
        self.status = replace().with_context(|| self.path.display().to_string())?;
        self.batch_file = Some(BatchFile::renew(&self.path, &self.settings, self.status)?);
        for answers in answers.values() {
            answers.remarks.iter().for_each(|(_, remark)| print_note(remark));
        }
        Ok(())
    }

    /// Records that all boards are answered, with the checksum of the answers.
    ///
    /// # Errors
    /// Returns an error if the answers cannot be read or the checksum cannot be written.
    pub fn finish(&mut self) -> Result<(), Failure> {
        self.new.keep();
        let Some(batch_file) = &mut self.batch_file else { return Ok(()) };
        let checksum = self.answers.rewind().and_then(|()| checksum_from(&self.answers));
        batch_file.finish(&checksum.with_context(|| self.path.display().to_string())?)?;
        Ok(())
    }

    /// Returns the number of boards that are answered.
    #[cfg(feature = "queue")]
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// Returns the message for an interrupted batch: how to resume it.
    pub fn resume_hint(&mut self) -> String {
        self.new.keep();
        let (boards, path) = (self.boards, self.path.display());
        let s = if boards == 1 { "" } else { "s" };
        format!(
            "interrupted: {boards} board{s} answered in {path}; run the same command with --resume to continue"
        )
    }
}

/// Files that this run creates. They are removed if it is refused before it has an answer.
struct NewFiles(Vec<PathBuf>);

impl NewFiles {
    /// Returns the file of answers and its batch file, unless they exist.
    fn of(answers: &Path) -> Vec<PathBuf> {
        let paths = [answers.to_owned(), with_suffix(answers, ".batch")];
        paths.into_iter().filter(|path| fs::symlink_metadata(path).is_err()).collect()
    }

    fn keep(&mut self) {
        self.0.clear();
    }
}

impl Drop for NewFiles {
    fn drop(&mut self) {
        let is_needed = |path: &PathBuf| with_suffix(path, ".checkpoint").exists();
        if self.0.first().is_some_and(is_needed) {
            return;
        }
        // An empty file that stays does no harm.
        self.0.iter().for_each(|path| _ = fs::remove_file(path));
    }
}

/// Opens the file at `path` and locks it, so that only one process writes to it.
fn open_locked(path: &Path) -> anyhow::Result<(File, NewFiles)> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => check_regular(&found?)?,
    }
    let new = NewFiles::of(path);
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another process is writing to it"),
        // Some file systems do not support locks.
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    // Another process may have written to it in the meantime.
    let is_empty = file.metadata()?.len() == 0;
    Ok((file, NewFiles(if is_empty { new } else { Vec::new() })))
}

/// Checks that complete answers still have the checksum `finished`.
fn check_unchanged(answers: &mut File, finished: &str) -> anyhow::Result<()> {
    answers.rewind()?;
    if checksum_from(answers)? != finished {
        bail!(
            "it was complete, and has another checksum now: it was changed or damaged; restore it, or remove it and its \
             .batch file to solve its boards again"
        );
    }
    Ok(())
}

/// The error for solutions that would be overwritten.
fn not_empty() -> anyhow::Error {
    anyhow!("the file is not empty: resume it with --resume, or remove it")
}

/// The open file for the solution of a single board, with the checkpoint of its search.
pub struct SavedBoard {
    path: PathBuf,
    file: File,
    /// Checkpoint of the search until it is complete.
    pub checkpoint: Checkpoint,
    /// Whether the file already contains the solution.
    pub is_done: bool,
    /// SHA-256 checksum of the checkpoint from which the search is resumed, if it is.
    pub resumed_from: Option<String>,
    new: NewFiles,
}

impl SavedBoard {
    /// Opens the file of `--save` for a new or a resumed search for `problem`.
    ///
    /// # Errors
    /// Returns an error if there is a solution or a checkpoint and `--resume` is not set, if they belong to another
    /// board or other options, or if files cannot be read or written.
    pub fn open(answerer: &Answerer<'_>, path: &Path, problem: &Problem) -> Result<Self, Failure> {
        let settings = settings(answerer, &Input::Board(problem))?;
        check_places(path, None)?;
        let checkpoint = Checkpoint::new(with_suffix(path, ".checkpoint"));
        let is_suspended = checkpoint.path().exists();
        let resume = answerer.args.batch.resume;
        if is_suspended && !resume {
            let at = checkpoint.path().display();
            let message = "a suspended search exists: resume it with --resume, or remove the file";
            return Err(anyhow::anyhow!("{at}: {message}").into());
        }
        let open = || -> anyhow::Result<Self> {
            let (mut file, new) = open_locked(path)?;
            let text = read_text(&mut file, MAX_LINE)?;
            if !resume && !text.is_empty() {
                return Err(not_empty());
            }
            if is_suspended || !text.is_empty() {
                BatchFile::read(path, &settings)?;
            }
            let is_done = is_answer(&text);
            if let Some(line) = text.strip_suffix('\n').filter(|_| is_done) {
                let problem = Ok(problem.clone());
                let item = Item { line: None, id: None, expected: None, problem };
                check_line(answerer, line.as_bytes(), &item).context(
                    "this is not the answer to the board: restore the file, or remove it",
                )?;
            }
            drop(BatchFile::renew(path, &settings, Status::Yes)?);
            let resumed_from = is_suspended
                .then(|| checksum(checkpoint.path()))
                .transpose()
                .with_context(|| format!("cannot read {}", checkpoint.path().display()))?;
            Ok(Self { path: path.to_owned(), file, checkpoint, is_done, resumed_from, new })
        };
        Ok(open().with_context(|| path.display().to_string())?)
    }

    /// Writes the output, and removes the checkpoint if the search has `ended`.
    ///
    /// # Errors
    /// Returns an error if writing fails or the checkpoint cannot be removed.
    pub fn write(&mut self, text: &[u8], ended: bool) -> Result<(), Failure> {
        self.new.keep();
        let mut write = || {
            self.file.set_len(0)?;
            self.file.seek(SeekFrom::Start(0))?;
            self.file.write_all(text)?;
            // Must reach the disk before the checkpoint is removed.
            self.file.sync_all()
        };
        write().with_context(|| self.path.display().to_string())?;
        if ended {
            let at = || self.checkpoint.path().display().to_string();
            self.checkpoint.remove().with_context(at)?;
        }
        Ok(())
    }

    /// Returns the message for an interrupted or limited search: how to resume it.
    pub fn resume_hint(&mut self) -> String {
        self.new.keep();
        let at = self.checkpoint.path();
        match at.exists() {
            true => format!(
                "the search is suspended in {}; run the same command with --resume to continue",
                at.display()
            ),
            false => {
                "nothing is saved yet; run the same command with --resume to start over".to_owned()
            }
        }
    }
}

/// Returns whether `text` is a complete line with a solution. A shard that found none up to `--max-depth` may still
/// find one deeper.
fn is_answer(text: &str) -> bool {
    let is_stopped = |line: &str| {
        let record = serde_json::from_str::<Value>(line);
        record.is_ok_and(|record| record["status"] == "stopped")
    };
    text.strip_suffix('\n').is_some_and(|line| !is_stopped(line))
}
