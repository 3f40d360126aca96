//! Files written by shards, and checks that they belong together.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use loyd::search::Shard;
use serde::Deserialize;
use serde_json::Value;

use crate::commands::record_fields::check_fields;
use crate::commands::replay_record::{check, problem};
use crate::commands::solve::{Notes, PER_SHARD, exit_status, read_notes};
use crate::failure::Status;
use crate::files;
use crate::saved_files::checksum_of;

/// A file written by a shard.
pub struct Source {
    pub name: String,
    /// Complete lines, including their line ends. With text output, the line of a board that was solved at the start is
    /// empty.
    pub lines: Vec<String>,
    /// The settings in its notes file, if there is one.
    pub settings: Option<BTreeMap<String, String>>,
    /// The exit status in its notes, if there are any.
    pub status: Status,
    /// Whether the last line is incomplete.
    pub is_torn: bool,
    /// Whether the notes have the checksum of the file.
    completeness: Completeness,
}

/// Whether a file is complete according to its notes.
enum Completeness {
    /// There are no notes, or they have the checksum of the file.
    Complete,
    /// The notes have no checksum.
    Unfinished,
    /// The notes have another checksum.
    Altered,
}

/// Content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Records of the shards of a single board.
    Board,
    /// Records of boards.
    Records,
    /// Lines of moves.
    Moves,
}

impl Kind {
    pub fn description(self) -> &'static str {
        match self {
            Self::Board => "a shard of one board",
            Self::Records => "records of many boards",
            Self::Moves => "solutions as text",
        }
    }
}

/// The fields that every record of a shard has.
#[derive(Clone, Deserialize)]
pub struct ShardRecord {
    shard: Option<String>,
    /// The line of the board in a batch.
    pub line: Option<u64>,
    pub board: Option<String>,
    pub goal: Option<String>,
    version: Option<String>,
    quality: Option<String>,
    /// Hash of the input and the options.
    search: Option<String>,
    status: Option<String>,
    stopped_by: Option<String>,
    /// Exit status of a process that solves only this board.
    #[serde(skip)]
    pub exit_status: Status,
}

impl ShardRecord {
    /// Returns whether the search for a board was stopped before it had searched everything up to `--max-depth`.
    pub fn is_open(&self) -> bool {
        self.status.as_deref() == Some("stopped") && self.stopped_by.as_deref() != Some("depth")
    }
}

impl Source {
    /// Reads a file of at most `left` bytes, and subtracts its length from `left`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is longer, or its last line is incomplete.
    pub fn read(path: &Path, left: &mut u64) -> anyhow::Result<Self> {
        let source = Self::read_any(path, left)?;
        if source.is_torn {
            let name = &source.name;
            bail!("{name}: its last line is incomplete: run `loyd solve --resume` to complete it");
        }
        Ok(source)
    }

    /// Like [`read`](Self::read), but the last line may be incomplete.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is longer.
    pub fn read_any(path: &Path, left: &mut u64) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        if belongs_to_saved(path) {
            bail!("{name} belongs to a file of --save: specify only that file");
        }
        let text = files::open(path).and_then(|file| files::read_text(file, *left));
        let text = text.with_context(|| format!("cannot read {name}"))?;
        *left -= text.len() as u64;
        let is_torn = !text.is_empty() && !text.ends_with('\n');
        let lines = text.split_inclusive('\n').map(str::to_owned).collect();
        let (settings, status, completeness) = match read_notes(path) {
            None => (None, Status::Yes, Completeness::Complete),
            Some(Notes { settings, status, checksum }) => (
                Some(settings),
                status,
                match checksum {
                    None => Completeness::Unfinished,
                    Some(sum) if sum == checksum_of(text.as_bytes()) => Completeness::Complete,
                    Some(_) => Completeness::Altered,
                },
            ),
        };
        Ok(Self { name, lines, settings, status, is_torn, completeness })
    }

    /// Checks that the saved answers to a file of boards are complete and unchanged, as far as its notes record it.
    pub fn check_complete(&self) -> anyhow::Result<()> {
        let name = &self.name;
        match self.completeness {
            Completeness::Complete => Ok(()),
            Completeness::Unfinished => bail!(
                "{name}: the shard has not finished; run the same command with --resume to continue it"
            ),
            Completeness::Altered => bail!(
                "{name} has another checksum than in {name}.batch: it was changed, cut off or damaged; restore it, or remove \
                 both files to solve its boards again"
            ),
        }
    }

    /// Returns the kind of the file, judged by its first line; `None` if it is empty.
    pub fn kind(&self) -> Option<Kind> {
        let first = self.lines.first()?;
        Some(match (first.starts_with("{\""), first.contains("\"searched_below\":")) {
            (false, _) => Kind::Moves,
            (true, false) => Kind::Records,
            (true, true) => Kind::Board,
        })
    }

    /// Returns the name of a line in messages.
    pub fn place(&self, index: usize) -> String {
        match self.lines.len() {
            1 => self.name.clone(),
            _ => format!("{}:{}", self.name, index + 1),
        }
    }

    /// Returns the record on a line and its shard, after replaying its solutions.
    ///
    /// # Errors
    /// Returns an error if it is not a record of a shard, or if its solutions do not solve its board.
    pub fn record(&self, index: usize) -> anyhow::Result<(ShardRecord, Shard)> {
        let (record, value) = self.parse(index)?;
        let damaged = || format!("{}: the record is wrong or damaged", self.place(index));
        check_fields(&self.lines[index]).with_context(damaged)?;
        // The boards of invalid lines are unknown.
        if value["status"] != "invalid" {
            let checked = problem(&value).and_then(|problem| check(&problem, &value));
            checked.with_context(damaged)?;
        }
        Ok(record)
    }

    /// Like [`record`](Self::record), without replaying the solutions.
    ///
    /// # Errors
    /// Returns an error if it is not a record of a shard.
    pub fn claimed_record(&self, index: usize) -> anyhow::Result<(ShardRecord, Shard)> {
        Ok(self.parse(index)?.0)
    }

    fn parse(&self, index: usize) -> anyhow::Result<((ShardRecord, Shard), Value)> {
        let place = || self.place(index);
        let not_a_record = || format!("{}: this is not a record of `loyd solve`", place());
        let value: Value = serde_json::from_str(&self.lines[index]).with_context(not_a_record)?;
        let mut record = ShardRecord::deserialize(&value).with_context(not_a_record)?;
        record.exit_status = exit_status(&value);
        let shard = record.shard.as_deref().ok_or_else(|| {
            anyhow!("{}: the record belongs to no shard: it was written without --shard", place())
        })?;
        let shard = shard.parse().with_context(place)?;
        Ok(((record, shard), value))
    }
}

