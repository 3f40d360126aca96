//! The arguments of `loyd dataset`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use loyd::Size;
use loyd::moves::Metric;
use loyd::search::{Shard, TableChoice};
use loyd_lab::dataset::Format;

use super::names::{goal, metric_parser, tables};
use super::pdb::CacheArgs;
use super::scramble::Lengths;
use super::search::{heuristic_parser, or_cores};
use super::{LimitArgs, OnArgs, ProgressArgs, goal_help};
use crate::units;

/// Write boards with exact labels: distances, all optimal first moves, heuristic values, solutions.
///
/// Each row has a board (in reading order, 0 for the blank) and its distance from the goal. Directions refer to the
/// blank: in the mask of first moves, 1 is up, 2 left, 4 right, 8 down. Rows depend only on the options and the seed,
/// not on the number of threads. With --save, rows go to files of --part-rows rows each, so that --resume can continue
/// after an interruption; without it, to standard output.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd dataset --size 3x3 -n 5 --seed 7 --first-moves\n  \
    loyd dataset --size 3x4 -n 1000000 --seed 7 --output parquet --save data --split 0.1\n  \
    loyd dataset --length 10,20-30 -n 1000 --unique --output json --solutions\n  \
    loyd dataset --walks 500 -n 100000 --heuristics manhattan,linear-conflict --output npz --save data\n  \
    loyd dataset -f data_0.pkl --save data --resume\n  \
    loyd dataset --size 4x4 -n 1000000 --seed 7 --shard 0/4 --save data-0 --resume\n  \
    loyd dataset --size 4x4 -n 1000000 --seed 7 --save data --resume --on nats://localhost:4222")]
pub struct DatasetArgs {
    /// Width and height [default: 4x4, or that of the goal]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[arg(long, value_name = "GOAL", value_parser = goal, help = goal_help("[default: blank-last]"))]
    pub goal: Option<String>,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    /// Number of boards [default: 1000, or all of the file]
    #[arg(
        short = 'n',
        long = "number",
        value_name = "N",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true
    )]
    pub number: Option<NonZeroU64>,
    /// Seed [default: a different one each time, shown on standard error]
    #[arg(long, value_name = "SEED", value_parser = units::natural::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Draw boards whose shortest solutions have MOVES single-tile moves, the lengths in turn: 10,20-30
    #[arg(long, value_name = "MOVES", conflicts_with = "walks", allow_negative_numbers = true)]
    pub length: Option<Lengths>,
    /// Draw boards by random walks of 1 to N steps from the goal, each number equally likely. A step may undo the last
    /// one; a step over the edge changes nothing
    #[arg(long, value_name = "N", value_parser = steps, allow_negative_numbers = true)]
    pub walks: Option<u64>,
    /// Draw no board twice. Takes about a hundred bytes of memory per board
    #[arg(long)]
    pub unique: bool,
    /// Read boards from FILE in any form, or from a pickle such as the DeepCubeA data, which is parsed but not
    /// executed
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["length", "walks", "unique"])]
    pub file: Option<PathBuf>,
    /// Add the mask of the first moves of all shortest solutions: 1 up, 2 left, 4 right, 8 down
    #[arg(long)]
    pub first_moves: bool,
    /// Add the values of these heuristics: comma-separated names from `loyd list heuristics`
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = heuristic_parser(),
        hide_possible_values = true
    )]
    pub heuristics: Vec<&'static str>,
    /// Add a shortest solution, as moves of the blank
    #[arg(long)]
    pub solutions: bool,
    /// Format of the rows
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Csv)]
    pub output: Form,
    /// Write files to the folder DIR, for --resume
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Put this fraction of all boards into DIR/test, and the others into DIR/train; the choice depends only on the
    /// seed and the board
    #[arg(long, value_name = "FRACTION", value_parser = fraction, requires = "save", allow_negative_numbers = true)]
    pub split: Option<f64>,
    /// Number of rows in each file
    #[arg(
        long,
        value_name = "N",
        value_parser = part_rows,
        requires = "save",
        default_value = "100000",
        allow_negative_numbers = true
    )]
    pub part_rows: u64,
    /// Resume where the run in DIR was interrupted, or start afresh if DIR has no dataset files
    #[arg(long, requires = "save")]
    pub resume: bool,
    /// Do one of N shares of the work, 0/N to (N-1)/N; `loyd merge` joins the results.
    ///
    /// The share of a dataset is every Nth of its files, in a separate folder.
    #[arg(long, value_name = "I/N", requires = "save", conflicts_with = "on")]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub on: OnArgs,
    /// Pattern databases for 4x4 boards, as for `loyd solve`: default, auto (by the number of boards), 5-5-5, 6-6-3,
    /// 7-7-1, 7-8 or goal cells [default: auto]
    #[arg(long, value_name = "TABLES", value_parser = tables)]
    pub tables: Option<TableChoice>,
    /// Number of threads; it does not affect the rows [default: one per core]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

impl DatasetArgs {
    /// Returns the number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        or_cores(self.threads)
    }
}

/// The formats of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Comma-separated values
    Csv,
    /// One JSON object per line
    Json,
    /// Parquet, boards as lists of bytes
    Parquet,
    /// NumPy archive of arrays
    Npz,
}

impl From<Form> for Format {
    fn from(form: Form) -> Self {
        match form {
            Form::Csv => Self::Csv,
            Form::Json => Self::Jsonl,
            Form::Parquet => Self::Parquet,
            Form::Npz => Self::Npz,
        }
    }
}

/// Parses the maximum length of a walk.
fn steps(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1_000_000;
    let steps = text.parse().ok().filter(|steps| (1..=MOST).contains(steps));
    steps.ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
}

/// Parses the number of rows per file.
fn part_rows(text: &str) -> Result<u64, String> {
    const MOST: u64 = 10_000_000;
    let rows = text.parse().ok().filter(|rows| (1..=MOST).contains(rows));
    rows.ok_or_else(|| format!("expected a whole number from 1 to {MOST}"))
}

/// Parses the fraction of boards for testing.
fn fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|&fraction| fraction > 0.0 && fraction < 1.0);
    fraction.ok_or_else(|| "expected a number between 0 and 1, as in 0.1".to_owned())
}
