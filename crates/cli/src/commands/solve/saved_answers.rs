//! Checks the saved answers of a shard against the boards, for `loyd merge`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use clap::Parser;
use loyd::{CancelToken, Solver};

use super::answer::Answerer;
use super::batch_file::{DEFAULT, Input, THE_WORD};
use super::config;
use super::kept_lines::check_lines;
use super::messages::Counters;
use super::shard::{ShardInput, WorkIdentity};
use crate::args::SolveArgs;
use crate::failure::Failure;
use crate::input::Items;

/// The options that affect which boards are read and how their answers are written, and what the settings contain
/// without them.
const OPTIONS: [(&str, &str); 10] = [
    ("--input", ""),
    ("--size", DEFAULT),
    ("--goal", DEFAULT),
    ("--blank", DEFAULT),
    ("--metric", ""),
    ("--costs", ""),
    ("--limit", "none"),
    ("--output", ""),
    ("--notation", DEFAULT),
    ("--shard", "all"),
];

/// Such options without a value.
const FLAGS: [&str; 4] = ["--all", "--count", "--no-parity-check", "--runs"];

#[derive(Parser)]
struct Solve {
    #[command(flatten)]
    args: SolveArgs,
}

/// Checks that the file `answers`, saved with these `settings`, has an answer to each of its boards in the file `boards`,
/// as `--resume` would: solutions are replayed.
///
/// # Errors
/// Returns an error if `boards` is another file than in the settings, or if an answer is missing or wrong.
pub fn check_answers(
    answers: &Path,
    settings: &BTreeMap<String, String>,
    boards: &Path,
) -> Result<(), Failure> {
    let name = answers.display();
    let solved = settings.get("input").map_or("", String::as_str);
    let given = Input::File(boards).content()?;
    if solved != given {
        let boards = boards.display();
        return Err(anyhow!(
            "{name} has answers to other boards than {boards}: {solved}, not {given}"
        )
        .into());
    }
    let args = arguments(settings, boards)
        .with_context(|| format!("{name}.batch does not record its options"))?;
    let answerer = Answerer {
        args: &args,
        solver: Solver::new(config(&args, u64::MAX))?,
        cancel: CancelToken::new(),
        counters: Counters::default(),
        identity: WorkIdentity::new(settings.clone()),
        single_board: false,
        repeats_cancelled: true,
    };
    let items = Items::with_equal_tiles(&[], Some(boards), &args.problem)?;
    let mut input = ShardInput::new(items, args.batch.shard);
    let mut file = File::open(answers).with_context(|| name.to_string())?;
    let checked = check_lines(&answerer, answers, &mut file, &mut input)?;
    if let Some(item) = input.next().transpose()? {
        let line = item.line.map_or_else(String::new, |line| format!(" on line {line}"));
        let (boards, lines) = (boards.display(), checked.lines);
        let message =
            format!("{name} ends after {lines} answers, before the board{line} of {boards}");
        return Err(anyhow!(message).into());
    }
    Ok(())
}

/// Returns the options of the command that saved the answers.
fn arguments(settings: &BTreeMap<String, String>, boards: &Path) -> anyhow::Result<SolveArgs> {
    let valued = OPTIONS.iter().filter_map(|&(option, unset)| {
        let value = settings.get(option).filter(|&value| value != unset)?;
        let value = value.strip_prefix(THE_WORD).unwrap_or(value);
        // One argument, because the value may start with a dash.
        Some(format!("{option}={value}"))
    });
    let is_true = |flag: &&str| settings.get(*flag).is_some_and(|value| value == "true");
    let flags = FLAGS.into_iter().filter(is_true).map(str::to_owned);
    let file = boards.to_str().context("the name of the file of boards is not text")?;
    let command = ["solve".to_owned(), format!("--file={file}")];
    let Solve { args } = Solve::try_parse_from(command.into_iter().chain(valued).chain(flags))?;
    ensure!(args.batch.shard.is_some(), "it has no shard");
    Ok(args)
}
