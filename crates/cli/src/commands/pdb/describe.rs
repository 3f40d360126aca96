//! `loyd pdb list` and `loyd pdb info`.

use std::io::{self, Write};

use anyhow::anyhow;
use loyd::search::Meter;
use loyd::tables::StoredTable;
use loyd::tables::file::{Contents, Header};
use serde_json::{Value, json};

use super::{command, missing, path_in, record, with};
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

fn table(files: &[StoredTable]) -> Table {
    let mut table = Table::new(5, vec!["file", "boards", "blank", "partition", "state", "size"]);
    for file in files {
        let unknown = || "-".to_owned();
        let header = file.state.as_ref();
        let of = |read: fn(&Header) -> String| header.map_or_else(|_| unknown(), read);
        table.row(vec![
            name(file),
            of(|header| header.contents.size().to_string()),
            of(|header| header.contents.blank().to_string()),
            of(|header| header.contents.groups_text()),
            file.state.as_ref().map_or_else(ToString::to_string, |_| "sound".to_owned()),
            size(file.bytes),
        ]);
    }
    table
}

fn name(file: &StoredTable) -> String {
    file.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn row(file: &StoredTable) -> Value {
    let more = json!({
        "file": file.path.display().to_string(), "bytes": file.bytes,
        "sound": file.state.is_ok(), "fault": file.state.as_ref().err().map(ToString::to_string),
    });
    with(file.state.as_ref().map_or(json!({}), |header| record(&header.contents)), more)
}

/// Shows how large tables are, and how many states are at each distance from the goal.
pub fn info(args: &InfoArgs) -> Result<Status, Failure> {
    let contents = args.tables.contents()?;
    let store = args.cache.store();
    let path = path_in(&store, &contents)?;
    let header = match with_key!(&contents, key => store.header(key)) {
        Ok(Some(header)) => header,
        Ok(None) => return Err(missing(&contents, &path)),
        Err(error) => {
            let advice = format!("`{}` makes it anew", command(&contents));
            return Err(anyhow!("{} is not used: {error}; {advice}", path.display()).into());
        }
    };
    let (path, bytes) = (path.display(), header.word_bytes());
    let text = || {
        let tables = format!("{}\n{}\n", summary(&header), histogram(&header));
        format!("{contents}\n{path}\n{}\n\n{tables}", size(bytes))
    };
    let more = json!({"file": path.to_string(), "bytes": bytes, "patterns": patterns(&header)});
    args.output.print(text, || with(record(&contents), more))?;
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

/// The goal cells that each census is about.
fn cells(header: &Header) -> Vec<Vec<u8>> {
    match &header.contents {
        Contents::Patterns(p) => p.patterns().iter().map(|p| p.cells().to_vec()).collect(),
        Contents::TileClasses(classes) => vec![classes.groups().concat()],
    }
}

fn summary(header: &Header) -> Table {
    let mut table = Table::new(1, vec!["pattern", "tiles", "states", "mean", "max"]);
    for (cells, census) in cells(header).iter().zip(&header.censuses) {
        let Distances { states, mean, max } = Distances::new(census);
        let text: Vec<String> = cells.iter().map(u8::to_string).collect();
        table.row(vec![
            text.join(","),
            cells.len().to_string(),
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
    const NUMBERS: [&str; 9] = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th"];
    let columns = &NUMBERS[..header.censuses.len().min(NUMBERS.len())];
    let mut table = Table::new(1, [&["distance"], columns].concat());
    let longest = header.censuses.iter().map(Vec::len).max().unwrap_or(0);
    for first in (0..longest).step_by(TOGETHER) {
        let states = |census: &Vec<u64>| -> u64 { census.iter().skip(first).take(TOGETHER).sum() };
        let censuses = header.censuses.iter().take(columns.len());
        let states = censuses.map(|census| grouped(states(census)));
        let last = (first + TOGETHER - 1).min(longest - 1);
        table.row([format!("{first}-{last}")].into_iter().chain(states).collect());
    }
    table
}

fn patterns(header: &Header) -> Vec<Value> {
    let cells = cells(header);
    let describe = cells.iter().zip(&header.censuses).map(|(cells, census)| {
        let Distances { states, mean, max } = Distances::new(census);
        json!({"cells": cells, "states": states, "mean": mean, "max": max, "census": census})
    });
    describe.collect()
}
