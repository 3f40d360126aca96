//! Sessions: files of solves, which the page reads and writes too.
//!
//! `page/puzzle/solve_record.js` describes the fields of a solve. Solves of other programs, and fields that this program
//! does not know, are kept.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail};
use loyd::Problem;
use loyd::notation::{moves_to_string, slashes};
use loyd_play::{Average, Game, best, mean, trimmed_average};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::words::time;
use crate::failure::Failure;
use crate::saved_files::write_atomically;

/// The values of the fields `format` and `version`.
const FORMAT: &str = "loyd solves";
const VERSION: u64 = 1;

/// Largest file, in bytes, and longest solve, in milliseconds; the page has the same limits.
const MAX_BYTES: u64 = 50_000_000;
const MAX_MS: u64 = 1_000_000_000;

/// The content of a file.
#[derive(Deserialize)]
struct Solves {
    format: String,
    version: u64,
    solves: Vec<Solve>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// A solve, with the fields that statistics need.
#[derive(Clone, Deserialize, Serialize)]
struct Solve {
    kind: String,
    date: u64,
    #[serde(deserialize_with = "milliseconds")]
    ms: u64,
    #[serde(default)]
    dnf: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    optimal: Option<u64>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let ms = u64::deserialize(deserializer)?;
    match ms <= MAX_MS {
        true => Ok(ms),
        false => Err(D::Error::custom(format!("a time of {ms} ms; at most {MAX_MS} are allowed"))),
    }
}

/// A file of solves, and the statistics of one kind of them.
pub struct Session {
    path: PathBuf,
    /// Solves that could not be written yet.
    unwritten: Vec<Solve>,
    /// Date and time of the solve that was added last.
    last: Option<(u64, u64)>,
    kind: String,
    rows: Vec<(&'static str, String)>,
}

impl Session {
    /// Opens a session. A file that does not exist is created.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or created, or is not a session.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        // A symbolic link stays one when the file is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if read(&path)?.is_none() {
            write(&path, &Solves::empty())?;
        }
        Ok(Self { path, unwritten: Vec::new(), last: None, kind: String::new(), rows: Vec::new() })
    }

    /// Selects the size and the goal of a problem for the statistics.
    ///
    /// # Errors
    /// Returns an error if the file has become invalid.
    pub fn select(&mut self, problem: &Problem) -> Result<(), Failure> {
        self.kind = kind(problem);
        let file = self.file()?;
        self.rows = statistics(&file.solves, &self.kind);
        Ok(())
    }

    /// Returns the statistics of the selected kind, as labels and values; none without a finished solve.
    pub fn rows(&self) -> &[(&'static str, String)] {
        &self.rows
    }

    /// Adds a solved game to the file. Solves that other programs have added since the last time are kept.
    ///
    /// # Errors
    /// Returns an error if the file has become invalid or cannot be written. The next call writes the solve again.
    pub fn add(&mut self, game: &Game, seed: &str) -> Result<(), Failure> {
        let solve = record(game, seed);
        self.last = Some((solve.date, solve.ms));
        self.unwritten.push(solve);
        self.write_rest()
    }

    /// Stores the length of a shortest solution of the solve that was added last.
    ///
    /// # Errors
    /// Returns an error if the file has become invalid or cannot be written.
    pub fn set_optimal(&mut self, optimal: usize) -> Result<(), Failure> {
        let mut file = self.file()?;
        let is_last = |solve: &&mut Solve| Some((solve.date, solve.ms)) == self.last;
        if let Some(solve) = file.solves.iter_mut().rev().find(is_last) {
            solve.optimal = Some(optimal as u64);
            self.replace(&file)?;
        }
        Ok(())
    }

    /// Writes the solves that could not be written before.
    ///
    /// # Errors
    /// Returns an error if that fails again.
    pub fn write_rest(&mut self) -> Result<(), Failure> {
        match self.unwritten.is_empty() {
            true => Ok(()),
            false => self.replace(&self.file()?),
        }
    }

    /// Returns the content of the file with the solves that are not written yet.
    fn file(&self) -> Result<Solves, Failure> {
        let mut file = read(&self.path)?.unwrap_or_else(Solves::empty);
        file.solves.extend(self.unwritten.iter().cloned());
        Ok(file)
    }

    fn replace(&mut self, file: &Solves) -> Result<(), Failure> {
        self.rows = statistics(&file.solves, &self.kind);
        write(&self.path, file)?;
        self.unwritten.clear();
        Ok(())
    }
}

impl Solves {
    fn empty() -> Self {
        let (format, solves, other) = (FORMAT.to_owned(), Vec::new(), Map::new());
        Self { format, version: VERSION, solves, other }
    }

