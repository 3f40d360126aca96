//! Many clients at once.

use std::fs;
use std::path::Path;
use std::thread;

use loyd::Config;
use loyd::tables::Store;
use serde_json::json;

use crate::client::{Connection, HARD, Running, post, streamed};

#[test]
fn calls_to_a_full_queue_are_rejected() {
    let server = Running::start(|options| (options.threads, options.queue_length) = (1, 4));
    let request = post("solve", &json!({"board": HARD, "quality": "auto"}).to_string(), "");
    let mut connections: Vec<_> = (0..3).map(|_| server.connect()).collect();
    for (connection, waiting) in connections.iter_mut().zip([0.0, 1.0, 2.0]) {
        connection.send(&request);
        server.wait_for("loyd_running", 1.0);
        server.wait_for("loyd_waiting", waiting);
    }
    let refused = server.raw(&request);
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")));
    assert_eq!(refused.json()["place"], 2);
    // Disconnecting clients free their places.
    drop(connections);
    server.wait_for("loyd_running", 0.0);
    assert_eq!(server.ask("solve", &json!({"board": "1 2 3 4 5 6 7 0 8"})).status, 200);
}

#[test]
fn questions_about_small_boards_do_not_wait_for_long_searches() {
    let server = Running::start(|options| options.threads = 1);
    let mut connections = [(); 3].map(|()| server.connect());
    for (connection, waiting) in connections.iter_mut().zip([0.0, 1.0, 2.0]) {
        connection.send(&post("solve", &json!({"board": HARD, "quality": "auto"}).to_string(), ""));
        server.wait_for("loyd_running", 1.0);
        server.wait_for("loyd_waiting", waiting);
    }
    let eight = "2 3 4/1 5 0/7 6 8";
    for (call, request) in [
        ("solve", json!({"board": eight})),
        ("solve", json!({"board": eight, "goal": "blank-first"})),
        ("hint", json!({"board": eight})),
        ("explain", json!({"board": eight})),
        ("review", json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "lrrd"})),
        ("convert", json!({"text": HARD, "to": "rows"})),
        ("scramble", json!({"size": "5x5", "number": 100})),
        ("solve", json!({"board": "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15", "quality": "optimal"})),
        ("hint", json!({"board": "1 2 3 4 5/6 7 8 9 10/11 12 0 13 14"})),
        ("solve", json!({"board": eight, "all": true})),
        ("solve", json!({"board": eight, "algorithm": "iddfs"})),
        ("solve", json!({"board": eight, "costs": "heavy"})),
        ("trace", json!({"board": eight, "algorithm": "astar"})),
        ("compare", json!({"board": eight, "rows": [{"algorithm": "iddfs"}]})),
        ("compare", json!({"boards": [eight], "rows": [{"algorithm": "bfs"}]})),
        ("optimize", json!({"board": "1 2 3/4 0 5/7 8 6", "moves": "lrrd"})),
        ("census", json!({"size": "3x3"})),
        ("scramble", json!({"size": "3x3", "length": 31})),
    ] {
        assert_eq!(server.ask(call, &request).status, 200, "{call} {request}");
    }
    let mut stream = server.connect();
    stream.send(&streamed("solve", &json!({"board": eight})));
    stream.skip_to("event: result");
    assert_eq!((server.metric("loyd_running"), server.metric("loyd_waiting")), (1.0, 2.0));
}

#[test]
fn clients_without_a_running_search_do_not_wait_for_slow_comparisons() {
    let server = Running::start(|options| options.threads = 1);
    // Both threads that take such boards are busy: one with a long search, one with many rows.
    let row = |words| json!({"algorithm": "iddfs", "prune": format!("automaton={words}")});
    let rows: Vec<_> = (2..14).map(row).collect();
    let mut others = [(); 2].map(|()| server.connect_from([127, 0, 0, 2]));
    others[0].send(&post("solve", &json!({"board": HARD, "quality": "auto"}).to_string(), ""));
    server.wait_for("loyd_running", 1.0);
    let comparison = json!({"board": "8 6 7/2 5 4/3 0 1", "rows": rows});
    others[1].send(&post("compare", &comparison.to_string(), ""));
    server.wait_for("loyd_running", 2.0);
    for (call, request) in [
        ("solve", json!({"board": "1 2 3 4/5 6 7 8/9 10 11 12/13 0 14 15", "quality": "optimal"})),
        ("census", json!({"size": "3x3"})),
    ] {
        assert_eq!(server.ask(call, &request).status, 200);
        assert_eq!(server.metric("loyd_running"), 2.0, "{call}");
    }
}

#[test]
fn connections_of_one_address_do_not_shut_out_others() {
    let server = Running::start(|options| (options.connections, options.threads) = (8, 1));
    let mut crowd: Vec<_> = (0..8).map(|_| server.connect_from([127, 0, 0, 2])).collect();
    // One of them is busy; of the others, an idle one ends for each new client.
    crowd[0].send(&streamed("solve", &json!({"board": HARD, "quality": "auto"})));
    crowd[0].skip_to("event: incumbent");
    let health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let mut others: Vec<Connection> = Vec::new();
    for _ in 0..4 {
        let mut other = server.connect();
        other.send(health);
        assert_eq!(other.answer().unwrap().status, 200);
        others.push(other);
    }
    crowd[0].skip_to("event: progress");
    let mut is_open = |connection: &mut Connection| {
        connection.send(health);
        connection.answer().is_some()
    };
    assert_eq!(crowd[5..].iter_mut().map(&mut is_open).collect::<Vec<_>>(), [true; 3]);
    assert_eq!(others.iter_mut().map(is_open).collect::<Vec<_>>(), [true; 4]);
    assert!(crowd[1].line().is_none(), "the oldest idle connection has ended");
}

