//! Finds the shards without a result.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use loyd::search::Shard;
use serde_json::Value;

use super::{comparison, dataset};
use crate::commands::dataset_shards::ShardFolder;
use crate::commands::solve::{Notes, read_notes};
use crate::failure::{Failure, Status};
use crate::files;
use crate::memory;
use crate::saved_files::checksum_of;

/// Prints the numbers of the shards without a result among `paths`, which are files or folders of them, as lists of
/// tasks are written: `3,7,12-15`.
pub fn print(paths: &[PathBuf]) -> Result<Status, Failure> {
    let mut found: BTreeMap<Shard, bool> = BTreeMap::new();
    let mut first: Option<(Shard, String)> = None;
    for (path, is_named) in files_of(paths)? {
        let name = path.display().to_string();
        let Some((shard, is_complete)) = result(&path).with_context(|| name.clone())? else {
            if is_named {
                return Err(anyhow::anyhow!("{name} is not a result of a shard").into());
            }
            continue;
        };
        let (other, other_name) = first.get_or_insert((shard, name.clone()));
        if other.count() != shard.count() {
            let message = format!(
                "{name} is shard {shard}, and {other_name} shard {other}: they do not divide the same work"
            );
            return Err(anyhow::anyhow!(message).into());
        }
        *found.entry(shard).or_default() |= is_complete;
    }
    let Some((first, _)) = first else {
        let message = "there is no result of a shard, so the number of shards is unknown";
        return Err(anyhow::anyhow!(message).into());
    };
    let all = (0..first.count()).filter_map(|index| Shard::new(index, first.count()));
    let missing: Vec<u32> =
        all.filter(|shard| found.get(shard) != Some(&true)).map(|shard| shard.index()).collect();
    if missing.is_empty() {
        return Ok(Status::Yes);
    }
    writeln!(io::stdout(), "{}", ranges(&missing))?;
    Ok(Status::No)
}

/// Returns the files among `paths` and those in folders among them, and whether they are named themselves.
fn files_of(paths: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, bool)>> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() || ShardFolder::is_dataset(path) {
            all.push((path.clone(), true));
            continue;
        }
        let name = || format!("cannot read {}", path.display());
        for entry in fs::read_dir(path).with_context(name)? {
            let file = entry.with_context(name)?.path();
            if file.is_file() || ShardFolder::is_dataset(&file) {
                all.push((file, false));
            }
        }
    }
    all.sort();
    Ok(all)
}

/// Returns the shard of a file, and whether it is complete; `None` if the file is not the result of a shard.
fn result(path: &Path) -> anyhow::Result<Option<(Shard, bool)>> {
    if path.is_dir() {
        return dataset::result(path);
    }
    if comparison::is_comparison(path) {
        return comparison::result(path);
    }
    let file = files::open(path)?;
    let notes = read_notes(path);
    let Ok(text) = files::read_text(file, memory::free() / 3) else {
        return match notes {
            Some(_) => bail!("it is not text"),
            None => Ok(None),
        };
    };
    match notes {
        Some(Notes { settings, checksum, .. }) => {
            let Some(Ok(shard)) = settings.get("--shard").map(|value| value.parse()) else {
                return Ok(None);
            };
            // The result of a single board is written when its search ends, and has no checksum.
            let is_complete = match checksum {
                Some(checksum) => checksum == checksum_of(text.as_bytes()),
                None => record(&text).is_some_and(|record| is_of_board(&record)),
            };
            Ok(Some((shard, is_complete)))
        }
        None => Ok(record(&text).and_then(|record| {
            let shard = record["shard"].as_str()?.parse().ok()?;
            let is_open = record["status"] == "stopped" && record["stopped_by"] != "depth";
            Some((shard, text.ends_with('\n') && !(is_of_board(&record) && is_open)))
        })),
    }
}

/// Returns the first record of a text.
fn record(text: &str) -> Option<Value> {
    serde_json::from_str(text.lines().next()?).ok()
}

/// Returns whether a record is that of a shard of a single board.
fn is_of_board(record: &Value) -> bool {
    record.get("searched_below").is_some()
}

/// Formats increasing numbers as a list of numbers and ranges.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let texts = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run[0].to_string(),
    });
    texts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_joined_to_ranges() {
        assert_eq!(ranges(&[3, 7, 12, 13, 14, 15]), "3,7,12-15");
        assert_eq!(ranges(&[0, 1]), "0-1");
    }
}
