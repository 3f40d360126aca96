//! Many clients at once.

use std::fs;
use std::path::Path;
use std::thread;

use loyd::Config;
use loyd::tables::Store;
use serde_json::json;

use crate::client::{HARD, Running, post, streamed};

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
