//! `--on` and `loyd work` with a real server: the answers equal the output of one process.
#![cfg(all(feature = "queue", unix))]

#[path = "../../../queue/tests/common/mod.rs"]
mod common;

mod access;
mod batches;
mod comparisons;
mod datasets;
mod disturbances;
mod hosts;
mod one_board;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longest time of a test.
const LONGEST: Duration = Duration::from_secs(90);

/// A folder for one test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("queue-{name}"));
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Returns the lines of a file, or no lines if the file does not exist.
    fn lines(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

fn loyd(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    let output = command.env("LOYD_CACHE", "none").args(arguments);
    output.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    loyd(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A process that is killed when it is dropped.
struct Running(Child);

impl Running {
    fn start(arguments: &[&str]) -> Self {
        let mut command = loyd(arguments);
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Starts a worker with two threads, whose jobs go to another one a second after it is lost, and waits until it is
    /// connected: it would end if the server was restarted before.
    fn work(url: &str) -> Self {
        let mut command = loyd(&["work", url, "--threads", "2", "--ack-wait", "1s"]);
        let mut worker = Self(command.stdout(Stdio::null()).spawn().unwrap());
        let notes = BufReader::new(worker.0.stderr.as_mut().unwrap());
        assert!(notes.lines().map_while(Result::ok).any(|line| line.contains(" works for ")));
        worker
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Waits until `is_so` returns true.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + LONGEST;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// Returns records without times, and without the memory, which depends on the other boards of the process.
fn timeless(records: &[String]) -> Vec<Value> {
    let without_times = |record: &String| {
        let mut record: Value = serde_json::from_str(record).unwrap();
        let fields = record.as_object_mut().unwrap();
        for name in ["elapsed_ns", "tables_ns", "peak_bytes"] {
            fields.remove(name);
        }
        record
    };
    records.iter().map(without_times).collect()
}
