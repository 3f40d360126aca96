//! Compares large pattern databases with a plain search: a test that takes too long to run for every change.

use crate::run::{cargo, succeed};
use anyhow::Result;

/// Compare every entry of a 4x5 and a 5x5 pattern database with a plain search (takes minutes).
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_: &Args) -> Result<()> {
    let test = ["test", "--release", "--package", "loyd-kernels", "--test", "six_tiles"];
    succeed(cargo(&test).args(["--", "--ignored", "--nocapture"]))
}
