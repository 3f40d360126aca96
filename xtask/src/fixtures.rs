//! Boards with the lengths of their optimal solutions: runs a test of `crates/loyd/tests/fifteen.rs` in release.

use crate::Result;
use crate::run::{cargo, succeed};

/// Draw the boards of the tests again, solve each with two heuristics, and write or compare the files.
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
    let mut command = cargo(&["test", "--release", "--package", "loyd", "--test", "fifteen"]);
    command.args(["--", "--ignored", "--nocapture", "files_are_what_seed_and_solver_say"]);
    command.env("LOYD_FIXTURES", if args.check { "check" } else { "write" });
    succeed(command.env("LOYD_FIXTURES_SIZES", args.sizes.join(",")))
}
