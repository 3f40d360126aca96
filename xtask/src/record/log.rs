//! The log of a record: a line of JSON for each board that is solved.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::Result;

/// The numbers of the boards that the log has.
pub fn done(log: &Path) -> Result<BTreeSet<u32>> {
    let lines = if log.exists() { lines(log)? } else { Vec::new() };
    let number =
        |line: &Value| line["number"].as_u64().and_then(|number| u32::try_from(number).ok());
    Ok(lines.iter().filter_map(number).collect())
}

/// The lines of the log; one that was cut short by an interruption is left out.
pub fn lines(log: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(log).with_context(|| log.display().to_string())?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Adds a line.
pub fn append(log: &Path, line: &Value) -> Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file: File = OpenOptions::new().create(true).append(true).open(log)?;
    Ok(writeln!(file, "{line}")?)
}
