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

/// Build, list, describe, check and remove pattern databases and other tables of distances that make boards of 10 to 36
/// cells quick, and automata that prune duplicates.
///
/// A search builds the tables that it needs and keeps them in files, so none of this has to be done by hand.
#[derive(Debug, Args)]
pub struct PdbArgs {
    #[command(subcommand)]
    pub command: PdbCommand,
}

/// What to do with tables.
#[derive(Debug, Subcommand)]
pub enum PdbCommand {
    Build(BuildArgs),
    List(FilesArgs),
    Info(InfoArgs),
    Verify(CheckArgs),
    Remove(RemoveArgs),
}

/// Which tables.
#[derive(Debug, Args)]
pub struct TablesArgs {
    /// 5-5-5, 6-6-3, 7-7-1 or 7-8 for 4x4 boards, 6-6-6-6 for 5x5, catalogue for 3x6, 3x7, 4x5, 4x6 and 5x5, `default`,
    /// or goal cells: commas between them, a slash between patterns, and a plus sign between partitions of which the
    /// largest sum counts (17 to 25 cells); or an automaton, as in automaton=16
    #[arg(value_name = "PARTITION", value_parser = small, default_value = "default")]
    pub partition: String,
    #[command(flatten)]
    pub boards: BoardsArgs,
}

/// Reads a word in small letters.
#[expect(clippy::unnecessary_wraps, reason = "a parser of clap may fail")]
fn small(text: &str) -> Result<String, Infallible> {
    Ok(text.to_ascii_lowercase())
}

/// Which boards tables are for.
#[derive(Debug, Args)]
pub struct BoardsArgs {
    /// Width and height of the boards [default: 4x4, or that of the goal]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// What counts as a move: stm for pattern databases, mtm for the table of tile classes
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
            "[default: blank-last]; all goals with the blank on the same cell, or on one that \
             mirroring takes to it, share their tables"
        )
    )]
    pub goal: Option<String>,
}

/// Where tables are kept.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// The folder of the files, or `none` [default: LOYD_CACHE, else loyd in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl CacheArgs {
    /// The store that is meant.
    pub fn store(&self) -> Store {
        self.cache.as_ref().map_or_else(Store::of_user, Store::new)
    }
}

/// How much a build may take.
#[derive(Debug, Args)]
pub struct EffortArgs {
    /// Use so many threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Refuse a build that takes more memory (64M, 2G, none) [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub max_memory: Option<Limit<u64>>,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// Explains how cells are numbered.
const CELLS: &str = "Goal cells are counted from 0, in reading order, after the board is rotated so that the \
    goal cell of the blank comes first. If the goal has the blank first, cell c is the goal cell of tile \
    c; if it has\nthe blank last, of tile n - c (on a board of n cells that is no wider than high).";

/// Build tables and keep them in a file, unless the file exists already.
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
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// List the files, and check that none of them is damaged.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd pdb list --output json")]
pub struct FilesArgs {
    #[command(flatten)]
    pub cache: CacheArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Show how large tables are, and how many states are at each distance from the goal.
#[derive(Debug, Args)]
#[command(after_help = format!("{CELLS}\n\nExamples:\n  \
    loyd pdb info\n  \
    loyd pdb info 7-8 --output json"))]
pub struct InfoArgs {
    #[command(flatten)]
    pub tables: TablesArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Build tables again and compare every bit with the file.
///
/// The exit status is 0 if the file is sound and 1 if it is not.
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
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Remove the file of some tables, or of all.
#[derive(Debug, Args)]
#[command(after_help = format!("{CELLS}\n\nExamples:\n  \
    loyd pdb remove 7-8\n  \
    loyd pdb remove --all"))]
pub struct RemoveArgs {
    /// 5-5-5, 6-6-3, 7-7-1 or 7-8 for 4x4 boards, 6-6-6-6 for 5x5, catalogue for 3x6, 3x7, 4x5, 4x6 and 5x5, `default`,
    /// or goal cells: commas between them, a slash between patterns, and a plus sign between partitions of which the
    /// largest sum counts (17 to 25 cells); or an automaton, as in automaton=16
    #[arg(
        value_name = "PARTITION",
        value_parser = small,
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    pub partition: Option<String>,
    /// Remove all tables, and nothing else that is in the folder; the exit status is 1 if something cannot be
    /// removed that has the name of a table's file
    #[arg(long, conflicts_with_all = ["size", "goal", "metric"])]
    pub all: bool,
    #[command(flatten)]
    pub boards: BoardsArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
}
