//! `loyd compare`: its boards, and the summary of its results as text.

#[cfg(feature = "queue")]
mod remote;
mod results;

use std::io::{self, Write};
use std::ops::ControlFlow;

use anyhow::anyhow;
use loyd::scramble::Scrambler;
use loyd::search::Limits;
use loyd::{Board, CancelToken, Config, Problem, Size};
use loyd_lab::compare::{
    self, Choices, Comparison, Header, Instance, Record, Row, RowSummary, Spread, Summary,
};

#[cfg(feature = "queue")]
use super::queue::connect_on;
use super::{check_on, command_line, plot};
use crate::args::{CompareArgs, CompareOutput, ComparedBoards, ComparedRows, ProblemArgs};
use crate::failure::{Failure, Status, print_note};
use crate::input::{Items, goal_board, partial_goal};
use crate::interrupt;
use crate::memory;
use crate::progress::CompareProgress;
use crate::units::{Table, duration, size, with_commas};
pub use results::{Results, print_records};

/// Compares searches, or summarises a saved comparison.
pub fn run(args: &CompareArgs) -> Result<Status, Failure> {
    // Fails before the searches, not after them, if a file cannot be written.
    args.export.iter().try_for_each(plot::check)?;
    if let Some(path) = &args.results {
        let (header, mut records) = plot::read(path)?;
        header.sort(&mut records);
        print(args, &header, &records)?;
        return Ok(status(&records));
    }
    check_on(&args.on)?;
    let is_kept = args.save.is_some() || args.output == CompareOutput::Json;
    if args.shard.is_some() && !is_kept {
        return Err(anyhow!("--shard needs --save or --output json, for `loyd merge`").into());
    }
    let cancel = interrupt::token()?;
    let limits = args.limits.limits(None);
    let max_bytes = memory::shared(limits.max_bytes, args.threads().get() as u64);
    let config = Config {
        metric: args.rows.metric,
        store: args.cache.store(),
        limits: Limits { max_bytes, ..limits },
        ..Config::default()
    };
    let (boards, faults) = boards_of(&args.boards, &config, &cancel)?;
    if boards.is_empty() {
        return Err(anyhow!("there is no board on which to compare searches").into());
    }
    let comparison = Comparison::new(rows(&args.rows)?, boards, &config)?.with_shard(args.shard);
    let seed = args.boards.draws().then_some(args.boards.seed);
    let mut header = Header::new(&comparison, &command_line(), seed);
    if let Some(shard) = args.shard {
        header = header.of_shard(shard, faults == Status::Bad);
    }
    #[cfg(feature = "queue")]
    let queue = connect_on(&args.on)?;
    let mut results = Results::open(args, header, &comparison)?;
    let progress = CompareProgress::new(args.progress.progress, &comparison, &results.records);
    #[cfg(feature = "queue")]
    match &queue {
        Some(queue) => {
            remote::run(&comparison, &config, queue, (&mut results, progress), &cancel)?;
        }
        None => run_here(&comparison, args, (&mut results, progress), &cancel)?,
    }
    #[cfg(not(feature = "queue"))]
    run_here(&comparison, args, (&mut results, progress), &cancel)?;
    let is_complete =
        results.records.len() == comparison.rows().len() * comparison.own_boards().len();
    if !is_complete {
        print_note(results.interruption_note(cancel.is_cancelled()));
    }
    results.header.sort(&mut results.records);
    print(args, &results.header, &results.records)?;
    if is_complete && args.shard.is_some() {
        // The status of the runs is that of `loyd merge`.
        return Ok(Status::Yes);
    }
    let status = status(&results.records).max(faults);
    Ok(if is_complete { status } else { status.max(Status::No) })
}

/// Does the runs of a comparison that have no record yet.
fn run_here(
    comparison: &Comparison,
    args: &CompareArgs,
    (results, mut progress): (&mut Results, CompareProgress),
    cancel: &CancelToken,
) -> Result<(), Failure> {
    let threads = args.threads();
    let done = results.records.clone();
    let mut failure = None;
    comparison.run(&done, threads, cancel, |record| {
        progress.add(&record);
        match results.add(record) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                // The results of running searches cannot be written either.
                cancel.cancel();
                ControlFlow::Break(())
            }
        }
    });
    failure.map_or(Ok(()), Err)
}

