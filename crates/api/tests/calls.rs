//! Every call, asked as a program would ask.

use std::borrow::Borrow;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use loyd::notation::{parse_board, parse_moves};
use loyd::{CancelToken, Config, Goal};
use loyd_api::{CALLS, Event, Fault, FaultKind, LISTS, Service};
use serde_json::{Value, json};

fn service() -> &'static Service {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    SERVICE.get_or_init(|| Service::new(Config::default()).unwrap())
}

/// The answer to a call, and the events before it.
fn ask(name: &str, request: &Value) -> Result<(Value, Vec<Event>), Fault> {
    let mut events = Vec::new();
    let mut listen = |event| {
        events.push(event);
        ControlFlow::Continue(())
    };
    let request = request.to_string();
    let answer =
        service().call(name, request.as_bytes(), &CancelToken::new(), Some(&mut listen))?;
    Ok((serde_json::from_str(&answer).unwrap(), events))
}

fn answer(name: &str, request: impl Borrow<Value>) -> Value {
    let request = request.borrow();
    ask(name, request).unwrap_or_else(|fault| panic!("{name} {request}: {fault:?}")).0
}

fn fault(name: &str, request: impl Borrow<Value>) -> Fault {
    ask(name, request.borrow()).expect_err(name)
}

const EIGHT: &str = "8 6 7/2 5 4/3 x 1";
const FIFTEEN: &str = "1 2 3 4/9 5 6 8/13 10 7 11/x 14 15 12";

#[test]
fn a_board_is_solved() {
    let record = answer("solve", json!({"board": EIGHT}));
    assert_eq!((&record["length"], &record["optimal"]), (&json!(31), &json!(true)));
    let mut board = parse_board(EIGHT, None).unwrap();
    board.walk(&parse_moves(record["moves"].as_str().unwrap()).unwrap()).unwrap();
    assert_eq!(board, Goal::BlankLast.board(board.size()).unwrap());
    let named = json!({"board": EIGHT, "algorithm": "astar", "heuristic": "manhattan"});
    assert_eq!(answer("solve", named)["algorithm"], "astar");
    let unsolvable = answer("solve", json!({"board": "2 1 3/4 5 6/7 8 x"}));
    assert_eq!(unsolvable["status"], "unsolvable");
}

#[test]
fn all_shortest_solutions_are_found() {
    let record = answer("solve", json!({"board": EIGHT, "all": true}));
    assert_eq!((&record["count"], &record["complete"]), (&json!(40), &json!(true)));
    assert_eq!(record["answers"].as_array().unwrap().len(), 40);
    let few = answer("solve", json!({"board": EIGHT, "all": true, "max_solutions": 7}));
    assert_eq!((&few["count"], &few["complete"]), (&json!(7), &json!(false)));
    let exact = answer("solve", json!({"board": EIGHT, "all": true, "max_solutions": 40}));
    assert_eq!((&exact["count"], &exact["complete"]), (&json!(40), &json!(true)));
}

#[test]
fn a_depth_first_search_is_pruned_as_the_request_says() {
    let solve = |prune: &str, metric: &str| {
        answer("solve", json!({"board": EIGHT, "prune": prune, "metric": metric}))
    };
    for (metric, length, by_default) in [("stm", 31, 14), ("mtm", 20, 8)] {
        let undo = solve("undo", metric);
        assert_eq!((&undo["prune"], &undo["algorithm"]), (&json!("undo"), &json!("idastar")));
        for (prune, words) in [("automaton", by_default), ("automaton=7", 7)] {
            let record = solve(prune, metric);
            assert_eq!(record["prune"], json!(format!("automaton={words}")));
            assert_eq!((&record["length"], &record["optimal"]), (&json!(length), &json!(true)));
            assert!(record["expanded"].as_u64() < undo["expanded"].as_u64(), "{record}");
        }
        solve(&format!("automaton={}", by_default + 1), metric);
    }
    let traced = json!({"board": EIGHT, "algorithm": "idastar", "prune": "automaton"});
    let traced = answer("trace", traced);
    assert!(traced.to_string().contains("other moves do the same"));
}

