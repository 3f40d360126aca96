//! How the server answers.

use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::Duration;

use loyd::Size;

/// The port at which the server answers unless another is asked for.
pub const PORT: u16 = 8015;

/// How the server answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it answers; port 0 takes one that is free.
    pub address: SocketAddr,
    /// Other names of this machine that requests may call it by.
    pub hosts: Vec<String>,
    /// Other sites whose pages may read answers: `https://example.org`, or `*` for all.
    pub origins: Vec<String>,
    /// Threads that answer calls.
    pub threads: usize,
    /// Calls that may wait for a thread, half of them from one client.
    pub places: usize,
    /// Connections that may be open.
    pub connections: usize,
    /// The most bytes of a request.
    pub max_body: usize,
    /// How long a client may take to send a request, to send the next one, and to take some of an answer.
    pub patience: Duration,
    /// Sizes of boards whose tables are made before anybody asks.
    pub warm: Vec<Size>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: (Ipv4Addr::LOCALHOST, PORT).into(),
            hosts: Vec::new(),
            origins: Vec::new(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            places: 256,
            connections: 4096,
            max_body: 256 * 1024,
            patience: Duration::from_secs(10),
            warm: Vec::new(),
        }
    }
}
