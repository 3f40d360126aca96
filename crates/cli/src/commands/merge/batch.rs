//! Merges the shards of a file of boards.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use loyd::Problem;
use loyd::search::Shard;

use super::source::{ShardRecord, Source, check_notes, check_work, in_order};
use crate::args::ProblemArgs;
use crate::commands::solve::{check_answers, without_shard};
use crate::failure::{Failure, Status, print_note};
use crate::input::{Items, recorded_problem};

/// Prints lines of text, one of each shard in turn.
pub fn merge_moves(sources: &[Source], boards: Option<&Path>) -> Result<Status, Failure> {
    check_notes(sources)?;
    let shard = |source: &Source| anyhow::Ok((shard_in_notes(source)?, source.name.clone()));
    let found = sources.iter().map(shard).collect::<anyhow::Result<Vec<_>>>()?;
    let ordered: Vec<&Source> = in_order(&found)?.into_iter().map(|at| &sources[at]).collect();
    check_counts(&ordered)?;
    sources.iter().try_for_each(|source| check_with_notes(source, boards))?;
    let turns = ordered.first().map_or(0, |source| source.lines.len());
    let mut out = io::stdout().lock();
    for turn in 0..turns {
        for line in ordered.iter().filter_map(|source| source.lines.get(turn)) {
            out.write_all(line.as_bytes())?;
        }
    }
    Ok(explained(worst(sources)))
}

/// Prints why the exit status, which a single process would have too, is not 0.
fn explained(status: Status) -> Status {
    match status {
        Status::Yes => {}
        Status::No => print_note("some boards are not solved, or not as their file expects"),
        Status::Bad => print_note("some boards are invalid"),
    }
    status
}

/// Returns the worst exit status in the notes of the files.
fn worst(sources: &[Source]) -> Status {
    sources.iter().map(|source| source.status).max().unwrap_or_default()
}

/// Returns the shard that the notes of a file record.
fn shard_in_notes(source: &Source) -> anyhow::Result<Shard> {
    let name = &source.name;
    let Some(settings) = &source.settings else {
        bail!(
            "{name} does not record its shard, and {name}.batch is missing, so a missing shard would not be noticed: \
             write shards with --save or --output json"
        );
    };
    match settings.get("--shard").map(|value| value.parse()) {
        Some(Ok(shard)) => Ok(shard),
        _ => bail!("{name}: it belongs to no shard: it was saved without --shard"),
    }
}

/// Prints records in the order of their input lines, as a single process would have written them.
pub fn merge_records(sources: &[Source], boards: Option<&Path>) -> Result<Status, Failure> {
    check_notes(sources)?;
    sources.iter().try_for_each(|source| check_with_notes(source, boards))?;
    let (mut lines, mut found, mut work) = (Vec::new(), Vec::new(), None);
    let (mut status, mut goals) = (worst(sources), BTreeSet::new());
    for source in sources {
        let mut shard: Option<Shard> = None;
        // Those with notes have been replayed with the boards.
        let is_checked = boards.is_some() && source.settings.is_some();
        for index in 0..source.lines.len() {
            let (record, own) =
                if is_checked { source.claimed_record(index)? } else { source.record(index)? };
            let (line, place) = (line(source, index, &record)?, source.place(index));
            status = status.max(record.exit_status);
            check_work(&mut work, &place, &record)?;
            if let Some(first) = shard.replace(own).filter(|&first| first != own) {
                let message = format!(
                    "{place}: it belongs to shard {own}, but the records before it to {first}"
                );
                return Err(anyhow!(message).into());
            }
            // More than two are not needed.
            goals.extend(record.goal.filter(|_| goals.len() < 2));
            lines.push((line, source, index));
        }
        found.push((shard, source));
    }
    let found = assign_shards(&found);
    let ordered: Vec<&Source> = in_order(&found)?.into_iter().map(|at| &sources[at]).collect();
    check_counts(&ordered)?;
    lines.sort_by_key(|&(line, ..)| line);
    if let Some((a, b)) = lines.iter().zip(lines.iter().skip(1)).find(|(a, b)| a.0 == b.0) {
        let (a, b) = (a.1.place(a.2), b.1.place(b.2));
        return Err(anyhow!("{b} has the same input line as {a}").into());
    }
    let in_turn = ordered.iter().cycle();
    if let Some((&(_, source, index), turn)) =
        lines.iter().zip(in_turn).find(|((_, source, _), turn)| source.name != turn.name)
    {
        return Err(anyhow!(
            "{}: {} has no record for the board before this one: it is incomplete",
            source.place(index),
            turn.name
        )
        .into());
    }
    let have_notes = sources.iter().all(|source| source.settings.is_some());
    if let Some(boards) = boards.filter(|_| !have_notes) {
        let common_goal = goals.pop_first().filter(|_| goals.is_empty());
        check_boards(
            lines.iter().map(|&(_, source, index)| (source, index)),
            boards,
            common_goal.as_ref(),
        )?;
    }
    if boards.is_none() && !have_notes {
        print_note(
            "whether the last records of a printed shard are missing is unknown: --file BOARDS checks it",
        );
    }
    let mut out = io::stdout().lock();
    for (_, source, index) in lines {
        out.write_all(without_shard(&source.lines[index]).as_bytes())?;
    }
    Ok(explained(status))
}

