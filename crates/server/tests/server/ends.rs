//! Disconnecting clients, and servers that stop.

use std::net::TcpStream;

use loyd_server::{Options, Server};
use serde_json::{Value, json};

use crate::client::{HARD, Running, post, streamed};

/// Checks in the metrics that the work for disconnected clients has ended within a tenth of a second.
fn ended_in_time(server: &Running, clients: f64) {
    server.wait_for("loyd_cancel_seconds_count", clients);
    assert_eq!(server.metric(r#"loyd_cancel_seconds_bucket{le="0.1"}"#), clients);
    server.wait_for("loyd_running", 0.0);
}

#[test]
fn search_ends_when_its_client_disconnects() {
    let server = Running::start(|_| {});
    let request = json!({"board": HARD, "quality": "auto"});
    let mut stream = server.connect();
    stream.send(&streamed("solve", &request));
    stream.skip_to("event: incumbent");
    drop(stream);
    ended_in_time(&server, 1.0);
    // The same holds if the client requested a complete answer instead of a stream.
    let mut whole = server.connect();
    whole.send(&post("solve", &request.to_string(), ""));
    server.wait_for("loyd_running", 1.0);
    drop(whole);
    ended_in_time(&server, 2.0);
}

#[test]
fn search_ends_when_its_client_leaves_after_more_bytes() {
    let server = Running::start(|options| options.threads = 1);
    let request = json!({"board": HARD, "quality": "auto"});
    let whole = post("solve", &request.to_string(), "");
    let stream = streamed("solve", &request);
    let pipelined = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut clients = 0_u32;
    for request in [&whole, &stream] {
        for (more, resets) in [("\r\n", false), (pipelined, false), ("", true), (pipelined, true)] {
            let mut client = server.connect();
            client.send(&format!("{request}{more}"));
            server.wait_for("loyd_running", 1.0);
            if resets {
                client.reset();
            } else {
                drop(client);
            }
            clients += 1;
            ended_in_time(&server, f64::from(clients));
        }
    }
}

#[test]
fn client_that_has_ended_its_side_gets_its_answer() {
    let server = Running::start(|_| {});
    let request = json!({"board": HARD, "quality": "auto", "max_ms": 400});
    let mut client = server.connect();
    client.send(&post("solve", &request.to_string(), ""));
    client.end();
    let answer = client.answer().unwrap();
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!("solved")));
    assert!(client.line().is_none(), "the server ends the connection");
    let mut client = server.connect();
    client.send(&streamed("solve", &request));
    client.end();
    client.skip_to("event: result");
    assert_eq!(server.metric("loyd_cancel_seconds_count"), 0.0);
}

/// HTTP/1.0 has no interim answer, with which the server could learn whether such a client still reads.
#[test]
fn old_client_that_has_ended_its_side_gets_its_answer() {
    let server = Running::start(|_| {});
    let board = json!({"board": HARD, "quality": "auto", "max_ms": 400});
    let boards = json!({"boards": [HARD], "max_ms": 400});
    for (call, request) in [("solve", board), ("batch", boards)] {
        let mut client = server.connect();
        client.send(&post(call, &request.to_string(), "").replace("HTTP/1.1", "HTTP/1.0"));
        client.end();
        assert_eq!(client.line().unwrap(), "HTTP/1.0 200 OK");
        client.skip_to("");
        let answer = client.skip_to("{");
        assert!(answer.contains(r#""status":"solved""#), "{answer}");
    }
}

#[test]
fn client_that_is_gone_is_not_told_of_a_shutdown() {
    let server = Running::start(|_| {});
    let mut client = server.connect();
    client.send(&post("solve", &json!({"board": HARD, "quality": "optimal"}).to_string(), ""));
    client.end();
    server.wait_for("loyd_running", 1.0);
    client.reset();
    ended_in_time(&server, 1.0);
    let answered = || {
        let metrics = server.get("/metrics", "").body;
        let counted =
            metrics.lines().find(|line| line.starts_with("loyd_requests_total{name=\"solve\""));
        counted.map(str::to_owned)
    };
    let counted = std::iter::repeat_with(answered).flatten().next().unwrap();
    assert!(counted.contains("status=\"499\""), "{counted}");
}

#[test]
fn all_kinds_of_work_end_when_their_client_disconnects() {
    let server = Running::start(|options| options.threads = 1);
    let requests = [
        ("solve", json!({"board": HARD, "quality": "optimal"})),
        ("solve", json!({"board": HARD, "algorithm": "astar", "heuristic": "manhattan"})),
        ("hint", json!({"board": HARD})),
        ("batch", json!({"boards": ["1 2 3/4 5 6/7 0 8", HARD]})),
        ("compare", json!({"board": HARD, "rows": [{"algorithm": "idastar"}]})),
        ("scramble", json!({"size": "4x4", "length": 79, "seed": 1})),
    ];
    for (left, (call, request)) in (1_u32..).zip(requests) {
        let mut stream = server.connect();
        stream.send(&match call {
            "batch" => post(call, &request.to_string(), ""),
            _ => streamed(call, &request),
        });
        server.wait_for("loyd_running", 1.0);
        drop(stream);
        ended_in_time(&server, f64::from(left));
    }
}

#[test]
fn stopped_server_sends_what_was_found() {
    let mut server = Running::start(|_| {});
    let mut stream = server.connect();
    stream.send(&streamed("solve", &json!({"board": HARD, "quality": "auto"})));
    let best = stream.skip_to("data: {\"event\":\"incumbent\"");
    assert!(best.contains("\"length\":"));
    server.ask_to_stop();
    stream.skip_to("event: result");
    let answer = stream.line().unwrap();
    assert!(
        answer.contains(r#""status":"solved""#) && !answer.contains(r#""length":null"#),
        "{answer}"
    );
    server.stop();
    TcpStream::connect(server.address).unwrap_err();
}

#[test]
fn stopped_server_completes_a_batch() {
    let mut server = Running::start(|options| options.threads = 1);
    let mut connection = server.connect();
    let boards = ["1 2 3/4 5 6/7 0 8", HARD, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"];
    connection.send(&post(
        "batch",
        &json!({"boards": boards, "quality": "optimal"}).to_string(),
        "",
    ));
    server.wait_for("loyd_running", 1.0);
    server.ask_to_stop();
    let answer = connection.answer().unwrap();
    let records = answer.body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let records: Vec<_> =
        records.map(|record| (record["status"].clone(), record["stopped_by"].clone())).collect();
    assert_eq!(records.len(), 3, "{}", answer.body);
    assert_eq!(records[1], (json!("stopped"), json!("cancelled")));
    server.stop();
}

#[test]
fn waiting_clients_get_an_error_when_the_server_stops() {
    let server = Running::start(|options| options.threads = 1);
    let request = post("solve", &json!({"board": HARD, "quality": "auto"}).to_string(), "");
    let mut connections = [(); 2].map(|()| server.connect());
    connections.iter_mut().for_each(|connection| connection.send(&request));
    server.wait_for("loyd_waiting", 1.0);
    server.ask_to_stop();
    let mut answers = connections.map(|mut connection| connection.answer().unwrap().status);
    answers.sort_unstable();
    assert_eq!(answers, [200, 503]);
}

#[test]
fn a_port_in_use_is_an_error() {
    let server = Running::start(|_| {});
    let service = loyd_api::Service::new(loyd::Config::default()).unwrap();
    let options = Options { address: server.address, ..Options::default() };
    let error = Server::bind(service, options).err().unwrap();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
}
