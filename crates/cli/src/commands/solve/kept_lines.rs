//! Checks the lines that `--resume` keeps against their boards.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{anyhow, bail, ensure};
use loyd::notation::{Notation, Style, read_moves_to};
use loyd::{Move, Problem};
use serde_json::Value;

use super::super::record_fields::check_fields;
use super::super::replay_record::{self, check_length, check_solves, is_solvable};
use super::answer::{Answerer, FAILED};
use super::print::moves_text;
use super::shard::ShardInput;
use crate::args::SolveOutput;
use crate::failure::Failure;
use crate::input::{Item, name_of};

/// Maximum length of a line in bytes.
pub const MAX_LINE: u64 = 1 << 30;

/// The lines of a file that are kept.
#[derive(Default)]
pub struct KeptLines {
    /// Number of lines.
    pub lines: u64,
    /// Their length in bytes.
    pub bytes: u64,
    /// The boards that no worker could solve, each with the number of its line, from 0.
    pub failed: Vec<(u64, Item)>,
}

/// Reads the complete lines of `file`, and takes the board of each from `input`.
///
/// # Errors
/// Returns an error with its number if a line cannot be the answer to its board.
pub fn check_lines(
    answerer: &Answerer<'_>,
    path: &Path,
    file: &mut File,
    input: &mut ShardInput,
) -> Result<KeptLines, Failure> {
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    let mut kept = KeptLines::default();
    loop {
        line.clear();
        let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
        let at = |error: anyhow::Error| {
            Failure::from(error).at(&path.display().to_string(), kept.lines as usize + 1)
        };
        let Some(text) = line.strip_suffix(b"\n") else {
            if read as u64 == MAX_LINE {
                return Err(at(anyhow!("the line is longer than 1 GiB: it is not an answer")));
            }
            return Ok(kept);
        };
        let Some(item) = input.next().transpose()? else {
            return Err(at(anyhow!("the input has only {} boards", kept.lines)));
        };
        check_line(answerer, text, &item).map_err(|why| at(explain(answerer, &item, &why)))?;
        if is_failed(answerer, text) {
            kept.failed.push((kept.lines, item));
        }
        kept.lines += 1;
        kept.bytes += read as u64;
    }
}

/// Returns whether a line is the answer to a board that no worker could solve.
fn is_failed(answerer: &Answerer<'_>, line: &[u8]) -> bool {
    const STATUS: &[u8] = b"\"status\":\"failed\"";
    match answerer.args.output {
        // No text in a record contains it, because quotes in text are escaped.
        SolveOutput::Json => line.windows(STATUS.len()).any(|text| text == STATUS),
        _ => line == FAILED.as_bytes(),
    }
}

/// Describes a line that does not belong to the board of `item`, and what to do.
fn explain(answerer: &Answerer<'_>, item: &Item, why: &anyhow::Error) -> anyhow::Error {
    let board = match (item.line, &answerer.args.file) {
        (Some(line), Some(file)) => format!("the board on line {line} of {}", name_of(file)),
        _ => "its board".to_owned(),
    };
    anyhow!(
        "this is not the answer to {board}: {why:#}. The file was changed or damaged: restore it, or remove this \
         line and all after it to solve their boards again"
    )
}

/// Checks that `line` can be the answer to the board of `item`. Solutions are replayed; lengths, numbers of solutions
/// and words in place of solutions are only checked for what holds without a search.
///
/// # Errors
/// Returns the reason why it cannot.
pub fn check_line(answerer: &Answerer<'_>, line: &[u8], item: &Item) -> anyhow::Result<()> {
    let text = str::from_utf8(line).map_err(|_| anyhow!("it is not text"))?;
    match answerer.args.output {
        SolveOutput::Json => check_record(answerer, text, item),
        _ => check_text(answerer, text, item),
    }
}

fn check_text(answerer: &Answerer<'_>, text: &str, item: &Item) -> anyhow::Result<()> {
    let Ok(problem) = &item.problem else {
        ensure!(text == "invalid", "the board is invalid, but the line is not `invalid`");
        return Ok(());
    };
    let args = answerer.args;
    match text {
        "invalid" => bail!("the board is valid"),
        "refused" | "stopped" | FAILED => Ok(()),
        "unsolvable" => check_unsolvable(problem),
        _ if args.answers.count => {
            let number: u128 = text.parse().map_err(|_| anyhow!("it is not a number"))?;
            let is_possible = (number > 0) == is_solvable(problem);
            ensure!(is_possible, "the number of its shortest solutions cannot be {number}");
            Ok(())
        }
        _ if args.output == SolveOutput::Length => {
            let length = text.parse().map_err(|_| anyhow!("it is not a number of moves"))?;
            check_length(problem, args.search.metric, length)
        }
        _ => check_moves(problem, text, args.style().unwrap_or_default()).map(drop),
    }
}

/// Replays moves, and checks that they are written as `style` would.
fn check_moves(problem: &Problem, text: &str, style: Style) -> anyhow::Result<Vec<Move>> {
    // A number does not name one tile if several tiles have it.
    if problem.has_equal_tiles() && style.notation == Notation::Numbers {
        let is_number = |word: &str| word.parse::<u32>().is_ok();
        ensure!(text.split_whitespace().all(is_number), "it is not a list of numbers");
        return Ok(Vec::new());
    }
    let mut moves = Vec::new();
    if !text.is_empty() {
        let is_solved = |end: &_| problem.is_solved_by(end);
        let read = read_moves_to(text, Some(style.notation), problem.start(), is_solved);
        let read = read.map_err(|error| anyhow!("it is not a solution ({error})"))?;
        read.apply_to(problem.start()).map_err(|error| anyhow!("a move is illegal ({error})"))?;
        moves = read.moves;
    }
    check_solves(problem, &moves)?;
    ensure!(moves_text(problem, &moves, style) == text, "the moves are written in another way");
    Ok(moves)
}

fn check_unsolvable(problem: &Problem) -> anyhow::Result<()> {
    ensure!(!is_solvable(problem), "the board can be solved");
    Ok(())
}

/// Checks the number of moves as far as possible without a search: all solutions have the same parity.
fn check_record(answerer: &Answerer<'_>, text: &str, item: &Item) -> anyhow::Result<()> {
    let record: Value = serde_json::from_str(text).map_err(|_| anyhow!("it is not a record"))?;
    check_fields(text)?;
    let check = |name: &str, expected: Value| {
        let found = &record[name];
        ensure!(*found == expected, "`{name}` is {found}, not {expected}");
        anyhow::Ok(())
    };
    let args = answerer.args;
    check("line", item.line.into())?;
    check("id", item.id.clone().into())?;
    check("expected", item.expected.into())?;
    check("shard", args.batch.shard.map(|shard| shard.to_string()).into())?;
    if args.batch.shard.is_some() {
        check("search", answerer.identity.search.clone().into())?;
    }
    let Ok(problem) = &item.problem else { return check("status", "invalid".into()) };
    check("board", problem.start_text().into())?;
    check("goal", problem.goal_text().into())?;
    let moves = replay_record::check(problem, &record)?;
    let Some(moves) = moves else { return Ok(()) };
    check("metric", args.search.metric.name().into())?;
    if let (Some(style), false) = (args.style(), args.answers.all) {
        check("written", moves_text(problem, &moves, style).into())?;
    }
    Ok(())
}
