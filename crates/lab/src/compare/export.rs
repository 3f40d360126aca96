//! Export of comparisons: CSV (RFC 4180), Markdown tables, and files for the reports of Downward Lab
//! (<https://lab.readthedocs.io>).

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::file::Header;
use super::record::Record;
use super::summary::{RowSummary, Summary};

/// Returns the records as CSV: a header line with the field names, then one line per record. Unknown values are empty;
/// iterations are JSON.
pub fn csv(records: &[Record]) -> String {
    let lines = records.iter().map(|record| {
        let fields = fields(record);
        COLUMNS.map(|name| quoted(&text(&fields[name]))).join(",")
    });
    [COLUMNS.join(",")].into_iter().chain(lines).map(|line| line + "\n").collect()
}

/// Field names of a record, in declaration order.
const COLUMNS: [&str; 24] = [
    "row",
    "algorithm",
    "heuristic",
    "closed",
    "weight",
    "prune",
    "metric",
    "board",
    "goal",
    "board_id",
    "status",
    "stop",
    "length",
    "optimal",
    "optimal_length",
    "h",
    "expanded",
    "generated",
    "duplicates",
    "reopened",
    "peak_bytes",
    "elapsed_ns",
    "tables_ns",
    "iterations",
];

/// Returns the fields of a record by name.
fn fields(record: &Record) -> Map<String, Value> {
    match serde_json::to_value(record) {
        Ok(Value::Object(fields)) => fields,
        _ => unreachable!("a record is an object"),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Returns the summary as a Markdown table, followed by the command that reproduces it.
pub fn markdown(header: &Header, summary: &Summary) -> String {
    let mut text = String::from(
        "| row | solved | stopped | mean expanded | median | max | mean generated | branching | over optimal | mean KB | mean ms |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in &summary.rows {
        let RowSummary { name, solved, stopped, expanded, generated, .. } = row;
        let [branching, over] = [row.branching, row.over_optimal]
            .map(|n| n.map_or(String::new(), |n| format!("{n:.3}")));
        let (kilobytes, milliseconds) = (row.peak_bytes.mean / 1e3, row.elapsed_ns.mean / 1e6);
        let _ = writeln!(
            text,
            "| {name} | {solved} | {stopped} | {:.1} | {:.1} | {} | {:.1} | {branching} | {over} | {kilobytes:.1} | {milliseconds:.3} |",
            expanded.mean, expanded.median, expanded.max, generated.mean,
        );
    }
    let sentences = summary.sentences();
    if !sentences.is_empty() {
        let _ = writeln!(text, "\n{}.", sentences.join("; "));
    }
    let _ = writeln!(text, "\n`{}`", header.command());
    text
}

/// Returns the records as the JSON text of a `properties` file. Lab's reports read it from a folder named `NAME-eval`.
///
/// The domain is the size of the board, the problem its number, the algorithm the row name with `-` for `/`. Times are
/// in seconds, memory in KiB. `evaluations` counts the start and all generated nodes, whose heuristic is looked up once
/// each.
pub fn lab(header: &Header, records: &[Record]) -> String {
    let node = header.fields().get("machine").cloned().unwrap_or(Value::Null);
    let runs = records.iter().map(|record| {
        let (name, mut run) = lab_run(record);
        run["node"] = node.clone();
        (name, run)
    });
    let runs: Map<String, Value> = runs.collect();
    serde_json::to_string_pretty(&runs).expect("a run is valid JSON") + "\n"
}

/// Returns the name of a run and its properties.
fn lab_run(record: &Record) -> (String, Value) {
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

/// Removes null fields: Lab treats missing values as unknown.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_in_values_are_quoted() {
        let stop = Some("no \"pdb\", too large".to_owned());
        let record = Record { row: "bfs".to_owned(), stop, length: Some(3), ..Record::default() };
        let text = csv(&[record]);
        let (heading, line) = text.trim_end().split_once('\n').unwrap();
        assert!(heading.starts_with("row,algorithm,"), "{heading}");
        assert_eq!(line, "bfs,,,,,,,,,0,,\"no \"\"pdb\"\", too large\",3,false,,,0,0,0,0,0,0,0,[]");
        assert_eq!(COLUMNS.len(), fields(&Record::default()).len());
    }
}
