//! Suspended searches and work divided into shards: the results equal those of a single uninterrupted run.

mod batches;
mod comparisons;
mod datasets;
mod missing;
mod refused;
mod replayed;
mod single_board;
mod subtrees;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A board with a shortest solution of 56 moves, whose search expands nine million nodes with [`TABLES`].
const BOARD: &str = "2 13 15 4 9/1 11 8 0 10/7 14 12 19 3/6 22 18 24 5/16 17 21 23 20";
/// Tables that build quickly.
const TABLES: &str = "1,5,6/2,3,7/4,8,9/10,11,15/12,13,17/14,18,19/16,20,21/22,23,24";
const HOW: [&str; 10] = [
    "--heuristic",
    "pdb",
    "--tables",
    TABLES,
    "--prune",
    "undo",
    "--threads",
    "1",
    "--output",
    "json",
];

/// A separate folder for each test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("shards-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    /// Writes a file of boards: easy, solved, unsolvable and invalid ones.
    fn boards(&self) -> String {
        let boards = [
            "2 3 4 1 5 x 7 6 8",
            "1 2 3 4 5 6 7 8 x",
            "8 6 7 2 5 4 3 x 1",
            "# a comment\n\n1 2 3 4 5 6 8 7 x",
            "1 2 3 4 5 6 7 8 q",
            "1 2 3 4 5 6 7 x 8",
            "1 2 3 4 x 6 7 5 8",
            "6 4 7 8 5 x 3 2 1",
        ];
        self.write("boards.txt", &(boards.join("\n") + "\n"))
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

/// Returns the standard output of a successful run.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Returns the arguments that solve [`BOARD`].
fn board_arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["solve", BOARD], &HOW[..], more].concat()
}

/// Returns the record of [`BOARD`], solved by a single process.
fn uninterrupted() -> &'static str {
    static RECORD: OnceLock<String> = OnceLock::new();
    RECORD.get_or_init(|| printed(&board_arguments(&[])))
}

/// Removes the times, and the memory, which depends on how much of the search ran in one process.
fn timeless(record: &str) -> Value {
    let mut record: Value = serde_json::from_str(record).unwrap();
    let fields = record.as_object_mut().unwrap();
    for name in ["elapsed_ns", "tables_ns", "peak_bytes"] {
        fields.remove(name);
    }
    record
}

/// Returns the iterations before the last one.
fn complete(record: &str) -> Vec<Value> {
    let record = timeless(record);
    let mut iterations = record["iterations"].as_array().unwrap().clone();
    let last = iterations.pop().unwrap();
    assert_eq!((&last["bound"], &record["length"]), (&Value::from(56), &Value::from(56)));
    iterations
}

/// Returns the number of iterations that the search in a checkpoint has completed.
fn iterations_in(checkpoint: &str) -> usize {
    let text = fs::read_to_string(checkpoint).unwrap_or_default();
    let line = text.lines().next().and_then(|line| serde_json::from_str::<Value>(line).ok());
    line.map_or(0, |kept| kept["rounds"].as_array().unwrap().len())
}

/// Starts a search and waits until its checkpoint has `iterations` complete iterations.
fn start_and_suspend(arguments: &[&str], checkpoint: &str, iterations: usize) -> Child {
    let child = loyd(arguments).spawn().unwrap();
    let start = Instant::now();
    while iterations_in(checkpoint) < iterations {
        assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint was written");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// Solves the shards of [`BOARD`] up to a depth and returns their files.
fn shards(place: &Place, count: usize, more: &[&str]) -> Vec<String> {
    let shard = |index| {
        let shard = format!("{index}/{count}");
        let record = printed(&board_arguments(&[&["--shard", &shard], more].concat()));
        place.write(&format!("{count}.{index}"), &record)
    };
    (0..count).map(shard).collect()
}

fn merge(files: &[String], more: &[&str]) -> Output {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    run(&[&["merge"], &files[..], more].concat())
}

/// Returns whether `loyd merge` printed the answers to boards, of which one is invalid.
fn is_merged(output: &Output) -> bool {
    output.status.code() == Some(2) && !output.stdout.is_empty()
}

/// Solves a shard of `boards`, with `--save` if requested.
fn batch(place: &Place, boards: &str, shard: (usize, usize), save: bool, how: &[&str]) -> String {
    let (name, shard) = (format!("{}.{}", shard.1, shard.0), format!("{}/{}", shard.0, shard.1));
    let arguments = [&["solve", "-f", boards, "--shard", &shard], how].concat();
    let path = place.path(&name);
    if save {
        run(&[&arguments[..], &["--save", &path, "--resume"]].concat());
        return path;
    }
    place.write(&name, &text(&run(&arguments).stdout))
}
