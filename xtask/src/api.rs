//! Tests the API of the server against its own description with Schemathesis.

use std::path::PathBuf;
use std::process::Command;

use clap::Args as Arguments;

use crate::run::succeed;
use crate::serving::{Serving, build_test_program, target};
use crate::venv::Venv;
use anyhow::Result;

/// Send the server requests that its description allows, and many that it does not, and check the responses against it
/// (needs Python 3 with `venv`).
#[derive(Arguments)]
pub struct Args {
    /// Random requests for each operation
    #[arg(long, default_value_t = 40)]
    examples: u32,
    /// Seed of the requests
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The package to install from PyPI.
const SCHEMATHESIS: &str = "schemathesis==4.32.5";

/// Facts about the API that its description cannot express.
const CONFIG: &str = "crates/server/schemathesis.toml";

/// Limits for each request: the tests check responses, not searches.
const LIMITS: [&str; 4] = ["--max-time", "1s", "--max-memory", "256M"];

pub fn run(args: &Args) -> Result<()> {
    let (program, target) = (build_test_program()?, target()?);
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

/// Installs Schemathesis in a virtual environment, unless it is installed, and returns its path.
pub fn install() -> Result<PathBuf> {
    let venv = Venv::open("schemathesis")?;
    let program = venv.program("schemathesis");
    if !program.is_file() {
        succeed(venv.pip_install().arg(SCHEMATHESIS))?;
    }
    Ok(program)
}
