//! The log of a record: a line of JSON for each solved board.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::Value;

use anyhow::{Context, Result};

/// Returns the moves of the boards in the log, by number.
pub fn done(log: &Path) -> Result<BTreeMap<u64, String>> {
    let lines = if log.exists() { lines(log)? } else { Vec::new() };
    let moves = |line: &Value| Some((line["number"].as_u64()?, line["moves"].as_str()?.to_owned()));
    Ok(lines.iter().filter_map(moves).collect())
}

/// Returns the lines of the log, except one that an interruption has cut short.
pub fn lines(log: &Path) -> Result<Vec<Value>> {
    let bytes = fs::read(log).with_context(|| log.display().to_string())?;
    // The cut may be within a character.
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Appends a line and waits until it is on disk. If the previous line was cut short, a line break is added first.
pub fn append(log: &Path, line: &Value) -> Result<()> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    let before = fs::read(log).unwrap_or_default();
    let end = if before.is_empty() || before.ends_with(b"\n") { "" } else { "\n" };
    let mut file = OpenOptions::new().create(true).append(true).open(log)?;
    file.write_all(format!("{end}{line}\n").as_bytes())?;
    Ok(file.sync_all()?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cut_line_does_not_spoil_the_next() {
        let name = format!("loyd-record-{}.jsonl", std::process::id());
        let log = std::env::temp_dir().join(name);
        let line = |number: u32| json!({"command": "…", "number": number, "moves": "ul"});
        append(&log, &line(1)).unwrap();
        let whole = fs::read(&log).unwrap();
        let within_the_dots = 1 + whole.iter().position(|byte| !byte.is_ascii()).unwrap();
        fs::write(&log, [&whole[..], &whole[..within_the_dots]].concat()).unwrap();
        append(&log, &line(2)).unwrap();
        assert_eq!(lines(&log).unwrap(), [line(1), line(2)]);
        assert_eq!(done(&log).unwrap(), [(1, "ul".to_owned()), (2, "ul".to_owned())].into());
        fs::remove_file(&log).unwrap();
    }
}