/// Returns whether a file contains the notes or the checkpoint of a file of `--save`.
pub fn belongs_to_saved(path: &Path) -> bool {
    let name = path.to_string_lossy();
    [".batch", ".batch.new", ".checkpoint", ".checkpoint.new"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
}

/// Checks that a record belongs to the same work as those before it: it has the same version, quality, input and
/// options. Remembers the place of the first.
///
/// # Errors
/// Returns an error that names the first difference.
pub fn check_work(
    known: &mut Option<(String, ShardRecord)>,
    place: &str,
    record: &ShardRecord,
) -> anyhow::Result<()> {
    let fields = |record: &ShardRecord| {
        let ShardRecord { version, quality, search, .. } = record;
        [("version", version), ("quality", quality), ("search", search)]
            .map(|(name, value)| (name, value.clone()))
    };
    if let Some((name, _)) = fields(record).into_iter().find(|(_, value)| value.is_none()) {
        bail!("{place}: the record has no `{name}`: it was written by another version of loyd");
    }
    let Some((first, other)) = known else {
        *known = Some((place.to_owned(), record.clone()));
        return Ok(());
    };
    let mut pairs = fields(record).into_iter().zip(fields(other));
    if let Some(((name, own), (_, theirs))) = pairs.find(|((_, own), (_, theirs))| own != theirs) {
        let (own, theirs) = (own.unwrap_or_default(), theirs.unwrap_or_default());
        let name = if name == "search" { "boards or options (`search`)" } else { name };
        bail!("{place} belongs to other work than {first}: {name} {own}, but {theirs} in {first}");
    }
    Ok(())
}

/// Checks that these are all shards of the same work, once each. Returns the indices of `found` in shard order.
///
/// # Errors
/// Returns an error that names a shard that is missing, repeated or of other work.
pub fn in_order(found: &[(Shard, String)]) -> anyhow::Result<Vec<usize>> {
    let mut places: BTreeMap<Shard, usize> = BTreeMap::new();
    let Some((first, first_name)) = found.first() else { bail!("no shards are given") };
    for (index, (shard, name)) in found.iter().enumerate() {
        if shard.count() != first.count() {
            bail!(
                "{name} is shard {shard}, and {first_name} shard {first}: they do not divide the same work"
            );
        }
        if let Some(before) = places.insert(*shard, index) {
            bail!("{name} is shard {shard}, like {}", found[before].1);
        }
    }
    let all = (0..first.count()).filter_map(|index| Shard::new(index, first.count()));
    let missing: Vec<String> =
        all.filter(|shard| !places.contains_key(shard)).map(|shard| shard.to_string()).collect();
    if !missing.is_empty() {
        let (s, are) = if missing.len() == 1 { ("", "is") } else { ("s", "are") };
        let few = missing.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
        let more = if missing.len() > 5 { ", …" } else { "" };
        bail!("shard{s} {few}{more} {are} missing from the set of {first_name}");
    }
    Ok(places.into_values().collect())
}

/// Compares the notes of the files with each other and with the files, if any has notes.
///
/// # Errors
/// Returns an error if a file belongs to other work, is incomplete or was changed, or if only some files have notes.
pub fn check_notes(sources: &[Source]) -> anyhow::Result<()> {
    if let Some((first, others)) = sources.split_first() {
        others.iter().try_for_each(|other| check_same_notes(first, other))?;
    }
    sources.iter().try_for_each(Source::check_complete)
}

/// Compares the notes of two files.
///
/// # Errors
/// Returns an error if the files belong to different work, or if only one has notes.
pub fn check_same_notes(first: &Source, other: &Source) -> anyhow::Result<()> {
    let (a, b) = match (&first.settings, &other.settings) {
        (None, None) => return Ok(()),
        (Some(a), Some(b)) => (a, b),
        (a, _) => {
            let (with, without) = if a.is_some() { (first, other) } else { (other, first) };
            let (with, without) = (&with.name, &without.name);
            bail!("{without}.batch is missing, which records the shard; {with}.batch exists");
        }
    };
    let mut names = a.keys().chain(b.keys()).filter(|&name| !PER_SHARD.contains(&name.as_str()));
    if let Some(name) = names.find(|&name| a.get(name) != b.get(name)) {
        let value = |map: &BTreeMap<String, String>| {
            map.get(name).map_or("unknown", String::as_str).to_owned()
        };
        let (own, theirs, first, other) = (value(b), value(a), &first.name, &other.name);
        bail!("{other} belongs to other work than {first}: {name} {own}, but {theirs} in {first}");
    }
    Ok(())
}
