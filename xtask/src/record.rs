//! A record: the boards of a file solved with the catalogue of 5x5 tables, a line of a log for each, and a page made of
//! that log. The file of boards stays where it is.

mod page;

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::Result;
use crate::run::{release_build, say};

/// Solve the 5x5 boards of a file, each with a proof, and write a page about it.
///
/// A line of the file has a number, the length of a shortest solution, and the tiles; tile 1 belongs on the second cell.
/// What is solved stands in the log, and is not solved again: stop it at any time, and go on later.
#[derive(clap::Args)]
pub struct Args {
    /// The file of boards
    path: PathBuf,
    /// The log, JSON Lines
    #[arg(long, value_name = "FILE", default_value = "docs/records/24-puzzle.jsonl")]
    log: PathBuf,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: u16,
    /// The longest words of the automaton
    #[arg(long, value_name = "WORDS", default_value_t = 16)]
    words: u16,
    /// Only the boards with these numbers
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    boards: Vec<u32>,
    /// Begin no board after so many minutes
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u64>,
    /// Only write the page, from what the log has
    #[arg(long)]
    page: bool,
}

/// A line of the file.
struct Board {
    number: u32,
    length: u64,
    tiles: String,
}

pub fn run(args: &Args) -> Result<()> {
    let boards = read_boards(&args.path)?;
    if !args.page {
        solve(args, &boards)?;
    }
    page::write(&args.log)
}

fn solve(args: &Args, boards: &[Board]) -> Result<()> {
    let program = release_build()?;
    let begun = Instant::now();
    let is_late =
        || args.minutes.is_some_and(|most| begun.elapsed() >= Duration::from_secs(60 * most));
    let done = done(&args.log)?;
    for board in boards {
        let is_wanted = args.boards.is_empty() || args.boards.contains(&board.number);
        if is_wanted && !done.contains(&board.number) && !is_late() {
            let line = solve_one(args, &program, board)?;
            say(format_args!(
                "{}: {} moves, {:.1} s",
                board.number,
                board.length,
                line["cpu_s"].as_f64().unwrap_or(0.0)
            ));
            append(&args.log, &line)?;
        }
    }
    Ok(())
}

/// The boards of the file.
fn read_boards(path: &Path) -> Result<Vec<Board>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut boards = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() || line.starts_with('#') {
            continue;
        }
        let [own, length, tiles @ ..] = &words[..] else { bail!("line {number}: no board") };
        if tiles.len() != 25 {
            bail!("line {number}: {} tiles where a 5x5 board has 25", tiles.len());
        }
        boards.push(Board {
            number: own.parse()?,
            length: length.parse()?,
            tiles: tiles.join(" "),
        });
    }
    Ok(boards)
}

/// The numbers of the boards that the log has.
fn done(log: &Path) -> Result<BTreeSet<u32>> {
    let lines = if log.exists() { lines(log)? } else { Vec::new() };
    let number =
        |line: &Value| line["number"].as_u64().and_then(|number| u32::try_from(number).ok());
    Ok(lines.iter().filter_map(number).collect())
}

/// The lines of the log; one that was cut short by an interruption is left out.
fn lines(log: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(log).with_context(|| log.display().to_string())?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn append(log: &Path, line: &Value) -> Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file: File = OpenOptions::new().create(true).append(true).open(log)?;
    Ok(writeln!(file, "{line}")?)
}

/// Solves a board, and checks what comes of it.
fn solve_one(args: &Args, program: &Path, board: &Board) -> Result<Value> {
    let (threads, prune) = (args.threads.to_string(), format!("automaton={}", args.words));
    let options = [
        "solve",
        "--algorithm",
        "idastar",
        "--heuristic",
        "pdb",
        "--tables",
        "catalogue",
        "--prune",
        &prune,
        "--goal",
        "blank-first",
        "--max-time",
        "none",
        "--max-memory",
        "2G",
        "--threads",
        &threads,
        "--output",
        "json",
    ];
    let before = cpu_time()?;
    let started = Instant::now();
    let output = Command::new(program)
        .args(options)
        .arg(&board.tiles)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    let (wall, cpu) = (started.elapsed(), cpu_time()? - before);
    let record: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("board {}: no solution ({})", board.number, output.status))?;
    if record["length"] != json!(board.length) || record["optimal"] != json!(true) {
        bail!("board {}: {record}", board.number);
    }
    let moves = record["moves"].as_str().context("no moves")?;
    replay(&board.tiles, moves).with_context(|| format!("board {}", board.number))?;
    Ok(json!({
        "number": board.number, "length": board.length, "moves": moves,
        "iterations": record["iterations"], "expanded": record["expanded"],
        "expanded_complete": record["expanded_complete"], "ended_by": record["ended_by"],
        "tables": record["tables"], "prune": record["prune"], "threads": args.threads,
        "peak_bytes": record["peak_bytes"],
        "search_s": seconds(&record["elapsed_ns"]), "wall_s": wall.as_secs_f64(), "cpu_s": cpu,
        "machine": machine(), "commit": commit()?,
        "command": format!("loyd {} \"…\"", options.join(" ")),
    }))
}

fn seconds(nanoseconds: &Value) -> f64 {
    nanoseconds.as_f64().unwrap_or(0.0) / 1e9
}

/// Makes the moves of the blank, without the help of any crate, and checks that they lead to the goal.
fn replay(tiles: &str, moves: &str) -> Result<()> {
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

/// The processor time of all programs that this one has run, in seconds.
#[cfg(target_os = "linux")]
fn cpu_time() -> Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok((usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
}

#[cfg(not(target_os = "linux"))]
fn cpu_time() -> Result<f64> {
    bail!("only Linux tells how much time a program has taken")
}

/// The processor, as it calls itself, and how many of its threads there are.
fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let has = |flag: &str| info.split_whitespace().any(|word| word == flag);
    let vectors = if has("avx512vbmi") {
        "AVX-512"
    } else if has("avx2") {
        "AVX2"
    } else {
        "no vectors"
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {threads} threads, {vectors}", name.map_or("a processor", |(_, name)| name))
}

/// The commit that is checked out.
fn commit() -> Result<String> {
    let output = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
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
