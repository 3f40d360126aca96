//! Solutions in a file that can be continued.
//!
//! The file holds a line for each board, nothing else. Beside it stands another with `.batch` behind
//! its name: a line of JSON with all that solutions depend on, and a line for each time that the exit
//! status became worse. A process that is killed leaves whole lines and at most one torn one, so the
//! number of whole lines tells where to go on.

mod notes;

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use loyd::search::{HeuristicChoice, Quality};

use super::answer::{Answerer, Answers};
use crate::Status;
use crate::args::{
    AnswersArgs, BatchArgs, LimitArgs, ProblemArgs, SearchArgs, SolveArgs, StyleArgs,
};
use crate::failure::{Failure, tell};
use crate::input::Items;
use notes::{Notes, Settings, check_places};

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
        let settings = settings(answerer, input)?;
        check_places(path, input)?;
        let saved = Self::open_with(path, args.batch.resume, &settings);
        Ok(saved.with_context(|| path.display().to_string())?)
    }

    fn open_with(path: &Path, resume: bool, settings: &Settings) -> anyhow::Result<Self> {
        let mut options = File::options();
        let mut answers = options.read(true).write(true).create(true).truncate(false).open(path)?;
        match answers.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("another process is writing to it"),
            // Some file systems know no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
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
    pub fn skip(&self, items: &mut Items) -> Result<(), Failure> {
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

/// Everything that changes solutions. All options are named here, so that a new one is not forgotten.
fn settings(answerer: &Answerer<'_>, input: &Path) -> Result<Settings, Failure> {
    let SolveArgs {
        boards: _,
        file: _,
        input: format,
        problem: ProblemArgs { size, goal },
        search:
            SearchArgs {
                quality: _,
                algorithm,
                heuristic,
                tables,
                metric,
                weight,
                closed,
                prune,
                max_depth,
                no_parity_check,
            },
        limits: memory @ LimitArgs { max_expanded: _, max_time: _, max_memory: _ },
        cache: _,
        answers: AnswersArgs { all, limit, count },
        batch: BatchArgs { threads: _, save: _, resume: _ },
        output,
        style: StyleArgs { notation, runs },
        with_moves: _,
        stats: _,
        progress: _,
    } = answerer.args;
    let config = answerer.solver.config();
    let limits = config.limits;
    fn said(option: Option<impl ToString>) -> String {
        option.map_or_else(|| "default".to_owned(), |value| value.to_string())
    }
    fn limited(limit: Option<impl ToString>) -> String {
        limit.map_or_else(|| "none".to_owned(), |value| value.to_string())
    }
    Ok(BTreeMap::from([
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("input", content(input)?),
        ("--input", format.unwrap_or_default().to_string()),
        ("--size", said(*size)),
        ("--goal", said(goal.as_ref())),
        ("--quality", said(config.quality)),
        ("--metric", metric.to_string()),
        ("LOYD_CPU", loyd::judge::Cpu::in_use().to_string()),
        ("--algorithm", said(*algorithm)),
        ("--heuristic", said(heuristic.as_ref().map(in_full))),
        ("--tables", tables.to_string()),
        ("--weight", said(*weight)),
        ("--closed", said(*closed)),
        ("--prune", said(*prune)),
        ("--max-depth", limited(*max_depth)),
        ("--no-parity-check", no_parity_check.to_string()),
        ("--max-expanded", limited(limits.max_expanded)),
        ("--max-time", limited(limits.max_time.map(|time| format!("{} s", time.as_secs_f64())))),
        ("--max-memory", limited(memory.max_bytes().map(|bytes| format!("{bytes} bytes")))),
        // Only what is fast is improved, for as long as --max-time says, but not for its default.
        (
            "improving",
            match config.quality {
                Some(Quality::Fast) => format!("for {} s", config.improve.as_secs_f64()),
                _ => "no".to_owned(),
            },
        ),
        ("--all", all.to_string()),
        ("--limit", limited(*limit)),
        ("--count", count.to_string()),
        ("--output", format!("{output:?}").to_lowercase()),
        ("--notation", said(*notation)),
        ("--runs", runs.to_string()),
    ]))
}

/// The heuristic with the content of its matrix.
fn in_full(heuristic: &HeuristicChoice) -> String {
    match heuristic {
        HeuristicChoice::Named(name) => (*name).to_owned(),
        HeuristicChoice::Matrix(matrix) => {
            let entries = format!("{matrix:?}");
            let mut hash = Hash::default();
            hash.add(entries.as_bytes());
            format!("matrix {hash}")
        }
    }
}

/// Length and hash of the input.
fn content(path: &Path) -> anyhow::Result<String> {
    let name = || path.display().to_string();
    if path == Path::new("-") {
        bail!("standard input cannot be continued: put the boards into a file for --save");
    }
    if !fs::metadata(path).with_context(name)?.is_file() {
        bail!("{}: what is not a file cannot be continued: put the boards into one", name());
    }
    let mut file = File::open(path).with_context(name)?;
    let (mut hash, mut length, mut buffer) = (Hash::default(), 0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut buffer).with_context(name)?;
        if read == 0 {
            return Ok(format!("{length} bytes with hash {hash}"));
        }
        hash.add(&buffer[..read]);
        length += read as u64;
    }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo): short, and the same in every version.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
