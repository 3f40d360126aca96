//! Finds the shards without a complete result.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use loyd::search::Shard;
use serde_json::Value;

use super::source::{Kind, ShardRecord, Source, belongs_to_saved, check_same_notes, check_work};
use super::{comparison, dataset};
use crate::commands::dataset_shards::ShardFolder;
use crate::failure::{Failure, Status, print_note};
use crate::memory;

/// Prints the numbers of the shards without a complete result among `paths`, which are files or folders of them, as
/// lists of tasks are written: `3,7,12-15`. Complete results are those that `loyd merge` accepts, except that a search
/// for a single board must have ended. A file that does not show its shard counts for none.
pub fn print(paths: &[PathBuf]) -> Result<Status, Failure> {
    let mut found = Found::default();
    for (path, is_named) in files_of(paths)? {
        let other = match path.is_dir() {
            true => Some(dataset::result(&path)),
            false => comparison::is_comparison(&path).then(|| comparison::result(&path)),
        };
        if let Some(other) = other {
            let name = path.display().to_string();
            match other.with_context(|| name.clone())? {
                Some((shard, is_complete)) => found.add_shard(&name, shard, is_complete)?,
                None if is_named => return Err(anyhow!("{name} is not a result of a shard").into()),
                None => {}
            }
            continue;
        }
        // The text of a file is in memory twice while it is divided into lines, and its records are parsed.
        match Source::read_any(&path, &mut (memory::free() / 3)) {
            Ok(source) => found.add(source, is_named)?,
            Err(error) if is_named => return Err(error.into()),
            // The folder has other files too.
            Err(error) if is_not_text(&error) => {}
            Err(error) => print_note(format_args!("{error:#}: it counts for no shard")),
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
    /// The first shard, and the name of its result.
    named: Option<(Shard, String)>,
    first: Option<Source>,
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
        if shards.is_empty() {
            let text = source.lines.first().map_or("", String::as_str);
            let is_start = text.is_empty() || source.is_torn && text.starts_with('{');
            if is_named && !(is_start && source.lines.len() <= 1) {
                bail!("{} is not a result of a shard", source.name);
            }
            return Ok(());
        }
        for (shard, is_complete) in shards {
            self.add_shard(&source.name, shard, is_complete)?;
        }
        match &self.first {
            Some(first) => check_same_notes(first, &source)?,
            None => self.first = Some(source),
        }
        Ok(())
    }

    /// Adds the result of a shard.
    ///
    /// # Errors
    /// Returns an error if its number of shards is another than that of those before it.
    fn add_shard(&mut self, name: &str, shard: Shard, is_complete: bool) -> anyhow::Result<()> {
        let (first_shard, first) = self.named.get_or_insert_with(|| (shard, name.to_owned()));
        if first_shard.count() != shard.count() {
            bail!(
                "{name} is shard {shard}, and {first} shard {first_shard}: they do not divide the same work"
            );
        }
        *self.shards.entry(shard).or_default() |= is_complete;
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

/// Returns whether a saved search for a board was continued after its result was written, with a larger `--max-depth`.
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
            let is_saved = file.is_file() && !belongs_to_saved(&file);
            if is_saved || ShardFolder::is_dataset(&file) {
                all.push((file, false));
            }
        }
    }
    all.sort();
    Ok(all)
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
