//! Batches beside other work.

use std::thread;

use serde_json::{Value, json};

use crate::client::{Connection, HARD, Running, post, streamed};

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
