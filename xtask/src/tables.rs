//! Large pattern databases against the plain search: a test that takes too long for every change.

use crate::Result;
use crate::run::{cargo, succeed};

/// Compare every entry of a 4x5 and of a 5x5 pattern database with a plain search (takes minutes).
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_: &Args) -> Result<()> {
    let test = ["test", "--release", "--package", "loyd-kernels", "--test", "six_tiles"];
    succeed(cargo(&test).args(["--", "--ignored", "--nocapture"]))
}
