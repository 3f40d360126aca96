//! Invalid requests, and requests for other servers.

use std::time::Duration;

use loyd::Config;
use loyd_api::Service;
use serde_json::json;

use crate::client::{Running, post};

#[test]
fn errors_have_a_message_and_a_status() {
    let server = Running::start(|options| options.max_body = 1000);
    let no_json = post("solve", "x", "");
    let large = post("solve", &"x".repeat(1001), "");
    let chunked = format!(
        "POST /api/v1/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n",
        format!("200\r\n{}\r\n", "x".repeat(512)).repeat(2)
    );
    let no_type = post("solve", "{}", "").replace("application/json", "text/plain");
    let unknown = post("solve", r#"{"bored": "1 2 3 0"}"#, "");
    let unsound = post("solve", r#"{"board": "1 2 2 0"}"#, "");
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(9000));
    let cases = [
        (no_json, 400),
        (large, 413),
        (chunked, 413),
        (no_type, 415),
        (unknown, 400),
        (unsound, 422),
        (long, 414),
        (post("saw", "{}", ""), 404),
    ];
    for (request, status) in cases {
        let answer = server.raw(&request);
        assert_eq!(answer.status, status, "{request}");
        let message = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(!message.is_empty(), "{request}");
    }
    // The server still works.
    assert_eq!(server.ask("solve", &json!({"board": "1 2 3 4 5 6 7 0 8"})).status, 200);
}

#[test]
fn a_call_takes_post_and_a_list_get() {
    let server = Running::start(|_| {});
    let call = server.get("/api/v1/solve", "");
    assert_eq!((call.status, call.header("allow")), (405, Some("POST")));
    let list = server.ask("goals", &json!({}));
    assert_eq!((list.status, list.header("allow")), (405, Some("GET")));
}

#[test]
fn invalid_http_is_rejected() {
    let server = Running::start(|_| {});
    let of_length = |length: &str| post("solve", "{}", "").replace("Content-Length: 2", length);
    for request in [
        "\0\u{1}\u{2}\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET\r\n\r\n",
        "GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        &of_length("Content-Length: x"),
        &of_length("Content-Length: 2\r\nContent-Length: 3"),
    ] {
        let answer = server.raw(request);
        assert_eq!((answer.status, answer.body.as_str()), (400, ""), "{request:?}");
    }
    // With `Host`, a hundred headers, and one more.
    for (more, status) in [(99, 200), (100, 431)] {
        let answer = server.get("/healthz", &"X: 1\r\n".repeat(more));
        assert_eq!((answer.status, answer.body.is_empty()), (status, status == 431));
    }
    let address = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(70_000));
    let answer = server.raw(&address);
    assert_eq!((answer.status, answer.body.as_str()), (414, ""));
    let head = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(200_000));
    assert_eq!(server.raw(&head).status, 431);
}

