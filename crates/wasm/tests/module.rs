//! The module that `cargo xtask wasm` makes, asked by Node.js, against the same engine compiled for this machine.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use loyd::Goal;
use loyd::engine::Clock;
use loyd::notation::{parse_board, parse_moves};
use loyd_api::{CALLS, LISTS};
use loyd_wasm::Engine;
use serde_json::{Value, json};

/// The most that a browser has to give.
const MOST_BYTES: u64 = 200_000_000;

const EIGHT: &str = "8 6 7/2 5 4/3 x 1";
/// The first of Korf's boards, whose goal has the blank first: 57 moves.
const KORF: &str = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";

/// What a call told.
#[derive(Debug, PartialEq)]
struct Told {
    /// The answer, or the fault.
    end: Result<Value, Value>,
    /// The names of the events and their data.
    events: Vec<(String, Value)>,
}

type Request = (&'static str, Value);

/// What this machine tells.
fn native(requests: &[Request]) -> Vec<Told> {
    let mut engine = Engine::new(Clock::system(), || 0);
    let mut ask = |(name, request): &Request| {
        let mut events = Vec::new();
        let tell = |event: &str, data: &str| {
            events.push((event.to_owned(), serde_json::from_str(data).unwrap()));
        };
        let end = engine.call(name, &request.to_string(), tell);
        let read = |text: String| serde_json::from_str(&text).unwrap();
        Told { end: end.map(read).map_err(read), events }
    };
    requests.iter().map(&mut ask).collect()
}

/// What the module tells, and how much memory it takes in the end.
fn module(requests: &[Request]) -> (Vec<Told>, u64) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../page/engine");
    assert!(folder.join("loyd_wasm.js").exists(), "`cargo xtask wasm` makes the module");
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
    let told = |line: &Value| Told {
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
    (lines.iter().map(told).collect(), bytes)
}

/// The machine and the build, and how much of a table was there by some time.
const MACHINE: [&str; 4] = ["machine", "cpu", "commit", "done"];

/// Without times and bytes, and whatever else differs between machines.
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

/// The same without measures, and without events that depend on how long something takes.
fn comparable(mut told: Told) -> Told {
    let (Ok(end) | Err(end)) = &mut told.end;
    without_measures(end);
    told.events.retain(|(name, _)| ["incumbent", "lower_bound", "record"].contains(&name.as_str()));
    for (name, data) in &mut told.events {
        without_measures(data);
        if name != "record" {
            // What a builder thread expands for a table is not told.
            data.as_object_mut().unwrap().remove("expanded");
        }
    }
    // The runs of a comparison tell theirs when they end.
    let row = |(name, data): &(String, Value)| {
        (name == "record").then(|| (data["board_id"].as_u64(), data["row"].to_string()))
    };
    told.events.sort_by_key(row);
    told
}

/// Every call and every list, and faults.
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
fn every_call_is_asked() {
    let requests = requests();
    for name in CALLS.iter().map(|call| call.name) {
        assert!(requests.iter().any(|(asked, _)| *asked == name), "{name}");
    }
}

/// What requires the module is ignored, so that nobody tests an old one: `cargo xtask wasm --test` makes it first.
#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn the_module_tells_what_this_machine_tells() {
    let requests = requests();
    let (told, bytes) = module(&requests);
    assert_eq!(told.len(), requests.len());
    for ((request, here), there) in requests.iter().zip(native(&requests)).zip(told) {
        assert_eq!(comparable(there), comparable(here), "{request:?}");
    }
    assert!(bytes <= MOST_BYTES, "{bytes}");
}

#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn boards_are_solved_optimally_and_replayed() {
    let requests = [
        ("solve", json!({"board": EIGHT})),
        ("solve", json!({"board": KORF, "goal": "blank-first"})),
    ];
    let (told, _) = module(&requests);
    let expected = [(EIGHT, Goal::BlankLast, 31), (KORF, Goal::BlankFirst, 57)];
    for (told, (board, goal, length)) in told.iter().zip(expected) {
        let record = told.end.as_ref().unwrap();
        assert_eq!((&record["length"], &record["optimal"]), (&json!(length), &json!(true)));
        let mut board = parse_board(board, None).unwrap();
        board.walk(&parse_moves(record["moves"].as_str().unwrap()).unwrap()).unwrap();
        assert_eq!(board, goal.board(board.size()).unwrap());
        assert!(record["elapsed_ns"].as_u64().unwrap() > 0, "there is a clock");
    }
    let (_, best) = told[1].events.iter().rfind(|(name, _)| name == "incumbent").unwrap();
    assert_eq!(best["length"], 57);
}

#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn a_fault_has_its_place() {
    let (told, _) = module(&[("solve", json!({"board": "1 2 3/4 😀 6/7 8 0"}))]);
    let fault = told[0].end.as_ref().unwrap_err();
    assert_eq!(
        (&fault["field"], &fault["from"], &fault["to"]),
        (&json!("board"), &json!(8), &json!(10))
    );
}

#[test]
#[ignore = "needs the module: cargo xtask wasm --test"]
fn seeds_are_drawn_at_random() {
    let ask = || module(&[("scramble", json!({"size": "4x4"}))]).0[0].end.clone().unwrap();
    assert_ne!(ask()["seed"], ask()["seed"]);
}
