//! Solves the same thousand boards of each size in two ways: runs the test file `agree` in release mode.

use crate::run::{cargo, succeed};
use anyhow::Result;

/// Solve boards of each size in two ways, which must agree (takes some minutes).
#[derive(clap::Args)]
pub struct Args {
    /// Boards of each size
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    boards: u32,
}

pub fn run(args: &Args) -> Result<()> {
    let mut command = cargo(&["test", "--release", "--package", "loyd-solver", "--test", "agree"]);
    command.args(["--", "--include-ignored", "--nocapture", "--test-threads", "1"]);
    succeed(command.env("LOYD_AGREE", args.boards.to_string()))
}
