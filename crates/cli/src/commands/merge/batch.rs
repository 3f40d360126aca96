//! Merges the shards of a file of boards.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use anyhow::{Context, bail};
use loyd::search::Shard;

use super::source::{ShardRecord, Source, have_notes, in_order};
use crate::commands::solve::record_suffix;
use crate::failure::{Failure, Status, print_note};

/// Prints lines of text, one of each shard in turn.
pub fn merge_moves(sources: &[Source]) -> Result<Status, Failure> {
    let mut found = Vec::new();
    let have_notes = have_notes(sources)?;
    for (index, source) in sources.iter().enumerate() {
        let shard = match have_notes {
            true => shard_in_notes(source)?,
            // No notes record the shards, so the files are taken in the order given.
            false => Shard::new(index as u32, sources.len() as u32).context("too many shards")?,
        };
        found.push((shard, source.name.clone()));
    }
    if !have_notes {
        check_names(sources)?;
    }
    let ordered: Vec<&Source> = in_order(&found)?.into_iter().map(|at| &sources[at]).collect();
    check_counts(&ordered)?;
    let turns = ordered.first().map_or(0, |source| source.lines.len());
    let mut out = io::stdout().lock();
    for turn in 0..turns {
        for line in ordered.iter().filter_map(|source| source.lines.get(turn)) {
            out.write_all(line.as_bytes())?;
        }
    }
    if !have_notes && sources.len() > 1 {
        let (last, count) = (sources.len() - 1, sources.len());
        print_note(format_args!(
            "these files do not record their shards; assuming 0/{count} to {last}/{count}, in this order"
        ));
    }
    Ok(Status::Yes)
}

/// Checks that no file is named twice, which the shard numbers would reveal if there were notes.
fn check_names(sources: &[Source]) -> anyhow::Result<()> {
    let mut names = BTreeSet::new();
    match sources.iter().find(|source| !names.insert(&source.name)) {
        Some(twice) => bail!("{} is named twice", twice.name),
        None => Ok(()),
    }
}

/// Returns the shard that the notes of a file record.
fn shard_in_notes(source: &Source) -> anyhow::Result<Shard> {
    let value = source.settings.as_ref().and_then(|settings| settings.get("--shard"));
    match value.map(|value| value.parse()) {
        Some(Ok(shard)) => Ok(shard),
        _ => bail!("{}: it belongs to no shard: it was saved without --shard", source.name),
    }
}

/// Prints records in the order of their input lines, as a single process would have written them.
pub fn merge_records(sources: &[Source]) -> Result<Status, Failure> {
    let have_notes = have_notes(sources)?;
    let (mut lines, mut found) = (Vec::new(), Vec::new());
    let (mut metric, mut goals) = (None, BTreeMap::new());
    let mut other_goal = None;
    for source in sources {
        let mut shard: Option<Shard> = None;
        for index in 0..source.lines.len() {
            let (record, own) = source.record(index)?;
            let (line, place) = (line(source, index, &record)?, source.place(index));
            other_goal = other_goal.or_else(|| differing_goal(&mut goals, &place, &record));
            check_metric(&mut metric, &place, record)?;
            if let Some(first) = shard.replace(own).filter(|&first| first != own) {
                let message = format!(
                    "{place}: it belongs to shard {own}, but the records before it to {first}"
                );
                return Err(anyhow::anyhow!(message).into());
            }
            lines.push((line, source, index));
        }
        found.push((shard, source));
    }
    let found = assign_shards(&found);
    let order = in_order(&found)?;
    check_counts(&order.into_iter().map(|at| &sources[at]).collect::<Vec<_>>())?;
    lines.sort_by_key(|&(line, ..)| line);
    if let Some((a, b)) = lines.iter().zip(lines.iter().skip(1)).find(|(a, b)| a.0 == b.0) {
        let (a, b) = (a.1.place(a.2), b.1.place(b.2));
        return Err(anyhow::anyhow!("{b} has the same input line as {a}").into());
    }
    let mut out = io::stdout().lock();
    for (_, source, index) in lines {
        out.write_all(without_shard(&source.lines[index]).as_bytes())?;
    }
    if let Some((first, other)) = other_goal.filter(|_| !have_notes) {
        print_note(format_args!(
            "{other} has another goal than {first}: this is correct only if each board specifies its own goal"
        ));
    }
    Ok(Status::Yes)
}

