//! A record: the boards of a file solved with a proof, a line of a log for each, and a page made of
//! that log. The file of boards stays where it is.

mod log;
mod machine;
mod one;
mod page;
mod process;
mod times;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::Result;
use crate::run::{release_build, say};
use one::Files;

/// Solve the 5x5 boards of a file, each with a proof, and write a page about it.
///
/// A line of the file has a number, the length of a shortest solution, and the tiles; tile 1 belongs on the second cell.
/// What is solved stands in the log, and is not solved again. Stop it at any time, by Ctrl-C or in any other way: the same
/// command goes on later, within a board too. Until a board is solved, `target/record` has its search, which is put aside
/// every 30 seconds, and what it has taken; both are removed when its line is in the log. The times of that line are
/// those of all runs of the board together, `runs` of them.
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
    /// Only the boards with these numbers
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    boards: Vec<u32>,
    /// Begin no board after so many minutes
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u64>,
    /// What the page says of the boards
    #[arg(long, value_name = "TEXT", default_value = page::KORF_AND_FELNER)]
    about: String,
    /// Only write the page, from what the log has
    #[arg(long)]
    page: bool,
}

/// The program that solves.
struct Program {
    path: PathBuf,
    /// What it was built from.
    commit: String,
}

/// A line of the file of boards.
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
    page::write(&args.log, &args.about)
}

fn solve(args: &Args, boards: &[Board]) -> Result<()> {
    let program = Program { path: release_build()?, commit: machine::commit()? };
    let begun = Instant::now();
    let is_late =
        || args.minutes.is_some_and(|most| begun.elapsed() >= Duration::from_secs(60 * most));
    let done = log::done(&args.log)?;
    for board in boards {
        if let Some(moves) = done.get(&u64::from(board.number)) {
            one::replay(&board.tiles, moves).with_context(|| {
                format!("board {} of the log is another one: choose another --log", board.number)
            })?;
            continue;
        }
        let is_wanted = args.boards.is_empty() || args.boards.contains(&board.number);
        if is_wanted && !is_late() {
            let files = Files::new(&program.path, board.number)?;
            let line = one::solve(args.threads, &program, board, &files)?;
            say(format_args!(
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
