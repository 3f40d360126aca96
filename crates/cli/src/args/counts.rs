//! The arguments of the commands that count boards: `census` and `perft`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use loyd::Size;
use loyd::moves::Metric;

use super::names::{goal, metric_parser};
use super::{LimitArgs, Output, ProgressArgs, goal_help};
use crate::units::{self, Limit};

/// Count the boards at each distance from a goal, and show the farthest ones.
///
/// A census visits every board that can reach the goal: up to 12 cells in about a second, and 2x7, with 43.6 billion
/// boards and 6 GB of memory, in minutes. What does not fit in memory is counted in files: see --on-disk. Boards that differ only in tiles that a goal with `*` does not name are
/// counted once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd census 3x3\n  \
    loyd census 3x4 --metric mtm --farthest 18\n  \
    loyd census 3x3 --all-goals\n  \
    loyd census 3x3 --goal \"1 2 3/* * */* * *\"\n  \
    loyd census 3x4 --output csv > census.csv\n  \
    loyd census 3x4 --output svg > census.svg\n  \
    loyd census 2x7 --save checkpoints\n  \
    loyd census 2x7 --save checkpoints --resume\n  \
    loyd census 2x7 --save blocks --on-disk --max-memory 4G --max-disk 20G")]
pub struct CensusArgs {
    /// Width and height, at most 15 cells
    #[arg(value_name = "WxH")]
    pub size: Size,
    #[arg(
        long,
        value_name = "GOAL",
        value_parser = goal,
        help = goal_help("with `*` on cells that may hold any tile [default: blank-last]")
    )]
    pub goal: Option<String>,
    /// Count from every goal; goals that are rotations or mirror images of each other are counted once
    #[arg(long, conflicts_with = "goal")]
    pub all_goals: bool,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    /// Show at most N of the farthest boards
    #[arg(
        long,
        value_name = "N",
        default_value = "10",
        value_parser = units::natural::<usize>,
        allow_negative_numbers = true
    )]
    pub farthest: usize,
    /// Number of threads [default: one per core]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub threads: Option<NonZeroUsize>,
    /// Refuse a census that needs more memory (64M, 2G, none) [default: the free memory; 1G if that is unknown]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, allow_negative_numbers = true)]
    pub max_memory: Option<Limit<u64>>,
    /// Write checkpoints to the folder DIR, from which --resume continues after an interruption
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Keep the states in files in DIR instead of in memory, for boards that need more than --max-memory
    #[arg(long, requires = "save", conflicts_with = "every")]
    pub on_disk: bool,
    /// Refuse a census whose files may take more (50G, 1T, none) [default: the free space of the disk]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = units::bytes,
        requires = "on_disk",
        allow_negative_numbers = true
    )]
    pub max_disk: Option<Limit<u64>>,
    /// Resume from the last checkpoint in DIR, or start afresh if there is none
    #[arg(long, requires = "save")]
    pub resume: bool,
    /// Time between checkpoints (30s, 10m, 1h; none: only when interrupted)
    #[arg(
        long,
        value_name = "TIME",
        value_parser = units::time,
        default_value = "5m",
        requires = "save",
        allow_negative_numbers = true
    )]
    pub every: Limit<Duration>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = CensusOutput::Text)]
    pub output: CensusOutput,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The output formats of a census.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CensusOutput {
    /// Human-readable tables
    Text,
    /// One JSON object per line: a header, one for each goal, and one for all of them
    Json,
    /// One line for each goal and distance
    Csv,
    /// Chart of the states by distance; of all goals together with --all-goals
    Svg,
}

/// Count move sequences and states by depth, on boards of up to 1,000x1,000 cells.
///
/// For each depth, it counts all sequences of that many single-tile moves, the sequences in which no move undoes the
/// previous one, and with --distinct the states first reached at that depth. The counts depend only on the size of the
/// board and the cell of the blank.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd perft 12345678x 10\n  \
    loyd perft 12345678x 31 --distinct\n  \
    loyd perft corner 12 --size 40x40 --distinct\n  \
    loyd perft middle 8 --size 15x15 --output json")]
pub struct PerftArgs {
    /// Board, or the starting cell of the blank on a board of --size: corner, side (the middle of the upper side) or
    /// middle
    pub board: String,
    /// Number of moves
    #[arg(value_parser = depth, allow_negative_numbers = true)]
    pub depth: u32,
    /// Width and height
    #[arg(long, value_name = "WxH")]
    pub size: Option<Sides>,
    /// Also count distinct states, in memory or, beyond that, in a file of sorted runs
    #[arg(long)]
    pub distinct: bool,
    /// Folder for that file, which takes a few gigabytes per hundred million states [default: the system's temporary
    /// folder]
    #[arg(long, value_name = "DIR", requires = "distinct")]
    pub scratch: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Parses a depth of at most 1,000.
fn depth(text: &str) -> Result<u32, String> {
    const MOST: u32 = 1_000;
    let depth = units::natural(text).ok().filter(|&depth| depth <= MOST);
    depth.ok_or_else(|| format!("expected a whole number from 0 to {MOST}"))
}

/// Width and height of a board, which may be larger than a [`Size`](loyd::Size).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides(pub u32, pub u32);

impl FromStr for Sides {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse().ok();
        let sides = text.split_once(['x', 'X', '×']);
        let sides = sides.and_then(|(width, height)| Some(Self(number(width)?, number(height)?)));
        sides.ok_or_else(|| format!("`{text}` is not a size; write WIDTHxHEIGHT, as in 40x40"))
    }
}