/// Checks the answers of a shard against the file of boards, if the shard has notes, which contain its options.
fn check_with_notes(source: &Source, boards: Option<&Path>) -> Result<(), Failure> {
    match (&source.settings, boards) {
        (Some(settings), Some(boards)) => check_answers(Path::new(&source.name), settings, boards),
        _ => Ok(()),
    }
}

/// Checks that the printed records, in the order of their lines, belong to the boards of the file. Their options are
/// unknown, so the file is read without any, except that a goal which all records have, `common_goal`, may be that of
/// `--goal`.
///
/// # Errors
/// Returns an error that names the first board without a record, or with a record of another board, or the first record
/// without a board.
fn check_boards<'a>(
    mut answered: impl Iterator<Item = (&'a Source, usize)>,
    boards: &Path,
    common_goal: Option<&String>,
) -> Result<(), Failure> {
    let name = boards.display();
    let has_equal_tiles =
        |goal: &String| recorded_problem(goal, goal).is_ok_and(|problem| problem.has_equal_tiles());
    // Without its goal, a board with equal tiles cannot be read.
    let goal = common_goal.cloned().filter(has_equal_tiles);
    let problem = ProblemArgs { goal, ..ProblemArgs::default() };
    for item in Items::with_equal_tiles(&[], Some(boards), &problem)? {
        let item = item?;
        let line = item.line.map(|line| line as u64);
        let at = line.map_or_else(String::new, |line| format!(" on line {line}"));
        let next = answered.next().map(|(source, index)| {
            anyhow::Ok((source.claimed_record(index)?.0, source.place(index)))
        });
        let next = next.transpose()?.filter(|(record, _)| record.line <= line);
        let Some((record, place)) = next else {
            let message = "has no record: a shard is incomplete, or solved other boards";
            return Err(anyhow!("the board{at} of {name} {message}").into());
        };
        let text = |text: fn(&Problem) -> String| item.problem.as_ref().ok().map(text);
        let number = |line: Option<u64>| line.map(|line| line.to_string());
        let claims = [
            ("line", number(record.line), number(line)),
            ("board", record.board, text(Problem::start_text)),
            ("goal", record.goal, text(Problem::goal_text)),
        ];
        let is_wrong = |(what, own, right): &(&str, Option<String>, Option<String>)| {
            own != right && (*what != "goal" || own.as_ref() != common_goal)
        };
        if let Some((what, own, right)) = claims.into_iter().find(is_wrong) {
            let [own, right] = [own, right].map(|text| text.unwrap_or_else(|| "none".to_owned()));
            return Err(anyhow!(
                "{place}: its {what} is {own}, but that of the board{at} of {name} {right}: it belongs to another board; \
                 or the board was read with options, which only shards written with --save record"
            )
            .into());
        }
    }
    match answered.next() {
        None => Ok(()),
        Some((source, index)) => {
            let place = source.place(index);
            Err(anyhow!("{place}: {name} has no board for this record").into())
        }
    }
}

/// Returns the input line of a record.
fn line(source: &Source, index: usize, record: &ShardRecord) -> anyhow::Result<u64> {
    record.line.with_context(|| {
        let place = source.place(index);
        format!("{place}: the record has no `line`, which the records of a file of boards have")
    })
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
