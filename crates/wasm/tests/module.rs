//! Compares the module built by `cargo xtask wasm`, run by Node.js, with the same engine compiled natively.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use loyd::Goal;
use loyd::engine::Clock;
use loyd::notation::{parse_board, parse_moves};
use loyd_api::{CALLS, LISTS};
use loyd_wasm::Engine;
use serde_json::{Value, json};

/// Maximum memory of the module in bytes.
const MAX_BYTES: u64 = 200_000_000;

const EIGHT: &str = "8 6 7/2 5 4/3 x 1";
/// The first of Korf's boards, whose goal has the blank first: 57 moves.
const KORF: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";

/// Output of a call.
#[derive(Debug, PartialEq)]
struct Output {
    /// The answer, or the fault.
    end: Result<Value, Value>,
    /// Names and data of the events.
    events: Vec<(String, Value)>,
}

type Request = (&'static str, Value);

/// Runs the calls natively.
fn native(requests: &[Request]) -> Vec<Output> {
    let mut engine = Engine::new(Clock::system(), || 0);
    let mut run = |(name, request): &Request| {
        let mut events = Vec::new();
        let on_event = |event: &str, data: &str| {
            events.push((event.to_owned(), serde_json::from_str(data).unwrap()));
        };
        let end = engine.call(name, &request.to_string(), on_event);
        let read = |text: String| serde_json::from_str(&text).unwrap();
        Output { end: end.map(read).map_err(read), events }
    };
    requests.iter().map(&mut run).collect()
}

/// Runs the calls in the module and returns its memory at the end, in bytes.
fn module(requests: &[Request]) -> (Vec<Output>, u64) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../page/engine");
    assert!(folder.join("loyd_wasm.js").exists(), "run `cargo xtask wasm` first");
    let mut node = Command::new("node")
        .arg(here.join("tests/answers.mjs"))
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node.js is installed");
    let mut input = node.stdin.take().unwrap();
    for request in requests {
        writeln!(input, "{}", json!(request)).unwrap();
    }
    drop(input);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let read = |text: &Value| serde_json::from_str(text.as_str().unwrap()).unwrap();
    let output = |line: &Value| Output {
        end: match line.get("fault") {
            Some(fault) => Err(read(fault)),
            None => Ok(read(&line["answer"])),
        },
        events: {
            let events = line["events"].as_array().unwrap().iter();
            events.map(|event| (event[0].as_str().unwrap().to_owned(), read(&event[1]))).collect()
        },
    };
    let bytes = lines.last().unwrap()["bytes"].as_u64().unwrap();
    (lines.iter().map(output).collect(), bytes)
}

/// Fields that depend on the machine, the build or the timing.
const MACHINE: [&str; 4] = ["machine", "cpu", "commit", "done"];

/// Removes times, sizes and everything else that differs between machines.
fn without_measures(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !(name.ends_with("_ns")
                    || name.contains("bytes")
                    || MACHINE.contains(&name.as_str()))
            });
            fields.values_mut().for_each(without_measures);
        }
        Value::Array(values) => values.iter_mut().for_each(without_measures),
        _ => {}
    }
}

/// Removes measurements and the events that depend on timing.
fn comparable(mut output: Output) -> Output {
    let (Ok(end) | Err(end)) = &mut output.end;
    without_measures(end);
    output
        .events
        .retain(|(name, _)| ["incumbent", "lower_bound", "record"].contains(&name.as_str()));
    for (name, data) in &mut output.events {
        without_measures(data);
        if name != "record" {
            // Expansions of a thread that builds a table are not reported.
            data.as_object_mut().unwrap().remove("expanded");
        }
    }
    // The runs of a comparison report their records in order of completion.
    let row = |(name, data): &(String, Value)| {
        (name == "record").then(|| (data["board_id"].as_u64(), data["row"].to_string()))
    };
    output.events.sort_by_key(row);
    output
}

