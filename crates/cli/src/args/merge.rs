//! What shards have found, put together.

use std::path::PathBuf;

use clap::Args;

use super::Output;

/// Join what the shards of `loyd solve --shard` have printed or saved.
///
/// Shards of a file of boards give the lines that one process would have printed. Shards of one board give the shortest
/// solution that any of them has found, whether it is proved to be a shortest one, and the sums of the rounds that all of
/// them have completed.
///
/// All shards have to be there, once each. Records of JSON tell which one they are of, and so do the notes beside a
/// file of --save; other files of moves are named in the order of their shards. The exit status is 0, or 1 where one board
/// is not solved by a solution proved to be a shortest one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd merge answers.0 answers.1 answers.2 > answers.txt\n  \
    loyd merge answers-*.jsonl > answers.jsonl\n  \
    loyd merge shard-*.json\n  \
    loyd merge shard-*.json --output json")]
pub struct MergeArgs {
    /// What the shards have printed, or saved
    #[arg(value_name = "FILES", required = true)]
    pub files: Vec<PathBuf>,
    /// How to print what the shards of one board have found; lines of a batch are printed as they are
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}
