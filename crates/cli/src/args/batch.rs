//! Many solutions, and many boards.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use loyd::search::{Direction, Shard};

use crate::units;

/// How many solutions of each board are wanted.
#[derive(Debug, Args)]
pub struct AnswersArgs {
    /// Print all shortest solutions, each as soon as it is found; up before left before right before
    /// down, and of slides in one direction shorter ones first
    #[arg(long, conflicts_with = "count")]
    pub all: bool,
    /// Print at most N solutions of each board
    #[arg(
        long,
        value_name = "N",
        requires = "all",
        value_parser = units::positive::<NonZeroU64>,
        allow_negative_numbers = true
    )]
    pub limit: Option<NonZeroU64>,
    /// Print how many shortest solutions there are
    #[arg(long)]
    pub count: bool,
}

/// How many boards are solved.
#[derive(Debug, Args)]
pub struct BatchArgs {
    /// Use so many threads: all for a single board, or one for each of many boards [default: one for each
    /// core]
    #[arg(
        long,
        value_name = "N",
        value_parser = units::positive::<NonZeroUsize>,
        allow_negative_numbers = true
    )]
    pub threads: Option<NonZeroUsize>,
    /// Write the solutions of a file of boards, or of one hard board, to FILE, so that --resume can continue after an
    /// interruption; a single board is put aside in FILE.checkpoint every 30 seconds
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Continue what was saved in FILE, or begin it if there is no such file
    #[arg(long, requires = "save")]
    pub resume: bool,
    /// Do one of N shares of the work, 0/N to (N-1)/N, so that N machines divide it: of a file, every Nth board; of a
    /// single board, every Nth subtree of the search (with --output json). `loyd merge` joins what they print
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Begin at the start (forward) or at the goal (backward), for the searches that --save can put aside
    /// [default: hard boards with a `catalogue` for both ends are tried from both; forward with --shard]
    #[arg(long, value_name = "DIRECTION")]
    pub direction: Option<Direction>,
}

impl BatchArgs {
    /// The number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        or_cores(self.threads)
    }
}

/// The number of threads: one for each core by default.
pub fn or_cores(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    /// More than any machine has use for.
    const MOST: NonZeroUsize = NonZeroUsize::new(256).expect("not 0");
    let cores = std::thread::available_parallelism();
    threads.unwrap_or(cores.unwrap_or(NonZeroUsize::MIN)).min(MOST)
}
