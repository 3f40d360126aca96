//! Traces as other programs read them.

use std::process::{Command, Output};

use serde_json::Value;

/// The requirements of Posthoc for a search trace, as a JSON schema.
const SCHEMA: &str = include_str!("data/posthoc-1.4.0.schema.json");

fn trace(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", "none").arg("trace").args(args).output().unwrap()
}

fn posthoc(args: &[&str]) -> Value {
    let output = trace(&[args, &["--output", "posthoc"]].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the violations of `schema` by `value`, for the keywords of JSON Schema that the schema uses.
fn faults(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (word, rule) in schema.as_object().unwrap() {
        let holds = match word.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let target = root.pointer(rule.as_str().unwrap().trim_start_matches('#'));
                faults.extend(self::faults(root, target.unwrap(), value, place));
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|name| is_a(name, value)),
                name => is_a(name, value),
            },
            "const" => value == rule,
            "exclusiveMinimum" => value.as_f64().is_none_or(|n| n > rule.as_f64().unwrap()),
            "required" => {
                rule.as_array().unwrap().iter().all(|n| value.get(n.as_str().unwrap()).is_some())
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                let of_one = |(i, item)| self::faults(root, rule, item, &format!("{place}/{i}"));
                faults.extend(items.flat_map(of_one));
                true
            }
            "properties" => {
                for (name, schema) in rule.as_object().unwrap() {
                    if let Some(inner) = value.get(name) {
                        faults.extend(self::faults(
                            root,
                            schema,
                            inner,
                            &format!("{place}/{name}"),
                        ));
                    }
                }
                true
            }
            "additionalProperties" => {
                for (name, inner) in value.as_object().into_iter().flatten() {
                    if schema["properties"].get(name).is_none() {
                        faults.extend(self::faults(root, rule, inner, &format!("{place}/{name}")));
                    }
                }
                true
            }
            word => panic!("the test does not know `{word}`"),
        };
        if !holds {
            faults.push(format!("{place}: {word} {rule}"));
        }
    }
    faults
}

fn is_a(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        name => panic!("the test does not know the type `{name}`"),
    }
}

#[test]
fn posthoc_traces_match_the_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let board = "4 1 3/7 2 5/x 8 6";
    for row in ["bfs", "bibfs", "iddfs", "ucs", "greedy", "astar", "wastar", "mm", "table"] {
        let trace = posthoc(&[board, "--algorithm", row]);
        assert_eq!(faults(&schema, &schema, &trace, ""), [""; 0], "{row}");
        let events = trace["events"].as_array().unwrap();
        let ends = events.iter().filter(|event| event["type"] == "end");
        assert_eq!(ends.count(), if ["bibfs", "mm"].contains(&row) { 2 } else { 1 }, "{row}");
    }
    let mut damaged = posthoc(&[board]);
    damaged["events"][3]["id"] = Value::Null;
    assert_eq!(
        faults(&schema, &schema, &damaged, ""),
        ["/events/3/id: type [\"number\",\"string\"]"]
    );
}

/// The viewer treats a parent with the number 0 as missing.
#[test]
fn numbers_are_positive_and_parents_come_first() {
    for row in ["astar", "idastar", "bibfs"] {
        let trace = posthoc(&["23415x768", "--algorithm", row, "--max-events", "500"]);
        let mut last = 0;
        for event in trace["events"].as_array().unwrap() {
            let id = event["id"].as_u64().unwrap();
            assert!((1..=last + 1).contains(&id), "{event}");
            last = last.max(id);
            assert!(event["pId"].as_u64().is_none_or(|parent| (1..=last).contains(&parent)));
            assert_eq!(event["board"].as_array().unwrap().len(), 9);
        }
    }
}

#[test]
fn cut_trace_is_marked() {
    let args = ["8 6 7/2 5 4/3 x 1", "--algorithm", "idastar"];
    for (cap, events) in [(None, 20_000), (Some("7"), 7)] {
        let cap = cap.map_or(vec![], |cap| vec!["--max-events", cap]);
        let cut = posthoc(&[&args, &cap[..]].concat());
        let result = &cut["result"];
        assert_eq!(cut["events"].as_array().unwrap().len(), events);
        assert_eq!((&result["events"], &result["complete"]), (&events.into(), &false.into()));
        assert_eq!(result["stopped_by"], "events");
    }
    let output = trace(&["1 2 3/4 x 5/7 8 6", "--max-events", "3", "--output", "json"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("the trace and its search end after 3 events"), "{message}");
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["loyd"]), (5, &"trace".into()));
    assert_eq!((&lines[4]["type"], &lines[4]["complete"]), (&"result".into(), &false.into()));
}

/// This is not a snapshot, because snapshots show backslashes as slashes.
#[test]
fn graphs_have_a_node_for_each_board_with_its_fate() {
    let output = trace(&["1 2 3/4 x 5/7 8 6", "--algorithm", "idastar", "--output", "dot"]);
    let graph = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = graph.lines().map(str::trim).collect();
    assert_eq!((lines[1], lines.last()), ("digraph trace {", Some(&"}")));
    for line in [
        "subgraph cluster_1 {",
        r#"label="bound 2""#,
        r#"1 [label="1 2 3\n4 0 5\n7 8 6\ng 0 h 2 f 2", penwidth=3]"#,
        r##"4 [fillcolor="#d1c4e9", xlabel="2"]"##,
        r#"1 -> 2 [label="u", style=dashed]"#,
        r##"7 [peripheries=2, color="#1565c0", penwidth=3]"##,
    ] {
        assert!(lines.contains(&line), "{line} in {graph}");
    }
}
