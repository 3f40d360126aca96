//! Every 3x3 board with every row that promises a shortest solution: the test file of that name, run
//! in release and without samples.

use anyhow::bail;

use crate::Result;
use crate::run::{cargo, succeed};

/// Solve every 3x3 board with every row that promises a shortest solution.
#[derive(clap::Args)]
pub struct Args {
    /// Threads that solve boards [default: one a core]
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
    let mut command = cargo(&["test", "--release", "--package", "loyd", "--test", "exhaustive"]);
    // One test after the other, so that the table of times means something.
    command.args(["--", "--nocapture", "--test-threads", "1"]);
    command.env("LOYD_EXHAUSTIVE", "all").env("LOYD_EXHAUSTIVE_ROWS", args.rows.join(","));
    if let Some(threads) = args.threads {
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    succeed(&mut command)
}
