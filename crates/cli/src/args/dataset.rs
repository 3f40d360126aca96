//! The arguments of `loyd dataset`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use loyd::Size;
use loyd::moves::Metric;
use loyd::search::TableChoice;
use loyd_lab::dataset::Format;

use super::batch::or_cores;
use super::names::{goal, metric_parser, tables};
use super::pdb::CacheArgs;
use super::scramble::Lengths;
use super::search::heuristic_parser;
use super::{LimitArgs, ProgressArgs, goal_help};
use crate::units;

/// Write boards with exact labels: distances, all best first moves, values of heuristics, solutions.
///
/// Each row has a board, reading order, 0 for the blank, and its distance from the goal. Directions are those in which
/// the blank travels: in the mask of first moves 1 is up, 2 left, 4 right, 8 down. Rows are a function of the options and
/// the seed, on any number of threads. With --out, they go to files of --part-rows rows each, so that --resume can
/// continue after an interruption; without it, to standard output.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd dataset --size 3x3 -n 5 --seed 7 --first-moves\n  \
    loyd dataset --size 3x4 -n 1000000 --seed 7 --format parquet --out data --split 0.1\n  \
    loyd dataset --lengths 10,20-30 -n 1000 --unique --format jsonl --solutions\n  \
    loyd dataset --walks 500 -n 100000 --heuristics manhattan,linear-conflict --format npz --out data\n  \
    loyd dataset -f data_0.pkl --out data --resume")]
pub struct DatasetArgs {
    /// Width and height [default: 4x4, or that of the goal]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[arg(long, value_name = "GOAL", value_parser = goal, help = goal_help("[default: blank-last]"))]
    pub goal: Option<String>,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    /// How many boards [default: 1000, or all of the file]
    #[arg(
        short = 'n',
        long = "number",
        value_name = "N",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true
    )]
    pub number: Option<NonZeroU64>,
    /// The seed [default: a different one each time, shown on standard error]
    #[arg(long, value_name = "SEED", value_parser = units::natural::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Boards whose shortest solutions have so many moves of single tiles, the lengths in turn: 10,20-30
    #[arg(long, value_name = "MOVES", conflicts_with = "walks", allow_negative_numbers = true)]
    pub lengths: Option<Lengths>,
    /// Boards at the end of random walks from the goal, of 1 to N steps, each number equally likely: a step goes in any
    /// of the four directions, and stays where the edge is in the way
    #[arg(long, value_name = "N", value_parser = steps, allow_negative_numbers = true)]
    pub walks: Option<u64>,
    /// Draw no board twice; takes some hundred bytes of memory a board
    #[arg(long)]
    pub unique: bool,
    /// Read boards from FILE in any form, or from a pickle such as those of DeepCubeA, which is not run
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["lengths", "walks", "unique"])]
    pub file: Option<PathBuf>,
    /// Add the mask of all moves with which a shortest solution begins: 1 up, 2 left, 4 right, 8 down
    #[arg(long)]
    pub first_moves: bool,
    /// Add the values of these heuristics, with commas between them: names of `loyd list heuristics`
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
    /// The form of the rows
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Csv)]
    pub format: Form,
    /// Write files to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Put this fraction of all boards, which depends on the seed and the board alone, into DIR/test, and the others into
    /// DIR/train
    #[arg(long, value_name = "FRACTION", value_parser = fraction, requires = "out", allow_negative_numbers = true)]
    pub split: Option<f64>,
    /// Rows of each file
    #[arg(
        long,
        value_name = "N",
        value_parser = part_rows,
        requires = "out",
        default_value = "100000",
        allow_negative_numbers = true
    )]
    pub part_rows: u64,
    /// Continue in the folder where it was interrupted, or begin if it is empty
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// The pattern databases of 4x4 boards, as for `loyd solve`: default, auto (by the number of boards), 5-5-5, 6-6-3,
    /// 7-7-1, 7-8 or goal cells [default: auto]
    #[arg(long, value_name = "TABLES", value_parser = tables)]
    pub tables: Option<TableChoice>,
    /// Use so many threads; the rows are the same on any number [default: one for each core]
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
    /// The number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        or_cores(self.threads)
    }
}

/// The forms of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Comma-separated values
    Csv,
    /// One JSON object a line
    Jsonl,
    /// Parquet, boards as lists of bytes
    Parquet,
    /// NumPy's archive of arrays
    Npz,
}

impl From<Form> for Format {
    fn from(form: Form) -> Self {
        match form {
            Form::Csv => Self::Csv,
            Form::Jsonl => Self::Jsonl,
            Form::Parquet => Self::Parquet,
            Form::Npz => Self::Npz,
        }
    }
}

/// Reads the longest walk.
fn steps(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1_000_000;
    let steps = text.parse().ok().filter(|steps| (1..=MOST).contains(steps));
    steps.ok_or_else(|| format!("write a whole number from 1 to {MOST}"))
}

/// Reads the rows of a file.
fn part_rows(text: &str) -> Result<u64, String> {
    const MOST: u64 = 10_000_000;
    let rows = text.parse().ok().filter(|rows| (1..=MOST).contains(rows));
    rows.ok_or_else(|| format!("write a whole number from 1 to {MOST}"))
}

/// Reads the fraction of boards for testing.
fn fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|&fraction| fraction > 0.0 && fraction < 1.0);
    fraction.ok_or_else(|| "write a number between 0 and 1, as in 0.1".to_owned())
}
