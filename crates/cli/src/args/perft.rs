//! The arguments of `loyd perft`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::{LimitArgs, Output, ProgressArgs};
use crate::units;

/// Count move sequences and states by depth, on boards of up to 1,000x1,000 cells.
///
/// For each depth: all sequences of so many moves of single tiles, those in which no move undoes the one before, and
/// with --distinct the states that are first reached at that depth. The counts depend on the size of the board and the
/// cell of the blank alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd perft 12345678x 10\n  \
    loyd perft 12345678x 31 --distinct\n  \
    loyd perft corner 12 --size 40x40 --distinct\n  \
    loyd perft middle 8 --size 15x15 --output json")]
pub struct PerftArgs {
    /// A board, or where the blank of a board of --size begins: corner, side (the middle of the upper side) or middle
    pub board: String,
    /// The number of moves
    #[arg(value_parser = depth, allow_negative_numbers = true)]
    pub depth: u32,
    /// Width and height
    #[arg(long, value_name = "WxH")]
    pub size: Option<Sides>,
    /// Count distinct states too: in memory, and what does not fit there in a file of sorted runs
    #[arg(long)]
    pub distinct: bool,
    /// The folder for that file, which takes some gigabytes for each hundred million states [default: the system's
    /// folder for temporary files]
    #[arg(long, value_name = "DIR", requires = "distinct")]
    pub scratch: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
    /// How to print the counts
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Reads a depth.
fn depth(text: &str) -> Result<u32, String> {
    const MOST: u32 = 1_000;
    let depth = units::natural(text).ok().filter(|&depth| depth <= MOST);
    depth.ok_or_else(|| format!("write a whole number from 0 to {MOST}"))
}

/// The sides of a board that may be larger than a [`Size`](loyd::Size).
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