#[test]
fn requests_for_another_host_are_rejected() {
    let server = Running::start(|options| options.hosts = vec!["puzzle.example".to_owned()]);
    let ask = |host: &str| server.raw(&format!("GET /healthz HTTP/1.1\r\n{host}\r\n")).status;
    let own = server.address;
    assert_eq!(ask(&format!("Host: {own}\r\n")), 200);
    assert_eq!(ask("Host: puzzle.example\r\n"), 200);
    assert_eq!(ask("Host: evil.example\r\n"), 421);
    assert_eq!(ask("Host: localhost:80, evil.example\r\n"), 421);
    assert_eq!(ask(""), 400);
    let message = |head: &str| {
        let answer = server.raw(&format!("GET /api/v1/goals HTTP/1.1\r\n{head}\r\n"));
        answer.json()["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        message("Host: evil.example\r\n"),
        "this server is not evil.example; `--allow-host` adds a name"
    );
    assert_eq!(message("Host:\r\n"), "the name of the server in `Host` is empty");
    assert_eq!(
        message("Host: localhost\r\nOrigin: https://evil.example\r\n"),
        "pages of https://evil.example may not use this server; `--allow-origin` lets them"
    );
    for (host, status) in [("localhost", 200), ("evil.example", 421)] {
        let request = format!("GET http://{host}/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!(server.raw(&request).status, status, "{host} in the request line");
    }
    for two in
        ["Host: localhost\r\nHost: evil.example\r\n", "Host: localhost\r\nHost: localhost\r\n"]
    {
        assert_eq!(ask(two), 400);
    }
}

#[test]
fn heads_up_to_the_documented_size_are_read() {
    let server = Running::start(|_| {});
    let of_size = |size: usize| {
        let rest = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \r\n\r\n";
        server.raw(&rest.replace("X: ", &format!("X: {}", "x".repeat(size - rest.len())))).status
    };
    for (size, status) in
        [(60_000, 200), (65_535, 200), (65_537, 431), (70_000, 431), (130_000, 431)]
    {
        assert_eq!(of_size(size), status, "{size}");
    }
}

#[test]
fn only_requests_with_one_content_type_of_json_are_answered() {
    let server = Running::start(|_| {});
    let ask = |types: &str| {
        let request = post("convert", r#"{"text": "1 2 3 0"}"#, "");
        server.raw(&request.replace("Content-Type: application/json\r\n", types)).status
    };
    for types in [
        "Content-Type: application/json\r\n",
        "content-type: Application/JSON; charset=utf-8\r\n",
        "Content-Type: application/json ; charset=\"UTF-8\"\r\n",
    ] {
        assert_ne!(ask(types), 415, "{types}");
    }
    for types in [
        "",
        "Content-Type: text/plain\r\n",
        "Content-Type: text/plain;x=,application/json\r\n",
        "Content-Type: text/plain, application/json\r\n",
        "Content-Type: application/json, text/plain\r\n",
        "Content-Type: application/json\r\nContent-Type: text/plain\r\n",
        "Content-Type: application/jsonx\r\n",
        "Content-Type: application/json; charset=utf-16\r\n",
        "Content-Type: application/json; charset=utf-8; charset=latin1\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n",
    ] {
        assert_eq!(ask(types), 415, "{types}");
    }
}

#[test]
fn panic_ends_its_own_request_only() {
    let service = Service::new(Config::default()).unwrap().with_random(|| panic!("injected"));
    let server = Running::serving(service, |options| options.threads = 1);
    let fails = || post("scramble", r#"{"size": "3x3"}"#, "");
    for request in
        [fails(), fails().replace("Host:", "Accept: text/event-stream\r\nHost:"), fails()]
    {
        let answer = server.raw(&request);
        let is_stream = request.contains("event-stream");
        assert_eq!(answer.status, if is_stream { 200 } else { 500 });
        assert!(answer.body.contains("a defect of the server"), "{}", answer.body);
    }
    let works = post("scramble", r#"{"size": "3x3", "seed": 1}"#, "");
    assert_eq!(server.raw(&works).status, 200);
}

#[test]
fn slow_requests_time_out() {
    let server = Running::start(|options| options.client_timeout = Duration::from_millis(50));
    let mut head = server.connect();
    head.send("GET /healthz HTTP/1.1\r\n");
    assert!(head.answer().is_none_or(|answer| answer.status == 408));
    assert_eq!(head.line(), None);
    let mut body = server.connect();
    body.send(&post("solve", "{}", "").replace("Content-Length: 2", "Content-Length: 3"));
    assert_eq!(body.answer().unwrap().status, 408);
}

#[test]
fn other_sites_need_permission() {
    const ASKS: &str = "Origin: https://a.example\r\n";
    const ALLOWED: &str = "access-control-allow-origin";
    let closed = Running::start(|_| {});
    for foreign in [
        ASKS,
        "Origin: null\r\n",
        "Origin: http://localhost.evil.example\r\n",
        "Origin: http://localhost:1\r\n",
    ] {
        let answer = closed.get("/api/v1/goals", foreign);
        assert_eq!((answer.status, answer.header(ALLOWED)), (403, None), "{foreign}");
        assert_eq!(closed.raw(&post("solve", "{}", foreign)).status, 403, "{foreign}");
        assert_eq!(closed.get("/metrics", foreign).status, 403, "{foreign}");
    }
    assert_eq!(closed.get("/api/v1/goals", "Origin: http://localhost\r\n").status, 200);
    let open = Running::start(|options| options.origins = vec!["https://a.example".to_owned()]);
    let answer = open.get("/api/v1/goals", ASKS);
    assert_eq!(answer.header(ALLOWED), Some("https://a.example"));
    let other = open.get("/api/v1/goals", "Origin: https://b.example\r\n");
    assert_eq!((other.status, other.header(ALLOWED)), (403, None));
    let every = Running::start(|options| options.origins = vec!["*".to_owned()]);
    assert_eq!(every.get("/api/v1/goals", ASKS).header(ALLOWED), Some("*"));
    let before = open.raw(&format!(
        "OPTIONS /api/v1/solve HTTP/1.1\r\nHost: localhost\r\n{ASKS}\
         Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n"
    ));
    assert_eq!((before.status, before.header(ALLOWED)), (200, Some("https://a.example")));
    assert_eq!(before.header("access-control-allow-headers"), Some("content-type"));
}
