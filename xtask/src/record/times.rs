//! The time that a board has taken so far, stored in a file, so that little is lost if the record is killed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::process::{cpu_time, read_process};
use crate::run::print_line;
use anyhow::{Context, Result};

/// Interval at which a run is polled for its end.
const POLL: Duration = Duration::from_millis(50);

/// Interval at which the file is written; at most this much time is lost.
const WRITE: Duration = Duration::from_secs(1);

/// The times of all runs of a board.
pub struct Times {
    path: PathBuf,
    /// Number of runs started.
    runs: u64,
    /// Time of all runs but the last, in seconds.
    cpu_s: f64,
    wall_s: f64,
    /// The last run.
    last: Option<Run>,
}

/// A run of the program.
#[derive(Clone)]
struct Run {
    id: u32,
    /// Start time of the process in ticks, which distinguishes it from a later process with the same ID.
    started: u64,
    /// Start time in seconds since 1970, the only clock shared with a later record that resumes the board.
    since: f64,
    /// Its times so far, in seconds.
    cpu_s: f64,
    wall_s: f64,
}

impl Times {
    /// Reads the file, if it exists.
    pub fn open(path: &Path) -> Result<Self> {
        let at = || path.display().to_string();
        let value: Value = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => json!({}),
            bytes => serde_json::from_slice(&bytes.with_context(at)?).with_context(at)?,
        };
        let last = &value["last"];
        Ok(Self {
            path: path.to_owned(),
            runs: value["runs"].as_u64().unwrap_or(0),
            cpu_s: seconds(&value["cpu_s"]),
            wall_s: seconds(&value["wall_s"]),
            last: last["id"].as_u64().and_then(|id| u32::try_from(id).ok()).map(|id| Run {
                id,
                started: last["started"].as_u64().unwrap_or(0),
                since: seconds(&last["since"]),
                cpu_s: seconds(&last["cpu_s"]),
                wall_s: seconds(&last["wall_s"]),
            }),
        })
    }

    /// Returns the processor time of all runs, in seconds.
    pub fn cpu_s(&self) -> f64 {
        self.cpu_s + self.last.as_ref().map_or(0.0, |run| run.cpu_s)
    }

    /// Returns the wall time of all runs, in seconds.
    pub fn wall_s(&self) -> f64 {
        self.wall_s + self.last.as_ref().map_or(0.0, |run| run.wall_s)
    }

    /// Returns the number of runs.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// Waits until the process of the last run has ended: only one process may write to its files.
    pub fn wait_for_previous(&mut self) -> Result<()> {
        let mut is_announced = false;
        while self.last.as_mut().is_some_and(Run::refresh) {
            if !is_announced {
                print_line("waiting for a process of an earlier record that is solving this board");
                is_announced = true;
            }
            self.write()?;
            sleep(Duration::from_secs(1));
        }
        self.write()
    }

    /// Waits for a run that has just started, and returns its exit status.
    pub fn watch(&mut self, child: &mut Child) -> Result<ExitStatus> {
        let before = cpu_time()?;
        (self.cpu_s, self.wall_s) = (self.cpu_s(), self.wall_s());
        self.runs += 1;
        let started = read_process(child.id()).map_or(0, |process| process.started);
        let since = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs_f64();
        let mut run = Run { id: child.id(), started, since, cpu_s: 0.0, wall_s: 0.0 };
        let start = Instant::now();
        let mut written: Option<Instant> = None;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if written.is_none_or(|written| written.elapsed() >= WRITE) {
                run.refresh();
                self.last = Some(run.clone());
                self.write()?;
                written = Some(Instant::now());
            }
            sleep(POLL);
        };
        (run.cpu_s, run.wall_s) = (cpu_time()? - before, start.elapsed().as_secs_f64());
        self.last = Some(run);
        self.write()?;
        Ok(status)
    }

    /// Replaces the file atomically.
    fn write(&self) -> Result<()> {
        let last = self.last.as_ref().map(|run| {
            json!({
                "id": run.id, "started": run.started, "since": run.since,
                "cpu_s": run.cpu_s, "wall_s": run.wall_s,
            })
        });
        let value = json!({
            "runs": self.runs, "cpu_s": self.cpu_s, "wall_s": self.wall_s, "last": last,
        });
        let new = self.path.with_extension("new");
        fs::write(&new, format!("{value}\n"))?;
        Ok(fs::rename(new, &self.path)?)
    }
}

impl Run {
    /// Updates the times from the process, and returns whether it is still running.
    fn refresh(&mut self) -> bool {
        let process = read_process(self.id).filter(|process| process.started == self.started);
        let Some(process) = process else { return false };
        self.cpu_s = process.cpu_s;
        if !process.is_over {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            self.wall_s = (now.as_secs_f64() - self.since).max(0.0);
        }
        !process.is_over
    }
}

fn seconds(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("loyd-{name}-{}.json", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    #[test]
    fn times_of_runs_are_added_up() {
        let path = file("times");
        for run in 1..=3 {
            let mut times = Times::open(&path).unwrap();
            times.wait_for_previous().unwrap();
            let mut child = Command::new("sleep").arg("0.2").spawn().unwrap();
            assert!(times.watch(&mut child).unwrap().success());
            assert_eq!(times.runs(), run);
            assert!(times.wall_s() >= 0.2 * run as f64 && times.cpu_s() < 0.2 * run as f64);
        }
        let times = Times::open(&path).unwrap();
        assert!(times.runs() == 3 && times.wall_s() >= 0.6);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn waits_for_a_run_of_a_killed_record() {
        let path = file("left");
        let mut child = Command::new("sleep").arg("1.5").spawn().unwrap();
        let mut times = Times::open(&path).unwrap();
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() - 10.0;
        let started = read_process(child.id()).unwrap().started;
        let run = Run { id: child.id(), started, since, cpu_s: 0.0, wall_s: 0.0 };
        // Another process with the same ID does not count.
        assert!(!Run { started: started + 1, ..run.clone() }.refresh());
        times.last = Some(run);
        times.write().unwrap();
        let mut times = Times::open(&path).unwrap();
        times.wait_for_previous().unwrap();
        assert!(read_process(child.id()).unwrap().is_over);
        assert!((10.0..13.0).contains(&times.wall_s()));
        child.wait().unwrap();
        fs::remove_file(path).unwrap();
    }
}
