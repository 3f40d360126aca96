//! The arguments of `loyd scramble`, `loyd rank` and `loyd unrank`.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use loyd::Size;
use loyd::notation::MAX_MOVES;

use super::names::goal;
use super::pdb::CacheArgs;
use super::{Output, ProgressArgs, goal_help};
use crate::units::{self, Limit};

/// Draw random boards: any solvable ones, or boards a given number of moves from the goal.
///
/// Without --length, --moves and --unsolvable, all boards that can reach the goal are equally likely. The same seed
/// always gives the same boards: the generator is SplitMix64.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd scramble --size 4x4 -n 100 --seed 7\n  \
    loyd scramble --size 3x3 --length 31 -n 2\n  \
    loyd scramble --size 4x4 --length 40-60 -n 10 --output json\n  \
    loyd scramble --size 5x5 --moves 60 --goal spiral\n  \
    loyd scramble --goal \"1 2 3 4/* * * */* * * */* * * *\" --length 20 --output json\n  \
    loyd scramble --size 3x3 --output moves\n  \
    loyd scramble --size 3x3 --unsolvable -n 3\n  \
    loyd scramble -n 5 | loyd solve\n  \
    loyd scramble -n 5 | loyd convert --to tokens")]
pub struct ScrambleArgs {
    /// Width and height [default: 4x4, or that of the goal]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// Number of boards, for each length if several are given
    #[arg(
        short = 'n',
        long = "number",
        value_name = "N",
        default_value = "1",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true
    )]
    pub number: NonZeroU64,
    /// Seed [default: a different one each time, shown on standard error]
    #[arg(long, value_name = "SEED", value_parser = units::natural::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    #[arg(long, value_name = "GOAL", value_parser = goal, help = goal_help("with `*` on cells that may hold any tile [default: blank-last]"))]
    pub goal: Option<String>,
    /// Draw boards whose shortest solution has exactly MOVES moves: 50, or several lengths, as in 10,20,30-40. Near
    /// the goal, and up to 16 cells, all boards of a length are equally likely. Boards of a rare length, and larger
    /// boards, are found by random walks, which favour some boards; a note reports this. A length that no board has is
    /// refused up to 16 cells and on 5x5; on other sizes, the search for it lasts until --max-time
    #[arg(long, value_name = "MOVES", conflicts_with = "moves", allow_negative_numbers = true)]
    pub length: Option<Lengths>,
    /// Make N random moves from the goal, never undoing the previous one
    #[arg(long, value_name = "N", value_parser = walk, allow_negative_numbers = true)]
    pub moves: Option<u64>,
    /// Draw boards that cannot reach the goal, all equally likely
    #[arg(long, conflicts_with_all = ["length", "moves"])]
    pub unsolvable: bool,
    /// Draw no board twice
    #[arg(long)]
    pub unique: bool,
    /// Give up on a board of --length after TIME seconds (or 500ms, 2m, none) [default: 1m]
    #[arg(
        long,
        value_name = "TIME",
        value_parser = units::time,
        requires = "length",
        allow_negative_numbers = true
    )]
    pub max_time: Option<Limit<Duration>>,
    /// Give up on a board of --length that needs more memory (64M, 2G, none), including 10M for the program itself
    /// [default: 1G]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = units::bytes,
        requires = "length",
        allow_negative_numbers = true
    )]
    pub max_memory: Option<Limit<u64>>,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = ScrambleOutput::Text)]
    pub output: ScrambleOutput,
    /// With --output json, add the moves from the goal to the board
    #[arg(long)]
    pub with_moves: bool,
}

/// The output formats of `loyd scramble`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScrambleOutput {
    /// One board per line
    Text,
    /// The moves of the blank from the goal to each board: those of --moves, the fewest for --length, otherwise those
    /// of a fast solution
    Moves,
    /// One JSON object per line
    Json,
}

/// Parses a number of random moves.
fn walk(text: &str) -> Result<u64, String> {
    let moves = text.parse().ok().filter(|&moves| moves <= MAX_MOVES as u64);
    moves.ok_or_else(|| format!("expected a whole number from 0 to {MAX_MOVES}"))
}

/// Lengths of shortest solutions, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lengths(pub Vec<u32>);

impl FromStr for Lengths {
    type Err = String;

    /// Parses numbers and ranges, separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| digits.trim().parse::<u16>().ok().map(u32::from);
        let range = |part: &str| match part.split_once("..").or_else(|| part.split_once('-')) {
            Some((from, to)) => Some(number(from)?..=number(to)?),
            None => number(part).map(|length| length..=length),
        };
        let lengths: Option<Vec<_>> = text.split(',').map(range).collect();
        let lengths = lengths.filter(|ranges| ranges.iter().all(|range| !range.is_empty()));
        let lengths = lengths.ok_or("expected numbers of moves or ranges, as in 10,20,30-40")?;
        Ok(Self(lengths.into_iter().flatten().collect()))
    }
}

/// Print the Cantor rank of a board among all arrangements, with its sum written out.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd rank \"1 2 3 4 5 6 7 8 x\"")]
pub struct RankArgs {
    /// One board of at most 20 cells per argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read boards from FILE, or from standard input if it is `-` [default: standard input, unless it is a terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// Width and height, if the board does not show them
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Print the board with a given Cantor rank.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd unrank 46233 --size 3x3")]
pub struct UnrankArgs {
    /// Rank, from 0
    pub rank: u64,
    /// Width and height
    #[arg(long, value_name = "WxH", default_value_t = Size::EIGHT)]
    pub size: Size,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_parsed() {
        let read = |text: &str| text.parse::<Lengths>().map(|Lengths(lengths)| lengths);
        assert_eq!(read("50"), Ok(vec![50]));
        assert_eq!(read("10, 3-5,0"), Ok(vec![10, 3, 4, 5, 0]));
        assert_eq!(read("1..3,7"), Ok(vec![1, 2, 3, 7]));
        for text in ["", "x", "5-", "-5", "5-3", "1,,2", "70000", "3..1", "1...3"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