#[test]
fn busy_connections_of_one_address_do_not_delay_others() {
    let server = Running::start(|options| (options.connections, options.threads) = (8, 1));
    let hard = streamed("solve", &json!({"board": HARD, "quality": "auto"}));
    let mut crowd = [(); 8].map(|()| server.connect_from([127, 0, 0, 2]));
    for connection in &mut crowd {
        connection.send(&hard);
        connection.skip_to("event: ");
    }
    // Eight more wait for a place, and further ones of this address are closed.
    let mut more = [(); 12].map(|()| server.connect_from([127, 0, 0, 2]));
    assert!(more[11].line().is_none(), "the last connection is closed");
    // The newest connection of the crowd gives up its place; the searches of the others go on.
    let metrics = server.get("/metrics", "").body;
    assert!(
        metrics.contains("loyd_running 1\n") && metrics.contains("loyd_waiting 6\n"),
        "{metrics}"
    );
}

#[test]
fn answers_that_are_being_sent_have_limited_memory() {
    let request = json!({"size": "25x25", "number": 100, "seed": 1});
    let server = Running::start(|options| options.unread = 4_000_000);
    let size = server.ask("scramble", &request).body.len();
    assert!(size > 100_000, "{size}");
    // The memory of an answer is free again when it has been sent.
    for _ in 0..4_000_000 / size {
        assert_eq!(server.ask("scramble", &request).status, 200);
    }
    let server = Running::start(|options| options.unread = size);
    let refused = server.ask("scramble", &request);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    let mut stream = server.connect();
    stream.send(&streamed("scramble", &request));
    stream.skip_to("event: error");
    assert!(stream.line().unwrap().contains("too many large answers"));
    assert_eq!(server.ask("scramble", &json!({"size": "5x5", "number": 20})).status, 200);
}

#[test]
fn clients_of_a_trusted_proxy_are_told_apart() {
    let proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let server = Running::start(|options| {
        (options.threads, options.queue_length, options.proxies) = (1, 4, proxies);
    });
    let mut connections = Vec::new();
    let hard = json!({"board": HARD, "quality": "auto"}).to_string();
    let mut ask = |client: &str| {
        let mut connection = server.connect();
        connection.send(&post("solve", &hard, &format!("X-Forwarded-For: {client}\r\n")));
        connections.push(connection);
    };
    ask("192.0.2.1");
    server.wait_for("loyd_running", 1.0);
    for waiting in [1.0, 2.0] {
        ask("192.0.2.1");
        server.wait_for("loyd_waiting", waiting);
    }
    // A client without a running search does not wait for the searches of another.
    ask("192.0.2.2");
    server.wait_for("loyd_running", 2.0);
    ask("192.0.2.1");
    let refused = connections.pop().unwrap().answer().unwrap();
    assert_eq!(refused.status, 429, "one client may have half of the places");
}

#[test]
fn waiting_streams_report_their_place() {
    let server = Running::start(|options| options.threads = 1);
    let mut connections = [(); 4].map(|()| server.connect());
    for (connection, waiting) in connections.iter_mut().zip([0.0, 1.0, 2.0, 3.0]) {
        connection.send(&streamed("solve", &json!({"board": HARD, "quality": "auto"})));
        server.wait_for("loyd_running", 1.0);
        server.wait_for("loyd_waiting", waiting);
    }
    let [first, second, third, mut last] = connections;
    let mut next = || (last.skip_to("event: "), last.line().unwrap());
    let queued = |place| {
        ("event: queued".to_owned(), format!(r#"data: {{"event":"queued","place":{place}}}"#))
    };
    assert_eq!(next(), queued(3));
    // A client in front disconnects.
    drop(second);
    assert_eq!(next(), queued(2));
    // The running search ends, and the next one starts.
    drop(first);
    assert_eq!(next(), queued(1));
    drop(third);
    let (event, _) = next();
    assert_ne!(event, "event: queued");
}

#[test]
fn answers_fifty_clients_of_two_servers_sharing_an_empty_cache() {
    const BOARDS: [(&str, u64); 5] = [
        ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15", 1),
        ("15 5 12 7/0 14 8 13/10 9 4 2/1 3 11 6", 59),
        ("3 14 13 0/11 4 8 7/10 9 1 5/2 6 12 15", 53),
        ("8 14 6 1/12 9 10 0/15 3 7 11/5 13 2 4", 58),
        ("15 9 8 11/10 2 7 6/14 0 5 4/1 13 3 12", 49),
    ];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-cache");
    let _ = fs::remove_dir_all(&folder);
    let config = || Config { store: Store::new(&folder), boards: Some(1000), ..Config::default() };
    let servers = [(); 2].map(|()| Running::with(config(), |options| options.threads = 2));
    let ask = |number: usize| {
        let (board, length) = BOARDS[number % BOARDS.len()];
        let answer = servers[number % 2].ask("solve", &json!({"board": board}));
        assert_eq!(answer.status, 200, "{answer:?}");
        let answer = answer.json();
        assert_eq!(
            (&answer["length"], &answer["optimal"]),
            (&json!(length), &json!(true)),
            "{board}"
        );
    };
    thread::scope(|scope| {
        for number in 0..50 {
            scope.spawn(move || ask(number));
        }
    });
    let kept: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!kept.is_empty());
    drop(servers);
    fs::remove_dir_all(&folder).unwrap();
}