/// Returns every call and every list, and some faulty calls.
fn requests() -> Vec<Request> {
    let hard = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 x";
    let five = "10 3 17 5 4/1 7 2 9 15/11 22 12 14 20/6 21 13 23 19/16 18 8 24 x";
    let rows = json!([{"algorithm": "bfs"}, {"algorithm": "idastar", "heuristic": "pdb"},
        {"algorithm": "astar", "heuristic": "linear-conflict", "closed": "hashed"}]);
    let near = "1 2 3 4/9 5 6 8/13 10 7 11/x 14 15 12";
    let mut requests = vec![
        ("solve", json!({"board": EIGHT})),
        ("solve", json!({"board": KORF, "goal": "blank-first"})),
        ("solve", json!({"board": "11 10 9/8 7 6/5 4 3/2 1 x", "metric": "mtm"})),
        ("solve", json!({"board": EIGHT, "all": true})),
        ("solve", json!({"board": "2 1 3/4 5 6/7 8 x"})),
        ("solve", json!({"board": hard, "quality": "fast"})),
        ("solve", json!({"board": hard, "quality": "bounded=1.2"})),
        ("solve", json!({"board": near, "goal": "1 2 3 4/* * * */* * * */* * * *"})),
        ("solve", json!({"board": five, "max_expanded": 2_000_000})),
        ("solve", json!({"board": near, "algorithm": "astar", "max_bytes": 1_000_000})),
        ("batch", json!({"boards": [EIGHT]})),
        ("explain", json!({"board": KORF, "goal": "blank-first"})),
        ("hint", json!({"board": near})),
        ("review", json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lrrd"})),
        ("optimize", json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lurrdlrd"})),
        ("scramble", json!({"size": "4x3", "seed": 7, "number": 3})),
        ("scramble", json!({"size": "4x4", "seed": 7, "length": 30})),
        ("convert", json!({"text": "1 2 3/4 5 6/7 8 0", "to": "compact"})),
        ("compare", json!({"boards": [EIGHT, "1 2 3/4 x 5/7 8 6"], "rows": rows})),
        ("compare", json!({"board": near, "rows": rows})),
        ("trace", json!({"board": "1 2 3/4 x 5/7 8 6", "algorithm": "astar"})),
        ("census", json!({"size": "3x3"})),
        ("census", json!({"size": "2x5", "metric": "mtm"})),
        ("solve", json!({"board": "1 2 3/4 5 6/7 8 8"})),
        ("list", json!({"name": "nothing"})),
        ("nothing", json!({})),
    ];
    requests.extend(LISTS.iter().map(|list| ("list", json!({"name": list.name}))));
    requests
}

#[test]
fn every_call_is_tested() {
    let requests = requests();
    for name in CALLS.iter().map(|call| call.name) {
        assert!(requests.iter().any(|(tested, _)| *tested == name), "{name}");
    }
}

/// Tests that need the module are ignored, so that no outdated one is tested. `cargo xtask wasm --test` builds it
/// first.
#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn module_matches_native_engine() {
    let requests = requests();
    let (output, bytes) = module(&requests);
    assert_eq!(output.len(), requests.len());
    for ((request, here), there) in requests.iter().zip(native(&requests)).zip(output) {
        assert_eq!(comparable(there), comparable(here), "{request:?}");
    }
    assert!(bytes <= MAX_BYTES, "{bytes}");
}

#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn module_solutions_are_optimal_and_valid() {
    let requests = [
        ("solve", json!({"board": EIGHT})),
        ("solve", json!({"board": KORF, "goal": "blank-first"})),
    ];
    let (output, _) = module(&requests);
    let expected = [(EIGHT, Goal::BlankLast, 31), (KORF, Goal::BlankFirst, 57)];
    for (output, (board, goal, length)) in output.iter().zip(expected) {
        let record = output.end.as_ref().unwrap();
        assert_eq!((&record["length"], &record["optimal"]), (&json!(length), &json!(true)));
        let mut board = parse_board(board, None).unwrap();
        board.walk(&parse_moves(record["moves"].as_str().unwrap()).unwrap()).unwrap();
        assert_eq!(board, goal.board(board.size()).unwrap());
        assert!(record["elapsed_ns"].as_u64().unwrap() > 0, "the module has a clock");
    }
    let (_, best) = output[1].events.iter().rfind(|(name, _)| name == "incumbent").unwrap();
    assert_eq!(best["length"], 57);
}

#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn faults_have_a_position() {
    let (output, _) = module(&[("solve", json!({"board": "1 2 3/4 😀 6/7 8 0"}))]);
    let fault = output[0].end.as_ref().unwrap_err();
    assert_eq!(
        (&fault["field"], &fault["from"], &fault["to"]),
        (&json!("board"), &json!(8), &json!(10))
    );
}

#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn seeds_are_drawn_at_random() {
    let run = || module(&[("scramble", json!({"size": "4x4"}))]).0[0].end.clone().unwrap();
    assert_ne!(run()["seed"], run()["seed"]);
}
