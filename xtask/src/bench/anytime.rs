//! Measures the time to the first solution, and the ratio of moves to the lower bound after a given time.
//!
//! Each board is solved by a separate process with one thread and without tables on disk, pinned to one core.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::boards::Boards;
use super::measure::{Workplace, median, pin_to_one_core, print_machine};
use crate::run::{print_line, release_build};

/// Time first solutions, and compare solutions with their lower bounds after some seconds.
///
/// Every solution is replayed. The boards are random, but the same for each program.
#[derive(clap::Args)]
pub struct Args {
    /// The `loyd` program [default: the release build of this working tree]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Boards of each row
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    boards: u32,
    /// Only rows whose names have one of these prefixes
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    rows: Vec<String>,
}

/// A row of the benchmark: the boards, and the options with which they are solved.
struct Row {
    name: &'static str,
    size: &'static str,
    metric: &'static str,
    quality: &'static str,
    /// Time limit in seconds; `None` to stop at the first solution.
    after: Option<u32>,
}

const fn first(name: &'static str, size: &'static str) -> Row {
    Row { name, size, metric: "stm", quality: "auto", after: None }
}

const fn auto(name: &'static str, size: &'static str, metric: &'static str, after: u32) -> Row {
    Row { name, size, metric, quality: "auto", after: Some(after) }
}

const ROWS: [Row; 16] = [
    first("first-4x4", "4x4"),
    first("first-5x5", "5x5"),
    first("first-6x6", "6x6"),
    first("first-8x8", "8x8"),
    first("first-10x10", "10x10"),
    first("first-16x16", "16x16"),
    auto("1s-5x5", "5x5", "stm", 1),
    auto("1s-6x6", "6x6", "stm", 1),
    auto("1s-10x10", "10x10", "stm", 1),
    Row { name: "1s-fast-10x10", size: "10x10", metric: "stm", quality: "fast", after: Some(1) },
    auto("10s-5x5", "5x5", "stm", 10),
    auto("10s-6x6", "6x6", "stm", 10),
    auto("10s-10x10", "10x10", "stm", 10),
    auto("10s-slides-5x5", "5x5", "mtm", 10),
    auto("10s-slides-6x6", "6x6", "mtm", 10),
    auto("10s-slides-10x10", "10x10", "mtm", 10),
];

pub fn run(args: &Args) -> Result<()> {
    let begins = |row: &Row, name: &String| row.name.starts_with(name.as_str());
    if let Some(unknown) = args.rows.iter().find(|name| !ROWS.iter().any(|row| begins(row, name))) {
        let all: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        bail!("no row has the prefix `{unknown}`; there are {}", all.join(", "));
    }
    let program = args.program.clone().map_or_else(release_build, Ok)?;
    let place = Workplace::new()?;
    print_machine(pin_to_one_core()?);
    print_line(
        "| row | boards | ms, median | ms, most | mean moves | mean bound | mean ratio | proved |",
    );
    print_line("|---|---|---|---|---|---|---|---|");
    let is_chosen =
        |row: &&Row| args.rows.is_empty() || args.rows.iter().any(|name| begins(row, name));
    for row in ROWS.iter().filter(is_chosen) {
        print_line(row.measure(&program, args.boards, &place).with_context(|| row.name)?);
    }
    Ok(())
}

/// The result of one board.
struct Measurement {
    milliseconds: f64,
    /// The number of moves, and the lower bound; `None` if only the first solution was timed.
    bounds: Option<(f64, f64)>,
}

impl Row {
    /// Solves all boards, and returns the row as a line of the Markdown table.
    fn measure(&self, program: &Path, count: u32, place: &Workplace) -> Result<String> {
        let file = place.path("boards.txt");
        Boards::Random { size: self.size, count: count as usize }.write(program, &file)?;
        let boards = std::fs::read_to_string(&file)?;
        let measure = |board: &str| match self.after {
            None => self.first(program, board),
            Some(seconds) => self.after(program, board, seconds),
        };
        let measured: Vec<Measurement> = boards.lines().map(measure).collect::<Result<_>>()?;
        let times: Vec<f64> = measured.iter().map(|board| board.milliseconds).collect();
        let most = times.iter().copied().fold(0.0, f64::max);
        let mut line = format!("| `{}` | {count} | {:.1} | {most:.1} |", self.name, median(&times));
        let bounds: Vec<(f64, f64)> = measured.iter().filter_map(|board| board.bounds).collect();
        if !bounds.is_empty() {
            let mean = |of: &dyn Fn(&(f64, f64)) -> f64| {
                bounds.iter().map(of).sum::<f64>() / bounds.len() as f64
            };
            let (moves, least) = (mean(&|both| both.0), mean(&|both| both.1));
            let ratio = mean(&|(moves, least)| moves / least.max(1.0));
            let proved = bounds.iter().filter(|(moves, least)| moves <= least).count();
            line += &format!(" {moves:.1} | {least:.1} | {ratio:.3} | {proved} |");
        } else {
            line += "  |  |  |  |";
        }
        Ok(line)
    }

    fn command(&self, program: &Path, board: &str) -> Command {
        let mut command = Command::new(program);
        command.env_remove("LOYD_CPU").args(["solve", board, "--cache", "none", "--threads", "1"]);
        command.args(["--quality", self.quality, "--metric", self.metric]);
        command
    }

    /// Measures the time until the first solution is reported.
    fn first(&self, program: &Path, board: &str) -> Result<Measurement> {
        let start = Instant::now();
        let mut command = self.command(program, board);
        let command = command.args(["--progress", "json"]).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let events = BufReader::new(child.stderr.take().context("standard error is piped")?);
        let is_solution = |line: &String| {
            let event = serde_json::from_str::<Value>(line);
            event.is_ok_and(|event| event["moves"].is_string())
        };
        let first = events.lines().map_while(|line| line.ok()).find(is_solution);
        let milliseconds = 1e3 * start.elapsed().as_secs_f64();
        child.kill()?;
        child.wait()?;
        first.with_context(|| format!("no solution of {board} was reported"))?;
        Ok(Measurement { milliseconds, bounds: None })
    }

    /// Measures the solution and its lower bound after `seconds`.
    fn after(&self, program: &Path, board: &str, seconds: u32) -> Result<Measurement> {
        let start = Instant::now();
        let mut command = self.command(program, board);
        command.args(["--output", "json", "--max-time", &seconds.to_string()]);
        let output = command.output()?;
        let milliseconds = 1e3 * start.elapsed().as_secs_f64();
        let text = String::from_utf8(output.stdout)?;
        super::answers::parse_records(&text, &[super::replay::Board::parse(board)?])?;
        let record: Value = serde_json::from_str(text.trim())?;
        let number = |key: &str| record[key].as_f64().with_context(|| format!("no {key}"));
        Ok(Measurement { milliseconds, bounds: Some((number("length")?, number("lower_bound")?)) })
    }
}
