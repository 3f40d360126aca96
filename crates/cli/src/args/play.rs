//! The arguments of `loyd play`.

use clap::{Arg, Args, ValueEnum};

use super::pdb::CacheArgs;
use super::search::SHORT_TIME;
use super::{LimitArgs, ProblemArgs};
use crate::units;

/// Play on the terminal: slide tiles against the clock, ask for hints, watch solutions, see where moves were lost.
///
/// Arrows, W A S D and h j k l slide tiles; `?` shows all keys. Without a BOARD, one is drawn by seed, and `n` draws the
/// next. The terminal shows true colours if COLORTERM says so, else 16, and none if NO_COLOR is set.
#[derive(Debug, Args)]
#[command(
    mut_arg("size", with_default_size),
    mut_arg("max_time", with_time_of_studies),
    after_help = "Examples:\n  \
    loyd play\n  \
    loyd play --size 5x3 --seed 7\n  \
    loyd play --size 4x4 --length 30 --goal spiral\n  \
    loyd play \"1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 x\""
)]
pub struct PlayArgs {
    /// The board to begin with, or its tiles as separate arguments [default: one that is drawn]
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Draw boards with this seed, the same as `loyd scramble` [default: a different one each time]
    #[arg(long, value_name = "SEED", value_parser = units::natural::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Draw boards whose shortest solution has exactly so many moves
    #[arg(long, value_name = "MOVES", value_parser = units::natural::<u32>, allow_negative_numbers = true)]
    pub length: Option<u32>,
    /// What goes where a key points: the tile beside the blank, or the blank
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Arrows::Tile)]
    pub arrows: Arrows,
    /// Colours for a dark or a light screen, where it shows true colours
    #[arg(long, value_enum, value_name = "THEME", default_value_t = ThemeName::Auto)]
    pub theme: ThemeName,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What moves where an arrow points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arrows {
    /// The tile beside the blank
    Tile,
    /// The blank
    Blank,
}

/// Which colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThemeName {
    /// As COLORFGBG says, else dark
    Auto,
    /// Light on dark
    Dark,
    /// Dark on light
    Light,
}

fn with_default_size(arg: Arg) -> Arg {
    arg.help("Width and height [default: 4x4, or that of the goal or the board]")
}

/// The help of `--max-time`.
fn with_time_of_studies(arg: Arg) -> Arg {
    let default = SHORT_TIME.as_secs();
    arg.help(format!(
        "Stop a hint or a review after so many seconds (or 500ms, 2m, none) [default: {default}s]"
    ))
}
