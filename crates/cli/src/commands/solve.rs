//! `loyd solve`.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use loyd::notation::{MovesDisplay, grids, slashes, steps};
use loyd::{CancelToken, Record, Report, Solver, Status as Ended};

use crate::Status;
use crate::args::{SolveArgs, SolveOutput};
use crate::failure::{Failure, tell};
use crate::input::{Item, Items, in_a_line};
use crate::progress::Progress;
use crate::units::{duration, grouped, moves, size};

/// Answers from a file are kept back for at most this long.
const PATIENCE: Duration = Duration::from_millis(100);

/// Solves boards one after the other and prints each answer as soon as it is there.
pub fn run(args: &SolveArgs) -> Result<Status, Failure> {
    if args.boards.is_empty() && args.file.is_none() {
        return Err(anyhow::anyhow!("no board is given: name one, or a file with -f").into());
    }
    let solver = Solver::new(args.search.config(&args.limits))?;
    let format = args.input.unwrap_or_default();
    let items = Items::new(&args.boards, args.file.as_deref(), format, &args.problem)?;
    // Whoever talks to the program through a pipe waits for each answer.
    let awaited = args.file.as_deref().is_none_or(|path| path == Path::new("-"));
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut flushed = Instant::now();
    let mut status = Status::Yes;
    for item in items {
        status = status.max(answer(args, &solver, item?, &mut out)?);
        if awaited || flushed.elapsed() >= PATIENCE {
            out.flush()?;
            flushed = Instant::now();
        }
    }
    out.flush()?;
    Ok(status)
}

/// Solves and prints one board, or tells what is wrong with it.
fn answer(
    args: &SolveArgs,
    solver: &Solver,
    item: Item,
    out: &mut impl Write,
) -> Result<Status, Failure> {
    let Item { line, id, expected, problem } = item;
    let mut progress = Progress::new(solver.config().limits.max_time);
    let report = problem.map_err(|failure| (None, failure)).and_then(|problem| {
        let report = solver.solve_watched(&problem, &CancelToken::new(), Some(&mut progress));
        report.map_err(|error| (Some(problem), with_option(error)))
    });
    drop(progress);
    let report = match report {
        Ok(report) => report,
        Err((problem, failure)) => {
            failure.print();
            let record = Record::invalid(problem.as_ref(), in_a_line(&failure));
            match args.output {
                SolveOutput::Json => write_record(out, &Record { line, id, expected, ..record })?,
                _ => writeln!(out, "invalid")?,
            }
            return Ok(Status::Bad);
        }
    };
    match args.output {
        SolveOutput::Json => {
            write_record(out, &Record { line, id, expected, ..Record::from(&report) })?;
        }
        output => print(&report, output, out)?,
    }
    if args.stats {
        out.flush()?;
        tell(stats(&report));
    }
    Ok(judge(&report, line, expected))
}

/// The error with the option that mends it.
fn with_option(error: loyd::Error) -> Failure {
    match error {
        loyd::Error::DepthNeeded { .. } => anyhow::anyhow!("{error} (--max-depth)").into(),
        error => error.into(),
    }
}

fn write_record(out: &mut impl Write, record: &Record) -> Result<(), Failure> {
    Ok(writeln!(out, "{}", serde_json::to_string(record)?)?)
}

/// Whether the board was answered, and as the file says; tells on standard error if not.
fn judge(report: &Report, line: Option<usize>, expected: Option<u32>) -> Status {
    let place = match line {
        Some(line) => format!("line {line}: "),
        None => format!("{}: ", slashes(report.problem.start())),
    };
    if let Ended::Stopped(stop) = report.status {
        tell(format_args!("{place}not solved: {stop}{}", advice(stop)));
        return Status::No;
    }
    let expected = expected.map(|expected| expected as usize);
    let wrong = match (expected, report.length()) {
        (Some(expected), Some(length)) if length < expected => {
            Some(format!("the file gives {expected} moves, and {length} are enough"))
        }
        (Some(expected), Some(length)) if report.optimal && length > expected => {
            Some(format!("the file gives {expected} moves, and a shortest answer has {length}"))
        }
        (Some(expected), None) => {
            Some(format!("the file gives {expected} moves, and the board cannot be solved"))
        }
        _ => None,
    };
    match wrong {
        Some(wrong) => {
            tell(format_args!("{place}{wrong}"));
            Status::No
        }
        None => Status::Yes,
    }
}

fn print(report: &Report, output: SolveOutput, out: &mut impl Write) -> Result<(), Failure> {
    let start = report.problem.start();
    match (&report.moves, output) {
        (None, _) => writeln!(out, "{}", word(report.status))?,
        (Some(moves), SolveOutput::Steps) => write!(out, "{}", steps(start, moves)?)?,
        (Some(moves), SolveOutput::Grid) => write!(out, "{}", grids(start, moves)?)?,
        (Some(moves), _) => writeln!(out, "{}", MovesDisplay(moves))?,
    }
    Ok(())
}

/// What stands in the place of an answer.
fn word(status: Ended) -> &'static str {
    match status {
        Ended::Solved | Ended::Unsolvable | Ended::Exhausted => "unsolvable",
        Ended::Stopped(_) => "stopped",
    }
}

/// Which option lets the search go on.
fn advice(stop: loyd::Stop) -> &'static str {
    match stop {
        loyd::Stop::Expanded => " (--max-expanded)",
        loyd::Stop::Depth => " (--max-depth)",
        loyd::Stop::Memory => " (--max-memory); idastar needs next to none",
        loyd::Stop::Time => " (--max-time)",
        _ => "",
    }
}

fn stats(report: &Report) -> String {
    let how = [report.heuristic.map(str::to_owned), report.weight.map(|w| format!("w = {w}"))];
    let how: Vec<String> =
        how.into_iter().flatten().chain(report.closed.map(|c| c.to_string())).collect();
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    let result = match (report.length(), report.optimal, report.within) {
        (Some(length), true, _) => format!("{}, shortest", moves(length)),
        (Some(length), false, Some(weight)) => {
            format!("{}, at most {weight} times the shortest", moves(length))
        }
        (Some(length), false, None) => format!("{}, not proved shortest", moves(length)),
        (None, ..) => report.status.name().to_owned(),
    };
    let stats = &report.stats;
    format!(
        "{}{how}: {result}; expanded {}, generated {}, duplicates {}, reopened {}, {}, {}",
        report.algorithm,
        grouped(stats.expanded),
        grouped(stats.generated),
        grouped(stats.duplicates),
        grouped(stats.reopened),
        size(stats.peak_bytes),
        duration(stats.elapsed.as_nanos() as u64),
    )
}
