//! Every call, as a program would use it.

mod moves;

use std::borrow::Borrow;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use loyd::engine::Clock;
use loyd::notation::{parse_board, parse_moves};
use loyd::{CancelToken, Config, Goal, Move};
use loyd_api::{CALLS, Event, Fault, FaultKind, LISTS, Listener, Service};
use serde_json::{Value, json};

fn service() -> &'static Service {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    SERVICE.get_or_init(|| Service::new(Config::default()).unwrap())
}

/// Returns the answer to a call, or the list of its records, and the events before it.
fn ask(name: &str, request: &Value) -> Result<(Value, Vec<Event>), Fault> {
    let mut events = Vec::new();
    let mut listen = |event| {
        events.push(event);
        ControlFlow::Continue(())
    };
    let request = request.to_string();
    let answer =
        service().call(name, request.as_bytes(), &CancelToken::new(), Some(&mut listen))?;
    let mut values: Vec<Value> =
        answer.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answer = if values.len() == 1 { values.remove(0) } else { Value::Array(values) };
    Ok((answer, events))
}

fn answer(name: &str, request: impl Borrow<Value>) -> Value {
    let request = request.borrow();
    ask(name, request).unwrap_or_else(|fault| panic!("{name} {request}: {fault:?}")).0
}

fn fault(name: &str, request: impl Borrow<Value>) -> Fault {
    ask(name, request.borrow()).expect_err(name)
}

/// A defect that one board meets costs the record of this board alone.
#[test]
fn boards_of_a_batch_survive_a_panic() {
    static CALLS_LEFT: AtomicU32 = AtomicU32::new(u32::MAX);
    let clock = Clock::new(|| {
        let left = CALLS_LEFT.fetch_sub(1, Ordering::Relaxed);
        assert_ne!(left, 0, "injected");
        Duration::ZERO
    });
    let service = Service::new(Config { clock, ..Config::default() }).unwrap();
    let boards = ["1 2 3/4 5 6/7 x 8", FIFTEEN, "1 2 3/4 5 x/7 8 6"];
    let request = json!({"boards": boards, "algorithm": "idastar", "heuristic": "manhattan"});
    let request = request.to_string();
    let ask = |calls| {
        CALLS_LEFT.store(calls, Ordering::Relaxed);
        service.call("batch", request.as_bytes(), &CancelToken::new(), None).unwrap()
    };
    let whole = ask(u32::MAX);
    let calls = u32::MAX - CALLS_LEFT.load(Ordering::Relaxed);
    let mut failed = 0;
    for number in 0..calls {
        let Ok(answer) = catch_unwind(AssertUnwindSafe(|| ask(number))) else { continue };
        let pairs: Vec<_> = answer.lines().zip(whole.lines()).collect();
        assert_eq!(pairs.len(), boards.len());
        let different: Vec<_> = pairs.iter().filter(|(now, then)| now != then).collect();
        assert!(different.len() == 1 && different[0].0.contains("a defect of Loyd"), "{answer}");
        failed += 1;
    }
    assert!(failed > 2, "{failed} of {calls}");
}

const EIGHT: &str = "8 6 7/2 5 4/3 x 1";
const FIFTEEN: &str = "1 2 3 4/9 5 6 8/13 10 7 11/x 14 15 12";

