//! Solves one board of a record. The search can be interrupted at any time and resumed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::machine::machine;
use super::times::Times;

/// The solver.
pub struct Program {
    pub path: PathBuf,
    /// The commit that it was built from.
    pub commit: String,
}

/// A line of the file of boards.
pub struct Board {
    pub number: u32,
    pub length: u64,
    pub tiles: String,
}

/// The files of a board until its line is in the log.
pub struct Files {
    answer: PathBuf,
    times: PathBuf,
}

impl Files {
    /// Returns the paths in the folder `record` of the target directory of `program`, and creates the folder.
    pub fn new(program: &Path, number: u32) -> Result<Self> {
        let target = program.parent().and_then(Path::parent).context("no target directory")?;
        let folder = target.join("record");
        fs::create_dir_all(&folder)?;
        let file = |suffix: &str| folder.join(format!("{number}.{suffix}"));
        Ok(Self { answer: file("jsonl"), times: file("times.json") })
    }

    /// Removes the files, and the files that `loyd` keeps next to its answer.
    pub fn remove(&self) -> Result<()> {
        let extra = [".checkpoint", ".batch"].map(|suffix| {
            let mut path = self.answer.clone().into_os_string();
            path.push(suffix);
            PathBuf::from(path)
        });
        // The answer last: without it, the other files would look like a suspended search.
        for path in extra.iter().chain([&self.times, &self.answer]) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(error).with_context(|| path.display().to_string());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Solves a board, or resumes its search, and checks the solution.
pub fn solve(threads: u16, program: &Program, board: &Board, files: &Files) -> Result<Value> {
    let text = threads.to_string();
    let arguments = arguments(&text);
    let mut times = Times::open(&files.times)?;
    // A process of an earlier record that was killed may still be running.
    times.wait_for_previous()?;
    let mut child = Command::new(&program.path)
        .args(arguments)
        .arg("--save")
        .arg(&files.answer)
        .args(["--resume", &board.tiles])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let status = times.watch(&mut child)?;
    let answer = fs::read(&files.answer).unwrap_or_default();
    let record: Value = serde_json::from_slice(&answer)
        .with_context(|| format!("board {}: no solution ({status})", board.number))?;
    let moves = check(board, &record).with_context(|| format!("board {}", board.number))?;
    // The program reports only the time of its last run.
    let search = if times.runs() == 1 { record["elapsed_ns"].as_f64() } else { None };
    Ok(json!({
        "number": board.number, "length": board.length, "moves": moves,
        "iterations": record["iterations"], "expanded": record["expanded"],
        "expanded_complete": record["expanded_complete"], "ended_by": record["ended_by"],
        "direction": record["direction"],
        "tables": record["tables"], "prune": record["prune"], "threads": threads,
        "peak_bytes": record["peak_bytes"], "search_s": search.map(|time| time / 1e9),
        "wall_s": times.wall_s(), "cpu_s": times.cpu_s(), "runs": times.runs(),
        "machine": machine(), "commit": program.commit,
        "command": format!("loyd {} --save FILE --resume \"…\"", arguments.join(" ")),
    }))
}

/// Returns the arguments of `loyd`, except for the file and the board.
fn arguments(threads: &str) -> [&str; 13] {
    [
        "solve",
        "--quality",
        "optimal",
        "--goal",
        "blank-first",
        "--max-time",
        "none",
        "--max-memory",
        "2G",
        "--threads",
        threads,
        "--output",
        "json",
    ]
}

/// Returns the moves of the record, after checking that they are a shortest solution of the known length.
fn check<'a>(board: &Board, record: &'a Value) -> Result<&'a str> {
    if record["length"] != json!(board.length) || record["optimal"] != json!(true) {
        bail!("{record}");
    }
    let moves = record["moves"].as_str().context("no moves")?;
    replay(&board.tiles, moves)?;
    Ok(moves)
}

/// Replays the moves of the blank, without using any crate of Loyd, and checks that they lead to the goal.
pub fn replay(tiles: &str, moves: &str) -> Result<()> {
    let mut board =
        tiles.split(' ').map(str::parse).collect::<std::result::Result<Vec<u32>, _>>()?;
    for step in moves.chars() {
        let blank = board.iter().position(|&tile| tile == 0).context("no blank")?;
        let to = match step {
            'u' if blank >= 5 => blank - 5,
            'd' if blank < 20 => blank + 5,
            'l' if !blank.is_multiple_of(5) => blank - 1,
            'r' if blank % 5 < 4 => blank + 1,
            _ => bail!("the move `{step}` is not legal"),
        };
        board.swap(blank, to);
    }
    if !board.iter().copied().eq(0..25) {
        bail!("the moves do not lead to the goal");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_replayed() {
        let tiles = "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
        assert!(replay(tiles, "l").is_ok());
        assert!(replay(tiles, "r").is_err() && replay(tiles, "u").is_err());
        assert!(replay(tiles, "lx").is_err() && replay(tiles, "").is_err());
    }
}
