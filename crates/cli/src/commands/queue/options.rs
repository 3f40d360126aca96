//! The options of a search as a record.

use std::fmt::Display;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use loyd::board::Cell;
use loyd::search::{Algorithm, ClosedKind, DistanceMatrix, HeuristicChoice, HeuristicRow};
use serde::{Deserialize, Serialize};

use crate::args::pdb::CacheArgs;
use crate::args::{
    AnswersArgs, BatchArgs, LimitArgs, OnArgs, ProblemArgs, ProgressArgs, SearchArgs, Shown,
    SolveArgs, SolveOutput, StyleArgs,
};
use crate::units::Limit;

/// Everything that the answers of `loyd solve` depend on, except the boards.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveOptions {
    /// Estimated number of boards of the batch: tables are chosen by it.
    pub boards: u64,
    /// Name of the file of boards without its folder, for messages.
    pub origin: Option<String>,
    quality: Option<String>,
    algorithm: Option<String>,
    heuristic: Option<Heuristic>,
    tables: String,
    metric: String,
    costs: String,
    weight: Option<String>,
    closed: Option<String>,
    prune: Option<String>,
    max_depth: Option<u32>,
    parity_check: bool,
    max_expanded: Option<u64>,
    /// In nanoseconds; [`NO_LIMIT`] for none.
    max_time: Option<u64>,
    /// In bytes; [`NO_LIMIT`] for none.
    max_memory: Option<u64>,
    all: bool,
    limit: Option<NonZeroU64>,
    count: bool,
    output: String,
    notation: Option<String>,
    runs: bool,
    stats: bool,
    direction: Option<String>,
}

/// Stands for an option without a limit, which differs from one that is absent.
const NO_LIMIT: u64 = u64::MAX;

/// A heuristic: a name, or the entries of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
enum Heuristic {
    Named(String),
    Matrix { matrix: String },
}

impl SolveOptions {
    /// Describes the options of `args`, for `boards` boards.
    pub fn new(args: &SolveArgs, boards: u64) -> Self {
        // The patterns name every field, so that adding an option is a compile error here.
        let SolveArgs {
            boards: _,
            file,
            problem: _,
            answers: AnswersArgs { all, limit, count },
            limits: LimitArgs { max_expanded, max_time, max_memory },
            output,
            with_moves: _,
            style: StyleArgs { notation, runs },
            export: _,
            certificate: _,
            stats,
            progress: _,
            batch: BatchArgs { threads: _, save: _, resume: _, shard: _, direction },
            on: _,
            divide_after: _,
            search:
                SearchArgs {
                    quality,
                    algorithm,
                    heuristic,
                    tables,
                    metric,
                    costs,
                    weight,
                    closed,
                    prune,
                    max_depth,
                    no_parity_check,
                },
            cache: _,
        } = args;
        let name = file.as_deref().and_then(|path| path.file_name());
        Self {
            boards,
            origin: name.map(|name| name.to_string_lossy().into_owned()),
            quality: text(quality.as_ref()),
            algorithm: text(algorithm.as_ref()),
            heuristic: heuristic.as_ref().map(Heuristic::new),
            tables: tables.to_string(),
            metric: metric.to_string(),
            costs: costs.to_string(),
            weight: text(weight.as_ref()),
            closed: text(closed.as_ref()),
            prune: text(prune.as_ref()),
            max_depth: *max_depth,
            parity_check: !no_parity_check,
            max_expanded: *max_expanded,
            max_time: max_time
                .map(|Limit(limit)| limit.map_or(NO_LIMIT, |time| time.as_nanos() as u64)),
            max_memory: max_memory.map(|Limit(limit)| limit.unwrap_or(NO_LIMIT)),
            all: *all,
            limit: *limit,
            count: *count,
            output: output.name(),
            notation: notation.map(|notation| notation.row().name.to_owned()),
            runs: *runs,
            stats: *stats,
            direction: text(direction.as_ref()),
        }
    }

    /// Returns the arguments of a process that solves such boards, with tables in `cache`.
    ///
    /// # Errors
    /// Returns an error that names the first value that is not valid.
    pub fn args(&self, cache: CacheArgs) -> anyhow::Result<SolveArgs> {
        let closed = |name: &String| {
            let found = ClosedKind::ALL.into_iter().find(|kind| kind.name() == name);
            found.with_context(|| format!("`closed` is {name}"))
        };
        let algorithm = |name: &String| anyhow::Ok(Algorithm::named(name)?.name);
        Ok(SolveArgs {
            boards: Vec::new(),
            file: self.origin.as_ref().map(PathBuf::from),
            problem: ProblemArgs::default(),
            answers: AnswersArgs { all: self.all, limit: self.limit, count: self.count },
            limits: LimitArgs {
                max_expanded: self.max_expanded,
                max_time: limit(self.max_time, Duration::from_nanos),
                max_memory: limit(self.max_memory, |bytes| bytes),
            },
            output: SolveOutput::value_variants()
                .iter()
                .copied()
                .find(|output| output.name() == self.output)
                .with_context(|| format!("`output` is {}", self.output))?,
            with_moves: false,
            style: StyleArgs {
                notation: read(self.notation.as_ref(), "notation")?,
                runs: self.runs,
            },
            export: None,
            certificate: None,
            stats: self.stats,
            progress: ProgressArgs { progress: Shown::None },
            batch: BatchArgs {
                threads: None,
                save: None,
                resume: false,
                shard: None,
                direction: read(self.direction.as_ref(), "direction")?,
            },
            on: OnArgs::default(),
            divide_after: 0,
            search: SearchArgs {
                quality: read(self.quality.as_ref(), "quality")?,
                algorithm: self.algorithm.as_ref().map(algorithm).transpose()?,
                heuristic: self.heuristic.as_ref().map(Heuristic::choice).transpose()?,
                tables: read_one(&self.tables, "tables")?,
                metric: read_one(&self.metric, "metric")?,
                costs: read_one(&self.costs, "costs")?,
                weight: read(self.weight.as_ref(), "weight")?,
                closed: self.closed.as_ref().map(closed).transpose()?,
                prune: read(self.prune.as_ref(), "prune")?,
                max_depth: self.max_depth,
                no_parity_check: !self.parity_check,
            },
            cache,
        })
    }
}

