//! Solves the boards of a file with proofs, appends a line to a log for each, and writes a page from the log. The file
//! of boards is only read.

mod log;
mod machine;
mod one;
mod page;
mod process;
mod times;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::run::{print_line, release_build};
use one::{Board, Files, Program};

/// Solve the 5x5 boards of a file, each with a proof, and write a page about the results.
///
/// Each line of the file has a number, the length of a shortest solution, and the tiles; tile 1 belongs on the second
/// cell. Boards in the log are not solved again. The task can be stopped at any time, by Ctrl-C or in any other way:
/// the same command resumes it, even in the middle of a board. Until a board is solved, `target/record` contains a
/// checkpoint of its search, saved every 30 seconds, and the time taken so far; both are removed once its line is in
/// the log. The times in that line are totals over all runs of the board, whose number is `runs`.
#[derive(clap::Args)]
pub struct Args {
    /// The file of boards
    path: PathBuf,
    /// The log (JSON Lines)
    #[arg(long, value_name = "FILE", default_value = "docs/records/24-puzzle.jsonl")]
    log: PathBuf,
    /// Threads of each search
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: u16,
    /// Only the boards with these numbers
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    boards: Vec<u32>,
    /// Start no board after this many minutes
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u64>,
    /// A sentence about the boards, for the page
    #[arg(long, value_name = "TEXT", default_value = page::KORF_AND_FELNER)]
    about: String,
    /// Only write the page from the log
    #[arg(long)]
    page: bool,
}

pub fn run(args: &Args) -> Result<()> {
    let boards = read_boards(&args.path)?;
    if !args.page {
        solve(args, &boards)?;
    }
    page::write(&args.log, &args.about)
}

fn solve(args: &Args, boards: &[Board]) -> Result<()> {
    let program = Program { path: release_build()?, commit: machine::commit()? };
    let start = Instant::now();
    let is_late =
        || args.minutes.is_some_and(|most| start.elapsed() >= Duration::from_secs(60 * most));
    let done = log::done(&args.log)?;
    for board in boards {
        if let Some(moves) = done.get(&u64::from(board.number)) {
            one::replay(&board.tiles, moves).with_context(|| {
                format!("board {} differs from that in the log: choose another --log", board.number)
            })?;
            continue;
        }
        let is_selected = args.boards.is_empty() || args.boards.contains(&board.number);
        if is_selected && !is_late() {
            let files = Files::new(&program.path, board.number)?;
            let line = one::solve(args.threads, &program, board, &files)?;
            print_line(format_args!(
                "{}: {} moves, {:.1} s",
                board.number,
                board.length,
                line["cpu_s"].as_f64().unwrap_or(0.0)
            ));
            log::append(&args.log, &line)?;
            files.remove()?;
        }
    }
    Ok(())
}

/// Reads the boards of the file.
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
