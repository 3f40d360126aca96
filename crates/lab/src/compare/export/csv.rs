//! Comma-separated values (RFC 4180), with a line for each run.

use serde_json::{Map, Value};

use crate::compare::Record;

/// The records as CSV: a heading with the names of the fields, then a line for each record. What is not known is empty;
/// the iterations are a JSON text.
pub fn csv(records: &[Record]) -> String {
    let lines = records.iter().map(|record| {
        let fields = fields(record);
        COLUMNS.map(|name| quoted(&text(&fields[name]))).join(",")
    });
    [COLUMNS.join(",")].into_iter().chain(lines).map(|line| line + "\n").collect()
}

/// The fields of a record, in the order of their declaration.
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

/// The fields of a record by name.
pub(super) fn fields(record: &Record) -> Map<String, Value> {
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
