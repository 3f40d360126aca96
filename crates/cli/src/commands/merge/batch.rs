//! Shards of a file of boards.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use anyhow::{Context, bail};
use loyd::search::Shard;

use super::shards::{have_notes, in_order};
use super::source::{Marked, Source};
use crate::Status;
use crate::commands::solve::ending;
use crate::failure::{Failure, tell};

/// Prints lines of text: those of the shards in turn.
pub fn merge_moves(sources: &[Source]) -> Result<Status, Failure> {
    let mut found = Vec::new();
    let have_notes = have_notes(sources)?;
    for (index, source) in sources.iter().enumerate() {
        let shard = match have_notes {
            true => noted(source)?,
            // Nothing tells, so they are named in order.
            false => Shard::new(index as u32, sources.len() as u32).context("too many shards")?,
        };
        found.push((shard, source.name.clone()));
    }
    if !have_notes {
        check_names(sources)?;
    }
    let ordered: Vec<&Source> = in_order(&found)?.into_iter().map(|at| &sources[at]).collect();
    check_counts(&ordered)?;
    let most = ordered.first().map_or(0, |source| source.lines.len());
    let mut out = io::stdout().lock();
    for turn in 0..most {
        for line in ordered.iter().filter_map(|source| source.lines.get(turn)) {
            out.write_all(line.as_bytes())?;
        }
    }
    if !have_notes && sources.len() > 1 {
        let (last, count) = (sources.len() - 1, sources.len());
        tell(format_args!(
            "nothing in these files says which shards they are: they are taken for 0/{count} to {last}/{count}, in this order"
        ));
    }
    Ok(Status::Yes)
}

/// Checks that no file is named twice, where nothing else would tell.
fn check_names(sources: &[Source]) -> anyhow::Result<()> {
    let mut names = BTreeSet::new();
    match sources.iter().find(|source| !names.insert(&source.name)) {
        Some(twice) => bail!("{} is named twice", twice.name),
        None => Ok(()),
    }
}

/// The shard that the notes beside a file name.
fn noted(source: &Source) -> anyhow::Result<Shard> {
    let said = source.settings.as_ref().and_then(|settings| settings.get("--shard"));
    match said.map(|said| said.parse()) {
        Some(Ok(shard)) => Ok(shard),
        _ => bail!("{}: it is of no shard: it was saved without --shard", source.name),
    }
}

/// Prints records by the line of their board, as one process would have written them.
pub fn merge_records(sources: &[Source]) -> Result<Status, Failure> {
    let have_notes = have_notes(sources)?;
    let (mut lines, mut found) = (Vec::new(), Vec::new());
    let (mut metric, mut goals) = (None, BTreeMap::new());
    let mut other_goal = None;
    for source in sources {
        let mut shard: Option<Shard> = None;
        for index in 0..source.lines.len() {
            let (marked, own) = source.marked(index)?;
            let (line, place) = (line(source, index, &marked)?, source.place(index));
            other_goal = other_goal.or_else(|| differs(&mut goals, &place, &marked));
            check_metric(&mut metric, &place, marked)?;
            if let Some(first) = shard.replace(own).filter(|&first| first != own) {
                let message = format!("{place}: it is of shard {own}, and those before of {first}");
                return Err(anyhow::anyhow!(message).into());
            }
            lines.push((line, source, index));
        }
        found.push((shard, source));
    }
    let found = with_empty(&found);
    let order = in_order(&found)?;
    check_counts(&order.into_iter().map(|at| &sources[at]).collect::<Vec<_>>())?;
    lines.sort_by_key(|&(line, ..)| line);
    if let Some((a, b)) = lines.iter().zip(lines.iter().skip(1)).find(|(a, b)| a.0 == b.0) {
        let (a, b) = (a.1.place(a.2), b.1.place(b.2));
        return Err(anyhow::anyhow!("{b} is of the same line of boards as {a}").into());
    }
    let mut out = io::stdout().lock();
    for (_, source, index) in lines {
        out.write_all(unmarked(&source.lines[index]).as_bytes())?;
    }
    if let Some((first, other)) = other_goal.filter(|_| !have_notes) {
        tell(format_args!(
            "{other} has another goal than {first}: that is right if the boards have goals of their own"
        ));
    }
    Ok(Status::Yes)
}

/// The line of the board of a record.
fn line(source: &Source, index: usize, marked: &Marked) -> anyhow::Result<u64> {
    marked.line.with_context(|| {
        let place = source.place(index);
        format!("{place}: the record has no `line`, as those of a file of boards have")
    })
}

/// Where a record of the same size of boards is that has another goal, and this one; notes where the first goal of each
/// size is. Goals may differ: boards of a file may have goals of their own.
fn differs(
    known: &mut BTreeMap<Vec<usize>, (String, String)>,
    place: &str,
    marked: &Marked,
) -> Option<(String, String)> {
    let goal = marked.goal.as_ref()?;
    let form = goal.split('/').map(|row| row.split(' ').count()).collect();
    let (first, own) = known.entry(form).or_insert_with(|| (place.to_owned(), goal.clone()));
    (own != goal).then(|| (first.clone(), place.to_owned()))
}

/// Checks that a record has the metric of those before it, and notes where the first one is.
fn check_metric(
    known: &mut Option<(String, String)>,
    place: &str,
    marked: Marked,
) -> anyhow::Result<()> {
    let Some(own) = marked.metric else { return Ok(()) };
    match known {
        None => *known = Some((place.to_owned(), own)),
        Some((first, metric)) if *metric != own => {
            bail!("{place} is of other work than {first}: metric {own}, and {metric} in {first}")
        }
        Some(_) => {}
    }
    Ok(())
}

/// The shards by name. Files without records are of those that no other file has, in order.
fn with_empty(found: &[(Option<Shard>, &Source)]) -> Vec<(Shard, String)> {
    let count = found.iter().find_map(|(shard, _)| Some((*shard)?.count())).unwrap_or(1);
    let taken = |shard: &Shard| found.iter().any(|(own, _)| *own == Some(*shard));
    let mut free = (0..count).filter_map(|index| Shard::new(index, count)).filter(|s| !taken(s));
    let place = |(shard, source): &(Option<Shard>, &Source)| {
        let noted = || noted(source).ok();
        Some(((*shard).or_else(noted).or_else(|| free.next())?, source.name.clone()))
    };
    found.iter().filter_map(place).collect()
}

/// Checks that shards in order have as many boards as shards of one file have.
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
            "{} has {} board{}, and {} has {}: it is not done, or they are not in the order of their shards",
            short.name,
            boards(short),
            if boards(short) == 1 { "" } else { "s" },
            other.name,
            boards(other)
        ),
    }
}

/// The record without the mark of the shard.
fn unmarked(line: &str) -> String {
    let mark = line.rfind(",\"shard\":").filter(|&at| {
        let shard = line[at..].split('"').nth(3).and_then(|shard| shard.parse().ok());
        shard.is_some_and(|shard| line[at..] == ending(shard))
    });
    mark.map_or_else(|| line.to_owned(), |at| line[..at].to_owned() + "}\n")
}
