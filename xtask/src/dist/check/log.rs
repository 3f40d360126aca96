//! The log of checks: JSON lines, and a page about them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use crate::dist::items::Item;
use crate::dist::manifest::text;
use crate::dist::release::Release;
use crate::run::print_line;

/// Name of the log in the output folder.
const LOG: &str = "checks.jsonl";

/// The checks done so far.
pub struct Log {
    version: String,
    commit: String,
    file: String,
    environment: String,
    rows: Vec<Value>,
}

impl Log {
    pub fn new(release: &Release) -> Self {
        let (version, commit) = (release.version.clone(), release.commit.clone());
        let (file, environment) = (String::new(), String::new());
        Self { version, commit, file, environment, rows: Vec::new() }
    }

    /// Starts the checks of a file.
    pub fn start(&mut self, item: &Item, row: &Value) {
        text(row, "file").clone_into(&mut self.file);
        eprintln!("== {}: {}", item.name(), self.file);
        self.enter("");
    }

    /// Sets the environment of the following checks.
    pub fn enter(&mut self, environment: &str) {
        environment.clone_into(&mut self.environment);
    }

    /// Records a check that passed.
    pub fn pass(&mut self, check: &str) {
        self.add(check, "passed");
    }

    /// Records a check that failed, with the error.
    pub fn fail(&mut self, message: &str) {
        self.add(message, "failed");
    }

    /// Records a check that was not done, with the reason.
    pub fn skip(&mut self, reason: &str) {
        self.add(reason, "skipped");
    }

    fn add(&mut self, check: &str, result: &str) {
        print_line(format_args!("{result}: {}: {} {check}", self.file, self.environment));
        self.rows.push(json!({
            "file": self.file,
            "environment": self.environment,
            "check": check,
            "result": result,
            "commit": self.commit,
        }));
    }

    pub fn failures(&self) -> usize {
        self.rows.iter().filter(|row| row["result"] == "failed").count()
    }

    /// Writes the log to the output folder.
    pub fn finish(&self, folder: &Path) -> Result<()> {
        Ok(fs::write(folder.join(LOG), self.lines())?)
    }

    fn lines(&self) -> String {
        self.rows.iter().map(|row| format!("{row}\n")).collect()
    }

    /// Writes the log and its page to docs/records.
    pub fn record(&self, root: &Path, manifest: &Value) -> Result<()> {
        let path = root.join("docs/records").join(format!("release-{}.jsonl", self.version));
        fs::write(&path, self.lines())?;
        Ok(fs::write(path.with_extension("md"), self.page(manifest)?)?)
    }

    fn page(&self, manifest: &Value) -> Result<String> {
        let rows = |key: &str| manifest[key].as_array().cloned().unwrap_or_default();
        let (version, commit) = (&self.version, &self.commit);
        let mut page = format!(
            "# Release {version}: checks\n\n\
             `cargo xtask dist --check --record` writes this page and the log of the same name, after `cargo xtask \
             dist` has built the files from commit {commit}. [platforms.md](../platforms.md) describes the \
             environments.\n\n\
             | file | bytes | SHA-256 |\n|---|---:|---|\n"
        );
        for file in rows("files") {
            let (name, sum) = (text(&file, "file"), text(&file, "sha256"));
            writeln!(page, "| `{name}` | {} | `{sum}` |", file["size"])?;
        }
        for row in rows("left_out") {
            let (kind, platform) = (text(&row, "kind"), text(&row, "platform"));
            writeln!(page, "\nLeft out: {kind} for {platform}. {}", text(&row, "reason"))?;
        }
        page.push_str("\n| file | environment | check | result |\n|---|---|---|---|\n");
        for row in &self.rows {
            let (file, place) = (text(row, "file"), text(row, "environment"));
            let check = text(row, "check").replace('|', "\\|").replace('\n', " ");
            writeln!(page, "| `{file}` | {place} | {check} | {} |", text(row, "result"))?;
        }
        Ok(page)
    }
}