impl Heuristic {
    fn new(choice: &HeuristicChoice) -> Self {
        let HeuristicChoice::Matrix(matrix) = choice else {
            return Self::Named(choice.name().to_owned());
        };
        let entry = |from, to| matrix.entry(Cell::new(from), Cell::new(to)).to_string();
        let row = |from| (0..matrix.cells()).map(|to| entry(from, to)).collect::<Vec<_>>();
        let rows: Vec<String> = (0..matrix.cells()).map(|from| row(from).join(" ")).collect();
        Self::Matrix { matrix: rows.join("\n") }
    }

    fn choice(&self) -> anyhow::Result<HeuristicChoice> {
        Ok(match self {
            Self::Named(name) => HeuristicRow::named(name)?.name.into(),
            Self::Matrix { matrix } => {
                HeuristicChoice::Matrix(DistanceMatrix::parse(matrix)?.into())
            }
        })
    }
}

/// Returns the limit for its number.
fn limit<T>(number: Option<u64>, read: impl Fn(u64) -> T) -> Option<Limit<T>> {
    number.map(|number| Limit((number != NO_LIMIT).then(|| read(number))))
}

fn text(value: Option<&impl Display>) -> Option<String> {
    value.map(ToString::to_string)
}

fn read<T: FromStr<Err: Display>>(text: Option<&String>, name: &str) -> anyhow::Result<Option<T>> {
    text.map(|text| read_one(text, name)).transpose()
}

fn read_one<T: FromStr<Err: Display>>(text: &str, name: &str) -> anyhow::Result<T> {
    text.parse().map_err(|error: T::Err| anyhow!("`{name}` is {text}: {error}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Solve {
        #[command(flatten)]
        args: SolveArgs,
    }

    /// Options with a value other than their default.
    const CASES: [&str; 8] = [
        "",
        "--algorithm wastar --weight 1.5 --heuristic linear-conflict --metric mtm --max-time none",
        "--quality bounded=1.5 --max-time 90s --max-memory 200M --max-expanded 7",
        "--algorithm idastar --heuristic pdb --tables 6-6-3 --prune automaton=12 --max-depth 60",
        "--algorithm astar --costs 1,2,3,4,5,6,7,8/3 --heuristic manhattan --output json",
        "--all --limit 7 --notation tile --runs --output json --stats",
        "--count --output length --max-memory none",
        "--algorithm dfs --closed hashed --no-parity-check --direction backward --output words",
    ];

    #[test]
    fn record_keeps_every_option() {
        for case in CASES {
            let words = ["solve"].into_iter().chain(case.split_whitespace());
            let Solve { mut args } = Solve::try_parse_from(words).unwrap();
            args.file = Some(PathBuf::from("folder/boards.txt"));
            let options = SolveOptions::new(&args, 7);
            let text = serde_json::to_string(&options).unwrap();
            let read: SolveOptions = serde_json::from_str(&text).unwrap();
            assert_eq!(read, options);
            let again = read.args(CacheArgs { cache: None }).unwrap();
            args.file = Some(PathBuf::from("boards.txt"));
            args.divide_after = 0;
            assert_eq!(
                format!("{again:?}"),
                format!("{args:?}").replace("progress: Auto", "progress: None")
            );
        }
    }

    #[test]
    fn record_keeps_a_matrix() {
        let matrix = DistanceMatrix::parse("0 1 2 3\n1 0 3 2\n2 3 0 1\n3 2 1 0").unwrap();
        let choice = HeuristicChoice::Matrix(matrix.into());
        let again = Heuristic::new(&choice).choice().unwrap();
        assert_eq!(format!("{again:?}"), format!("{choice:?}"));
    }

    #[test]
    fn other_records_are_refused() {
        let Solve { args } = Solve::try_parse_from(["solve"]).unwrap();
        let record = serde_json::to_value(SolveOptions::new(&args, 1)).unwrap();
        for (name, value) in
            [("cache", "/tmp"), ("quality", "best"), ("output", "svg:a"), ("closed", "x")]
        {
            let mut record = record.clone();
            record[name] = value.into();
            let args = serde_json::from_value(record)
                .map_err(anyhow::Error::from)
                .and_then(|read: SolveOptions| read.args(CacheArgs { cache: None }));
            assert!(args.is_err(), "{name}");
        }
    }
}
