//! `loyd realms`.

use std::io::{self, Write};

use loyd::notation::slashes;
use loyd::search::{Algorithm, ClosedKind, Status as Ended};
use loyd::study::{REALMS, Realm, RealmTotals};
use loyd::{Config, Problem, Report};
use serde_json::{Value, json};

use crate::args::{Output, RealmsArgs};
use crate::failure::{Failure, Status, print_note};
use crate::input::Items;
use crate::interrupt;
use crate::progress::Watch;
use crate::units::{Table, duration, size, with_commas};

/// The sample board of the judges.
const SAMPLE: &str = "2 3 4 1 5 x 7 6 8";

/// Runs the realms on the same boards.
pub fn run(args: &RealmsArgs) -> Result<Status, Failure> {
    let sample = [SAMPLE.to_owned()];
    let no_boards_given = args.boards.is_empty() && args.file.is_none();
    let boards = if no_boards_given { &sample[..] } else { &args.boards };
    let mut problems = Vec::new();
    let mut status = Status::Yes;
    for item in Items::new(boards, args.file.as_deref(), &args.problem)? {
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
    let mut rows = Vec::new();
    let (cancel, watch) = (interrupt::token()?, Watch::new(args.progress, config.limits.max_time));
    for realm in args.realms() {
        if cancel.is_cancelled() {
            break;
        }
        let reports = realm.run(&problems, &config, &cancel, watch.search().observer());
        let stopped = |report: &Report| matches!(report.status, Ended::Stopped(_));
        if reports.as_ref().map_or(true, |reports| reports.iter().any(stopped)) {
            status = status.max(Status::No);
        }
        rows.push((realm, reports));
    }
    let mut out = io::stdout().lock();
    match args.output {
        Output::Text => write!(out, "{}", text(&problems, &rows))?,
        Output::Json => {
            rows.iter().flat_map(records).try_for_each(|record| writeln!(out, "{record}"))?;
        }
    }
    for error in rows.into_iter().filter_map(|(_, reports)| reports.err()) {
        print_note(error);
    }
    Ok(status)
}

impl RealmsArgs {
    /// Returns the realms for the given algorithms and heuristics, or the eight defaults. Algorithms without a
    /// heuristic run once.
    fn realms(&self) -> Vec<Realm> {
        let Self { algorithms, heuristics, .. } = self;
        if algorithms.is_empty() && heuristics.is_empty() {
            return REALMS.to_vec();
        }
        let algorithms = if algorithms.is_empty() { &["astar", "idastar"][..] } else { algorithms };
        let heuristics = if heuristics.is_empty() { &["manhattan"][..] } else { heuristics };
        let named = |name: &&str| Algorithm::named(name).is_ok_and(|row| row.uses_heuristic);
        let pairs = algorithms.iter().flat_map(|algorithm| {
            let with = heuristics.iter().copied().map(Some).filter(|_| named(algorithm));
            let without = (!named(algorithm)).then_some(None);
            with.chain(without).map(|heuristic| (*algorithm, heuristic))
        });
        let realm = |(number, (algorithm, heuristic))| Realm::of(number, algorithm, heuristic);
        (1..=u8::MAX).zip(pairs).map(realm).collect()
    }
}

/// A realm with its reports, or the error that prevented it from running.
type Row = (Realm, Result<Vec<Report>, loyd::Error>);

fn text(problems: &[Problem], rows: &[Row]) -> String {
    let boards = match problems {
        [one] => match one.partial_goal() {
            Some(part) => format!("{} to {part}", one.start()),
            None => format!("{} to {}", one.start(), one.goal()),
        },
        many => format!(
            "{} boards; counts and times of all are sums, memory is the largest",
            many.len()
        ),
    };
    let several = problems.len() > 1;
    let mut heading = vec!["realm", "algorithm", "closed", "heuristic"];
    heading.extend(several.then_some("board"));
    heading.extend(["expanded", "generated", "duplicates", "memory", "time", "moves"]);
    let mut table = Table::new(4 + usize::from(several), heading);
    for (realm, reports) in rows {
        let mut row = |closed: Option<ClosedKind>, board: String, costs: [String; 6]| {
            let cells = name(realm, closed).into_iter().chain(several.then_some(board));
            table.row(cells.chain(costs).collect());
        };
        let Ok(reports) = reports else {
            let costs = ["-", "-", "-", "-", "-", "cannot run"].map(str::to_owned);
            row(realm.closed, "all".to_owned(), costs);
            continue;
        };
        for report in reports.iter().filter(|_| several) {
            let board = slashes(report.problem.start()).to_string();
            row(report.closed, board, costs(std::slice::from_ref(report)));
        }
        let closed = reports.first().and_then(|report| report.closed);
        row(closed, "all".to_owned(), costs(reports));
    }
    format!("{boards}\n\n{table}")
}

fn name(realm: &Realm, closed: Option<ClosedKind>) -> [String; 4] {
    let without = if realm.algorithm == "table" { "-" } else { "path only" };
    [
        realm.number.to_string(),
        realm.algorithm.to_owned(),
        closed.map_or(without, ClosedKind::name).to_owned(),
        realm.heuristic.unwrap_or("-").to_owned(),
    ]
}

fn costs(reports: &[Report]) -> [String; 6] {
    let totals = RealmTotals::of(reports);
    let moves = match totals {
        RealmTotals { solved: 0, stopped: 0, .. } => "unsolvable".to_owned(),
        RealmTotals { stopped: 0, moves, .. } => moves.to_string(),
        _ if reports.len() == 1 => "stopped".to_owned(),
        RealmTotals { stopped, .. } => format!("{stopped} stopped"),
    };
    [
        with_commas(totals.expanded),
        with_commas(totals.generated),
        with_commas(totals.duplicates),
        size(totals.peak_bytes),
        duration(totals.elapsed_ns),
        moves,
    ]
}

/// Returns one record for all boards, preceded by one per board if there are several.
fn records((realm, reports): &Row) -> Vec<Value> {
    let reports = match reports {
        Ok(reports) => reports,
        Err(error) => {
            return vec![json!({
                "realm": realm.number, "algorithm": realm.algorithm,
                "heuristic": realm.heuristic, "error": error.to_string(),
            })];
        }
    };
    let of_one = |report: &Report| {
        let mut one = record(realm, std::slice::from_ref(report));
        one["board"] = slashes(report.problem.start()).to_string().into();
        one["goal"] = report.problem.goal_text().into();
        one
    };
    let all = (reports.len() > 1).then(|| record(realm, reports));
    reports.iter().map(of_one).chain(all).collect()
}

fn record(realm: &Realm, reports: &[Report]) -> Value {
    let totals = RealmTotals::of(reports);
    let closed = reports.first().and_then(|report| report.closed);
    json!({
        "realm": realm.number, "algorithm": realm.algorithm,
        "closed": closed.map(ClosedKind::name), "heuristic": realm.heuristic,
        "boards": reports.len(), "solved": totals.solved, "unsolvable": totals.unsolvable,
        "stopped": totals.stopped, "moves": totals.moves, "expanded": totals.expanded,
        "generated": totals.generated, "duplicates": totals.duplicates,
        "peak_bytes": totals.peak_bytes, "elapsed_ns": totals.elapsed_ns,
    })
}