#[test]
fn pruning_that_cannot_be_is_refused() {
    let refused = |more: Value| {
        let mut request = json!({"board": EIGHT});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let fault = fault("solve", request);
        assert_eq!((fault.field.as_deref(), fault.kind), (Some("prune"), FaultKind::Wrong));
        fault.error
    };
    assert!(refused(json!({"prune": "most"})).contains("automaton=WORDS"));
    assert!(refused(json!({"prune": "automaton=32"})).contains("2 to 31"));
    assert!(refused(json!({"prune": "automaton", "all": true})).contains("all shortest ones"));
    let breadth = json!({"prune": "automaton=9", "algorithm": "astar"});
    assert!(refused(breadth).contains("astar is not depth-first"));
    let words = refused(json!({"prune": "automaton=17"}));
    assert_eq!(
        words,
        "words of an automaton for 3x3 boards in stm have at most 16 moves here, and these have 17"
    );
    assert!(refused(json!({"prune": "automaton=10", "metric": "mtm"})).contains("at most 9"));
    let long = fault("trace", json!({"board": EIGHT, "prune": "automaton=31"}));
    assert_eq!(long.field.as_deref(), Some("prune"));
}

#[test]
fn events_come_before_the_answer() {
    let (record, events) = ask("solve", &json!({"board": FIFTEEN})).unwrap();
    let last = events.iter().rfind(|event| event.name == "incumbent").unwrap();
    let last: Value = serde_json::from_str(&last.data).unwrap();
    assert_eq!(last["length"], record["length"]);
    assert_eq!(last["event"], "incumbent");
}

#[test]
fn a_listener_ends_a_search() {
    let request = json!({"board": "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 x", "quality": "optimal"});
    let mut told = 0;
    let mut listen = |_| {
        told += 1;
        ControlFlow::Break(())
    };
    let request = request.to_string();
    let answer =
        service().call("solve", request.as_bytes(), &CancelToken::new(), Some(&mut listen));
    let record: Value = serde_json::from_str(&answer.unwrap()).unwrap();
    assert_eq!((told, &record["status"]), (1, &json!("stopped")));
}

#[test]
fn a_board_is_explained_and_a_hint_given() {
    let told = answer("explain", json!({"board": "2 1 3/4 5 6/7 8 x"}));
    assert_eq!((&told["solvable"], &told["mend"]), (&json!(false), &json!([2, 1])));
    let told = answer("explain", json!({"board": EIGHT}));
    assert_eq!((&told["distance"], &told["heuristics"]["manhattan"]), (&json!(31), &json!(21)));
    let hint = answer("hint", json!({"board": "1 2 3/4 x 5/7 8 6"}));
    assert_eq!((&hint["best"], &hint["complete"]), (&json!(["r"]), &json!(true)));
}

