//! `loyd solve`.

use std::io::{self, IsTerminal, Write};

use loyd::notation::{MovesDisplay, grids, steps};
use loyd::{CancelToken, Record, Report, Solver, Status as Ended};

use crate::Status;
use crate::args::{SolveArgs, SolveOutput};
use crate::failure::Failure;
use crate::input::{Item, Items, in_a_line};
use crate::progress::Progress;
use crate::units::{duration, grouped, size};

/// Solves boards one after the other and prints each answer as soon as it is there.
pub fn run(args: &SolveArgs) -> Result<Status, Failure> {
    if args.boards.is_empty() && args.file.is_none() {
        return Err(anyhow::anyhow!("no board is given: name one, or a file with -f").into());
    }
    let solver = Solver::new(args.search.config(&args.limits))?;
    let items = Items::new(&args.boards, args.file.as_deref(), args.input, &args.problem)?;
    let stdout = io::stdout().lock();
    let prompt = stdout.is_terminal() || io::stdin().is_terminal();
    let mut out = io::BufWriter::with_capacity(1 << 16, stdout);
    let mut status = Status::Yes;
    for item in items {
        status = status.max(answer(args, &solver, item?, &mut out)?);
        if prompt {
            out.flush()?;
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
    let solved = problem.and_then(|problem| {
        let mut progress = Progress::new(solver.config().limits.max_time);
        Ok(solver.solve_watched(&problem, &CancelToken::new(), Some(&mut progress))?)
    });
    let report = match solved {
        Ok(report) => report,
        Err(failure) => {
            failure.print();
            match args.output {
                SolveOutput::Json => {
                    let record = Record { line, id, ..Record::invalid(in_a_line(&failure)) };
                    writeln!(out, "{}", serde_json::to_string(&record)?)?;
                }
                _ => writeln!(out, "invalid")?,
            }
            return Ok(Status::Bad);
        }
    };
    match args.output {
        SolveOutput::Json => {
            let record = Record { line, id: id.clone(), ..Record::from(&report) };
            writeln!(out, "{}", serde_json::to_string(&record)?)?;
        }
        output => print(&report, output, out)?,
    }
    if args.stats {
        out.flush()?;
        eprintln!("{}", stats(&report));
    }
    let place = line.map_or(String::new(), |line| format!("line {line}: "));
    if let Ended::Stopped(stop) = report.status {
        eprintln!("{place}not solved: {stop}{}", advice(stop));
        return Ok(Status::No);
    }
    match (expected, report.length()) {
        (Some(expected), Some(length)) if report.optimal && expected as usize != length => {
            eprintln!("{place}the file gives {expected} moves, and a shortest answer has {length}");
            Ok(Status::No)
        }
        (Some(expected), None) => {
            eprintln!("{place}the file gives {expected} moves, and the board cannot be solved");
            Ok(Status::No)
        }
        _ => Ok(Status::Yes),
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
        loyd::Stop::Memory => " (--max-memory, or an algorithm that needs less, such as idastar)",
        loyd::Stop::Time => " (--max-time)",
        _ => "",
    }
}

fn stats(report: &Report) -> String {
    let how = [report.heuristic.map(str::to_owned), report.weight.map(|w| format!("w = {w}"))];
    let how: Vec<String> =
        how.into_iter().flatten().chain(report.closed.map(|c| c.to_string())).collect();
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    let result = match (report.length(), report.optimal) {
        (Some(length), true) => format!("{length} moves, shortest"),
        (Some(length), false) => format!("{length} moves, not proved shortest"),
        (None, _) => report.status.name().to_owned(),
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
