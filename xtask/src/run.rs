//! Running cargo, asking it about the workspace, and saying what was found.

use std::env;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::Result;

/// The cargo that runs this program.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// Runs `command` and takes any other end than success for an error.
pub fn succeed(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("cannot run {shown}"))?;
    if !status.success() {
        bail!("{shown} failed ({status})");
    }
    Ok(())
}

/// What cargo says about the workspace, dependencies of dependencies left out.
pub fn metadata() -> Result<Value> {
    let output = cargo(&["metadata", "--no-deps", "--format-version", "1"]).output()?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Builds the command line program for release and returns its path.
pub fn release_build() -> Result<PathBuf> {
    succeed(&mut cargo(&["build", "--quiet", "--release", "--package", "loyd-cli"]))?;
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().context("no target directory")?;
    let name = format!("loyd{}", env::consts::EXE_SUFFIX);
    Ok(PathBuf::from(target).join("release").join(name))
}

/// Turns on the commands and formats that are heavy to build. Crates that they are no part of are not compiled again.
pub const FULL: &str = "--features=loyd-cli/full";

/// The path of a program.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Prints a line. Whoever reads the output may have seen enough, as in `cargo xtask edges | head -1`: the task goes
/// on, and its status says how it ended.
pub fn say(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}