#[test]
fn solves_a_board() {
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
fn finds_all_shortest_solutions() {
    let record = answer("solve", json!({"board": EIGHT, "all": true}));
    assert_eq!((&record["count"], &record["complete"]), (&json!(40), &json!(true)));
    assert_eq!(record["answers"].as_array().unwrap().len(), 40);
    let few = answer("solve", json!({"board": EIGHT, "all": true, "max_solutions": 7}));
    assert_eq!((&few["count"], &few["complete"]), (&json!(7), &json!(false)));
    let exact = answer("solve", json!({"board": EIGHT, "all": true, "max_solutions": 40}));
    assert_eq!((&exact["count"], &exact["complete"]), (&json!(40), &json!(true)));
}

#[test]
fn a_start_that_meets_the_goal_needs_no_memory_for_tables() {
    // The tables of this board stay, and limits of later searches include them.
    answer("solve", json!({"board": FIFTEEN, "quality": "optimal"}));
    let goal = "* * */* * */* * *";
    let request = json!({"board": EIGHT, "goal": goal, "all": true, "max_bytes": 1_000_000});
    let record = answer("solve", request);
    assert_eq!((&record["status"], &record["count"]), (&json!("solved"), &json!(1)));
}

#[test]
fn sums_costs_by_tile_exactly() {
    let record = answer("solve", json!({"board": EIGHT, "costs": "heavy"}));
    assert_eq!((&record["costs"], &record["optimal"]), (&json!("heavy"), &json!(true)));
    let mut board = parse_board(EIGHT, None).unwrap();
    let mut cost = 0;
    for m in parse_moves(record["moves"].as_str().unwrap()).unwrap() {
        let before = board.blank();
        board.apply(m).unwrap();
        cost += u32::from(board.tile(before).number());
    }
    assert_eq!(
        (&record["cost"], &record["cost_exact"]),
        (&json!(f64::from(cost)), &json!(cost.to_string()))
    );
    assert!(answer("solve", json!({"board": EIGHT, "costs": "unit"})).get("cost").is_none());
    for request in [
        json!({"board": EIGHT, "costs": "heavier"}),
        json!({"board": EIGHT, "costs": "1,2"}),
        json!({"board": EIGHT, "costs": "heavy", "algorithm": "bfs"}),
        json!({"board": EIGHT, "costs": "heavy", "all": true}),
    ] {
        let fault = fault("solve", &request);
        assert_eq!((fault.field.as_deref(), fault.kind), (Some("costs"), FaultKind::Wrong));
    }
}

#[test]
fn prunes_a_depth_first_search() {
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
    assert!(traced.to_string().contains("another path leads to the same state"));
}

#[test]
fn rejects_invalid_pruning() {
    let refused = |more: Value| {
        let mut request = json!({"board": EIGHT});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let fault = fault("solve", request);
        assert_eq!((fault.field.as_deref(), fault.kind), (Some("prune"), FaultKind::Wrong));
        fault.error
    };
    assert!(refused(json!({"prune": "most"})).contains("automaton=WORDS"));
    // In a batch, other boards may take it.
    let batch = json!({"boards": [EIGHT, "x"], "prune": "automaton=14", "metric": "mtm"});
    let records = answer("batch", batch);
    assert_eq!([&records[0]["status"], &records[1]["status"]], ["refused", "invalid"]);
    assert!(records[0]["board"].is_string(), "{records}");
    assert!(records[0]["error"].as_str().unwrap().contains("at most"), "{records}");
    assert!(refused(json!({"prune": "automaton=32"})).contains("2 to 31"));
    assert!(
        refused(json!({"prune": "automaton", "all": true})).contains("all of them are required")
    );
    let breadth = json!({"prune": "automaton=9", "algorithm": "astar"});
    assert!(refused(breadth).contains("astar is not depth-first"));
    let words = refused(json!({"prune": "automaton=17"}));
    assert_eq!(
        words,
        "words of an automaton for 3x3 boards in stm have at most 16 moves here, not 17"
    );
    assert!(refused(json!({"prune": "automaton=10", "metric": "mtm"})).contains("at most 9"));
    let long = fault("trace", json!({"board": EIGHT, "prune": "automaton=31"}));
    assert_eq!(long.field.as_deref(), Some("prune"));
}

#[test]
fn reports_events_before_the_answer() {
    let (record, events) = ask("solve", &json!({"board": FIFTEEN})).unwrap();
    let last = events.iter().rfind(|event| event.name == "incumbent").unwrap();
    let last: Value = serde_json::from_str(&last.data).unwrap();
    assert_eq!(last["length"], record["length"]);
    assert_eq!(last["event"], "incumbent");
}

/// A server expects many boards. Without a listener, it goes straight to the proof.
#[test]
fn first_solution_is_reported_before_the_proof_to_listeners_only() {
    let service = Service::new(Config { boards: Some(1000), ..Config::default() }).unwrap();
    let request =
        json!({"board": "6 x 15 1/3 7 14 2/4 10 8 12/5 13 11 9", "quality": "auto"}).to_string();
    let mut stages = Vec::new();
    let mut listen = |event: Event| {
        if event.name == "stage" {
            let data: Value = serde_json::from_str(&event.data).unwrap();
            stages.push(data["stage"].as_str().unwrap().to_owned());
        }
        ControlFlow::Continue(())
    };
    let cancel = CancelToken::new();
    let call = |listener: Listener<'_>| -> Value {
        let answer = service.call("solve", request.as_bytes(), &cancel, listener).unwrap();
        serde_json::from_str(&answer).unwrap()
    };
    let watched = call(Some(&mut listen));
    let alone = call(None);
    assert_eq!(stages, ["first solution", "proving"]);
    assert_eq!((&watched["length"], &watched["optimal"]), (&alone["length"], &json!(true)));
    assert!(watched["expanded"].as_u64() > alone["expanded"].as_u64());
}

