//! `loyd realms`.

use std::io::{self, Write};

use loyd::notation::Format;
use loyd::study::{REALMS, Realm, RealmTotals};
use loyd::{CancelToken, Config, Problem};
use serde_json::json;

use crate::Status;
use crate::args::{Output, RealmsArgs};
use crate::failure::{Failure, tell};
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
    if problems.is_empty() {
        return Err(anyhow::anyhow!("there is no board to run the realms on").into());
    }
    let config = Config { limits: args.limits.limits(None), ..Config::default() };
    let mut results = Vec::new();
    for realm in REALMS {
        let totals = realm.run(&problems, &config, &CancelToken::new());
        if totals.as_ref().map_or(true, |totals| totals.stopped > 0) {
            status = status.max(Status::No);
        }
        results.push((realm, totals));
    }
    let mut out = io::stdout().lock();
    match args.output {
        Output::Text => write!(out, "{}", text(&problems, &results))?,
        Output::Json => {
            for (realm, totals) in &results {
                writeln!(out, "{}", record(realm, totals.as_ref(), problems.len()))?;
            }
        }
    }
    for error in results.into_iter().filter_map(|(_, totals)| totals.err()) {
        tell(error);
    }
    Ok(status)
}

/// A realm and what it did, or why it could not.
type Row = (Realm, Result<RealmTotals, loyd::Error>);

fn text(problems: &[Problem], results: &[Row]) -> String {
    let boards = match problems {
        [one] => match one.partial_goal() {
            Some(part) => format!("{} to {part}", one.start()),
            None => format!("{} to {}", one.start(), one.goal()),
        },
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
        let name = [
            realm.number.to_string(),
            realm.algorithm.to_owned(),
            realm.closed.map_or("path only", |closed| closed.name()).to_owned(),
            realm.heuristic.unwrap_or("-").to_owned(),
        ];
        let costs = match totals {
            Ok(totals) => costs(totals),
            Err(_) => ["-", "-", "-", "-", "-", "cannot run"].map(str::to_owned),
        };
        table.row(name.into_iter().chain(costs).collect());
    }
    format!("{boards}\n\n{table}")
}

fn costs(totals: &RealmTotals) -> [String; 6] {
    let moves = match *totals {
        RealmTotals { solved: 0, stopped: 0, .. } => "unsolvable".to_owned(),
        RealmTotals { stopped: 0, moves, .. } => moves.to_string(),
        RealmTotals { stopped, .. } => format!("{stopped} stopped"),
    };
    [
        grouped(totals.expanded),
        grouped(totals.generated),
        grouped(totals.duplicates),
        size(totals.peak_bytes),
        duration(totals.elapsed_ns),
        moves,
    ]
}

fn record(
    realm: &Realm,
    totals: Result<&RealmTotals, &loyd::Error>,
    boards: usize,
) -> serde_json::Value {
    let totals = match totals {
        Ok(totals) => totals,
        Err(error) => {
            return json!({
                "realm": realm.number, "algorithm": realm.algorithm, "boards": boards,
                "error": error.to_string(),
            });
        }
    };
    json!({
        "realm": realm.number, "algorithm": realm.algorithm,
        "closed": realm.closed.map(|closed| closed.name()), "heuristic": realm.heuristic,
        "boards": boards, "solved": totals.solved, "unsolvable": totals.unsolvable,
        "stopped": totals.stopped, "moves": totals.moves, "expanded": totals.expanded,
        "generated": totals.generated, "duplicates": totals.duplicates,
        "peak_bytes": totals.peak_bytes, "elapsed_ns": totals.elapsed_ns,
    })
}
