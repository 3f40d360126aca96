//! Runs cargo and other programs, reads the metadata of the workspace, and prints results.

use std::env;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Returns a command for the cargo that runs this program.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// Runs `command`; any exit status other than success is an error.
pub fn succeed(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("cannot run {shown}"))?;
    if !status.success() {
        bail!("{shown} failed ({status})");
    }
    Ok(())
}

/// Returns the metadata of the members of the workspace, without that of other packages.
pub fn metadata() -> Result<Value> {
    let output = cargo(&["metadata", "--no-deps", "--format-version", "1"]).output()?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Builds the command line program for release and returns its path.
pub fn release_build() -> Result<PathBuf> {
    succeed(&mut cargo(&["build", "--quiet", "--release", "--package", "loyd"]))?;
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().context("no target directory")?;
    let name = format!("loyd{}", env::consts::EXE_SUFFIX);
    Ok(PathBuf::from(target).join("release").join(name))
}

/// The flag that enables the commands and formats that take long to build. Crates without the feature are not
/// recompiled.
pub const FULL: &str = "--features=loyd/full";

/// Returns the path of a program in `PATH`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let paths = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&paths).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Prints a line to standard output. Errors are ignored: if the reader has closed the pipe, as in
/// `cargo xtask edges | head -1`, the task still runs to its end and returns its status.
pub fn print_line(line: impl Display) {
    let _ = writeln!(io::stdout(), "{line}");
}
