//! Boards with the lengths of their shortest solutions: runs a test of `crates/solver/tests/fifteen.rs` in release mode.

use crate::run::{cargo, succeed};
use anyhow::Result;

/// Draw the boards of the tests again, solve each with two heuristics, and write the files or compare with them.
#[derive(clap::Args)]
pub struct Args {
    /// Compare with the files instead of writing them
    #[arg(long)]
    check: bool,
    /// Only these sizes
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    sizes: Vec<String>,
}

pub fn run(args: &Args) -> Result<()> {
    let mut command =
        cargo(&["test", "--release", "--package", "loyd-solver", "--test", "fifteen"]);
    command.args(["--", "--ignored", "--nocapture", "fixture_files_match_seed_and_solver"]);
    command.env("LOYD_FIXTURES", if args.check { "check" } else { "write" });
    succeed(command.env("LOYD_FIXTURES_SIZES", args.sizes.join(",")))
}