#[test]
fn moves_are_reviewed_in_both_metrics_and_made_shorter() {
    let told = answer("review", json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lrrd"}));
    let reviews = told["reviews"].as_array().unwrap();
    let lost = |place: usize| (&reviews[place]["metric"], &reviews[place]["lost"]);
    assert_eq!((lost(0), lost(1)), ((&json!("stm"), &json!(2)), (&json!("mtm"), &json!(1))));
    let one = json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lrrd", "metric": "mtm"});
    assert_eq!(answer("review", one)["reviews"].as_array().unwrap().len(), 1);
    let shorter = answer("optimize", json!({"board": "1 2 3/4 x 5/7 8 6", "moves": "lurrdlrd"}));
    assert_eq!((&shorter["length_before"], &shorter["length"]), (&json!(8), &json!(6)));
    let fault = fault("review", json!({"board": "1 2 3/4 5 6/7 8 x", "moves": "u d d"}));
    assert_eq!((fault.field.as_deref(), fault.from, fault.to), (Some("moves"), Some(4), Some(5)));
}

#[test]
fn boards_are_drawn_again_by_their_seed() {
    let request = json!({"size": "4x3", "seed": 7, "number": 3});
    let drawn = answer("scramble", &request);
    assert_eq!(drawn, answer("scramble", request));
    assert_eq!(drawn["boards"].as_array().unwrap().len(), 3);
    let drawn = answer("scramble", json!({"size": "3x3", "length": 31}));
    let record = answer("solve", json!({"board": drawn["boards"][0]["board"]}));
    assert_eq!(record["length"], 31);
    let again = json!({"size": "3x3", "length": 31, "seed": drawn["seed"]});
    assert_eq!(answer("scramble", again), drawn);
    let walk = answer("scramble", json!({"size": "3x3", "steps": 9}));
    assert_eq!(walk["boards"][0]["moves_from_goal"].as_str().unwrap().len(), 9);
    assert_eq!(fault("scramble", json!({"size": "3x3", "length": 32})).field.unwrap(), "length");
    assert_eq!(fault("scramble", json!({"size": "3x3", "number": 101})).field.unwrap(), "number");
}

#[test]
fn boards_and_moves_are_converted() {
    let compact = answer("convert", json!({"text": "1 2 3/4 5 6/7 8 0", "to": "compact"}));
    assert_eq!(compact["text"], "12345678x");
    assert_eq!(answer("convert", json!({"text": "rd", "to": "tile"}))["text"], "LU");
    let numbers = json!({"text": "rd", "to": "numbers", "board": "1 2 3/4 x 5/7 8 6"});
    assert_eq!(answer("convert", numbers)["text"], "5 6");
    assert_eq!(fault("convert", json!({"text": "rd", "to": "svg"})).field.unwrap(), "to");
}

#[test]
fn rows_are_compared() {
    let rows = json!([{"algorithm": "bfs"}, {"algorithm": "astar", "heuristic": "manhattan"}]);
    let request = json!({"boards": [EIGHT, "1 2 3/4 x 5/7 8 6"], "rows": rows});
    let (told, events) = ask("compare", &request).unwrap();
    assert_eq!(told["rows"], json!(["bfs", "astar/manhattan"]));
    let records: Vec<Value> = events
        .iter()
        .filter(|event| event.name == "record")
        .map(|event| serde_json::from_str(&event.data).unwrap())
        .collect();
    assert_eq!(records.len(), 4);
    for record in &records {
        let heuristic = record["heuristic"].as_str();
        let alone = json!({
            "board": record["board"], "algorithm": record["algorithm"], "heuristic": heuristic
        });
        assert_eq!(record["expanded"], answer("solve", alone)["expanded"], "{record}");
    }
    let names = told["summary"].as_array().unwrap().iter().map(|row| row["name"].clone());
    assert_eq!(told["rows"], names.collect::<Value>());
    assert_eq!(told["summary"][0]["solved"], 2);
    assert_eq!(
        fault("compare", json!({"board": EIGHT, "preset": "none"})).field.unwrap(),
        "preset"
    );
}

#[test]
fn ways_to_prune_are_compared() {
    let row = |prune: &str| json!({"algorithm": "idastar", "prune": prune});
    let ask_for = |prune: &[&str]| {
        let rows: Vec<Value> = prune.iter().map(|prune| row(prune)).collect();
        json!({"boards": [EIGHT], "rows": rows})
    };
    let (told, _) = ask("compare", &ask_for(&["undo", "automaton=8"])).unwrap();
    assert_eq!(told["rows"], json!(["idastar/undo", "idastar/automaton=8"]));
    let expanded = |row: usize| told["summary"][row]["expanded"]["mean"].as_f64().unwrap();
    assert!(expanded(1) < expanded(0), "{told}");
    for prune in ["none", "automaton=31"] {
        let refused = fault("compare", ask_for(&["undo", prune]));
        assert_eq!(refused.field.as_deref(), Some("prune"), "{prune}");
    }
}

#[test]
fn a_search_is_traced() {
    let told = answer("trace", json!({"board": "1 2 3/4 x 5/7 8 6", "algorithm": "astar"}));
    let expanding = |event: &&Value| event["type"] == "expanding";
    let events = told["events"].as_array().unwrap();
    let record = answer("solve", json!({"board": "1 2 3/4 x 5/7 8 6", "algorithm": "astar"}));
    assert_eq!(json!(events.iter().filter(expanding).count()), record["expanded"]);
    let dot = json!({"board": EIGHT, "algorithm": "bfs", "max_events": 50, "format": "dot"});
    assert!(answer("trace", dot)["text"].as_str().unwrap().contains("digraph"));
    assert_eq!(fault("trace", json!({"board": EIGHT, "format": "svg"})).field.unwrap(), "format");
}

#[test]
fn states_are_counted() {
    let told = answer("census", json!({"size": "3x3"}));
    assert_eq!((&told["states"], &told["depth"]), (&json!(181_440), &json!(31)));
    assert_eq!(fault("census", json!({"size": "4x4"})).field.unwrap(), "size");
}

#[test]
fn faults_name_their_field() {
    let cases = [
        (json!({}), "board"),
        (json!({"board": "1 2 3/4 5 6/7 8 8"}), "board"),
        (json!({"board": EIGHT, "goal": "nowhere"}), "goal"),
        (json!({"board": EIGHT, "metric": "moves"}), "metric"),
        (json!({"board": EIGHT, "algorithm": "best"}), "algorithm"),
        (json!({"board": EIGHT, "quality": "good"}), "quality"),
        (json!({"board": EIGHT, "weight": 0.5, "algorithm": "wastar"}), "weight"),
        (json!({"board": EIGHT, "closed": 3}), "closed"),
        (json!({"board": EIGHT, "moves": "u"}), "moves"),
    ];
    for (request, field) in cases {
        let fault = fault("solve", request);
        assert_eq!(fault.field.as_deref(), Some(field), "{fault:?}");
    }
    let no_json = service().call(
        "solve",
        b"{",
        &CancelToken::new(),
        Some(&mut |_| ControlFlow::Continue(())),
    );
    assert_eq!(no_json.unwrap_err().kind, FaultKind::Malformed);
}

#[test]
fn every_name_is_found() {
    for call in &CALLS {
        let fault = fault(call.name, json!({"nothing": 0}));
        assert_eq!(fault.field.as_deref(), Some("nothing"), "{}", call.name);
    }
    for list in &LISTS {
        assert!((list.rows)().iter().all(|row| row["name"].is_string()), "{}", list.name);
    }
}

#[test]
fn fields_that_are_needed_are_missed() {
    for call in &CALLS {
        for &field in call.needs {
            let others = call.needs.iter().filter(|&&other| other != field);
            let request: Value =
                others.map(|&other| (other.to_owned(), Value::from("4x4"))).collect();
            let message = fault(call.name, request).error;
            // Where there are two, the other one may be looked at first.
            assert!(
                message == format!("the field `{field}` is missing") || call.needs.len() > 1,
                "{}: {message}",
                call.name
            );
        }
    }
}

#[test]
fn whole_numbers_may_have_a_fraction_of_zero() {
    let boards = |number: &str| {
        let request = format!(r#"{{"size": "3x3", "seed": 1, "number": {number}}}"#);
        let mut listen = |_| ControlFlow::Continue(());
        service().call("scramble", request.as_bytes(), &CancelToken::new(), Some(&mut listen))
    };
    assert_eq!(boards("2.0").unwrap(), boards("2").unwrap());
    assert_eq!(boards("2.5").unwrap_err().field.as_deref(), Some("number"));
    assert_eq!(boards("1e300").unwrap_err().kind, FaultKind::Malformed);
}

#[test]
fn every_example_is_answered() {
    for call in &CALLS {
        answer(call.name, serde_json::from_str::<Value>(call.example).unwrap());
    }
}
