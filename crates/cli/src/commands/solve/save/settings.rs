//! What solutions depend on.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use loyd::Problem;
use loyd::notation::slashes;
use loyd::search::{HeuristicChoice, Quality};

use super::notes::Settings;
use crate::args::{
    AnswersArgs, BatchArgs, LimitArgs, ProblemArgs, SearchArgs, SolveArgs, StyleArgs,
};
use crate::commands::solve::answer::Answerer;
use crate::failure::Failure;

/// What is to be solved.
pub enum Asked<'a> {
    /// The boards of a file.
    File(&'a Path),
    /// One board.
    Board(&'a Problem),
}

impl Asked<'_> {
    fn content(&self) -> anyhow::Result<String> {
        match self {
            Self::File(path) => content(path),
            Self::Board(problem) => {
                Ok(format!("the board {} to {}", slashes(problem.start()), problem.goal_text()))
            }
        }
    }
}

/// What may be another for each run of the search for one board: limits, which end a run and not the search, and the
/// instructions of the machine, with which complete iterations count the same.
const OF_RUNS: [&str; 5] =
    ["--max-depth", "--max-expanded", "--max-time", "--max-memory", "LOYD_CPU"];

/// Everything that changes solutions. All options are named here, so that a new one is not forgotten.
pub fn settings(answerer: &Answerer<'_>, asked: &Asked<'_>) -> Result<Settings, Failure> {
    let SolveArgs {
        boards: _,
        file: _,
        input: format,
        problem: ProblemArgs { size, goal },
        search:
            SearchArgs {
                quality: _,
                algorithm,
                heuristic,
                tables,
                metric,
                weight,
                closed,
                prune,
                max_depth,
                no_parity_check,
            },
        limits: memory @ LimitArgs { max_expanded: _, max_time: _, max_memory: _ },
        cache: _,
        answers: AnswersArgs { all, limit, count },
        batch: BatchArgs { threads: _, save: _, resume: _, shard, direction },
        output,
        style: StyleArgs { notation, runs },
        with_moves: _,
        stats: _,
        progress: _,
    } = answerer.args;
    let config = answerer.solver.config();
    let limits = config.limits;
    fn said(option: Option<impl ToString>) -> String {
        option.map_or_else(|| "default".to_owned(), |value| value.to_string())
    }
    fn limited(limit: Option<impl ToString>) -> String {
        limit.map_or_else(|| "none".to_owned(), |value| value.to_string())
    }
    let mut settings = BTreeMap::from([
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("input", asked.content()?),
        ("--input", format.unwrap_or_default().to_string()),
        ("--size", said(*size)),
        ("--goal", said(goal.as_ref())),
        ("--quality", said(config.quality)),
        ("--metric", metric.to_string()),
        ("LOYD_CPU", loyd::judge::Cpu::in_use().to_string()),
        ("--algorithm", said(*algorithm)),
        ("--heuristic", said(heuristic.as_ref().map(in_full))),
        ("--tables", tables.to_string()),
        ("--weight", said(*weight)),
        ("--closed", said(*closed)),
        ("--prune", said(*prune)),
        ("--max-depth", limited(*max_depth)),
        ("--no-parity-check", no_parity_check.to_string()),
        ("--max-expanded", limited(limits.max_expanded)),
        ("--max-time", limited(limits.max_time.map(|time| format!("{} s", time.as_secs_f64())))),
        ("--max-memory", limited(memory.max_bytes().map(|bytes| format!("{bytes} bytes")))),
        // Only what is fast is improved, for as long as --max-time says, but not for its default.
        (
            "improving",
            match config.quality {
                Some(Quality::Fast) => format!("for {} s", config.improve.as_secs_f64()),
                _ => "no".to_owned(),
            },
        ),
        ("--all", all.to_string()),
        ("--limit", limited(*limit)),
        ("--count", count.to_string()),
        ("--output", format!("{output:?}").to_lowercase()),
        ("--notation", said(*notation)),
        ("--runs", runs.to_string()),
        ("--direction", said(*direction)),
        ("--shard", shard.map_or_else(|| "all".to_owned(), |shard| shard.to_string())),
    ]);
    if let Asked::Board(_) = asked {
        OF_RUNS.iter().for_each(|name| drop(settings.remove(name)));
    }
    Ok(settings)
}

/// The heuristic with the content of its matrix.
fn in_full(heuristic: &HeuristicChoice) -> String {
    match heuristic {
        HeuristicChoice::Named(name) => (*name).to_owned(),
        HeuristicChoice::Matrix(matrix) => {
            let entries = format!("{matrix:?}");
            let mut hash = Hash::default();
            hash.add(entries.as_bytes());
            format!("matrix {hash}")
        }
    }
}

/// Length and hash of the input.
fn content(path: &Path) -> anyhow::Result<String> {
    let name = || path.display().to_string();
    if path == Path::new("-") {
        bail!("standard input cannot be continued: put the boards into a file for --save");
    }
    if !fs::metadata(path).with_context(name)?.is_file() {
        bail!("{}: what is not a file cannot be continued: put the boards into one", name());
    }
    let mut file = File::open(path).with_context(name)?;
    let (mut hash, mut length, mut buffer) = (Hash::default(), 0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut buffer).with_context(name)?;
        if read == 0 {
            return Ok(format!("{length} bytes with hash {hash}"));
        }
        hash.add(&buffer[..read]);
        length += read as u64;
    }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo): short, and the same in every version.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
