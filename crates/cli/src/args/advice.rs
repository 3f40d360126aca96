//! The arguments of `loyd hint` and `loyd review`.

use std::path::PathBuf;

use clap::Args;
use loyd::Config;
use loyd::moves::Metric;

use super::names::metric_parser;
use super::pdb::CacheArgs;
use super::search::with_short_time;
use super::{LimitArgs, Output, PairArgs, ProblemArgs, ProgressArgs, ReadAsArgs, StyleArgs};

/// Show what to play next: all moves with which a shortest solution begins.
///
/// Where no solution is proved to be shortest in time, it is the move with which the best known one begins, and how
/// many moves that has; a shortest one has no fewer than is said. The exit status is 0, unless the input is faulty.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd hint \"1 2 3 4/5 6 7 8/9 x 10 12/13 14 11 15\"\n  \
    loyd hint 23415x768 --metric mtm\n  \
    loyd hint -f boards.txt --output json")]
pub struct HintArgs {
    /// One board in each argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read boards from FILE, `-` being standard input [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    #[command(flatten)]
    pub style: StyleArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}

/// Show where a solution lost moves, and what should have been played there.
///
/// A move loses if it does not bring the goal nearer by one; consecutive moves that lose are shown
/// together. Where distances are not proved in time, moves are shown that certainly lost, because a shorter way leads
/// to the same board, and so is the best known solution. Moves are read in any notation.
///
/// The exit status is 0 if no move was lost by the metric that is asked for, or by one of both, and if the board cannot
/// be solved; it is 1 if moves were lost, or may have been.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd review \"1 2 3/4 x 5/7 8 6\" urdd\n  \
    loyd review \"2 3 4 1 5 x 7 6 8\" ullddrurdllurdruldr --metric stm\n  \
    loyd solve -f boards.txt --output json | loyd review")]
pub struct ReviewArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// What counts as a move: stm, each tile, or mtm, each slide of one or more tiles in a line
    /// [default: both, one after the other]
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true)]
    pub metric: Option<Metric>,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}

/// What commands take that study a board: these, `explain` and `verify`.
#[derive(Debug, Args)]
#[command(mut_arg("max_time", with_short_time))]
pub struct StudyArgs {
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

impl StudyArgs {
    /// The configuration of searches in `metric` for `boards`.
    pub fn config(&self, metric: Metric, boards: u64) -> Config {
        let (store, limits) = (self.cache.store(), self.limits.short());
        Config { metric, store, limits, boards: Some(boards), ..Config::default() }
    }
}
