//! Merges the shards of a single board.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anyhow::{Context, bail};
use loyd::batch::IterationRecord;
use loyd::moves::Metric;
use loyd::search::Shard;
use serde::{Deserialize, Serialize};

use super::source::{ShardRecord, Source, check_work, in_order};
use crate::args::Output;
use crate::failure::{Failure, Status, print_note};
use crate::units::{length_text, with_commas};

/// The record of a shard.
#[derive(Clone, Deserialize, Serialize)]
struct Found {
    board: String,
    goal: String,
    status: String,
    moves: Option<String>,
    length: Option<u32>,
    metric: String,
    #[serde(default)]
    optimal: bool,
    algorithm: String,
    heuristic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prune: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_bound: Option<u32>,
    expanded: u64,
    generated: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded_complete: Option<u64>,
    #[serde(default)]
    iterations: Vec<IterationRecord>,
    peak_bytes: u64,
    elapsed_ns: u64,
    /// The checksums of the checkpoints that the shards were resumed from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    resumed_from: Vec<String>,
    /// The shard has completed all iterations with bounds smaller than this; `None` if there was nothing to search.
    /// Every record of a single-board shard has this field.
    #[serde(skip_serializing, deserialize_with = "Option::deserialize")]
    searched_below: Option<u32>,
}

impl Found {
    /// Returns the bound below which the shard has completed all iterations; `None` if it has completed all.
    fn below(&self) -> Option<u32> {
        let has_nothing_to_search = self.status == "unsolvable";
        self.searched_below.or((!has_nothing_to_search).then_some(0))
    }

    /// Returns whether the shard completed an iteration, so that its record has its tables and direction.
    fn has_iterations(&self) -> bool {
        !self.iterations.is_empty()
    }
}

/// A record and its file and line.
struct PlacedRecord {
    shard: Shard,
    place: String,
    found: Found,
    work: ShardRecord,
}

/// The combined result of all shards.
#[derive(Serialize)]
struct MergedRecord {
    #[serde(flatten)]
    found: Found,
    /// Number of shards.
    shards: u32,
}

/// Prints the combined result of the shards.
pub fn merge(sources: &[Source], output: Output) -> Result<Status, Failure> {
    let records = read(sources)?;
    let first = records.iter().find(|record| record.found.has_iterations()).unwrap_or(&records[0]);
    for other in &records {
        check_same(first, other)?;
    }
    let mut work = None;
    records.iter().try_for_each(|record| check_work(&mut work, &record.place, &record.work))?;
    let found = combine(&records)?;
    let is_open = found.status == "stopped";
    let shards_left = is_open.then(|| shards_left(&records, &found));
    let shards = records.len() as u32;
    match output {
        Output::Text => {
            writeln!(io::stdout(), "{}", found.moves.as_ref().unwrap_or(&found.status))?;
            print_note(summary(&found, shards));
        }
        Output::Json => {
            let record = serde_json::to_string(&MergedRecord { found, shards })?;
            writeln!(io::stdout(), "{record}")?;
        }
    }
    shards_left.into_iter().for_each(print_note);
    Ok(if is_open { Status::No } else { Status::Yes })
}

/// Returns the records in shard order.
fn read(sources: &[Source]) -> anyhow::Result<Vec<PlacedRecord>> {
    let mut records = Vec::new();
    for source in sources {
        for index in 0..source.lines.len() {
            let place = source.place(index);
            let (work, shard) = source.record(index)?;
            let found: Found = serde_json::from_str(&source.lines[index]).with_context(|| {
                format!("{place}: this is not a record of a single-board shard")
            })?;
            if found.length < found.searched_below && found.length.is_some() {
                bail!("{place}: `searched_below` is larger than the length of its solution");
            }
            records.push(PlacedRecord { shard, place, found, work });
        }
    }
    let names: Vec<(Shard, String)> =
        records.iter().map(|record| (record.shard, record.place.clone())).collect();
    in_order(&names)?;
    records.sort_by_key(|record| record.shard);
    Ok(records)
}

