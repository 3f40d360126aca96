//! Batches, and other work at the same time.

use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::client::{Connection, HARD, LONG, Running, post, streamed};

/// Number of boards of a large batch.
const BOARDS: usize = 10_000;

/// Returns the request of a batch of boards drawn at random.
fn batch(server: &Running, size: &str, number: usize) -> String {
    let drawn = json!({"size": size, "number": 100, "seed": 5});
    let drawn = server.ask("scramble", &drawn).json();
    let drawn = drawn["boards"].as_array().unwrap();
    let boards: Vec<_> = drawn.iter().cycle().take(number).map(|one| &one["board"]).collect();
    post("batch", &json!({"boards": boards}).to_string(), "")
}

/// Asks a question that waits for a thread like a batch.
fn ask_long_question(server: &Running) {
    let census = server.ask("census", &json!({"size": "2x3"}));
    assert_eq!(census.status, 200, "{census:?}");
}

/// Sends a batch, and returns the connection once the server has solved the first boards.
fn begin(server: &Running, size: &str) -> Connection {
    let mut connection = server.connect();
    connection.send(&batch(server, size, BOARDS));
    assert_eq!(connection.line().as_deref(), Some("HTTP/1.1 200 OK"));
    connection
}

/// Returns whether a batch has ended, after which it is counted.
fn has_ended(server: &Running) -> bool {
    server.get("/metrics", "").body.contains(r#"loyd_work_seconds_count{name="batch"}"#)
}

/// Reads the rest of the answer to a batch, and checks that it has the records of all boards in order.
fn read_all(mut connection: Connection) {
    let lines = std::iter::from_fn(|| connection.line()).take_while(|line| line != "0");
    let records = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    let numbers: Vec<_> = records.filter_map(|record| record["line"].as_u64()).collect();
    assert_eq!(numbers, (1..=BOARDS as u64).collect::<Vec<_>>());
}

#[test]
fn batches_take_turns_with_other_work() {
    let server = Running::start(|options| options.threads = 1);
    let connection = begin(&server, "3x4");
    let reader = thread::spawn(|| read_all(connection));
    ask_long_question(&server);
    assert!(!has_ended(&server));
    reader.join().unwrap();
    server.wait_for(r#"loyd_work_seconds_count{name="batch"}"#, 1.0);
}

#[test]
fn batches_that_are_not_read_hold_no_thread() {
    let server = Running::start(|options| options.threads = 1);
    let connection = begin(&server, "3x3");
    ask_long_question(&server);
    assert!(!has_ended(&server));
    read_all(connection);
}

#[test]
fn batches_that_wait_get_an_error_when_the_server_stops() {
    let server = Running::start(|options| options.threads = 1);
    let mut busy = server.connect();
    busy.send(&streamed("solve", &json!({"board": HARD, "quality": "auto"})));
    busy.skip_to("event: incumbent");
    let mut waiting = server.connect();
    waiting.send(&post("batch", &json!({"boards": [HARD]}).to_string(), ""));
    server.wait_for("loyd_waiting", 1.0);
    server.ask_to_stop();
    assert_eq!(waiting.answer().unwrap().status, 503);
}

#[test]
fn large_batches_have_limited_memory() {
    let server = Running::start(|options| options.unread = 1_000_000);
    let request = batch(&server, "4x4", 10_000);
    let refused = server.raw(&request);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert_eq!(server.raw(&batch(&server, "4x4", 100)).status, 200);
}

#[test]
fn batches_end_when_their_client_closes_the_connection() {
    let server = Running::start(|options| options.threads = 1);
    let mut connection = server.connect();
    // The easy boards fill seven of eight blocks, whose records are sent.
    let mut boards = vec!["1 2 3/4 5 6/7 x 8"; 56];
    boards.push(HARD);
    let request = json!({"boards": boards, "quality": "optimal"});
    connection.send(&post("batch", &request.to_string(), ""));
    connection.skip_to("{\"line\":56");
    server.wait_for("loyd_running", 1.0);
    drop(connection);
    server.wait_for("loyd_cancel_seconds_count", 1.0);
    server.wait_for("loyd_running", 0.0);
}

#[test]
fn half_closed_batches_get_all_records() {
    let server = Running::start(|options| options.threads = 1);
    let mut connection = server.connect();
    let boards = json!({"boards": ["1 2 3/4 5 6/7 x 8", HARD], "max_ms": 4000});
    connection.send(&post("batch", &boards.to_string(), ""));
    connection.end();
    let answer = connection.answer().unwrap();
    let records: Vec<Value> =
        answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 2, "{}", answer.body);
    assert!(records.iter().all(|record| record["status"] == "solved"), "{}", answer.body);
}

#[test]
fn stopped_server_ends_large_batches_at_once() {
    let mut server = Running::start(|options| options.threads = 1);
    let connection = begin(&server, "5x5");
    let stopped = Instant::now();
    let reader = thread::spawn(|| read_all(connection));
    server.ask_to_stop();
    reader.join().unwrap();
    server.stop();
    assert!(stopped.elapsed() < LONG / 6, "{:?}", stopped.elapsed());
}

/// The record of a large board is longer than the board.
#[test]
fn large_records_have_limited_memory() {
    let server = Running::start(|options| options.unread = 200_000);
    let drawn = server.ask("scramble", &json!({"size": "3x400", "seed": 1})).json();
    let board = drawn["boards"][0]["board"].clone();
    let request =
        json!({"boards": vec![board; 4], "quality": "fast", "max_ms": 20_000}).to_string();
    let lines = server.raw(&post("batch", &request, ""));
    let events = server.raw(&post("batch", &request, "Accept: text/event-stream\r\n"));
    for body in [lines.body, events.body] {
        assert!(body.contains("too many large answers"), "{} bytes", body.len());
    }
}
