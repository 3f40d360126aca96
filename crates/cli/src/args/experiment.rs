//! Experiments.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;
use loyd_lab::experiment::{EXPERIMENTS, Experiment};

use super::Output;
use super::names::Names;

/// Put a claim about the 8-puzzle to the test.
///
/// Each experiment has a claim, figures, plots and a verdict: the claim holds, holds in part, or fails. Where the claim
/// is about time, the figures differ from run to run; all others are the same on every machine. `loyd list experiments`
/// has the claims.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd experiment blank-in-parity\n  \
    loyd experiment astar-and-bibfs --out pages\n  \
    loyd experiment --all --out docs/experiments")]
pub struct ExperimentArgs {
    /// What to test: names of `loyd list experiments`
    #[arg(
        value_name = "NAME",
        value_parser = experiment_parser(),
        hide_possible_values = true,
        required_unless_present = "all"
    )]
    pub names: Vec<&'static Experiment>,
    /// Test all claims; with --out, also write README.md, which lists them
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Write a page (NAME.md) and its plots (NAME.svg) into DIR for each experiment
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

fn experiment_parser() -> impl TypedValueParser<Value = &'static Experiment> {
    Names::new(EXPERIMENTS.iter().map(|row| row.name), &[]).try_map(|name| Experiment::named(&name))
}
