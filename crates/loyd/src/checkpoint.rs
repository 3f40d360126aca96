//! Searches that are put aside in a file and continued.
//!
//! The file has two lines of JSON: what is searched and how far that is, and a checksum of the first line. It is
//! written under another name and renamed, so that a process which is killed leaves the last whole one.

mod text;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use loyd_kernels::Progress;
use loyd_search::Direction;
use loyd_tiles::notation::slashes;

use crate::algorithms::{Begun, Fit, Keeper, Run};
use crate::choices::Checkpoint;
use crate::error::Error;
use crate::report::Status;
use crate::sync::lock;
use text::Settings;

/// Larger files are no checkpoints.
const LARGEST: u64 = 1 << 30;

/// What was put aside of `run`, to be continued.
///
/// # Errors
/// When it is a checkpoint of another search, or none.
pub(crate) fn open<'a>(at: &'a Checkpoint, run: &Run<'_>) -> Result<Kept<'a>, Error> {
    let settings = settings(run);
    let begun = match read(at.path()) {
        Ok(None) => Ok(Begun::default()),
        Ok(Some(text)) => text::read(&text, &settings),
        Err(error) => Err(error.to_string()),
    };
    let begun = begun.map_err(|reason| error(at, reason))?;
    let fit = Mutex::new(begun.fit.clone());
    Ok(Kept { at, settings, begun, fit, fault: Mutex::new(None) })
}

fn error(at: &Checkpoint, reason: String) -> Error {
    Error::Checkpoint { path: at.path().display().to_string(), reason }
}

fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(file) if !file.is_file() || file.len() > LARGEST => {
            Err(io::Error::other("this is no checkpoint"))
        }
        Ok(_) => Ok(Some(String::from_utf8_lossy(&fs::read(path)?).into_owned())),
    }
}

/// Puts a whole file in the place of the last one.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut new = OsString::from(path);
    new.push(".new");
    let mut file = File::create(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, path)
}

/// All that the counts of a search depend on, by name.
fn settings(run: &Run<'_>) -> Settings {
    let last = run.plan.stages.last();
    let tables = last.and_then(|stage| stage.tables.as_ref());
    let direction = run.config.direction.map_or("either", Direction::name);
    let fit_after = run.config.fits_after().map_or_else(|| "never".to_owned(), |n| n.to_string());
    let shard = run.config.shard.map_or_else(|| "all".to_owned(), |shard| shard.to_string());
    Settings::from([
        ("board".to_owned(), slashes(run.problem.start()).to_string()),
        ("goal".to_owned(), run.problem.goal_text()),
        ("heuristic".to_owned(), run.plan.heuristic.name.to_owned()),
        ("tables".to_owned(), tables.map_or_else(|| "none".to_owned(), |tables| tables.name())),
        ("pruning".to_owned(), run.plan.prune_in(last).unwrap_or_default().to_string()),
        ("shard".to_owned(), shard),
        ("direction".to_owned(), direction.to_owned()),
        ("tables chosen after".to_owned(), fit_after),
    ])
}

/// A search that is being put aside.
pub(crate) struct Kept<'a> {
    at: &'a Checkpoint,
    settings: Settings,
    begun: Begun,
    fit: Mutex<Fit>,
    /// What is wrong with it.
    fault: Mutex<Option<String>>,
}

impl Kept<'_> {
    /// How far the search was.
    pub fn begun(&self) -> &Begun {
        &self.begun
    }

    /// Checks that the search which has ended in this way can be continued, if it needs to be.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(&self, status: &Status) -> Result<(), Error> {
        match lock(&self.fault).take() {
            Some(reason) if matches!(status, Status::Stopped(_)) => Err(error(self.at, reason)),
            _ => Ok(()),
        }
    }
}

impl Keeper for Kept<'_> {
    fn begin(&self) -> Begun {
        self.begun.clone()
    }

    fn interval(&self) -> Duration {
        self.at.interval()
    }

    fn keep(&self, direction: Option<Direction>, progress: &Progress) {
        let fit = lock(&self.fit).clone();
        let text = text::write(&self.settings, (direction, fit), progress);
        let written = write(self.at.path(), &text);
        *lock(&self.fault) = written.err().map(|error| error.to_string());
    }

    fn fit(&self, fit: Fit) {
        *lock(&self.fit) = fit;
    }

    fn refuse(&self) {
        let reason = "what was put aside does not belong to this search, or tables are damaged";
        *lock(&self.fault) = Some(reason.to_owned());
    }
}