/// Checks that two records are of shards of the same search.
fn check_same(one: &PlacedRecord, other: &PlacedRecord) -> anyhow::Result<()> {
    fn identity(found: &Found) -> [(&'static str, Option<&str>); 8] {
        [
            ("board", Some(&found.board)),
            ("goal", Some(&found.goal)),
            ("metric", Some(&found.metric)),
            ("algorithm", Some(&found.algorithm)),
            ("heuristic", found.heuristic.as_deref()),
            ("tables", found.tables.as_deref()),
            ("pruning", found.prune.as_deref()),
            ("direction", Some(found.direction.as_deref().unwrap_or("forward"))),
        ]
    }
    // A search that ended before its tables were ready records neither tables nor direction.
    let have_iterations = one.found.has_iterations() && other.found.has_iterations();
    let pairs = identity(&one.found).into_iter().zip(identity(&other.found));
    let mut pairs =
        pairs.filter(|((name, _), _)| have_iterations || !["tables", "direction"].contains(name));
    if let Some(((name, a), (_, b))) = pairs.find(|((_, a), (_, b))| a != b) {
        let (a, b) = (a.unwrap_or("none"), b.unwrap_or("none"));
        let (place, first) = (&other.place, &one.place);
        bail!("{place} belongs to another search than {first}: {name} {b}, but {a} in {first}");
    }
    Ok(())
}

/// Combines the results: the best solution, the sums of the counts, and as the lower bound the smallest of the bounds
/// below which the shards are complete.
fn combine(records: &[PlacedRecord]) -> anyhow::Result<Found> {
    let all = || records.iter().map(|record| &record.found);
    let solved = records.iter().filter(|record| record.found.moves.is_some());
    let best = solved.min_by_key(|record| record.found.length);
    let lower_bound = all().filter_map(Found::below).min();
    let (moves, length) =
        best.map_or((None, None), |best| (best.found.moves.clone(), best.found.length));
    let optimal = length.is_some() && length <= lower_bound;
    let status = match (optimal, lower_bound) {
        (true, _) => "solved",
        (false, None) => "unsolvable",
        (false, Some(_)) => "stopped",
    };
    let iterations = complete_iterations(records, lower_bound.unwrap_or(0))?;
    let named = all().find(|found| found.tables.is_some()).unwrap_or(&records[0].found);
    Ok(Found {
        status: status.to_owned(),
        moves,
        length,
        optimal,
        lower_bound,
        ended_by: best.and_then(|best| best.found.ended_by.clone()),
        expanded: all().map(|found| found.expanded).sum(),
        generated: all().map(|found| found.generated).sum(),
        expanded_complete: Some(iterations.iter().map(|iteration| iteration.expanded).sum()),
        iterations,
        peak_bytes: all().map(|found| found.peak_bytes).max().unwrap_or(0),
        elapsed_ns: all().map(|found| found.elapsed_ns).sum(),
        resumed_from: all().flat_map(|found| found.resumed_from.clone()).collect(),
        ..named.clone()
    })
}

/// Sums the iterations with bounds below `bound`, which all shards have completed.
fn complete_iterations(
    records: &[PlacedRecord],
    bound: u32,
) -> anyhow::Result<Vec<IterationRecord>> {
    let own = |record: &PlacedRecord| -> Vec<IterationRecord> {
        record
            .found
            .iterations
            .iter()
            .filter(|iteration| iteration.bound < bound)
            .copied()
            .collect()
    };
    let mut sums = own(&records[0]);
    for other in &records[1..] {
        let iterations = own(other);
        if !iterations
            .iter()
            .map(|iteration| iteration.bound)
            .eq(sums.iter().map(|iteration| iteration.bound))
        {
            let (place, first) = (&other.place, &records[0].place);
            bail!(
                "{place} has other iterations than {first}: it belongs to another search, or is damaged"
            );
        }
        for (sum, iteration) in sums.iter_mut().zip(iterations) {
            sum.expanded += iteration.expanded;
            sum.generated += iteration.generated;
        }
    }
    Ok(sums)
}

/// Formats the result as text.
fn summary(found: &Found, shards: u32) -> String {
    let tables = found.tables.as_ref().map_or_else(String::new, |tables| format!(" {tables}"));
    let heuristic = found.heuristic.as_deref().unwrap_or("none");
    let prune = found.prune.as_ref().map_or_else(String::new, |prune| format!(", {prune}"));
    let moves = |length: u32| length_text(Metric::SingleTile, length as usize);
    let result = match (found.length, found.optimal) {
        (Some(length), true) => format!("{}, shortest", moves(length)),
        (Some(length), false) => format!("{}, not proved shortest", moves(length)),
        (None, _) => found.status.clone(),
    };
    let complete = with_commas(found.expanded_complete.unwrap_or(0));
    let s = if shards == 1 { "" } else { "s" };
    let mut text = format!(
        "{} ({heuristic}{tables}{prune}) in {shards} shard{s}: {result}; expanded {complete} in complete iterations, {} in all",
        found.algorithm,
        with_commas(found.expanded)
    );
    if !found.resumed_from.is_empty() {
        write!(
            text,
            "\n  resumed from {} checkpoints, which are trusted",
            found.resumed_from.len()
        )
        .expect("writing to a string succeeds");
    }
    for IterationRecord { bound, expanded, generated } in &found.iterations {
        let (expanded, generated) = (with_commas(*expanded), with_commas(*generated));
        write!(text, "\n  bound {bound:>3}: expanded {expanded:>13}, generated {generated:>13}")
            .expect("writing to a string succeeds");
    }
    text
}

/// Lists the shards that have to search further, and how deep.
fn shards_left(records: &[PlacedRecord], found: &Found) -> String {
    let lower_bound = found.lower_bound;
    let bound = lower_bound.unwrap_or(0);
    let shards: Vec<String> = records
        .iter()
        .filter(|record| record.found.below() == lower_bound)
        .map(|record| format!("{} ({})", record.shard, record.place))
        .collect();
    let few = shards.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    let more = if shards.len() > 5 { ", …" } else { "" };
    let best = match found.length {
        Some(length) => format!("best so far {}", length_text(Metric::SingleTile, length as usize)),
        None => "not solved".to_owned(),
    };
    // All solutions have the parity of this one, so a shorter one is at least 2 moves shorter.
    let depth = found.length.map_or(bound, |length| length.saturating_sub(2));
    format!(
        "{best}, at least {}; to search further, use --max-depth {depth} or more for these shards: {few}{more}",
        length_text(Metric::SingleTile, bound as usize)
    )
}
