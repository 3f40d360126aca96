//! `loyd pdb list` and `loyd pdb info`.

use std::io::{self, Write};

use anyhow::anyhow;
use loyd::search::Meter;
use loyd::tables::StoredTable;
use loyd::tables::file::{AnyTableKey, Header};
use serde_json::{Value, json};

use super::pdb_tables::{
    build_command, missing_file, path_in, table_record, with_fields, with_key,
};
use crate::args::Output;
use crate::args::pdb::{FilesArgs, InfoArgs};
use crate::failure::{Failure, Status};
use crate::units::{Table, size, with_commas};

/// Lists all files. The exit status is 1 if a file is unusable.
pub fn list(args: &FilesArgs) -> Result<Status, Failure> {
    let store = args.cache.store();
    let files = store.list(&mut Meter::default())?;
    let mut out = io::stdout().lock();
    match args.output {
        Output::Json => {
            for file in &files {
                writeln!(out, "{}", row(file))?;
            }
        }
        Output::Text => {
            let tables = if files.is_empty() { "no tables in " } else { "" };
            match store.folder() {
                Some(folder) => writeln!(out, "{tables}{}", folder.display())?,
                None => writeln!(out, "tables are not stored")?,
            }
            if !files.is_empty() {
                write!(out, "\n{}", table(&files))?;
            }
        }
    }
    let sound = files.iter().all(|file| file.state.is_ok());
    Ok(if sound { Status::Yes } else { Status::No })
}

fn table(files: &[StoredTable]) -> Table {
    let mut table = Table::new(5, vec!["file", "boards", "blank", "partition", "state", "size"]);
    for file in files {
        let unknown = || "-".to_owned();
        let header = file.state.as_ref();
        let of = |read: fn(&Header) -> String| header.map_or_else(|_| unknown(), read);
        table.row(vec![
            name(file),
            of(|header| header.contents.size().to_string()),
            of(|header| header.contents.blank().map_or("-".to_owned(), |blank| blank.to_string())),
            of(|header| briefly(&header.contents)),
            file.state.as_ref().map_or_else(ToString::to_string, |_| "sound".to_owned()),
            size(file.bytes),
        ]);
    }
    table
}

/// Returns the goal cells of a partition; for a set, which would be too long, its name or the number of partitions.
fn briefly(contents: &AnyTableKey) -> String {
    match contents {
        AnyTableKey::Patterns(partition) if partition.is_set() => {
            let (name, count) = (partition.name(), partition.sums().len());
            if name.contains('/') { format!("a set of {count}") } else { name }
        }
        _ => contents.groups_text().unwrap_or_else(|| contents.name()),
    }
}

fn name(file: &StoredTable) -> String {
    file.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn row(file: &StoredTable) -> Value {
    let more = json!({
        "file": file.path.display().to_string(), "bytes": file.bytes,
        "sound": file.state.is_ok(), "fault": file.state.as_ref().err().map(ToString::to_string),
    });
    with_fields(
        file.state.as_ref().map_or(json!({}), |header| table_record(&header.contents)),
        more,
    )
}

/// Shows how large tables are, and how many states are at each distance from the goal.
pub fn info(args: &InfoArgs) -> Result<Status, Failure> {
    let contents = args.tables.contents()?;
    let store = args.cache.store();
    let path = path_in(&store, &contents)?;
    let header = match with_key!(&contents, key => store.header(key)) {
        Ok(Some(header)) => header,
        Ok(None) => return Err(missing_file(&contents, &path)),
        Err(error) => {
            let advice = format!("`{}` rebuilds it", build_command(&contents));
            return Err(anyhow!("{} is not used: {error}; {advice}", path.display()).into());
        }
    };
    let (path, bytes) = (path.display(), header.word_bytes());
    let text = || {
        let tables = match &contents {
            AnyTableKey::Automaton(_) => memory_table(&header).to_string(),
            _ => {
                let (summary, histograms) = (summary(&header), histograms(&header));
                format!("{}{summary}\n{histograms}\n", partitions(&contents))
            }
        };
        format!("{contents}\n{path}\n{}\n\n{tables}", size(bytes))
    };
    let what = match &contents {
        AnyTableKey::Automaton(_) => json!({"remembered": header.censuses[0]}),
        _ => json!({"patterns": patterns(&header)}),
    };
    let more = with_fields(json!({"file": path.to_string(), "bytes": bytes}), what);
    args.output.print(text, || with_fields(table_record(&contents), more))?;
    Ok(Status::Yes)
}

/// Returns the number of states of an automaton by the number of moves they remember.
fn memory_table(header: &Header) -> Table {
    let mut table = Table::new(0, ["moves remembered", "states"]);
    for (moves, &states) in header.censuses.iter().flatten().enumerate() {
        table.row([moves.to_string(), with_commas(states)].to_vec());
    }
    table
}

/// Statistics of a census.
struct Distances {
    states: u64,
    mean: f64,
    max: usize,
}

impl Distances {
    fn new(census: &[u64]) -> Self {
        let states = census.iter().sum();
        let sum: u128 = (0..).zip(census).map(|(distance, &n)| distance * u128::from(n)).sum();
        Self { states, mean: sum as f64 / states as f64, max: census.len().saturating_sub(1) }
    }
}

/// A table: the goal cells of the patterns that share it, and its census.
struct Census<'a> {
    patterns: Vec<Vec<u8>>,
    census: &'a [u64],
}

