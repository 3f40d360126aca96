//! The arguments of the commands that study boards and solutions: `explain`, `verify`, `hint`, `review`, `optimize` and
//! `filter-optimal`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use loyd::moves::Metric;
use loyd::{Config, Size};

use super::answers::SameStyleArgs;
use super::names::metric_parser;
use super::pdb::CacheArgs;
use super::search::with_short_time;
use super::{LimitArgs, Output, PairArgs, ProblemArgs, ProgressArgs, ReadAsArgs, StyleArgs};
use crate::units;

/// Show whether and why a board is solvable, the estimate of each heuristic, and the true distance.
///
/// If the distance is not proved within the time limit, it is given as bounds: `at least` is a proved lower bound,
/// `best known` the length of a known solution. The exit status is 0 unless the input is invalid.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd explain \"1 2 3 4 5 6 8 7 x\"\n  \
    loyd explain \"1 3 2 x\" --size 4x1\n  \
    loyd explain --matrix --size 3x3 > eight_dis.txt")]
pub struct ExplainArgs {
    /// One board per argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read boards from FILE, or from standard input if it is `-` [default: standard input, unless it is a terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// Print the cells x cells matrix of distances between cells instead of explaining a board
    #[arg(long, conflicts_with_all = ["goal", "output"])]
    pub matrix: bool,
    #[command(flatten)]
    pub shared: StudyArgs,
}

/// Check whether moves solve a board and are the fewest possible, or show where they fail.
///
/// If optimality is not proved within the time limit, a lower bound on the number of moves is printed. Moves may be in
/// any notation. The exit status is 0 for a solution, shortest or not, and 1 otherwise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd verify \"2 3 4 1 5 x 7 6 8\" ullddrurdllurdruldr\n  \
    loyd verify \"1 2 3 4 x 5 7 8 6\" LU\n  \
    loyd verify \"1 2 3 4 5 6 7 8 x\" \"\"\n  \
    loyd verify --certificate proof.json --full\n  \
    loyd solve -f boards.txt --output json | loyd verify")]
pub struct VerifyArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// Check the file of `loyd solve --certificate`: replay the solution, and compare bounds, counts and tables
    #[arg(long, value_name = "FILE", conflicts_with_all = ["first", "moves", "file", "board", "metric", "notation", "goal"])]
    pub certificate: Option<PathBuf>,
    /// With --certificate, also search again and compare the results
    #[arg(long, requires = "certificate")]
    pub full: bool,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}

/// Show what to play next: the first moves of all shortest solutions.
///
/// If no solution is proved shortest within the time limit, it shows the first move and the length of the best known
/// solution, with a lower bound on the length of a shortest one. The exit status is 0 unless the input is invalid.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd hint \"1 2 3 4/5 6 7 8/9 x 10 12/13 14 11 15\"\n  \
    loyd hint 23415x768 --metric mtm\n  \
    loyd hint -f boards.txt --output json")]
pub struct HintArgs {
    /// One board per argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read boards from FILE, or from standard input if it is `-` [default: standard input, unless it is a terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true, default_value_t)]
    pub metric: Metric,
    #[command(flatten)]
    pub style: StyleArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}

/// Show where a solution lost moves, and what to play there instead.
///
/// A move loses if it does not reduce the distance to the goal by one; consecutive losing moves are shown together. If
/// distances are not proved within the time limit, the review shows the best known solution and the moves that
/// certainly lost, because a shorter path leads to the same board. Moves may be in any notation.
///
/// The exit status is 0 if no move was lost in the requested metric (in at least one of both by default), or if the
/// board is unsolvable; it is 1 if moves were lost or may have been.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd review \"1 2 3/4 x 5/7 8 6\" urdd\n  \
    loyd review \"2 3 4 1 5 x 7 6 8\" ullddrurdllurdruldr --metric stm\n  \
    loyd solve -f boards.txt --output json | loyd review")]
pub struct ReviewArgs {
    #[command(flatten)]
    pub pair: PairArgs,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line [default: both, one
    /// after the other]
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), hide_possible_values = true)]
    pub metric: Option<Metric>,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}

/// The options shared by `hint`, `review`, `explain`, `verify` and `filter-optimal`.
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
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

impl StudyArgs {
    /// Returns the configuration for searches in `metric` on `boards` boards.
    pub fn config(&self, metric: Metric, boards: u64) -> Config {
        let (store, limits) = (self.cache.store(), self.limits.short());
        Config { metric, store, limits, boards: Some(boards), ..Config::default() }
    }
}

/// Shorten solutions by solving windows of them again optimally.
///
/// The moves still lead to the same board, and keep the notation of the input. The lengths before and after are
/// reported on standard error, with the proved lower bound on the number of moves. It stops after --max-time, or when
/// no window can be shortened.
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
    /// Solve windows of N moves again [default: increasing lengths]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub window: Option<NonZeroUsize>,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", default_value_t)]
    pub metric: Metric,
    /// Width and height, if the board does not show them
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[command(flatten)]
    pub style: SameStyleArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

impl OptimizeArgs {
    /// Returns the configuration of the searches.
    pub fn config(&self) -> Config {
        Config { metric: self.metric, limits: self.limits.short(), ..Config::default() }
    }
}

/// Print the lines of a file whose solution is shortest.
///
/// A line is a board, a tab and moves or the number of moves; a line in korf format; or a JSON record with `moves` or
/// `length`. Lines proved shortest are printed unchanged; the number of other lines is reported on standard error.
/// With --output json, each line gets a record with its `verdict`: shortest, longer, wrong (the moves do not solve the
/// board, or no solution is as short as the number) or unknown.
///
/// The exit status is 1 if some lines remain unknown, and 2 if a line is invalid.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd filter-optimal answers.txt\n  \
    loyd filter-optimal answers.txt --not --metric mtm\n  \
    loyd solve -f boards.txt --output json | loyd optimize --output json | loyd filter-optimal --unknown")]
pub struct FilterArgs {
    /// File to read [default: standard input, unless it is a terminal]
    #[arg(value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// Same as the FILE argument
    #[arg(short, long, value_name = "FILE", conflicts_with = "path")]
    pub file: Option<PathBuf>,
    /// Starting board for lines that have moves only
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,
    /// Print the lines that are proved not shortest instead
    #[arg(long)]
    pub not: bool,
    /// Print the lines that remain unknown instead; with --not, both
    #[arg(long)]
    pub unknown: bool,
    /// Move metric: stm counts each tile moved, mtm each slide of any number of tiles in a line
    #[arg(long, value_name = "METRIC", default_value_t)]
    pub metric: Metric,
    #[command(flatten)]
    pub read_as: ReadAsArgs,
    #[command(flatten)]
    pub shared: StudyArgs,
}
