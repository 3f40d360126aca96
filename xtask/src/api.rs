//! The API of the server against its own description, by Schemathesis.

use std::path::PathBuf;
use std::process::Command;

use clap::Args as Arguments;

use crate::Result;
use crate::run::succeed;
use crate::serving::{Serving, build_as_tests_do, target};
use crate::venv::Venv;

/// Ask the server all that its description allows, and much that it does not, and compare the answers with it (needs
/// Python 3 with `venv`).
#[derive(Arguments)]
pub struct Args {
    /// For each question, this many requests drawn at random
    #[arg(long, default_value_t = 40)]
    examples: u32,
    /// Draw requests by this seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What is installed from PyPI.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// What is known about the API that its description cannot say.
const CONFIG: &str = "crates/server/schemathesis.toml";

/// What the server allows a request here: the tests are about answers, not about searches.
const LIMITS: [&str; 4] = ["--max-time", "1s", "--max-memory", "256M"];

pub fn run(args: &Args) -> Result<()> {
    let (program, target) = (build_as_tests_do()?, target()?);
    let schemathesis = install()?;
    let mut server = Serving::start(&program, &target.join("api-cache"), &LIMITS)?;
    let mut command = Command::new(schemathesis);
    command.args(["--config-file", CONFIG, "run", "--no-color"]);
    command.args(["--seed", &args.seed.to_string()]);
    command.args(["--max-examples", &args.examples.to_string()]);
    command.arg(format!("{}api/v1/openapi.json", server.address()));
    succeed(&mut command)?;
    server.check()
}

/// Installs Schemathesis in a virtual environment, unless it is there.
pub fn install() -> Result<PathBuf> {
    let venv = Venv::open("schemathesis")?;
    let program = venv.program("schemathesis");
    if !program.is_file() {
        succeed(venv.pip_install().arg(SCHEMATHESIS))?;
    }
    Ok(program)
}