/// Returns each table once.
fn censuses(header: &Header) -> Vec<Census<'_>> {
    let at = |place: usize| header.censuses.get(place).map_or(&[][..], Vec::as_slice);
    match &header.contents {
        AnyTableKey::Automaton(_) => Vec::new(),
        AnyTableKey::TileClasses(classes) => {
            vec![Census { patterns: vec![classes.groups().concat()], census: at(0) }]
        }
        AnyTableKey::Patterns(partition) => {
            // Files contain a census for each pattern of each partition.
            let written: Vec<usize> = partition.sums().concat();
            let cells = |&place: &usize| partition.patterns()[place].cells().to_vec();
            let census = |places: Vec<usize>| {
                let first = written.iter().position(|&place| place == places[0]);
                let census = first.map_or(&[][..], at);
                Census { patterns: places.iter().map(cells).collect(), census }
            };
            partition.sharing().into_iter().map(census).collect()
        }
    }
}

fn cell_list(cells: &[u8]) -> String {
    cells.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the partitions of a set, one per line and followed by an empty line, or an empty string for anything else.
fn partitions(contents: &AnyTableKey) -> String {
    match contents {
        AnyTableKey::Patterns(partition) if partition.is_set() => {
            let mut table = Table::new(2, ["partition", "patterns"]);
            for (number, partition) in (1..).zip(partition.to_string().split('+')) {
                table.row(vec![ordinal(number), partition.to_owned()]);
            }
            format!("{table}\n")
        }
        _ => String::new(),
    }
}

/// Formats an ordinal: `1st`, `2nd` and so on.
fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn summary(header: &Header) -> Table {
    let all = censuses(header);
    let is_shared = all.iter().any(|table| table.patterns.len() > 1);
    let also = is_shared.then_some("also serves");
    let names = ["tiles", "states", "mean", "max"];
    let words = 1 + usize::from(is_shared);
    let mut table = Table::new(words, ["pattern"].into_iter().chain(also).chain(names));
    for Census { patterns, census } in &all {
        let Distances { states, mean, max } = Distances::new(census);
        let others: Vec<String> = patterns[1..].iter().map(|cells| cell_list(cells)).collect();
        let others = is_shared.then(|| others.join(" "));
        let tiles = patterns[0].len().to_string();
        let numbers = [tiles, with_commas(states), format!("{mean:.2}"), max.to_string()];
        table.row([cell_list(&patterns[0])].into_iter().chain(others).chain(numbers).collect());
    }
    table
}

/// Returns the number of states by distance, in groups of distances, with one column per table, and several blocks of
/// columns if there are many tables.
fn histograms(header: &Header) -> String {
    const COLUMNS: usize = 8;
    let all = censuses(header);
    let places: Vec<usize> = (0..all.len()).collect();
    let part = |places: &[usize]| histogram(&all, places).to_string();
    places.chunks(COLUMNS).map(part).collect::<Vec<_>>().join("\n")
}

/// Returns the columns of the tables at these indices.
fn histogram(all: &[Census<'_>], places: &[usize]) -> Table {
    const GROUP: usize = 5;
    let names = places.iter().map(|place| ordinal(place + 1));
    let mut table = Table::new(1, ["distance".to_owned()].into_iter().chain(names));
    let longest = places.iter().map(|&place| all[place].census.len()).max().unwrap_or(0);
    for first in (0..longest).step_by(GROUP) {
        let states = |&place: &usize| all[place].census.iter().skip(first).take(GROUP).sum::<u64>();
        let states = places.iter().map(states).map(with_commas);
        let last = (first + GROUP - 1).min(longest - 1);
        table.row([format!("{first}-{last}")].into_iter().chain(states).collect());
    }
    table
}

fn patterns(header: &Header) -> Vec<Value> {
    let describe = |Census { patterns, census }: &Census<'_>| {
        let Distances { states, mean, max } = Distances::new(census);
        json!({
            "cells": patterns[0], "serves_also": patterns[1..], "states": states, "mean": mean,
            "max": max, "census": census,
        })
    };
    censuses(header).iter().map(describe).collect()
}
