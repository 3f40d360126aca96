//! Which board, and which goal.

use clap::builder::TypedValueParser;
use clap::{Arg, Args};
use loyd::Size;
use loyd::goal::GOALS;
use loyd::notation::{FORMATS, Format};

use super::names::{Names, goal};

/// Which board, and where it should go.
#[derive(Debug, Args)]
pub struct ProblemArgs {
    /// Width and height, where the board does not tell
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[arg(
        long,
        value_name = "GOAL",
        value_parser = goal,
        help = goal_help("with `*` on cells that may have any tile [default: blank-last]")
    )]
    pub goal: Option<String>,
}

/// The help of `--goal` for a command that reads files of boards.
pub fn with_korf_goal(arg: Arg) -> Arg {
    arg.help(goal_help(
        "with `*` on cells that may have any tile [default: blank-last, but blank-first for korf files]",
    ))
}

/// What `--goal` takes.
pub fn goal_help(more: &str) -> String {
    let names: Vec<&str> = GOALS.iter().map(|row| row.name).collect();
    format!("{} (see `loyd list goals`) or a board {more}", names.join(", "))
}

/// Reads the name of a form of files.
pub fn format_parser() -> impl TypedValueParser<Value = Format> {
    Names::new(FORMATS.iter().map(|row| row.name), &[]).try_map(|name| name.parse::<Format>())
}
