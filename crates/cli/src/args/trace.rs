//! The arguments of `loyd trace`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Arg, Args, ValueEnum};
use loyd::Config;
use loyd_lab::trace::TraceFormat;

use super::pdb::CacheArgs;
use super::{LimitArgs, ProblemArgs, ProgressArgs, SearchArgs};
use crate::units;

/// Show one search as it happens, node by node, with the reason of each pruning.
///
/// An event is a node that is expanded, generated, reached in a shorter way or pruned, or a child whose board is known.
/// The search meets the same nodes in the same order as that of `solve`, and stops when there are more events than
/// --max-events; the trace then says so.
#[derive(Debug, Args)]
#[command(
    mut_arg("quality", hidden),
    mut_arg("algorithm", with_astar),
    after_help = "Examples:\n  \
    loyd trace \"1 2 3/4 x 5/7 8 6\"\n  \
    loyd trace 23415x768 --algorithm idastar --heuristic linear-conflict\n  \
    loyd trace 23415x768 --format jsonl | jq -c 'select(.type == \"pruned\")'\n  \
    loyd trace 23415x768 --format dot --max-events 200 | dot -Tsvg > trace.svg\n  \
    loyd trace 23415x768 --format posthoc > astar.trace.json"
)]
pub struct TraceArgs {
    /// The board, in one argument or its tiles as separate ones
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    /// Read the board from FILE, `-` being standard input [default: standard input, if it is no terminal]
    #[arg(short, long, value_name = "FILE", conflicts_with = "board")]
    pub file: Option<PathBuf>,
    /// The form of the trace
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// End the trace after so many events
    #[arg(long, value_name = "N", value_parser = units::positive::<NonZeroU64>, default_value = "20000")]
    pub max_events: NonZeroU64,
    #[command(flatten)]
    pub problem: ProblemArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The forms of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines, indented by the moves so far
    Text,
    /// A graph for Graphviz, of up to some hundred events
    Dot,
    /// JSON Lines: a header, an object for each event, the result
    Jsonl,
    /// A search trace 1.4.0 for Posthoc, as JSON
    Posthoc,
}

impl From<Format> for TraceFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::Dot => Self::Dot,
            Format::Jsonl => Self::JsonLines,
            Format::Posthoc => Self::Posthoc,
        }
    }
}

/// A quality leaves open how to search.
fn hidden(arg: Arg) -> Arg {
    arg.hide(true)
}

fn with_astar(arg: Arg) -> Arg {
    arg.help("One of `loyd list algorithms` [default: astar; wastar if there is a --weight]")
}

impl TraceArgs {
    /// The configuration that the arguments ask for.
    pub fn config(&self) -> Config {
        let search = &self.search;
        Config {
            algorithm: search.algorithm.or(search.weight.is_none().then_some("astar")),
            quality: search.quality,
            store: self.cache.store(),
            limits: self.limits.limits(search.max_depth),
            ..search.config(&self.limits, false)
        }
    }
}
