//! The arguments of `loyd pdb`.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use loyd::Size;
use loyd::moves::Metric;
use loyd::tables::Store;

use super::names::{goal, metric_parser};
use super::{Output, ProgressArgs, goal_help};
use crate::units::{self, Limit};

/// Build, list, describe, check and remove pattern databases and other distance tables that speed up boards of 10 to
/// 36 cells, and automata that prune duplicates.
///
/// A search builds the tables that it needs and stores them in files, so these commands are optional.
#[derive(Debug, Args)]
pub struct PdbArgs {
    #[command(subcommand)]
    pub command: PdbCommand,
}

/// Subcommands of `loyd pdb`.
#[derive(Debug, Subcommand)]
pub enum PdbCommand {
    Build(BuildArgs),
    List(FilesArgs),
    Info(InfoArgs),
    Verify(CheckArgs),
    Remove(RemoveArgs),
}

/// The tables to work on.
#[derive(Debug, Args)]
pub struct TablesArgs {
    /// Partition: 5-5-5, 6-6-3, 7-7-1 or 7-8 for 4x4 boards, 6-6-6-6 for 5x5, catalogue for 3x6, 3x7, 4x5, 4x6 and
    /// 5x5, `default`, or goal cells: commas between cells, slashes between patterns, and (17 to 25 cells) plus signs
    /// between partitions, of which the largest sum counts; or an automaton, as in automaton=16
    #[arg(value_name = "PARTITION", value_parser = small, default_value = "default")]
    pub partition: String,
    #[command(flatten)]
    pub boards: BoardsArgs,
}

/// Converts a word to lower case.
#[expect(clippy::unnecessary_wraps, reason = "clap expects a fallible parser")]
fn small(text: &str) -> Result<String, Infallible> {
    Ok(text.to_ascii_lowercase())
}

/// The boards that tables are for.
#[derive(Debug, Args)]
pub struct BoardsArgs {
    /// Width and height of the boards [default: 4x4, or that of the goal]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// Move metric: stm for pattern databases, mtm for the table of tile classes
    #[arg(
        long,
        value_name = "METRIC",
        value_parser = metric_parser(),
        hide_possible_values = true,
        default_value_t = Metric::SingleTile
    )]
    pub metric: Metric,
    #[arg(
        long,
        value_name = "GOAL",
        value_parser = goal,
        help = goal_help(
            "[default: blank-last]; goals with the blank on the same cell, or on its mirror image, \
             share their tables"
        )
    )]
    pub goal: Option<String>,
}

/// The folder of the tables.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// Folder for tables, or `none` [default: $LOYD_CACHE, or loyd in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl CacheArgs {
    /// Returns the selected table store.
    pub fn store(&self) -> Store {
        self.cache.as_ref().map_or_else(Store::of_user, Store::new)
    }
}

/// Resources for building tables.
#[derive(Debug, Args)]
pub struct EffortArgs {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Refuse a build that needs more memory (64M, 2G, none) [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<Limit<u64>>,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// Explanation of the numbering of goal cells.
const CELLS: &str = "Goal cells are numbered from 0, in reading order, after rotating the board so that the \
    goal cell of the blank comes first. If the goal has the blank first, cell c is the goal cell of tile \
    c; if it has\nthe blank last, of tile n - c (on a board of n cells that is no wider than high).";

/// Build tables and store them in a file, unless it already exists.
#[derive(Debug, Args)]
#[command(after_help = format!("{CELLS}\n\nExamples:\n  \
    loyd pdb build\n  \
    loyd pdb build 7-8 --threads 2\n  \
    loyd pdb build --size 5x5\n  \
    loyd pdb build catalogue --size 5x5\n  \
    loyd pdb build --metric mtm\n  \
    loyd pdb build automaton=16 --size 5x5\n  \
    loyd pdb build 1,2,3,4,5,6/7,8,9,10,11 --size 3x4"))]
pub struct BuildArgs {
    #[command(flatten)]
    pub tables: TablesArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// List the files and check them for damage.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd pdb list --output json")]
pub struct FilesArgs {
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Show the size of tables and the number of states at each distance from the goal.
#[derive(Debug, Args)]
#[command(after_help = format!("{CELLS}\n\nExamples:\n  \
    loyd pdb info\n  \
    loyd pdb info 7-8 --output json"))]
pub struct InfoArgs {
    #[command(flatten)]
    pub tables: TablesArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Build tables again and compare them with the file bit by bit.
///
/// The exit status is 0 if they agree and 1 otherwise.
#[derive(Debug, Args)]
#[command(after_help = format!("{CELLS}\n\nExamples:\n  \
    loyd pdb verify\n  \
    loyd pdb verify 6-6-3 --goal blank-first"))]
pub struct CheckArgs {
    #[command(flatten)]
    pub tables: TablesArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Remove the file of one set of tables, or the files of all.
#[derive(Debug, Args)]
#[command(after_help = format!("{CELLS}\n\nExamples:\n  \
    loyd pdb remove 7-8\n  \
    loyd pdb remove --all"))]
pub struct RemoveArgs {
    /// Partition: 5-5-5, 6-6-3, 7-7-1 or 7-8 for 4x4 boards, 6-6-6-6 for 5x5, catalogue for 3x6, 3x7, 4x5, 4x6 and
    /// 5x5, `default`, or goal cells: commas between cells, slashes between patterns, and (17 to 25 cells) plus signs
    /// between partitions, of which the largest sum counts; or an automaton, as in automaton=16
    #[arg(
        value_name = "PARTITION",
        value_parser = small,
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    pub partition: Option<String>,
    /// Remove all tables and no other files in the folder; the exit status is 1 if a file with the name of a table
    /// cannot be removed
    #[arg(long, conflicts_with_all = ["size", "goal", "metric"])]
    pub all: bool,
    #[command(flatten)]
    pub boards: BoardsArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
}
