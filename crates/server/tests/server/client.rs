//! A server for each test, and a client that sends exactly the bytes that a test specifies.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use loyd::Config;
use loyd_api::Service;
use loyd_server::{Options, Server, Stopper};
use serde_json::Value;

/// Time limit of a test, longer than any step here takes.
pub const LONG: Duration = Duration::from_secs(60);

/// A board that takes hours to solve.
pub const HARD: &str = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";

/// A server that runs until this is dropped.
pub struct Running {
    pub address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Running {
    /// Starts a server on a free port, with the options changed by `change`.
    pub fn start(change: impl FnOnce(&mut Options)) -> Self {
        Self::with(Config::default(), change)
    }

    /// Starts a server like [`start`](Self::start), with a configuration of its searches.
    pub fn with(config: Config, change: impl FnOnce(&mut Options)) -> Self {
        Self::serving(Service::new(config).unwrap(), change)
    }

    /// Starts a server of `service` like [`start`](Self::start).
    pub fn serving(service: Service, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options { address: ([127, 0, 0, 1], 0).into(), ..Options::default() };
        change(&mut options);
        let server = Server::bind(service, options).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        Self { address, stopper, thread: Some(thread::spawn(|| server.run())) }
    }

    /// Stops the server and waits until its thread has ended.
    pub fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }

    /// Asks the server to stop, without waiting for its end.
    pub fn ask_to_stop(&self) {
        self.stopper.stop();
    }

    pub fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        Connection(BufReader::new(stream))
    }

    /// Connects from a local address.
    pub fn connect_from(&self, from: [u8; 4]) -> Connection {
        let socket =
            socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        socket.bind(&SocketAddr::from((from, 0)).into()).unwrap();
        socket.connect(&self.address.into()).unwrap();
        socket.set_read_timeout(Some(LONG)).unwrap();
        Connection(BufReader::new(socket.into()))
    }

    /// Sends the text of an HTTP request unchanged, and returns the answer.
    pub fn raw(&self, request: &str) -> Answer {
        let mut connection = self.connect();
        connection.send(request);
        connection.answer().expect("an answer")
    }

    /// Sends a GET request for a path, with additional header lines in `head`.
    pub fn get(&self, path: &str, head: &str) -> Answer {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n"))
    }

    /// Sends a request for `call` and returns the answer.
    pub fn ask(&self, call: &str, request: &Value) -> Answer {
        self.raw(&post(call, &request.to_string(), ""))
    }

    /// Returns a value of `/metrics`.
    pub fn metric(&self, name: &str) -> f64 {
        let text = self.get("/metrics", "").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} in {text}")).parse().unwrap()
    }

    /// Waits until a metric has this value.
    pub fn wait_for(&self, name: &str, value: f64) {
        let start = std::time::Instant::now();
        while self.metric(name) != value {
            assert!(start.elapsed() < LONG, "{name} never was {value}");
            thread::yield_now();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.stop();
        }
    }
}

/// Formats the request of a call, with additional header lines.
pub fn post(call: &str, body: &str, head: &str) -> String {
    let length = body.len();
    format!(
        "POST /api/v1/{call} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{head}\r\n{body}"
    )
}

/// Formats the request of a call that is answered as a stream of events.
pub fn streamed(call: &str, body: &Value) -> String {
    post(call, &body.to_string(), "Accept: text/event-stream\r\n")
}

pub struct Connection(BufReader<TcpStream>);

impl Connection {
    pub fn send(&mut self, bytes: &str) {
        self.0.get_mut().write_all(bytes.as_bytes()).unwrap();
    }

    /// Ends this side of the connection; the other side may still send.
    pub fn end(&mut self) {
        self.0.get_ref().shutdown(Shutdown::Write).unwrap();
    }

    /// Closes the connection with a reset.
    pub fn reset(self) {
        socket2::SockRef::from(self.0.get_ref()).set_linger(Some(Duration::ZERO)).unwrap();
    }

    /// Reads a line and strips its end; returns `None` at the end of input.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.0.read_line(&mut line).ok()?;
        (length > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// Reads lines up to one that begins with `beginning`.
    pub fn skip_to(&mut self, beginning: &str) -> String {
        std::iter::from_fn(|| self.line())
            .find(|line| line.starts_with(beginning))
            .expect(beginning)
    }

    /// Reads the next answer. Interim answers are skipped.
    pub fn answer(&mut self) -> Option<Answer> {
        let mut status = 100;
        while status == 100 {
            let line = std::iter::from_fn(|| self.line()).find(|line| !line.is_empty())?;
            status = line.split(' ').nth(1)?.parse().ok()?;
        }
        let mut headers = HashMap::new();
        while let Some(line) = self.line().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ")?;
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let mut body = Vec::new();
        if headers.get("transfer-encoding").is_some_and(|value| value == "chunked") {
            loop {
                let size = usize::from_str_radix(&self.line()?, 16).ok()?;
                let before = body.len();
                body.resize(before + size, 0);
                self.0.read_exact(&mut body[before..]).ok()?;
                self.line()?;
                if size == 0 {
                    break;
                }
            }
        } else if let Some(length) = headers.get("content-length") {
            body.resize(length.parse().ok()?, 0);
            self.0.read_exact(&mut body).ok()?;
        }
        Some(Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the names and data of the events of a stream.
    pub fn events(&self) -> Vec<(String, Value)> {
        let blocks = self.body.split("\n\n").filter_map(|block| block.split_once('\n'));
        blocks
            .filter_map(|(name, data)| {
                let name = name.strip_prefix("event: ")?.to_owned();
                Some((name, serde_json::from_str(data.strip_prefix("data: ")?).unwrap()))
            })
            .collect()
    }
}
