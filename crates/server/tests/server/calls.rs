//! Answers of calls and lists.

use loyd::Config;
use loyd::search::Limits;
use loyd_api::{CALLS, LISTS};
use serde_json::{Value, json};

use crate::client::{HARD, Running, post, streamed};

#[test]
fn every_call_and_every_list_is_answered() {
    let server = Running::start(|_| {});
    for call in &CALLS {
        let answer = server.raw(&post(call.name, call.example, ""));
        assert_eq!(answer.status, 200, "{}: {}", call.name, answer.body);
        let form = if call.has_records { "application/x-ndjson" } else { "application/json" };
        assert_eq!(answer.header("content-type"), Some(form));
        let is_object = |line: &str| serde_json::from_str::<Value>(line).unwrap().is_object();
        assert!(answer.body.lines().all(is_object), "{}", answer.body);
    }
    for list in &LISTS {
        let answer = server.get(&format!("/api/v1/{}", list.name), "");
        assert_eq!(answer.json().as_array().unwrap().len(), (list.rows)().len());
    }
    let described = server.get("/api/v1/openapi.json", "").json();
    assert_eq!(described, loyd_server::document());
    assert_eq!(server.get("/healthz", "").body, "ok\n");
}

#[test]
fn a_solution_is_the_shortest() {
    let server = Running::start(|_| {});
    let answer = server.ask("solve", &json!({"board": "2 3 4 1 5 0 7 6 8"})).json();
    assert_eq!((&answer["length"], &answer["optimal"]), (&json!(19), &json!(true)));
    assert_eq!(server.metric(r#"loyd_requests_total{name="solve",status="200"}"#), 1.0);
}

#[test]
fn batch_has_a_record_for_each_board_in_order() {
    let server = Running::start(|_| {});
    let drawn = server.ask("scramble", &json!({"size": "3x3", "number": 100, "seed": 5})).json();
    let drawn = drawn["boards"].as_array().unwrap();
    let mut boards: Vec<Value> =
        drawn.iter().cycle().take(10_000).map(|one| one["board"].clone()).collect();
    boards[7] = json!("nonsense");
    boards[6] = json!(null);
    boards[8] = json!([[1, 2], [3, 0]]);
    boards[9] = json!("1 2 3/4 5 6/8 7 0");
    let answer = server.ask("batch", &json!({"boards": boards}));
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let records: Vec<Value> =
        answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 10_000);
    assert!(records.iter().zip(1..).all(|(record, line)| record["line"] == json!(line)));
    let statuses = [6, 7, 8, 9].map(|number| records[number]["status"].as_str().unwrap());
    assert_eq!(statuses, ["invalid", "invalid", "solved", "unsolvable"]);
    assert!(records[7]["error"].as_str().unwrap().contains("is not a tile"), "{}", records[7]);
    for number in 10..60 {
        let alone = server.ask("solve", &json!({"board": boards[number]})).json();
        for field in ["board", "goal", "moves", "length", "optimal", "expanded"] {
            assert_eq!(records[number][field], alone[field], "{field} of {number}");
        }
    }
    let events = server.raw(&streamed("batch", &json!({"boards": boards})));
    let text: Vec<_> = events
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["line"].clone())
        .collect();
    assert!(text.iter().zip(1..).all(|(line, number)| *line == json!(number)));
    assert_eq!(text.len(), 10_000);
    let empty = server.ask("batch", &json!({"boards": []}));
    assert_eq!((empty.status, empty.body.as_str()), (200, ""));
    let too_many = server.ask("batch", &json!({"boards": vec!["1 2/3 0"; 10_001]}));
    assert_eq!((too_many.status, &too_many.json()["field"]), (422, &json!("boards")));
}

#[test]
fn stream_reports_progress_and_ends_with_the_answer() {
    let server = Running::start(|_| {});
    let request = json!({"board": HARD, "quality": "auto", "max_ms": 300});
    let answer = server.raw(&streamed("solve", &request));
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/event-stream")));
    let events = answer.events();
    let of = |name: &str| events.iter().filter(|(event, _)| event == name).collect::<Vec<_>>();
    let lengths: Vec<_> =
        of("incumbent").iter().map(|(_, data)| data["length"].as_u64().unwrap()).collect();
    assert!(!lengths.is_empty() && lengths.is_sorted_by(|a, b| a > b), "{lengths:?}");
    assert!(!of("lower_bound").is_empty());
    let (last, answer) = events.last().unwrap();
    assert_eq!(last, "result");
    assert_eq!(answer["length"].as_u64(), lengths.last().copied());
    assert!(answer["lower_bound"].as_u64() <= answer["length"].as_u64());
}

#[test]
fn stream_ends_with_the_error() {
    let server = Running::start(|_| {});
    let answer = server.raw(&streamed("solve", &json!({"board": "1 1 2 3"})));
    let events = answer.events();
    assert_eq!((answer.status, events.len(), events[0].0.as_str()), (200, 1, "error"));
    assert_eq!(events[0].1["field"], "board");
}

#[test]
fn requests_on_one_connection_are_answered_in_order() {
    let server = Running::start(|options| options.threads = 4);
    let mut connection = server.connect();
    let boards = ["1 2 3 4 5 6 7 0 8", "8 6 7 2 5 4 3 0 1", "1 2 3 4 5 6 0 7 8"];
    let requests = boards.map(|board| post("solve", &json!({"board": board}).to_string(), ""));
    connection.send(&requests.concat());
    let lengths = boards.map(|_| connection.answer().unwrap().json()["length"].clone());
    assert_eq!(lengths, [json!(1), json!(31), json!(2)]);
}

#[test]
fn batch_may_have_no_time_limit() {
    let limits = Limits { max_time: None, ..Limits::default() };
    let server = Running::with(Config { limits, ..Config::default() }, |_| {});
    let answer = server.ask("batch", &json!({"boards": ["2 3 4/1 5 0/7 6 8"]}));
    assert_eq!((answer.status, &answer.json()["length"]), (200, &json!(19)));
}
