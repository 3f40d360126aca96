//! A minimal HTTP client, so that the measurements are dominated by the server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::json;

/// Timeout; longer than any response takes.
const LONGEST: Duration = Duration::from_secs(60);

/// A persistent connection.
pub struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

/// A response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    body: Vec<u8>,
}

impl Answer {
    /// Returns the number of lines of the body.
    pub fn lines(&self) -> usize {
        self.body.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Returns whether the body contains `text`.
    pub fn contains(&self, text: &str) -> bool {
        self.body.windows(text.len()).any(|window| window == text.as_bytes())
    }
}

impl Client {
    /// Connects to `http://HOST/`.
    pub fn connect(address: &str) -> Result<Self> {
        let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let stream = TcpStream::connect(&host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(LONGEST))?;
        Ok(Self { stream: BufReader::new(stream), host })
    }

    /// Returns the request to solve a board.
    pub fn solve(&self, board: &str, goal: Option<&str>) -> Vec<u8> {
        self.post("solve", &solve_body(board, goal), "")
    }

    /// Returns a POST request; `head` holds additional header lines.
    pub fn post(&self, call: &str, body: &str, head: &str) -> Vec<u8> {
        let (host, length) = (&self.host, body.len());
        format!(
            "POST /api/v1/{call} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n{head}\r\n{body}"
        )
        .into_bytes()
    }

    pub fn send(&mut self, request: &[u8]) -> Result<()> {
        Ok(self.stream.get_mut().write_all(request)?)
    }

    /// Reads the head of a response: its status, and its content length if given.
    pub fn head(&mut self) -> Result<(u16, Option<usize>)> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let (status, mut length) =
            (status.with_context(|| format!("no status in {line:?}"))?, None);
        loop {
            line.clear();
            ensure!(self.stream.read_line(&mut line)? > 0, "a response ends early");
            let line = line.trim_end();
            if line.is_empty() {
                return Ok((status, length));
            }
            if let Some(bytes) = line.strip_prefix("content-length: ") {
                length = Some(bytes.parse()?);
            }
        }
    }

    /// Reads a response.
    pub fn answer(&mut self) -> Result<Answer> {
        let (status, length) = self.head()?;
        let body = match length {
            Some(length) => self.bytes(length)?,
            None => self.chunks()?,
        };
        Ok(Answer { status, body })
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a body that is sent in chunks.
    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            let length = usize::from_str_radix(line.trim_end(), 16)
                .with_context(|| format!("no length of a chunk in {line:?}"))?;
            body.extend(self.bytes(length)?);
            self.bytes("\r\n".len())?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
}

/// Returns a value from `/metrics`.
pub fn metric(address: &str, name: &str) -> Result<f64> {
    let mut client = Client::connect(address)?;
    let request = format!("GET /metrics HTTP/1.1\r\nHost: {}\r\n\r\n", client.host);
    client.send(request.as_bytes())?;
    let text = String::from_utf8(client.answer()?.body)?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Ok(line.with_context(|| format!("no {name}"))?.parse()?)
}

/// Returns the body of a request to solve a board.
pub fn solve_body(board: &str, goal: Option<&str>) -> String {
    match goal {
        None => json!({"board": board}),
        Some(goal) => json!({"board": board, "goal": goal}),
    }
    .to_string()
}
