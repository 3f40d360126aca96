//! Answers of calls and lists.

use loyd_api::{CALLS, LISTS};
use serde_json::json;

use crate::client::{HARD, Running, post, streamed};

#[test]
fn every_call_and_every_list_is_answered() {
    let server = Running::start(|_| {});
    for call in &CALLS {
        let answer = server.raw(&post(call.name, call.example, ""));
        assert_eq!(answer.status, 200, "{}: {}", call.name, answer.body);
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert!(answer.json().is_object(), "{}", answer.body);
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
