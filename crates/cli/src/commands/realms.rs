//! `loyd realms`.

use std::io::{self, Write};

use loyd::notation::Format;
use loyd::{CancelToken, Problem, REALMS, Realm, RealmTotals};
use serde_json::json;

use crate::Status;
use crate::args::{Output, RealmsArgs};
use crate::failure::Failure;
use crate::input::Items;
use crate::table::Table;
use crate::units::{duration, grouped, size};

/// The judges' sample.
const SAMPLE: &str = "2 3 4 1 5 x 7 6 8";

/// Runs the eight realms on the same boards.
pub fn run(args: &RealmsArgs) -> Result<Status, Failure> {
    let sample = [SAMPLE.to_owned()];
    let none_given = args.boards.is_empty() && args.file.is_none();
    let boards = if none_given { &sample[..] } else { &args.boards };
    let mut problems = Vec::new();
    let mut status = Status::Yes;
    for item in Items::new(boards, args.file.as_deref(), Format::Auto, &args.problem)? {
        match item?.problem {
            Ok(problem) => problems.push(problem),
            Err(failure) => {
                failure.print();
                status = Status::Bad;
            }
        }
    }
    let mut results = Vec::new();
    for realm in REALMS {
        let totals = realm.run(&problems, args.limits.limits(None), &CancelToken::new())?;
        if totals.stopped > 0 {
            status = status.max(Status::No);
        }
        results.push((realm, totals));
    }
    let mut out = io::stdout().lock();
    match args.output {
        Output::Text => write!(out, "{}", text(&problems, &results))?,
        Output::Json => {
            for (realm, totals) in results {
                writeln!(out, "{}", record(&realm, &totals, problems.len()))?;
            }
        }
    }
    Ok(status)
}

fn text(problems: &[Problem], results: &[(Realm, RealmTotals)]) -> String {
    let boards = match problems {
        [one] => format!("{} to {}", one.start(), one.goal()),
        many => format!("{} boards; counts and times are sums, memory is the largest", many.len()),
    };
    let heading = vec![
        "realm",
        "algorithm",
        "closed",
        "heuristic",
        "expanded",
        "generated",
        "duplicates",
        "memory",
        "time",
        "moves",
    ];
    let mut table = Table::new(4, heading);
    for (realm, totals) in results {
        let moves = match *totals {
            RealmTotals { solved: 0, stopped: 0, .. } => "unsolvable".to_owned(),
            RealmTotals { stopped: 0, moves, .. } => moves.to_string(),
            RealmTotals { stopped, .. } => format!("{stopped} stopped"),
        };
        table.row(vec![
            realm.number.to_string(),
            realm.algorithm.to_owned(),
            realm.closed.map_or("path only", |closed| closed.name()).to_owned(),
            realm.heuristic.unwrap_or("-").to_owned(),
            grouped(totals.expanded),
            grouped(totals.generated),
            grouped(totals.duplicates),
            size(totals.peak_bytes),
            duration(totals.elapsed_ns),
            moves,
        ]);
    }
    format!("{boards}\n\n{table}")
}

fn record(realm: &Realm, totals: &RealmTotals, boards: usize) -> serde_json::Value {
    json!({
        "realm": realm.number, "algorithm": realm.algorithm,
        "closed": realm.closed.map(|closed| closed.name()), "heuristic": realm.heuristic,
        "boards": boards, "solved": totals.solved, "unsolvable": totals.unsolvable,
        "stopped": totals.stopped, "moves": totals.moves, "expanded": totals.expanded,
        "generated": totals.generated, "duplicates": totals.duplicates,
        "peak_bytes": totals.peak_bytes, "elapsed_ns": totals.elapsed_ns,
    })
}
