//! The machine and the commit with which a board was solved.

use std::fs;
use std::process::Command;

use anyhow::Result;

/// Returns the model of the processor, its number of threads, and its best vector instructions.
pub fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let has = |flag: &str| info.split_whitespace().any(|word| word == flag);
    let vectors = if has("avx512vbmi") {
        "AVX-512"
    } else if has("avx2") {
        "AVX2"
    } else {
        "no vectors"
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {threads} threads, {vectors}", name.map_or("a processor", |(_, name)| name))
}

/// Returns the commit that is checked out, with `-changed` appended if the sources differ from it.
pub fn commit() -> Result<String> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output = Command::new("git").args(arguments).output()?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let sources = ["Cargo.toml", "Cargo.lock", "crates"];
    let changes = git(&[&["status", "--porcelain", "--"], &sources[..]].concat())?;
    Ok(if changes.is_empty() { commit } else { commit + "-changed" })
}
