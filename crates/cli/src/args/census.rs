//! The arguments of `loyd census`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use loyd::Size;
use loyd::moves::Metric;

use super::names::{goal, metric_parser};
use super::{ProgressArgs, goal_help};
use crate::units::{self, Limit};

/// Count the boards at each distance from a goal, and show those that are farthest from it.
///
/// A census meets every board that can reach the goal: up to 12 cells in a second or so, and 2x7, with 43.6 thousand
/// million boards and 6 GB of memory, in minutes. Boards that differ only in tiles which a goal with `*` does not
/// name are counted once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd census 3x3\n  \
    loyd census 3x4 --metric mtm --farthest 18\n  \
    loyd census 3x3 --all-goals\n  \
    loyd census 3x3 --goal \"1 2 3/* * */* * *\"\n  \
    loyd census 3x4 --output csv > census.csv\n  \
    loyd census 3x4 --output svg > census.svg\n  \
    loyd census 2x7 --save checkpoints\n  \
    loyd census 2x7 --save checkpoints --resume")]
pub struct CensusArgs {
    /// Width and height, at most 14 cells
    #[arg(value_name = "WxH")]
    pub size: Size,
    #[arg(
        long,
        value_name = "GOAL",
        value_parser = goal,
        help = goal_help("with `*` on cells that may have any tile [default: blank-last]")
    )]
    pub goal: Option<String>,
    /// Count from every goal; those that turning and mirroring make the same are counted once
    #[arg(long, conflicts_with = "goal")]
    pub all_goals: bool,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    /// Show up to N of the farthest boards
    #[arg(
        long,
        value_name = "N",
        default_value = "10",
        value_parser = units::natural::<usize>,
        allow_negative_numbers = true
    )]
    pub farthest: usize,
    /// Use so many threads [default: one for each core]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub threads: Option<NonZeroUsize>,
    /// Refuse a census that takes more memory (64M, 2G, none) [default: what the machine has free; 1G where that
    /// cannot be told]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, allow_negative_numbers = true)]
    pub max_memory: Option<Limit<u64>>,
    /// Write checkpoints to the folder DIR, so that --resume can continue after an interruption
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Continue from the last checkpoint in DIR, or begin if there is none
    #[arg(long, requires = "save")]
    pub resume: bool,
    /// Write a checkpoint after so much time (30s, 10m, 1h; none: only when interrupted)
    #[arg(
        long,
        value_name = "TIME",
        value_parser = units::time,
        default_value = "5m",
        requires = "save",
        allow_negative_numbers = true
    )]
    pub every: Limit<Duration>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = CensusOutput::Text)]
    pub output: CensusOutput,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The ways in which a census is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CensusOutput {
    /// Tables for people
    Text,
    /// One JSON object a line: a header, one for each goal, and one for all of them
    Json,
    /// A line for each goal and distance
    Csv,
    /// A chart of the states by distance; of all goals together with --all-goals
    Svg,
}
