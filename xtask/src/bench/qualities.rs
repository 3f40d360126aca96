//! Boards of any size: fast answers, part goals and slides, by `loyd solve` on boards of a seed.
//!
//! What a board takes is what `--output json` says of it. Every answer is replayed.

use std::fs;
use std::process::Command;

use anyhow::{Context, bail};
use loyd::notation::{parse_moves, parse_partial_goal, slashes};
use loyd::{Board, Goal, PartialGoal, Random, random_board};
use serde_json::Value;

use super::measure::median_and_least;
use super::{Workplace, pin_to_one_core, print_machine};
use crate::Result;
use crate::run::release_build;

/// Fast answers, part goals and slides, on boards of a seed.
#[derive(clap::Args)]
pub struct Args {
    /// Boards of a row, or fewer where each takes seconds
    #[arg(long, value_name = "N", default_value_t = 1000)]
    boards: usize,
    /// The seed
    #[arg(long, value_name = "S", default_value_t = 5)]
    seed: u64,
}

/// What is asked of boards of one size, with the figures to reach: milliseconds and moves.
#[derive(Clone, Copy)]
struct Row {
    name: &'static str,
    size: &'static str,
    options: &'static [&'static str],
    /// A part goal; else the tiles in order.
    goal: Option<&'static str>,
    /// At most so many boards.
    most: usize,
    limits: [&'static str; 2],
}

const fn fast(size: &'static str, limits: [&'static str; 2]) -> Row {
    let options = &["--quality", "fast"];
    Row { name: "fast", size, options, goal: None, most: usize::MAX, limits }
}

const fn to_partial(size: &'static str, goal: &'static str) -> Row {
    let (options, goal) = (&["--metric", "stm"], Some(goal));
    Row { name: "shortest", size, options, goal, most: 100, limits: ["", ""] }
}

/// The same in slides.
const fn in_slides(row: Row) -> Row {
    Row { name: "shortest in slides", options: &["--metric", "mtm"], most: 100, ..row }
}

const TWO_ROWS: &str = "1 2 3 4/5 6 7 8/* * * */* * * *";
const CORNER: &str = "1 2 3 4/5 * * */9 * * */13 * * *";
const FIRST_ROW: &str = "1 2 3 4 5/* * * * */* * * * */* * * * */* * * * *";

const ROWS: &[Row] = &[
    fast("4x4", ["10", ""]),
    fast("5x5", ["", ""]),
    fast("6x6", ["", ""]),
    fast("8x8", ["", ""]),
    fast("10x10", ["5", "1,400"]),
    Row {
        name: "fast, then a second",
        options: &["--quality", "fast", "--max-time", "1s"],
        most: 30,
        ..fast("10x10", ["1,000", "1,100"])
    },
    Row { most: 100, ..fast("16x16", ["50", ""]) },
    to_partial("4x4", TWO_ROWS),
    in_slides(to_partial("4x4", TWO_ROWS)),
    to_partial("4x4", CORNER),
    to_partial("5x5", FIRST_ROW),
    in_slides(fast("4x4", ["60", ""])),
    in_slides(fast("2x7", ["", ""])),
    in_slides(fast("3x5", ["", ""])),
    in_slides(fast("2x8", ["", ""])),
];

pub fn run(args: &Args) -> Result<()> {
    let (loyd, place) = (release_build()?, Workplace::new()?);
    let core = pin_to_one_core()?;
    println!(
        "| boards | what | median ms | mean ms | limit ms | mean length | limit | of the lower bound |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in ROWS {
        let size = row.size.parse()?;
        let goal = Goal::BlankLast.board(size)?;
        let part = row.goal.map(|text| parse_partial_goal(text, Some(size))).transpose()?;
        let mut random = Random::new(args.seed);
        let boards: Vec<Board> =
            (0..args.boards.min(row.most)).map(|_| random_board(&goal, &mut random)).collect();
        let file = place.path("boards.txt");
        let lines: Vec<String> = boards.iter().map(|board| slashes(board).to_string()).collect();
        fs::write(&file, lines.join("\n") + "\n")?;
        let mut command = Command::new(&loyd);
        command.env("LOYD_CACHE", place.path("tables")).args(["solve", "--threads", "1"]);
        command.args(["--output", "json", "--file"]).arg(&file).args(row.options);
        command.args(row.goal.into_iter().flat_map(|goal| ["--goal", goal]));
        let output = command.output()?;
        let answers = String::from_utf8(output.stdout)?;
        let answers = answers.lines().zip(&boards).map(|(line, board)| {
            let goal = part.as_ref().ok_or(&goal);
            Answer::check(line, board, goal).with_context(|| format!("{} of {board}", row.name))
        });
        print_row(row, &answers.collect::<Result<Vec<_>>>()?, boards.len())?;
    }
    print_machine(core);
    Ok(())
}

struct Answer {
    ms: f64,
    length: f64,
    lower_bound: Option<f64>,
}

impl Answer {
    /// Reads a line of JSON, and replays the answer.
    fn check(
        line: &str,
        board: &Board,
        goal: std::result::Result<&PartialGoal, &Board>,
    ) -> Result<Self> {
        let record: Value = serde_json::from_str(line)?;
        let mut end = board.clone();
        for m in parse_moves(record["moves"].as_str().context("no answer")?)? {
            end.apply(m)?;
        }
        if !goal.map_or_else(|goal| end == *goal, |part| part.is_met_by(&end)) {
            bail!("the answer ends at {end}");
        }
        let number = |name: &str| record[name].as_f64();
        Ok(Self {
            ms: number("elapsed_ns").context("no time")? / 1e6,
            length: number("length").context("no length")?,
            lower_bound: number("lower_bound"),
        })
    }
}

fn print_row(row: &Row, answers: &[Answer], boards: usize) -> Result<()> {
    if answers.len() != boards || answers.is_empty() {
        bail!("{} of {boards} boards of {} have answers", answers.len(), row.size);
    }
    let mean = |of: &dyn Fn(&Answer) -> f64| answers.iter().map(of).sum::<f64>() / boards as f64;
    let (median, _) = median_and_least(answers.iter().map(|answer| answer.ms));
    let (ms, length) = (mean(&|answer| answer.ms), mean(&|answer| answer.length));
    let bounds: f64 = answers.iter().filter_map(|answer| answer.lower_bound).sum();
    let ratio = match bounds > 0.0 && row.goal.is_none() {
        true => format!("{:.2}", length * boards as f64 / bounds),
        false => String::new(),
    };
    let what = row.goal.map_or(row.name.to_owned(), |goal| format!("{} to `{goal}`", row.name));
    let [ms_limit, length_limit] = row.limits;
    println!(
        "| {boards} of {} | {what} | {median:.2} | {ms:.2} | {ms_limit} | {length:.1} | {length_limit} | {ratio} |",
        row.size
    );
    Ok(())
}
