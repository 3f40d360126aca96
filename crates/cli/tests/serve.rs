//! The server as a program: startup, log and shutdown.
#![cfg(all(unix, feature = "serve"))]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::mem;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

/// A program that is killed if its test fails.
struct Running {
    child: Child,
    errors: BufReader<ChildStderr>,
    /// The lines read from `errors`.
    log: String,
}

impl Running {
    /// Starts a server on a free port and returns its address.
    fn start(arguments: &[&str]) -> (Self, String) {
        Self::start_with(loyd(&[]), arguments)
    }

    /// Starts a server with a command that runs the program.
    fn start_with(mut program: Command, arguments: &[&str]) -> (Self, String) {
        let mut child = program
            .args(["serve", "--port", "0", "--output", "json"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        let running = Self { child, errors, log: String::new() };
        let address = line.strip_prefix("{\"address\":\"http://").expect(&line);
        (running, address.trim_end_matches("/\"}\n").to_owned())
    }

    /// Waits until the log, one JSON line per event, has a message.
    fn wait_for(&mut self, message: &str) {
        while !has_message(&self.log, message) {
            assert!(self.errors.read_line(&mut self.log).unwrap() > 0, "{}", self.log);
        }
    }

    /// Sends a signal.
    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits until the server has ended, and returns its exit code and log.
    fn end(mut self) -> (Option<i32>, String) {
        self.errors.read_to_string(&mut self.log).unwrap();
        (self.child.wait().unwrap().code(), mem::take(&mut self.log))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ = self.child.kill();
    }
}

/// Returns whether a log has a message.
fn has_message(log: &str, message: &str) -> bool {
    let field = format!("\"message\":\"{message}\"");
    log.lines().any(|line| line.starts_with('{') && line.contains(&field))
}

fn loyd(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", "none").args(arguments);
    command
}

/// Sends a request and returns the whole answer, until the server closes the connection.
fn answer(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{request}\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn server_answers_until_a_signal_and_logs_its_end() {
    for signal in ["TERM", "INT"] {
        let (mut server, address) = Running::start(&["--warm", "3x3"]);
        assert!(answer(&address, "GET /healthz HTTP/1.1").ends_with("\r\n\r\nok\n"));
        // The server answers before the tables are built.
        server.wait_for("the tables are ready");
        server.signal(signal);
        let (code, log) = server.end();
        assert_eq!(code, Some(0));
        assert!(has_message(&log, "the server is shutting down"), "{log}");
    }
}

#[test]
fn log_level_selects_messages() {
    for (level, is_there) in [("debug", true), ("info", false)] {
        let (server, address) = Running::start(&["--log", level]);
        answer(&address, "GET /healthz HTTP/1.1");
        server.signal("TERM");
        let (_, log) = server.end();
        assert_eq!(log.contains("\"path\":\"/healthz\",\"status\":200"), is_there, "{log}");
    }
}

#[test]
fn occupied_port_error_suggests_another() {
    let (server, address) = Running::start(&[]);
    let port = address.rsplit_once(':').unwrap().1;
    let output = loyd(&["serve", "--port", port]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    let expected = format!(
        "error: port {port} is in use, perhaps by another `loyd serve`; \
         choose another one with --port, or 0 for any free port\n"
    );
    assert_eq!((message, output.status.code()), (expected, Some(2)));
    server.signal("TERM");
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn page_files_are_written_unchanged() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    let _ = fs::remove_dir_all(&out);
    let output = loyd(&["page", "--output", "json", "--save"]).arg(&out).output().unwrap();
    let message: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../page");
    for path in ["index.html", "app.js", "style/tokens.css"] {
        assert_eq!(fs::read(out.join(path)).unwrap(), fs::read(page.join(path)).unwrap(), "{path}");
    }
    assert!(message["files"].as_u64() > Some(20), "{message}");
    fs::remove_dir_all(&out).unwrap();
    // The error names the file that is in the way.
    fs::write(&out, "").unwrap();
    let output = loyd(&["page", "--save"]).arg(&out).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("page") && message.contains("cannot write"), "{message}");
    assert_eq!(output.status.code(), Some(2));
    fs::remove_file(&out).unwrap();
}

/// Sends a call and returns its answer.
fn called(address: &str, call: &str, body: &serde_json::Value) -> String {
    let (body, kind) = (body.to_string(), "Content-Type: application/json");
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(
        stream,
        "POST /api/v1/{call} HTTP/1.1\r\nHost: {address}\r\n{kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Hard 5x5 boards, which no row solves within the limits of the tests.
const HARD: [&str; 5] = [
    "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0",
    "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 5 6/4 3 1 2 0",
    "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 7 8 6 5/4 3 1 2 0",
    "24 23 22 20 21/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 1 2 0",
    "23 24 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 1 2 0",
];

#[test]
fn time_limit_is_that_of_the_whole_request() {
    let (server, address) = Running::start(&[]);
    let rows = json!([
        {"algorithm": "idastar", "heuristic": "manhattan"},
        {"algorithm": "idastar", "heuristic": "linear-conflict"},
    ]);
    let requests = [
        ("compare", json!({"boards": HARD, "rows": rows, "max_ms": 600})),
        ("batch", json!({"boards": HARD, "max_ms": 600})),
        ("batch", json!({"boards": HARD.repeat(2000), "max_ms": 600})),
        ("scramble", json!({"size": "5x5", "length": 200, "number": 20, "max_ms": 600})),
        ("review", json!({"board": HARD[0], "moves": "rrrrddddlllluuuu", "max_ms": 600})),
        ("hint", json!({"board": HARD[0], "max_ms": 600})),
        ("explain", json!({"board": HARD[0], "max_ms": 600})),
        (
            "trace",
            json!({"board": HARD[0], "algorithm": "idastar", "heuristic": "manhattan",
            "max_events": 100_000, "max_ms": 600}),
        ),
        ("census", json!({"size": "5x2", "max_ms": 600})),
    ];
    for (call, request) in requests {
        let start = Instant::now();
        let answer = called(&address, call, &request);
        let took = start.elapsed();
        assert!(took < Duration::from_millis(1800), "{call} took {took:?}: {answer:.300}");
        assert_eq!(call == "compare", answer.contains("\"stopped\":5"), "{call}: {answer}");
        assert!(!answer.contains("\"status\":\"unsolvable\""), "{call}: {answer}");
    }
    server.signal("TERM");
    assert_eq!(server.end().0, Some(0));
}

/// Returns the largest memory that the server has held so far, in MB.
#[cfg(target_os = "linux")]
fn peak_mb(server: &Running) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim_end_matches("kB").trim().parse::<u64>().unwrap() / 1000
}

#[cfg(target_os = "linux")]
#[test]
fn memory_limit_is_that_of_the_whole_request() {
    let (server, address) = Running::start(&["--threads", "1"]);
    let row = |weight: usize| json!({"algorithm": "wastar", "weight": 1.0 + weight as f64 / 100.0});
    let rows: Vec<_> = (1..=12).map(row).collect();
    let request =
        json!({"board": HARD[0], "rows": rows, "max_bytes": 200_000_000, "max_ms": 20_000});
    let before = peak_mb(&server);
    let answer = called(&address, "compare", &request);
    let peak = peak_mb(&server) - before;
    assert!(answer.contains("\"summary\""), "{answer}");
    assert!((50..300).contains(&peak), "{peak} MB: {answer:.500}");
    server.signal("TERM");
    assert_eq!(server.end().0, Some(0));
}

/// Requests at the same time take half of the memory that the system allows: if it refused more, the server would abort.
#[cfg(target_os = "linux")]
#[test]
fn requests_end_before_the_system_refuses_memory() {
    let mut program = Command::new("bash");
    program.args(["-c", "ulimit -v 900000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_loyd")]);
    program.env("LOYD_CACHE", "none");
    let (server, address) = Running::start_with(program, &["--threads", "3", "--max-memory", "2G"]);
    let hard = "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0";
    let request = json!({"board": hard, "algorithm": "astar", "heuristic": "manhattan"});
    std::thread::scope(|scope| {
        let ask = || called(&address, "solve", &request);
        for answer in [(); 3].map(|()| scope.spawn(ask)).map(|asked| asked.join().unwrap()) {
            assert!(answer.contains("\"stopped_by\":\"memory\""), "{answer:.500}");
        }
    });
    server.signal("TERM");
    let (status, log) = server.end();
    assert_eq!(status, Some(0));
    assert!(log.contains("--max-memory is lowered to 460.8 MB, half of what"), "{log}");
}

/// A user without processes, for whom the system counts the threads of the server alone. The limit does not apply to root.
#[cfg(target_os = "linux")]
const NOBODY: &str = "64987";

#[cfg(target_os = "linux")]
#[test]
fn server_goes_on_with_the_threads_that_it_has() {
    // A program that the user may run.
    let program = std::env::temp_dir().join(format!("loyd-{}", std::process::id()));
    fs::copy(env!("CARGO_BIN_EXE_loyd"), &program).unwrap();
    let limited = |threads: &str| {
        let mut command = Command::new("setpriv");
        let user = format!("--reuid={NOBODY}");
        command.args([&user, "--clear-groups", "prlimit", &format!("--nproc={threads}")]);
        command.env("LOYD_CACHE", "none").arg(&program);
        command
    };
    let is_possible =
        limited("2").arg("--version").output().is_ok_and(|done| done.status.success());
    if is_possible {
        // The server needs a thread for signals, one for connections and one for calls.
        for threads in ["3", "5"] {
            let (mut server, address) = Running::start_with(limited(threads), &["--threads", "4"]);
            server.wait_for("the tables are built when they are needed");
            let hard = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";
            let rows = json!([{"algorithm": "bfs"}, {"algorithm": "astar"}]);
            let requests = [
                ("compare", json!({"board": "8 6 7/2 5 4/3 0 1", "rows": rows})),
                ("solve", json!({"board": hard})),
                ("hint", json!({"board": HARD[0], "max_ms": 500})),
                ("census", json!({"size": "3x3"})),
            ];
            for (call, request) in requests {
                let answer = called(&address, call, &request);
                assert!(
                    answer.starts_with("HTTP/1.1 200 "),
                    "{call} with {threads}: {answer:.300}"
                );
            }
            server.signal("TERM");
            assert_eq!(server.end().0, Some(0));
        }
    } else {
        eprintln!("skipped: this user may not run programs as another one");
    }
    fs::remove_file(&program).unwrap();
}
