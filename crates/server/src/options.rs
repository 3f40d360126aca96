//! Options of the server.

use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::Duration;

use ipnet::IpNet;
use loyd::Size;

/// Default port.
pub const PORT: u16 = 8015;

/// Options of the server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address of the server; port 0 selects a free port.
    pub address: SocketAddr,
    /// Additional host names that requests may use for this machine.
    pub hosts: Vec<String>,
    /// Other sites whose pages may use the API: `https://example.org`, or `*` for all.
    pub origins: Vec<String>,
    /// Other sites that may show `/embed` in a frame: `https://example.org`, or `*` for all.
    pub embedders: Vec<String>,
    /// Networks of proxies that name the clients for which they ask.
    pub proxies: Vec<IpNet>,
    /// Number of threads that answer calls, besides one for small calls, one for medium ones, and as many as these for
    /// clients without a running call, which are used while the others are busy.
    pub threads: usize,
    /// Maximum number of calls that wait for a thread, and of small and of medium ones. One client may have half of them.
    pub queue_length: usize,
    /// Maximum number of open connections. When all are in use, the addresses that have most of them give some up.
    pub connections: usize,
    /// Maximum size of the body of a request, in bytes.
    pub max_body: usize,
    /// Maximum size of the large answers that are being sent, in bytes; half of it for one address.
    pub unread: usize,
    /// Time limit for a client to send a request, to send the next request, and to receive part of an answer.
    pub client_timeout: Duration,
    /// Sizes of boards whose tables are built at startup.
    pub warm: Vec<Size>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: (Ipv4Addr::LOCALHOST, PORT).into(),
            hosts: Vec::new(),
            origins: Vec::new(),
            embedders: Vec::new(),
            proxies: Vec::new(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            queue_length: 256,
            connections: 4096,
            max_body: 1024 * 1024,
            unread: 512 * 1024 * 1024,
            client_timeout: Duration::from_secs(10),
            warm: Vec::new(),
        }
    }
}
