//! The arguments of `loyd optimize` and `loyd filter-optimal`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use loyd::moves::Metric;
use loyd::{Config, Size};

use super::answers::SameStyleArgs;
use super::search::with_short_time;
use super::{LimitArgs, Output, PairArgs, ReadAsArgs, StudyArgs};
use crate::units;

/// Make solutions shorter by solving windows of them again, each with as few moves as can be.
///
/// The moves still lead to the same board, and are written in the notation that was read. What they are now and were
/// before is reported on standard error, with the least number of moves that lead there as far as it is proved. It ends
/// after --max-time, or when no window can be made shorter.
#[derive(Debug, Args)]
#[command(
    mut_arg("max_time", with_short_time),
    after_help = "Examples:\n  \
    loyd optimize \"1 2 3/4 x 5/7 8 6\" lurrdlrd\n  \
    loyd optimize -f answers.txt --window 30 --output json\n  \
    loyd solve -f large.txt --quality fast --output json | loyd optimize --max-time 1m"
)]
pub struct OptimizeArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// Solve windows of N moves again [default: longer and longer ones]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub window: Option<NonZeroUsize>,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", default_value_t)]
    pub metric: Metric,
    /// Width and height, where the board does not tell
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[command(flatten)]
    pub style: SameStyleArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

impl OptimizeArgs {
    /// The configuration.
    pub fn config(&self) -> Config {
        Config { metric: self.metric, limits: self.limits.short(), ..Config::default() }
    }
}

/// Print the lines of a file that have a shortest solution.
///
/// A line is a board, a tab and moves, or the number of moves; a line of korf; or a record of JSON with `moves` or with
/// `length`. Lines are printed as they are if it is proved that no solution is shorter; how many were not is reported on
/// standard error. With --output json, each line has a record with its `verdict`: shortest, longer, wrong (the moves do
/// not solve the board, or no solution is as short as the number) or unknown.
///
/// The exit status is 1 if it could not be found out for all lines, and 2 if one is faulty.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd filter-optimal answers.txt\n  \
    loyd filter-optimal answers.txt --not --metric mtm\n  \
    loyd solve -f boards.txt --output json | loyd optimize --output json | loyd filter-optimal --unknown")]
pub struct FilterArgs {
    /// The file [default: standard input, if it is no terminal]
    #[arg(value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// The same
    #[arg(short, long, value_name = "FILE", conflicts_with = "path")]
    pub file: Option<PathBuf>,
    /// The board on which moves begin that stand alone
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// Print the lines that are proved to have no shortest solution instead
    #[arg(long)]
    pub not: bool,
    /// Print the lines about which that could not be found out instead; with --not, both
    #[arg(long)]
    pub unknown: bool,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", default_value_t)]
    pub metric: Metric,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}
