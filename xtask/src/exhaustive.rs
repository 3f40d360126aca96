//! Solves every 3x3 board with every row that guarantees a shortest solution: runs the test file `exhaustive` in
//! release mode on all boards instead of samples.

use crate::run::{cargo, succeed};
use anyhow::{Result, bail};

/// Solve every 3x3 board with every row that guarantees a shortest solution.
#[derive(clap::Args)]
pub struct Args {
    /// Threads that solve boards [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Only these algorithms or single rows, as in `bibfs,"ucs hashed"`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    rows: Vec<String>,
}

pub fn run(args: &Args) -> Result<()> {
    if args.threads == Some(0) {
        bail!("--threads 0 would solve nothing");
    }
    let mut command =
        cargo(&["test", "--release", "--package", "loyd-solver", "--test", "exhaustive"]);
    // One test at a time, so that the table of times is meaningful.
    command.args(["--", "--nocapture", "--test-threads", "1"]);
    command.env("LOYD_EXHAUSTIVE", "all").env("LOYD_EXHAUSTIVE_ROWS", args.rows.join(","));
    if let Some(threads) = args.threads {
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    succeed(&mut command)
}
