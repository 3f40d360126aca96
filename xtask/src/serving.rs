//! Starts the program as a server, for tests and benchmarks.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::run::{FULL, cargo, metadata};

/// A running server process. Dropping it kills the process.
pub struct Serving {
    child: Child,
    address: String,
}

impl Serving {
    /// Starts `loyd serve` on a free port with additional arguments. `cache` is the folder for its tables.
    pub fn start(program: &Path, cache: &Path, arguments: &[&str]) -> Result<Self> {
        fs::create_dir_all(cache)?;
        let mut command = Command::new(program);
        command.args(["serve", "--port", "0", "--output", "json", "--log", "warn"]);
        Self::spawn(command.args(arguments).env("LOYD_CACHE", cache))
    }

    /// Starts a program that prints its address as JSON, like `loyd serve --output json`.
    pub fn spawn(command: &mut Command) -> Result<Self> {
        let child = command.stdout(Stdio::piped()).spawn();
        let child = child.with_context(|| format!("cannot run {command:?}"))?;
        let mut serving = Self { child, address: String::new() };
        let output = serving.child.stdout.take().context("no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let line: Value = serde_json::from_str(&line).context("the server prints no address")?;
        let address = line["address"].as_str().context("the server prints no address")?;
        address.clone_into(&mut serving.address);
        Ok(serving)
    }

    /// Returns the address: `http://127.0.0.1:PORT/`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns an error if the process has ended.
    pub fn check(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => bail!("the server has ended ({status})"),
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Builds the program with all features for its tests, and returns its path. If the tests have run, nothing is
/// compiled: `cargo build` would enable fewer features of shared dependencies and compile the program again.
pub fn build_test_program() -> Result<PathBuf> {
    let mut build = cargo(&["test", "--quiet", "--workspace", FULL, "--test", "serve", "--no-run"]);
    build.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let output = build.output()?;
    if !output.status.success() {
        bail!("{build:?} failed ({})", output.status);
    }
    let messages = String::from_utf8(output.stdout)?;
    let mut messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let program = messages.find_map(|message: Value| {
        let is_program = message["target"]["kind"][0] == "bin";
        message["executable"].as_str().filter(|_| is_program).map(PathBuf::from)
    });
    program.context("cargo built no program")
}

/// Returns the target directory.
pub fn target() -> Result<PathBuf> {
    Ok(metadata()?["target_directory"].as_str().context("no target directory")?.into())
}
