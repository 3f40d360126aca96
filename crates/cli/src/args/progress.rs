//! What is told of a search while it runs.

use clap::{Args, ValueEnum};

/// How progress is shown.
#[derive(Clone, Copy, Debug, Args)]
pub struct ProgressArgs {
    /// What standard error tells while a search runs: auto (a line, if it is a terminal), json (events, one JSON
    /// object a line: see docs/watching.md) or none
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Shown::Auto, hide_possible_values = true)]
    pub progress: Shown,
}

/// The ways in which progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shown {
    /// A line, if standard error is a terminal
    Auto,
    /// One JSON object a line
    Json,
    /// Nothing
    None,
}
