//! What Downward Lab's reports read (<https://lab.readthedocs.io>): the file `properties` of an evaluation folder.

use serde_json::{Map, Value, json};

use crate::compare::{Header, Record};

/// The records as the JSON text of a `properties` file: put it into a folder `NAME-eval`, and Lab's reports read it.
///
/// The domain is the size of the board, the problem its number, the algorithm the name of the row with `-` for `/`.
/// Times are in seconds, memory is in KiB; `evaluations` are generated nodes and the start, each of which has its
/// heuristic looked up once.
pub fn lab(header: &Header, records: &[Record]) -> String {
    let node = header.fields().get("machine").cloned().unwrap_or(Value::Null);
    let runs = records.iter().map(|record| {
        let (name, mut run) = run(record);
        run["node"] = node.clone();
        (name, run)
    });
    let runs: Map<String, Value> = runs.collect();
    serde_json::to_string_pretty(&runs).expect("nothing in a run is foreign to JSON") + "\n"
}

fn run(record: &Record) -> (String, Value) {
    let (height, width) = (
        record.board.split('/').count(),
        record.board.split('/').next().unwrap_or("").split(' ').count(),
    );
    let domain = format!("tiles-{width}x{height}");
    let problem = format!("board-{:06}", record.board_id);
    let algorithm = record.row.replace('/', "-");
    let solved = record.is_solved();
    let unsolvable = ["unsolvable", "exhausted"].contains(&record.status.as_str());
    let seconds = |nanoseconds: u64| nanoseconds as f64 / 1e9;
    let error = match (record.status.as_str(), record.stop.as_deref()) {
        _ if solved => "success",
        _ if unsolvable => "search-unsolvable-incomplete",
        (_, Some("time")) => "search-out-of-time",
        (_, Some("memory")) => "search-out-of-memory",
        _ => "search-unsolved-incomplete",
    };
    let name = format!("{algorithm}-{domain}-{problem}");
    let value = json!({
        "id": [algorithm, domain, problem],
        "algorithm": algorithm, "domain": domain, "problem": problem,
        "coverage": u8::from(solved), "unsolvable": u8::from(unsolvable), "error": error,
        "cost": record.length, "plan_length": record.length,
        "expansions": record.expanded, "evaluations": record.generated + 1,
        "generated": record.generated, "reopened": record.reopened,
        "initial_h_value": record.h,
        "search_time": seconds(record.elapsed_ns),
        "total_time": seconds(record.elapsed_ns + record.tables_ns),
        "memory": record.peak_bytes.div_ceil(1024),
    });
    (name, without_nulls(value))
}

/// Lab takes what is missing for unknown.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}
