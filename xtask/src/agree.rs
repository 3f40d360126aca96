//! Two ways to solve the same thousand boards of each size: the test file of that name, in release.

use crate::Result;
use crate::run::{cargo, succeed};

/// Solve boards of each size in two ways, which have to agree (takes some minutes).
#[derive(clap::Args)]
pub struct Args {
    /// Boards a size
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    boards: u32,
}

pub fn run(args: &Args) -> Result<()> {
    let mut command = cargo(&["test", "--release", "--package", "loyd", "--test", "agree"]);
    command.args(["--", "--include-ignored", "--nocapture", "--test-threads", "1"]);
    succeed(command.env("LOYD_AGREE", args.boards.to_string()))
}
