//! Cantor ranks.

use std::path::PathBuf;

use clap::Args;
use loyd::Size;

use super::Output;

/// Print the Cantor rank of a board among all arrangements, with its sum written out.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd rank \"1 2 3 4 5 6 7 8 x\"")]
pub struct RankArgs {
    /// One board of at most 20 cells in each argument, or the tiles of a single board as separate arguments
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read boards from FILE, `-` being standard input [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// Width and height, where the board does not tell
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Print the board that has a Cantor rank.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd unrank 46233 --size 3x3")]
pub struct UnrankArgs {
    /// The rank, from 0
    pub rank: u64,
    /// Width and height
    #[arg(long, value_name = "WxH", default_value_t = Size::EIGHT)]
    pub size: Size,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}
