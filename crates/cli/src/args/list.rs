//! What can be listed.

use clap::{Args, ValueEnum};

use super::Output;

/// List what there is to choose from.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd list algorithms")]
pub struct ListArgs {
    /// What to list
    #[arg(value_enum)]
    pub what: Listed,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Listed {
    /// What --algorithm takes
    Algorithms,
    /// What --heuristic takes
    Heuristics,
    /// What --input takes
    Formats,
    /// What --goal takes
    Goals,
    /// What --metric takes
    Metrics,
    /// What --quality takes
    Qualities,
    /// How moves are written
    Notations,
    /// How boards are written by convert
    Forms,
    /// What `experiment` takes
    Experiments,
}
