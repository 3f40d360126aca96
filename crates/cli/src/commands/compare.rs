//! `loyd compare`.

mod boards;
mod results;
mod text;

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, anyhow};
use loyd::Config;
use loyd_lab::compare::{self, Choices, Comparison, Header, Record, Row, Summary};
use loyd_lab::plot::{self, html_report};

use super::{command_line, save};
use crate::Status;
use crate::args::{CompareArgs, ComparedRows, Export, Output};
use crate::failure::{Failure, tell};
use crate::features;
use crate::interrupt;
use crate::progress::CompareProgress;
pub use boards::of as boards_of;
use results::Results;

/// Compares searches, or reads what was compared.
pub fn run(args: &CompareArgs) -> Result<Status, Failure> {
    if args.export == Some(Export::Parquet) {
        features::check("parquet")?;
        if io::stdout().is_terminal() {
            return Err(anyhow!("Parquet is nothing for a terminal: send it to a file").into());
        }
    }
    if let Some(path) = &args.report {
        // Whether it can be written is better known before the searches than after them.
        let error = || format!("cannot write {}", path.display());
        File::options().append(true).create(true).open(path).with_context(error)?;
    }
    if let Some(path) = &args.from {
        let (header, mut records) = read(path)?;
        header.sort(&mut records);
        print(args, &header, &records)?;
        return Ok(status(&records));
    }
    let cancel = interrupt::token()?;
    let config = Config {
        metric: args.rows.metric,
        store: args.cache.store(),
        limits: args.limits.limits(None),
        ..Config::default()
    };
    let (boards, faults) = boards_of(&args.boards, &config, &cancel)?;
    if boards.is_empty() {
        return Err(anyhow!("there is no board to compare searches on").into());
    }
    let comparison = Comparison::new(rows(&args.rows)?, boards, &config)?;
    let seed = args.boards.draws().then_some(args.boards.seed);
    let header = Header::new(&comparison, &command_line(), seed);
    let mut results = Results::open(args, header)?;
    let threads = args.threads();
    let mut progress = CompareProgress::new(args.progress.progress, &comparison, &results.records);
    let done = results.records.clone();
    let mut failure = None;
    comparison.run(&done, threads, &cancel, |record| {
        progress.add(&record);
        match results.add(record) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                // What still runs has nowhere to go.
                cancel.cancel();
                ControlFlow::Break(())
            }
        }
    });
    drop(progress);
    if let Some(failure) = failure {
        return Err(failure);
    }
    if results.records.len() < comparison.rows().len() * comparison.boards().len() {
        tell(results.how_to_continue());
    }
    results.header.sort(&mut results.records);
    print(args, &results.header, &results.records)?;
    let status = status(&results.records).max(faults);
    Ok(if cancel.is_cancelled() { status.max(Status::No) } else { status })
}

/// The rows that are asked for.
pub fn rows(args: &ComparedRows) -> Result<Vec<Row>, Failure> {
    if let Some(preset) = args.preset {
        return Ok(preset.rows(args.metric)?);
    }
    let algorithms = match args.algorithms.as_slice() {
        [] => vec!["bfs", "astar", "idastar"],
        named => named.to_vec(),
    };
    let choices = Choices {
        algorithms,
        heuristics: args.heuristics.clone(),
        closed: args.closed.clone(),
        weights: args.weights.clone(),
        prune: args.prune.clone(),
    };
    Ok(choices.rows(args.metric)?)
}

/// Reads a comparison that was saved.
fn read(path: &Path) -> Result<(Header, Vec<Record>), Failure> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let (header, records, _) = compare::read(BufReader::new(file)).with_context(name)?;
    Ok((header, records))
}

/// Prints what came of all runs, and writes the report.
fn print(args: &CompareArgs, header: &Header, records: &[Record]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match (args.export, args.output) {
        (Some(Export::Csv), _) => out.write_all(compare::csv(records).as_bytes())?,
        (Some(Export::Lab), _) => out.write_all(compare::lab(header, records).as_bytes())?,
        (Some(Export::Markdown), _) => {
            out.write_all(compare::markdown(header, &Summary::of(records)).as_bytes())?;
        }
        #[cfg(feature = "parquet")]
        (Some(Export::Parquet), _) => compare::parquet(records, io::stdout())?,
        #[cfg(not(feature = "parquet"))]
        (Some(Export::Parquet), _) => {}
        (None, Output::Text) => write!(out, "{}", text::summary(&Summary::of(records)))?,
        // Written as runs ended, unless there were none.
        (None, Output::Json) if args.from.is_some() => {
            writeln!(out, "{}", header.to_line())?;
            for record in records {
                writeln!(out, "{}", serde_json::to_string(record)?)?;
            }
        }
        (None, Output::Json) => {}
    }
    if let Some(path) = &args.report {
        save(path, &html_report(&plot::Results::new(header.clone(), records.to_vec())))?;
    }
    text::tell_refusals(records);
    Ok(())
}

/// Whether all runs ended by themselves.
fn status(records: &[Record]) -> Status {
    let unfinished = |record: &Record| ["stopped", "refused"].contains(&record.status.as_str());
    if records.iter().any(unfinished) { Status::No } else { Status::Yes }
}
