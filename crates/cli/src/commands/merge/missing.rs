//! Finds the shards without a complete result.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use loyd::search::Shard;
use serde_json::Value;

<<<<<<< HEAD
use super::source::{Kind, ShardRecord, Source, belongs_to_saved, check_same_notes, check_work};
use crate::failure::{Failure, Status, print_note};
=======
use super::{comparison, dataset};
use crate::commands::dataset_shards::ShardFolder;
use crate::commands::solve::{Notes, read_notes};
use crate::failure::{Failure, Status};
use crate::files;
>>>>>>> wshard
use crate::memory;

/// Prints the numbers of the shards without a complete result among `paths`, which are files or folders of them, as
/// lists of tasks are written: `3,7,12-15`. Complete results are those that `loyd merge` accepts, except that a search
/// for a single board must have ended. A file that does not show its shard counts for none.
pub fn print(paths: &[PathBuf]) -> Result<Status, Failure> {
    let mut found = Found::default();
    for (path, is_named) in files_of(paths)? {
<<<<<<< HEAD
        // The text of a file is in memory twice while it is divided into lines, and its records are parsed.
        match Source::read_any(&path, &mut (memory::free() / 3)) {
            Ok(source) => found.add(source, is_named)?,
            Err(error) if is_named => return Err(error.into()),
            // The folder has other files too.
            Err(error) if is_not_text(&error) => {}
            Err(error) => print_note(format_args!("{error:#}: it counts for no shard")),
=======
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
>>>>>>> wshard
        }
    }
    let missing = found.missing()?;
    if missing.is_empty() {
        return Ok(Status::Yes);
    }
    writeln!(io::stdout(), "{}", ranges(&missing))?;
    Ok(Status::No)
}

/// The shards of the files so far, which belong to the same work.
#[derive(Default)]
struct Found {
    /// Whether a result of the shard is complete.
    shards: BTreeMap<Shard, bool>,
    first: Option<(Shard, Source)>,
    /// The first record, and its place.
    work: Option<(String, ShardRecord)>,
}

impl Found {
    /// Adds the results in a file.
    ///
    /// # Errors
    /// Returns an error if it belongs to other work than those before it, or if it `is_named` and is not the result of a
    /// shard, not even the start of one.
    fn add(&mut self, source: Source, is_named: bool) -> anyhow::Result<()> {
        let shards = self.shards_in(&source)?;
        let Some((&shard, _)) = shards.first_key_value() else {
            let text = source.lines.first().map_or("", String::as_str);
            let is_start = text.is_empty() || source.is_torn && text.starts_with('{');
            if is_named && !(is_start && source.lines.len() <= 1) {
                bail!("{} is not a result of `loyd solve --shard`", source.name);
            }
            return Ok(());
        };
        for (shard, is_complete) in shards {
            *self.shards.entry(shard).or_default() |= is_complete;
        }
        let Some((first_shard, first)) = &self.first else {
            self.first = Some((shard, source));
            return Ok(());
        };
        check_same_notes(first, &source)?;
        if first_shard.count() != shard.count() {
            let (name, first) = (&source.name, &first.name);
            bail!(
                "{name} is shard {shard}, and {first} shard {first_shard}: they do not divide the same work"
            );
        }
        Ok(())
    }

    /// Returns the shards in a file, and whether they are complete. Empty if the file shows none.
    ///
    /// # Errors
    /// Returns an error if a record belongs to other work than those before it, or if records of a file of boards belong
    /// to several shards.
    fn shards_in(&mut self, source: &Source) -> anyhow::Result<BTreeMap<Shard, bool>> {
        let kind = source.kind();
        if let Some(settings) = &source.settings
            && kind != Some(Kind::Board)
        {
            let shard = settings.get("--shard").and_then(|shard| shard.parse().ok());
            let is_complete = source.check_complete().is_ok();
            return Ok(shard.into_iter().map(|shard| (shard, is_complete)).collect());
        }
        let (mut shards, mut is_damaged) = (BTreeMap::new(), source.is_torn);
        let complete_lines = source.lines.len() - usize::from(source.is_torn);
        for (index, line) in source.lines[..complete_lines].iter().enumerate() {
            let Some(shard) = shard_of(line) else {
                is_damaged = true;
                continue;
            };
            let record = source.record(index).ok();
            if let Some((record, _)) = &record {
                check_work(&mut self.work, &source.place(index), record)?;
            }
            let is_complete = match (record, kind) {
                (None, _) => false,
                (Some((record, _)), Some(Kind::Board)) => {
                    !record.is_open() && !is_searched_further(source)
                }
                (Some(_), _) => true,
            };
            shards.entry(shard).and_modify(|all| *all &= is_complete).or_insert(is_complete);
        }
        if kind == Some(Kind::Records) {
            if let [one, other, ..] = shards.keys().collect::<Vec<_>>()[..] {
                bail!("{}: its records belong to several shards: {one} and {other}", source.name);
            }
            shards.values_mut().for_each(|is_complete| *is_complete &= !is_damaged);
        }
        Ok(shards)
    }

    /// Returns the numbers of the shards without a complete result.
    ///
    /// # Errors
    /// Returns an error if there is no result, so that the number of shards is unknown.
    fn missing(&self) -> anyhow::Result<Vec<u32>> {
        let Some((first, _)) = self.shards.first_key_value() else {
            return Err(anyhow!(
                "there is no result of a shard, so the number of shards is unknown"
            ));
        };
        let all = (0..first.count()).filter_map(|index| Shard::new(index, first.count()));
        let is_missing = |shard: &Shard| self.shards.get(shard) != Some(&true);
        Ok(all.filter(is_missing).map(|shard| shard.index()).collect())
    }
}

/// Returns the shard of a record, which may be wrong otherwise.
fn shard_of(line: &str) -> Option<Shard> {
    serde_json::from_str::<Value>(line).ok()?["shard"].as_str()?.parse().ok()
}

/// Returns whether a saved search for a board went on after its result was written, with a larger `--max-depth`.
fn is_searched_further(source: &Source) -> bool {
    let modified = |name: &str| fs::metadata(name).and_then(|file| file.modified()).ok();
    let checkpoint = modified(&format!("{}.checkpoint", source.name));
    checkpoint.is_some_and(|time| modified(&source.name).is_none_or(|result| time > result))
}

fn is_not_text(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::InvalidData)
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
<<<<<<< HEAD
            if file.is_file() && !belongs_to_saved(&file) {
=======
            if file.is_file() || ShardFolder::is_dataset(&file) {
>>>>>>> wshard
                all.push((file, false));
            }
        }
    }
    all.sort();
    Ok(all)
}

<<<<<<< HEAD
=======
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

>>>>>>> wshard
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
