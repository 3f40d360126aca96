//! The folder in which a recipe runs, and the check of its results.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use anyhow::{Result, ensure};

/// Number of shards.
pub const SHARDS: &str = "8";

/// A folder for the files of a recipe, and what it runs.
pub struct Place {
    pub folder: PathBuf,
    /// The folder of the program under test, before those in `PATH`.
    pub path: String,
    pub recipe: PathBuf,
}

impl Place {
    /// Returns a command that runs in the folder, with the program under test in its path.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).env("PATH", &self.path).env("LOYD_CACHE", "none");
        command
    }

    /// Writes a file of boards, and returns the words that solve it, expanding at most `nodes` nodes for each.
    pub fn work(&self, nodes: u32) -> Result<Vec<String>> {
        let boards = self
            .command("loyd")
            .args(["scramble", "--size", "4x4", "-n", "48"])
            .arg("--seed=1")
            .output()?;
        fs::write(self.folder.join("boards.txt"), boards.stdout)?;
        let words = format!(
            "solve -f boards.txt --algorithm idastar --heuristic linear-conflict --max-expanded {nodes}"
        );
        Ok(words.split(' ').map(str::to_owned).collect())
    }

    /// Returns the numbers of the shards without a complete result.
    pub fn missing(&self) -> Result<String> {
        let output = self.command("loyd").args(["merge", "--missing", "results"]).output()?;
        ensure!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Checks that the joined results are what one process prints, and have its exit status.
    pub fn check(&self, words: &[String], shards: u32) -> Result<()> {
        let whole = self.command("loyd").args(words).output()?;
        let files = (0..shards).map(|shard| format!("results/shard-{shard}"));
        let merged = self.command("loyd").arg("merge").args(files).output()?;
        ensure!(merged.status.code() == whole.status.code(), "{}", stderr(&merged));
        ensure!(!whole.stdout.is_empty(), "{}", stderr(&whole));
        ensure!(merged.stdout == whole.stdout, "the joined results differ");
        ensure!(self.missing()?.is_empty(), "results are missing");
        Ok(())
    }
}

/// Returns the messages of a program.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