    /// Returns the text of the file, with a line for each solve.
    fn text(&self) -> serde_json::Result<String> {
        let mut text = format!("{{\"format\":{},\"version\":{}", json!(self.format), self.version);
        for (name, value) in &self.other {
            text += &format!(",{}:{value}", json!(name));
        }
        let lines: Result<Vec<String>, _> = self.solves.iter().map(serde_json::to_string).collect();
        Ok(format!("{text},\"solves\":[\n{}\n]}}\n", lines?.join(",\n")))
    }
}

/// Reads a session; `None` if the file does not exist.
fn read(path: &Path) -> Result<Option<Solves>, Failure> {
    Ok(read_plainly(path).with_context(|| path.display().to_string())?)
}

fn read_plainly(path: &Path) -> anyhow::Result<Option<Solves>> {
    let about = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        about => about?,
    };
    if !about.is_file() {
        bail!("a session has to be a plain file");
    }
    let mut text = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    check_length(text.len())?;
    let file: Solves = serde_json::from_slice(&text).context("not a session of Loyd")?;
    if file.format != FORMAT {
        bail!("not a session of Loyd: its field `format` is not \"{FORMAT}\"");
    }
    if file.version != VERSION {
        bail!("the session has version {}; this program reads version {VERSION}", file.version);
    }
    Ok(Some(file))
}

fn check_length(bytes: usize) -> anyhow::Result<()> {
    match bytes as u64 <= MAX_BYTES {
        true => Ok(()),
        false => Err(anyhow!("the session is too long; at most {MAX_BYTES} bytes are allowed")),
    }
}

fn write(path: &Path, file: &Solves) -> Result<(), Failure> {
    let text = file.text()?;
    check_length(text.len()).with_context(|| path.display().to_string())?;
    write_atomically(path, |out| out.write_all(text.as_bytes()))
}

/// Returns the kind of a problem, within which solves are compared: its size and goal.
fn kind(problem: &Problem) -> String {
    let goal = problem.goal_name().map_or_else(|| problem.goal_text(), str::to_owned);
    format!("{} {goal}", problem.start().size())
}

/// Returns the statistics of one kind of solves. As on a stopwatch, times are cut to hundredths of a second before they
/// are averaged, so that all times agree with each other.
fn statistics(solves: &[Solve], kind: &str) -> Vec<(&'static str, String)> {
    let of_kind = solves.iter().filter(|solve| solve.kind == kind);
    let times: Vec<Option<u64>> =
        of_kind.map(|solve| (!solve.dnf).then_some(solve.ms / 10)).collect();
    let text = |hundredths| time(Duration::from_millis(10 * hundredths));
    let single = |time: Option<u64>| time.map_or_else(|| "DNF".to_owned(), text);
    let average = |length| match trimmed_average(&times, length) {
        None => "\u{2013}".to_owned(),
        Some(Average::DidNotFinish) => single(None),
        Some(Average::Time(hundredths)) => text(hundredths),
    };
    let Some(&last) = times.last() else { return Vec::new() };
    vec![
        ("Solves", times.len().to_string()),
        ("Single", single(last)),
        ("Best", single(best(&times))),
        ("Mean", single(mean(&times))),
        ("Ao5", average(5)),
        ("Ao12", average(12)),
    ]
}

/// Returns the time of a game that is over.
fn milliseconds_of(game: &Game) -> u64 {
    // The time of a game that is over no longer changes.
    (game.elapsed(Duration::ZERO).as_millis() as u64).min(MAX_MS)
}

fn record(game: &Game, seed: &str) -> Solve {
    let problem = game.problem();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let steps = game.steps();
    let times: Vec<u64> = game.step_times().iter().map(|time| time.as_millis() as u64).collect();
    let other = [
        ("length", json!(steps.len())),
        ("moves", json!(moves_to_string(&steps))),
        ("times", json!(times)),
        ("board", json!(slashes(problem.start()).to_string())),
        ("seed", json!(seed)),
        ("scramble", json!("")),
        ("comment", json!("")),
        ("isPaused", json!(game.was_paused)),
    ];
    Solve {
        kind: kind(problem),
        date: now.as_millis() as u64,
        ms: milliseconds_of(game),
        dnf: false,
        optimal: None,
        other: other.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests;