#[test]
fn listener_ends_a_search() {
    let request = json!({"board": "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 x", "quality": "optimal"});
    let mut events = 0;
    let mut listen = |_| {
        events += 1;
        ControlFlow::Break(())
    };
    let request = request.to_string();
    let answer =
        service().call("solve", request.as_bytes(), &CancelToken::new(), Some(&mut listen));
    let record: Value = serde_json::from_str(&answer.unwrap()).unwrap();
    assert_eq!((events, &record["status"]), (1, &json!("stopped")));
}

#[test]
fn explains_a_board_and_gives_a_hint() {
    let record = answer("explain", json!({"board": "2 1 3/4 5 6/7 8 x"}));
    assert_eq!((&record["solvable"], &record["mend"]), (&json!(false), &json!([2, 1])));
    let record = answer("explain", json!({"board": EIGHT}));
    assert_eq!((&record["distance"], &record["heuristics"]["manhattan"]), (&json!(31), &json!(21)));
    let hint = answer("hint", json!({"board": "1 2 3/4 x 5/7 8 6"}));
    assert_eq!((&hint["best"], &hint["complete"]), (&json!(["r"]), &json!(true)));
}

#[test]
fn a_seed_reproduces_the_boards() {
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
fn reads_boards_as_lists_records_and_texts() {
    for board in [
        json!([[1, 2, 3], [4, 5, 6], [7, 0, 8]]),
        json!([1, 2, 3, 4, 5, 6, 7, null, 8]),
        json!(["1", "2", "3", "4", "5", "6", "7", "", "8"]),
        json!({"state": "123456708"}),
        json!("3\n1 2 3\n4 5 6\n7 9 8"),
        json!("{\"board\": [[1,2,3],[4,5,6],[7,0,8]]}"),
    ] {
        let solved = answer("solve", json!({"board": board}));
        assert_eq!(
            (&solved["length"], &solved["board"]),
            (&json!(1), &json!("1 2 3/4 5 6/7 0 8")),
            "{board}"
        );
        let compared = answer("compare", json!({"boards": [board], "preset": "realms"}));
        assert_eq!(compared["summary"][0]["solved"], 1, "{board}");
    }
    for goal in
        [json!([[1, 2, 3], [4, 5, 6], [7, null, 8]]), json!([1, 2, 3, "*", "*", "*", "*", "*", 8])]
    {
        let solved = answer("solve", json!({"board": "1 2 3/4 5 6/7 8 x", "goal": goal}));
        assert_eq!(solved["length"], 1, "{goal}");
    }
    let hex = json!({"board": "0123456789ABCDFE", "blank": "F", "goal": "0123456789ABCDEF"});
    assert_eq!(answer("solve", hex)["length"], 1);
    let converted = answer("convert", json!({"text": "1 2 3 4 5 6 7 9 8", "to": "slashes"}));
    assert_eq!(converted["text"], "1 2 3/4 5 6/7 0 8");
    assert_eq!(converted["notes"], json!(["read 9 as the blank: it is the number of cells"]));
    assert_eq!(fault("solve", json!({"board": [[1, 2], [3, 3]]})).field.as_deref(), Some("board"));
}

#[test]
fn compares_rows() {
    let rows = json!([{"algorithm": "bfs"}, {"algorithm": "astar", "heuristic": "manhattan"}]);
    let request = json!({"boards": [EIGHT, "1 2 3/4 x 5/7 8 6"], "rows": rows});
    let (record, events) = ask("compare", &request).unwrap();
    assert_eq!(record["rows"], json!(["bfs", "astar/manhattan"]));
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
    let names = record["summary"].as_array().unwrap().iter().map(|row| row["name"].clone());
    assert_eq!(record["rows"], names.collect::<Value>());
    assert_eq!(record["summary"][0]["solved"], 2);
    assert_eq!(
        fault("compare", json!({"board": EIGHT, "preset": "none"})).field.unwrap(),
        "preset"
    );
}

#[test]
fn compares_pruning_methods() {
    let row = |prune: &str| json!({"algorithm": "idastar", "prune": prune});
    let ask_for = |prune: &[&str]| {
        let rows: Vec<Value> = prune.iter().map(|prune| row(prune)).collect();
        json!({"boards": [EIGHT], "rows": rows})
    };
    let (record, _) = ask("compare", &ask_for(&["undo", "automaton=8"])).unwrap();
    assert_eq!(record["rows"], json!(["idastar/undo", "idastar/automaton=8"]));
    let expanded = |row: usize| record["summary"][row]["expanded"]["mean"].as_f64().unwrap();
    assert!(expanded(1) < expanded(0), "{record}");
    for prune in ["none", "automaton=31"] {
        let refused = fault("compare", ask_for(&["undo", prune]));
        assert_eq!(refused.field.as_deref(), Some("prune"), "{prune}");
    }
}

#[test]
fn traces_a_search() {
    let record = answer("trace", json!({"board": "1 2 3/4 x 5/7 8 6", "algorithm": "astar"}));
    let expanding = |event: &&Value| event["type"] == "expanding";
    let events = record["events"].as_array().unwrap();
    let record = answer("solve", json!({"board": "1 2 3/4 x 5/7 8 6", "algorithm": "astar"}));
    assert_eq!(json!(events.iter().filter(expanding).count()), record["expanded"]);
    let dot = json!({"board": EIGHT, "algorithm": "bfs", "max_events": 50, "format": "dot"});
    assert!(answer("trace", dot)["text"].as_str().unwrap().contains("digraph"));
    assert_eq!(fault("trace", json!({"board": EIGHT, "format": "svg"})).field.unwrap(), "format");
}

#[test]
fn trace_keeps_the_memory_limit() {
    let mut board = Goal::BlankLast.board("16x16".parse().unwrap()).unwrap();
    [[Move::Up; 9], [Move::Left; 9]].concat().into_iter().for_each(|m| board.apply(m).unwrap());
    let board = board.to_string();
    let traced = |max_events: u64| json!({"board": board, "algorithm": "bfs", "max_events": max_events, "max_bytes": 12 << 20});
    assert!(answer("trace", traced(100))["events"].as_array().unwrap().len() >= 100);
    let fault = fault("trace", traced(20_000));
    assert_eq!(fault.field.as_deref(), Some("max_events"));
    assert!(fault.error.contains("a third of the memory limit"), "{}", fault.error);
}

#[test]
fn counts_states() {
    let record = answer("census", json!({"size": "3x3"}));
    assert_eq!((&record["states"], &record["depth"]), (&json!(181_440), &json!(31)));
    assert_eq!(fault("census", json!({"size": "4x4"})).field.unwrap(), "size");
}

#[test]
fn errors_name_their_field() {
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
fn goals_that_are_no_boards_are_refused_once() {
    let goals = [
        json!({}),
        json!([true]),
        json!([[{}]]),
        json!([[0.5]]),
        json!([-1]),
        json!([4_294_967_296_u64]),
    ];
    for goal in goals {
        let requests = [
            ("solve", json!({"board": EIGHT, "goal": goal})),
            ("batch", json!({"boards": [EIGHT, EIGHT], "goal": goal})),
        ];
        for (call, request) in requests {
            let fault = fault(call, request);
            assert_eq!(fault.kind, FaultKind::Malformed, "{call} {goal}");
            assert_eq!(fault.field.as_deref(), Some("goal"), "{call} {goal}");
        }
    }
}

#[test]
fn finds_every_name() {
    for call in &CALLS {
        let fault = fault(call.name, json!({"nothing": 0}));
        assert_eq!(fault.field.as_deref(), Some("nothing"), "{}", call.name);
    }
    for list in &LISTS {
        assert!((list.rows)().iter().all(|row| row["name"].is_string()), "{}", list.name);
    }
}

#[test]
fn reports_missing_fields() {
    for call in &CALLS {
        for &field in call.needs {
            let others = call.needs.iter().filter(|&&other| other != field);
            let request: Value =
                others.map(|&other| (other.to_owned(), Value::from("4x4"))).collect();
            let message = fault(call.name, request).error;
            // If two fields are required, the other one may be checked first.
            assert!(
                message == format!("the field `{field}` is missing") || call.needs.len() > 1,
                "{}: {message}",
                call.name
            );
        }
    }
}

#[test]
fn integers_may_have_a_fraction_of_zero() {
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
fn answers_every_example() {
    for call in &CALLS {
        answer(call.name, serde_json::from_str::<Value>(call.example).unwrap());
    }
}

#[test]
fn names_the_goals_that_a_board_can_reach() {
    let board = "1 2 3/4 5 6/8 7 x";
    for call in ["solve", "explain", "hint"] {
        let record = answer(call, json!({"board": board}));
        assert_eq!(record["solvable_goals"], json!(["columns", "snake", "spiral"]), "{call}");
        for name in ["columns", "snake", "spiral"] {
            let record = answer(call, json!({"board": board, "goal": name}));
            assert!(record.get("solvable_goals").is_none(), "{call}");
        }
        let partial = json!({"board": board, "goal": "1 2 3/4 5 6/7 x *"});
        assert!(answer(call, partial).get("solvable_goals").is_none(), "{call}");
    }
    let review = answer("review", json!({"board": board, "moves": "u", "metric": "stm"}));
    assert_eq!(review["reviews"][0]["solvable_goals"], json!(["columns", "snake", "spiral"]));
}