/// Returns the input line of a record.
fn line(source: &Source, index: usize, record: &ShardRecord) -> anyhow::Result<u64> {
    record.line.with_context(|| {
        let place = source.place(index);
        format!("{place}: the record has no `line`, which the records of a file of boards have")
    })
}

/// Returns the places of the first record for boards of the same size and of this one, if their goals differ; remembers
/// the first goal of each size. Goals may differ, because boards of a file may specify their own.
fn differing_goal(
    known: &mut BTreeMap<Vec<usize>, (String, String)>,
    place: &str,
    record: &ShardRecord,
) -> Option<(String, String)> {
    let goal = record.goal.as_ref()?;
    let form = goal.split('/').map(|row| row.split(' ').count()).collect();
    let (first, own) = known.entry(form).or_insert_with(|| (place.to_owned(), goal.clone()));
    (own != goal).then(|| (first.clone(), place.to_owned()))
}

/// Checks that a record has the metric of those before it; remembers the place of the first.
fn check_metric(
    known: &mut Option<(String, String)>,
    place: &str,
    record: ShardRecord,
) -> anyhow::Result<()> {
    let Some(own) = record.metric else { return Ok(()) };
    match known {
        None => *known = Some((place.to_owned(), own)),
        Some((first, metric)) if *metric != own => {
            bail!(
                "{place} belongs to other work than {first}: metric {own}, but {metric} in {first}"
            )
        }
        Some(_) => {}
    }
    Ok(())
}

/// Returns the shard of each file. A file without records gets its shard from its notes, or else the next one that no
/// other file has.
fn assign_shards(found: &[(Option<Shard>, &Source)]) -> Vec<(Shard, String)> {
    let count = found.iter().find_map(|(shard, _)| Some((*shard)?.count())).unwrap_or(1);
    let taken = |shard: &Shard| found.iter().any(|(own, _)| *own == Some(*shard));
    let mut free = (0..count).filter_map(|index| Shard::new(index, count)).filter(|s| !taken(s));
    let place = |(shard, source): &(Option<Shard>, &Source)| {
        let shard_in_notes = || shard_in_notes(source).ok();
        Some(((*shard).or_else(shard_in_notes).or_else(|| free.next())?, source.name.clone()))
    };
    found.iter().filter_map(place).collect()
}

/// Checks that the shards, in order, have numbers of boards that divide one file in turn.
fn check_counts(ordered: &[&Source]) -> anyhow::Result<()> {
    let boards = |source: &Source| source.lines.len();
    let few = |(one, next): &(&&Source, &&Source)| boards(one) < boards(next);
    let short = match (ordered.iter().zip(ordered.iter().skip(1)).find(few), ordered) {
        (Some((short, other)), _) => Some((short, other)),
        (None, [first, .., last]) if boards(first) > boards(last) + 1 => {
            ordered.iter().find(|source| boards(source) + 1 < boards(first)).map(|s| (s, first))
        }
        _ => None,
    };
    match short {
        None => Ok(()),
        Some((short, other)) => bail!(
            "{} has {} board{}, and {} has {}: it is incomplete, or the files are not in the order of their shards",
            short.name,
            boards(short),
            if boards(short) == 1 { "" } else { "s" },
            other.name,
            boards(other)
        ),
    }
}

/// Removes the shard from a record.
fn without_shard(line: &str) -> String {
    let mark = line.rfind(",\"shard\":").filter(|&at| {
        let shard = line[at..].split('"').nth(3).and_then(|shard| shard.parse().ok());
        shard.is_some_and(|shard| line[at..] == record_suffix(shard))
    });
    mark.map_or_else(|| line.to_owned(), |at| line[..at].to_owned() + "}\n")
}
