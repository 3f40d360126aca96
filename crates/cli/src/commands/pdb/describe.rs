//! `loyd pdb list` and `loyd pdb info`.

use std::io::{self, Write};

use anyhow::anyhow;
use loyd::pdb::Header;
use loyd::{Kept, Meter};
use serde_json::{Value, json};

use super::{path_in, record, title, with};
use crate::Status;
use crate::args::Output;
use crate::args::pdb::{FilesArgs, InfoArgs};
use crate::failure::Failure;
use crate::table::Table;
use crate::units::{grouped, size};

/// Lists all files. The exit status is 1 if one of them would not be used.
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
                None => writeln!(out, "nothing is kept")?,
            }
            if !files.is_empty() {
                write!(out, "\n{}", table(&files))?;
            }
        }
    }
    let sound = files.iter().all(|file| file.state.is_ok());
    Ok(if sound { Status::Yes } else { Status::No })
}

fn table(files: &[Kept]) -> Table {
    let mut table = Table::new(5, vec!["file", "boards", "blank", "partition", "state", "size"]);
    for file in files {
        let unknown = || "-".to_owned();
        let header = file.state.as_ref();
        let of = |read: fn(&Header) -> String| header.map_or_else(|_| unknown(), read);
        table.row(vec![
            name(file),
            of(|header| header.partition.size().to_string()),
            of(|header| header.partition.blank().to_string()),
            of(|header| header.partition.to_string()),
            file.state.as_ref().map_or_else(ToString::to_string, |_| "sound".to_owned()),
            size(file.bytes),
        ]);
    }
    table
}

fn name(file: &Kept) -> String {
    file.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn row(file: &Kept) -> Value {
    let more = json!({
        "file": file.path.display().to_string(), "bytes": file.bytes,
        "sound": file.state.is_ok(), "fault": file.state.as_ref().err().map(ToString::to_string),
    });
    with(file.state.as_ref().map_or(json!({}), |header| record(&header.partition)), more)
}

/// Tells how large tables are and how far from the goal their states.
pub fn info(args: &InfoArgs) -> Result<Status, Failure> {
    let partition = args.tables.partition()?;
    let store = args.cache.store();
    let path = path_in(&store, &partition)?;
    let header = match store.header(&partition) {
        Ok(Some(header)) => header,
        Ok(None) => {
            let name = partition.name();
            return Err(anyhow!(
                "there is no {}; `loyd pdb build {name}` with the same options makes it",
                path.display()
            )
            .into());
        }
        Err(error) => {
            let advice = format!("`loyd pdb build {}` makes it anew", partition.name());
            return Err(anyhow!("{} is not used: {error}; {advice}", path.display()).into());
        }
    };
    let mut out = io::stdout().lock();
    match args.output {
        Output::Text => {
            writeln!(out, "{}\n{}", title(&partition), path.display())?;
            writeln!(out, "{}\n", size(header.word_bytes()))?;
            writeln!(out, "{}\n{}", summary(&header), histogram(&header))?;
        }
        Output::Json => {
            let more = json!({
                "file": path.display().to_string(), "bytes": header.word_bytes(),
                "patterns": patterns(&header),
            });
            writeln!(out, "{}", with(record(&partition), more))?;
        }
    }
    Ok(Status::Yes)
}

/// What a census says.
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

fn summary(header: &Header) -> Table {
    let mut table = Table::new(1, vec!["pattern", "tiles", "states", "mean", "max"]);
    for (pattern, census) in header.partition.patterns().iter().zip(&header.censuses) {
        let Distances { states, mean, max } = Distances::new(census);
        let cells: Vec<String> = pattern.cells().iter().map(u8::to_string).collect();
        table.row(vec![
            cells.join(","),
            pattern.tiles().to_string(),
            grouped(states),
            format!("{mean:.2}"),
            max.to_string(),
        ]);
    }
    table
}

/// How many states there are by distance, some distances together, a column a pattern.
fn histogram(header: &Header) -> Table {
    const TOGETHER: usize = 5;
    const NUMBERS: [&str; 8] = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];
    let columns = &NUMBERS[..header.censuses.len()];
    let mut table = Table::new(1, [&["distance"], columns].concat());
    let longest = header.censuses.iter().map(Vec::len).max().unwrap_or(0);
    for first in (0..longest).step_by(TOGETHER) {
        let states = |census: &Vec<u64>| -> u64 { census.iter().skip(first).take(TOGETHER).sum() };
        let states = header.censuses.iter().map(|census| grouped(states(census)));
        let last = (first + TOGETHER - 1).min(longest - 1);
        table.row([format!("{first}-{last}")].into_iter().chain(states).collect());
    }
    table
}

fn patterns(header: &Header) -> Vec<Value> {
    let patterns = header.partition.patterns().iter().zip(&header.censuses);
    let describe = patterns.map(|(pattern, census)| {
        let Distances { states, mean, max } = Distances::new(census);
        json!({
            "cells": pattern.cells(), "states": states, "mean": mean, "max": max, "census": census,
        })
    });
    describe.collect()
}