/// Returns the requested rows: one search each.
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

/// Prints the results of all runs, and writes the exports.
fn print(args: &CompareArgs, header: &Header, records: &[Record]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match args.output {
        CompareOutput::Text => print_summary(&mut out, records)?,
        // Already printed as runs ended, unless there were none.
        CompareOutput::Json if args.results.is_some() => print_records(&mut out, header, records)?,
        CompareOutput::Json => {}
        CompareOutput::Csv => out.write_all(compare::csv(records).as_bytes())?,
        CompareOutput::Lab => out.write_all(compare::lab(header, records).as_bytes())?,
        CompareOutput::Markdown => {
            out.write_all(compare::markdown(header, &Summary::of(records)).as_bytes())?;
        }
    }
    for export in &args.export {
        plot::write(export, header, records)?;
    }
    print_refusals(records);
    Ok(())
}

/// Prints the summary as text.
pub fn print_summary(out: &mut impl Write, records: &[Record]) -> Result<(), Failure> {
    Ok(write!(out, "{}", summary_text(&Summary::of(records)))?)
}

/// Returns the exit status: `No` if a run was stopped or refused.
pub fn status(records: &[Record]) -> Status {
    let unfinished = |record: &Record| ["stopped", "refused"].contains(&record.status.as_str());
    if records.iter().any(unfinished) { Status::No } else { Status::Yes }
}

/// Default number of drawn boards.
const DRAWN_BOARDS: u64 = 20;

/// Largest number of boards drawn, or drawn of each length: all of them are kept in memory.
const MAX_DRAWN_BOARDS: u64 = 1_000_000;

/// Returns the given or drawn boards, and [`Status::Bad`] if some of the input was invalid.
///
/// Errors in boards of the input are printed.
pub fn boards_of(
    args: &ComparedBoards,
    config: &Config,
    cancel: &CancelToken,
) -> Result<(Vec<Instance>, Status), Failure> {
    if args.draws() {
        return Ok((drawn_boards(args, config, cancel)?, Status::Yes));
    }
    let (mut boards, mut status) = (Vec::new(), Status::Yes);
    for item in Items::new(&args.boards, args.file.as_deref(), &args.problem)? {
        let item = item?;
        match item.problem {
            Ok(problem) => {
                let optimal_length = item.expected.map(u64::from);
                boards.push(Instance { problem, optimal_length });
            }
            Err(failure) => {
                failure.print();
                status = Status::Bad;
            }
        }
    }
    Ok((boards, status))
}

impl ComparedBoards {
    /// Returns whether boards are drawn.
    pub fn draws(&self) -> bool {
        self.boards.is_empty() && self.file.is_none()
    }
}

/// Draws boards from a seed, as `loyd scramble` does.
fn drawn_boards(
    args: &ComparedBoards,
    config: &Config,
    cancel: &CancelToken,
) -> Result<Vec<Instance>, Failure> {
    // The limits on time and expansions apply to the runs only.
    let max_bytes = config.limits.max_bytes;
    let config =
        &Config { limits: Limits { max_bytes, ..Config::default().limits }, ..config.clone() };
    let ProblemArgs { size, goal, .. } = &args.problem;
    let size = size.or(goal.is_none().then_some(Size::EIGHT));
    let partial = partial_goal(size, goal.as_deref())?;
    let mut scrambler = match &partial {
        Some(partial) => Scrambler::with_partial_goal(partial, args.seed, config.clone())?,
        None => Scrambler::new(goal_board(size, goal.as_deref())?, args.seed, config.clone())?,
    };
    let whole = partial.is_none().then(|| goal_board(size, goal.as_deref())).transpose()?;
    let problem = |board: Board| match (&partial, &whole) {
        (Some(partial), _) => Problem::with_partial_goal(board, partial),
        (None, Some(goal)) => Problem::between(board, goal.clone()),
        (None, None) => unreachable!("a goal is partial or whole"),
    };
    if let Some(number) = args.number.filter(|number| number.get() > MAX_DRAWN_BOARDS) {
        return Err(anyhow!(
            "a comparison draws at most {MAX_DRAWN_BOARDS} boards, or as many of each length, not {number}"
        )
        .into());
    }
    let Some(lengths) = &args.length else {
        let number = args.number.map_or(DRAWN_BOARDS, Into::into);
        let subject = |board| Ok(Instance { problem: problem(board)?, optimal_length: None });
        return (0..number).map(|_| subject(scrambler.uniform())).collect();
    };
    let is_length = config.metric == loyd::moves::Metric::SingleTile;
    let mut boards = Vec::new();
    for &length in &lengths.0 {
        for _ in 0..args.number.map_or(1, Into::into) {
            let board = scrambler.of_length(length, cancel, None)?.board;
            // The scrambler counts single-tile moves.
            let optimal_length = is_length.then_some(u64::from(length));
            boards.push(Instance { problem: problem(board)?, optimal_length });
        }
    }
    Ok(boards)
}

