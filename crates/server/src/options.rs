//! How the server answers.

use std::net::{Ipv4Addr, SocketAddr};
use std::thread;

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
            warm: Vec::new(),
        }
    }
}
