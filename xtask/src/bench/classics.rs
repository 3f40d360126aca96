//! The classic searches on 2,000 boards, beside the programs that they stand for.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};

use super::answers::Answers;
use super::measure::{Program, in_turn, median_and_least};
use super::{Workplace, inputs, pin_to_one_core, print_machine};
use crate::Result;
use crate::run::release_build;

/// Draws the boards.
const SEED: u64 = 2_000;
const BOARDS: usize = 2_000;

/// Searches that take milliseconds a board answer the first boards only.
const FEW_BOARDS: usize = 200;

/// Classic searches on 2,000 boards, half of them unsolvable.
#[derive(clap::Args)]
pub struct Args {
    /// A program that reads the boards from standard input, to be timed beside; may be repeated
    #[arg(long = "baseline", value_name = "NAME=PATH")]
    baselines: Vec<Baseline>,
    /// Runs of each program
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
}

#[derive(Clone)]
struct Baseline {
    name: String,
    path: PathBuf,
}

impl FromStr for Baseline {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() => {
                Ok(Self { name: name.to_owned(), path: path.into() })
            }
            _ => Err("write NAME=PATH"),
        }
    }
}

/// A search to be timed: its options, and its limit for all boards or for one that can be solved.
struct Row {
    options: &'static [&'static str],
    limit: Limit,
}

#[derive(Clone, Copy)]
enum Limit {
    Seconds(f64),
    MillisecondsEach(f64),
}

const ROWS: [Row; 5] = [
    Row {
        options: &["--algorithm", "astar", "--heuristic", "manhattan", "--closed", "ranked"],
        limit: Limit::Seconds(0.07),
    },
    Row { options: &["--algorithm", "bibfs", "--closed", "ranked"], limit: Limit::Seconds(0.2) },
    Row {
        options: &["--algorithm", "idastar", "--heuristic", "manhattan"],
        limit: Limit::Seconds(0.014),
    },
    Row {
        options: &["--algorithm", "bfs", "--closed", "ranked"],
        limit: Limit::MillisecondsEach(3.0),
    },
    Row {
        options: &["--algorithm", "bfs", "--closed", "ordered"],
        limit: Limit::MillisecondsEach(20.0),
    },
];

/// A program, the boards that it answers, and how fast it should be.
struct Entry<'a> {
    program: Program,
    answers: &'a Answers<'a>,
    limit: Option<Limit>,
}

pub fn run(args: &Args) -> Result<()> {
    let loyd = release_build()?;
    let place = Workplace::new()?;
    let boards = inputs::mixed_boards(BOARDS, SEED)?;
    let few_boards = &boards[..FEW_BOARDS];
    let file = place.boards("boards.txt", &boards)?;
    let few_file = place.boards("few.txt", few_boards)?;
    let (answers, few_answers) = (Answers::new(&boards)?, Answers::new(few_boards)?);
    let ours = ROWS.iter().map(|row| match row.limit {
        Limit::Seconds(_) => row.entry(&loyd, &file, &answers),
        Limit::MillisecondsEach(_) => row.entry(&loyd, &few_file, &few_answers),
    });
    let theirs = args.baselines.iter().map(|Baseline { name, path }| {
        let program = Program::new(name, path, &[]).reading(&file);
        Entry { program, answers: &answers, limit: None }
    });
    let entries: Vec<Entry<'_>> = ours.chain(theirs).collect();
    let output = place.path("answers.txt");
    let checked = entries.iter().map(|entry| entry.check(&output));
    let shortest = checked.collect::<Result<Vec<usize>>>()?;
    let core = pin_to_one_core()?;
    let programs: Vec<Program> = entries.iter().map(|entry| entry.program.clone()).collect();
    let times = in_turn(&programs, args.runs.into())?;
    print_machine(core);
    println!("| search | solvable | shortest | median s | least s | ms a solvable | limit |");
    println!("|---|---|---|---|---|---|---|");
    for ((entry, runs), shortest) in entries.iter().zip(times).zip(shortest) {
        entry.print(shortest, median_and_least(runs.iter().map(|run| run.processor)));
    }
    Ok(())
}

impl Row {
    fn entry<'a>(&self, loyd: &Path, file: &Path, answers: &'a Answers<'_>) -> Entry<'a> {
        let name = self.options.join(" ").replace("--", "");
        let mut program = Program::new(format!("`{name}`"), loyd, &["solve", "--output", "moves"]);
        program.arguments.extend(self.options.iter().map(|&word| word.to_owned()));
        program.arguments.extend(["-f".to_owned(), file.display().to_string()]);
        Entry { program, answers, limit: Some(self.limit) }
    }
}

impl Entry<'_> {
    /// Replays all answers. Ours have to be shortest ones; of others, how many are is told.
    fn check(&self, output: &Path) -> Result<usize> {
        let name = || self.program.name.clone();
        let answers = self.program.answers(output)?;
        let shortest = self.answers.check(&answers).with_context(name)?;
        if self.limit.is_some() && shortest != self.answers.solvable() {
            bail!("{}: only {shortest} answers are shortest ones", name());
        }
        Ok(shortest)
    }

    fn print(&self, shortest: usize, (median, least): (f64, f64)) {
        let (name, solvable) = (&self.program.name, self.answers.solvable());
        let each = median * 1e3 / solvable as f64;
        let limit = match self.limit {
            None => String::new(),
            Some(Limit::Seconds(limit)) => format!("{limit} s"),
            Some(Limit::MillisecondsEach(limit)) => format!("{limit} ms each"),
        };
        let times = format!("{median:.4} | {least:.4} | {each:.3}");
        println!("| {name} | {solvable} | {shortest} | {times} | {limit} |");
    }
}
