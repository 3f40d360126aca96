//! Checks the page and the API of the program.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::serving::Serving;

/// Starts the server with `command`, the program without arguments, and requests a few resources.
pub fn check(command: &mut Command) -> Result<()> {
    let serving = Serving::spawn(command.args(["serve", "--port", "0", "--output", "json"]))?;
    let host = serving.address().trim_start_matches("http://").trim_end_matches('/');
    let page = request(host, "GET / HTTP/1.1", b"")?;
    ensure!(contains(&page, b"<title>"), "the page has no title");
    let engine = request(host, "GET /engine/loyd_wasm_bg.wasm HTTP/1.1", b"")?;
    ensure!(contains(&engine, b"\0asm"), "the page has no engine");
    let body = br#"{"board": "2 3 4 1 5 x 7 6 8"}"#;
    let answer = request(host, "POST /api/v1/solve HTTP/1.1", body)?;
    ensure!(contains(&answer, b"ullddrurdllurrdlurd"), "the API does not solve a board");
    Ok(())
}

/// Returns the response to a request, with its headers.
fn request(host: &str, first_line: &str, body: &[u8]) -> Result<Vec<u8>> {
    let mut stream = TcpStream::connect(host).with_context(|| host.to_owned())?;
    let length = body.len();
    write!(
        stream,
        "{first_line}\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n"
    )?;
    stream.write_all(body)?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    ensure!(
        response.starts_with(b"HTTP/1.1 200"),
        "{first_line}: {}",
        String::from_utf8_lossy(&response)
    );
    Ok(response)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
