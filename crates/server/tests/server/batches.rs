//! Batches beside other work.

use serde_json::{Value, json};

use crate::client::{HARD, Running, post, streamed};

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

#[test]
fn batches_take_turns_with_other_work() {
    let server = Running::start(|options| options.threads = 1);
    let mut connection = server.connect();
    connection.send(&batch(&server, "3x4", 10_000));
    server.wait_for("loyd_running", 1.0);
    ask_long_question(&server);
    // The batch is counted when it ends.
    assert_eq!(server.metric(r#"loyd_work_seconds_count{name="census"}"#), 1.0);
    assert!(!server.get("/metrics", "").body.contains(r#"loyd_work_seconds_count{name="batch""#));
    let answer = connection.answer().unwrap();
    let records = answer.body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<_> = records.map(|record| record["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, (1..=10_000).collect::<Vec<_>>());
    server.wait_for(r#"loyd_work_seconds_count{name="batch"}"#, 1.0);
}

#[test]
fn batches_that_are_not_read_hold_no_thread() {
    let server = Running::start(|options| options.threads = 1);
    let mut connection = server.connect();
    connection.send(&batch(&server, "3x3", 10_000));
    server.wait_for("loyd_running", 1.0);
    server.wait_for("loyd_running", 0.0);
    ask_long_question(&server);
    assert!(!server.get("/metrics", "").body.contains(r#"loyd_work_seconds_count{name="batch""#));
    assert_eq!(connection.answer().unwrap().body.lines().count(), 10_000);
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