/// Functions that get a quantity from a row and format its numbers.
type Quantity = (fn(&RowSummary) -> Spread, fn(f64) -> String);

/// Returns the summary as tables, and a sentence for each row except the best.
fn summary_text(summary: &Summary) -> String {
    let parts = [
        runs_table(&summary.rows),
        spreads_table(
            &summary.rows,
            vec!["expanded", "mean", "median", "max", "generated", "median", "max"],
            [(|row| row.expanded, number_text), (|row| row.generated, number_text)],
        ),
        spreads_table(
            &summary.rows,
            vec!["memory", "mean", "median", "max", "time", "median", "max"],
            [
                (|row| row.peak_bytes, |bytes| size(bytes as u64)),
                (|row| row.elapsed_ns, |ns| duration(ns as u64)),
            ],
        ),
        summary.sentences().into_iter().map(|sentence| sentence + "\n").collect(),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns the table of how the runs of each row ended, and of the quality of solutions.
fn runs_table(rows: &[RowSummary]) -> String {
    let heading =
        vec!["runs", "solved", "unsolvable", "stopped", "refused", "branching", "over optimal"];
    let mut table = Table::new(1, heading);
    for row in rows {
        let [solved, unsolvable, stopped, refused] =
            [row.solved, row.unsolvable, row.stopped, row.refused].map(with_commas);
        let [branching, over] = [row.branching, row.over_optimal]
            .map(|number| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.3}")));
        table.row(vec![row.name.clone(), solved, unsolvable, stopped, refused, branching, over]);
    }
    table.to_string()
}

/// Returns a table with mean, median and maximum of two quantities.
///
/// In the heading, the first quantity is above the names of the rows, the second above its mean.
fn spreads_table(
    rows: &[RowSummary],
    heading: Vec<&'static str>,
    quantities: [Quantity; 2],
) -> String {
    if rows.iter().all(|row| row.solved == 0) {
        return String::new();
    }
    let mut table = Table::new(1, heading);
    for row in rows.iter().filter(|row| row.solved > 0) {
        let cells = quantities.iter().flat_map(|(of, written)| {
            let Spread { mean, median, max } = of(row);
            [mean, median, max].map(written)
        });
        table.row([row.name.clone()].into_iter().chain(cells).collect());
    }
    table.to_string()
}

fn number_text(number: f64) -> String {
    if number < 100.0 && number.fract() != 0.0 {
        format!("{number:.1}")
    } else {
        with_commas(number.round() as u64)
    }
}

/// Prints why rows could not run, each reason once.
pub fn print_refusals(records: &[Record]) {
    let mut printed: Vec<(&str, &str)> = Vec::new();
    for record in records.iter().filter(|record| record.status == "refused") {
        let reason = (record.row.as_str(), record.stop.as_deref().unwrap_or_default());
        if !printed.contains(&reason) {
            print_note(format_args!("{}: {}", reason.0, reason.1));
            printed.push(reason);
        }
    }
}
