//! Connects to the server, which must be safe to send boards to.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use std::{fs, io};

use async_nats::jetstream::{self, Context};
use async_nats::{ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Time for the first connection.
const CONNECT: Duration = Duration::from_secs(5);

/// Time for one request.
const REQUEST: Duration = Duration::from_secs(5);

/// Time between two messages that show whether the server is still there.
const PING: Duration = Duration::from_secs(5);

/// Longest time between two attempts to connect again.
const RETRY: Duration = Duration::from_secs(2);

/// Maximum size of a file of credentials, in bytes.
const CREDENTIALS: u64 = 1 << 20;

/// How to identify oneself to a server, and to trust it.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// File with an nkey seed, NATS credentials (a JWT and its seed), or a client certificate with its key (PEM).
    pub credentials: Option<PathBuf>,
    /// File with certificates (PEM) of authorities to trust.
    pub authorities: Option<PathBuf>,
    /// Whether to allow connections to other machines without encryption or without credentials.
    pub insecure: bool,
}

/// The reason why a queue cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is not that of a server.
    #[error("{0}: {1}; write it as in tls://host:4222, or nats://localhost:4222")]
    Address(String, String),
    /// A connection would not be safe.
    #[error("{0}: {1}")]
    Unsafe(String, &'static str),
    /// A file of credentials or certificates is not usable.
    #[error("{path}: {reason}", path = .path.display())]
    Credentials {
        /// The file.
        path: PathBuf,
        /// The fault of the file.
        reason: String,
    },
    /// The first connection failed.
    #[error("cannot connect to {0}: {1}")]
    Connect(String, String),
    /// The server refuses a request.
    #[error("{0}: {1}")]
    Server(String, String),
    /// Metrics cannot be served at an address.
    #[error("--metrics {0}: {1}")]
    Metrics(std::net::SocketAddr, String),
    /// The system refuses what the client needs.
    #[error("cannot start the client")]
    System(#[from] io::Error),
    /// There has been no connection for too long.
    #[error("no connection to {0} for {1:?}")]
    GivenUp(String, Duration),
}

/// A connection to a server. It is restored by itself when it is lost.
#[derive(Debug)]
pub struct Queue {
    pub(crate) runtime: Runtime,
    pub(crate) context: Context,
    /// The address as the user gave it.
    pub(crate) address: String,
    pub(crate) link: Arc<Link>,
    /// Whether a driver has started, so that the server has all streams.
    pub(crate) has_begun: AtomicBool,
}

/// State of the connection.
#[derive(Debug, Default)]
pub(crate) struct Link {
    is_lost: AtomicBool,
    /// Number of times that the connection was restored.
    pub reconnects: AtomicU64,
    /// Notified when the connection is restored.
    pub restored: Notify,
}

impl Link {
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::SeqCst)
    }

    fn record(&self, event: &Event) {
        match event {
            Event::Disconnected => self.is_lost.store(true, Ordering::SeqCst),
            Event::Connected if self.is_lost.swap(false, Ordering::SeqCst) => {
                self.reconnects.fetch_add(1, Ordering::SeqCst);
                self.restored.notify_one();
            }
            _ => {}
        }
    }
}

impl Queue {
    /// Connects to the server at `address`, `tls://host:port` or `nats://host:port`. The first connection is tried once,
    /// for five seconds, so that a refusal is reported; later ones until they succeed.
    ///
    /// # Errors
    /// Returns an error if the address is invalid, if the connection would not be safe, or if the server cannot be
    /// reached, refuses the credentials or has no JetStream.
    pub fn connect(address: &str, access: &Access) -> Result<Self, Error> {
        let server = server(address, access)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let link = Arc::new(Link::default());
        let options = options(access, &server)?.event_callback({
            let link = link.clone();
            move |event| {
                link.record(&event);
                async {}
            }
        });
        let failed = |reason| Error::Connect(address.to_owned(), reason);
        let client = runtime.block_on(async { timeout(CONNECT, options.connect(server)).await });
        let client = match client {
            Ok(client) => client.map_err(|error| failed(reason(&error)))?,
            Err(_) => return Err(failed(format!("no answer within {} s", CONNECT.as_secs()))),
        };
        let context = {
            // It starts a task.
            let _inside = runtime.enter();
            jetstream::new(client)
        };
        let account = runtime.block_on(context.query_account());
        account.map_err(|error| {
            failed(format!("it has no JetStream ({error}): start it with `nats-server -js`"))
        })?;
        let (address, has_begun) = (address.to_owned(), AtomicBool::new(false));
        Ok(Self { runtime, context, address, link, has_begun })
    }

    /// Returns the address as it was given.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// Parses an address, and checks that a connection to it is safe.
fn server(address: &str, access: &Access) -> Result<ServerAddr, Error> {
    // Without names and passwords, which may be secret.
    let shown = match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        _ => address.to_owned(),
    };
    let invalid = |reason: &str| Error::Address(shown.clone(), reason.to_owned());
    if !["nats://", "tls://"].iter().any(|scheme| address.starts_with(scheme)) {
        return Err(invalid("the address of a queue starts with tls:// or nats://"));
    }
    if address.contains('@') {
        return Err(invalid(
            "names and passwords are visible to others in a command; use --credentials FILE",
        ));
    }
    let server: ServerAddr =
        address.parse().map_err(|error: io::Error| invalid(&error.to_string()))?;
    if server.host().is_empty() {
        return Err(invalid("it has no host"));
    }
    let host = server.host().trim_start_matches('[').trim_end_matches(']');
    let is_local = host == "localhost" || host.parse().is_ok_and(|host: IpAddr| host.is_loopback());
    let problem = match () {
        () if is_local || access.insecure => None,
        () if server.scheme() == "nats" => Some(
            "nats:// is not encrypted, so it is allowed to this machine only: use tls://, or allow it with --insecure",
        ),
        () if access.credentials.is_none() => Some(
            "a server on another machine should know its clients: give --credentials FILE, or allow it with --insecure",
        ),
        () => None,
    };
    match problem {
        Some(problem) => Err(Error::Unsafe(address.to_owned(), problem)),
        None => Ok(server),
    }
}

/// Returns the options of the client.
fn options(access: &Access, server: &ServerAddr) -> Result<ConnectOptions, Error> {
    let mut options = ConnectOptions::new()
        .name("loyd")
        .connection_timeout(CONNECT)
        .request_timeout(Some(REQUEST))
        .ping_interval(PING)
        .max_reconnects(None)
        // Only the address that the user gave is known to be safe.
        .ignore_discovered_servers()
        .reconnect_delay_callback(|attempt| RETRY.min(Duration::from_millis(100 * attempt as u64)))
        .require_tls(server.scheme() == "tls");
    if let Some(path) = &access.authorities {
        text_of(path)?;
        options = options.add_root_certificates(path.clone());
    }
    let Some(path) = &access.credentials else { return Ok(options) };
    let text = text_of(path)?;
    let invalid =
        |reason: &str| Error::Credentials { path: path.clone(), reason: reason.to_owned() };
    if text.contains("-----BEGIN NATS USER JWT-----") {
        options.credentials(&text).map_err(|error| invalid(&error.to_string()))
    } else if text.contains("-----BEGIN CERTIFICATE-----") {
        Ok(options.add_client_certificate(path.clone(), path.clone()))
    } else if text.trim().starts_with("SU") {
        Ok(options.nkey(text.trim().to_owned()))
    } else {
        Err(invalid(
            "this is neither the seed of an nkey (SU…), nor NATS credentials, nor a client certificate with its key",
        ))
    }
}

fn text_of(path: &Path) -> Result<String, Error> {
    let read = || -> io::Result<String> {
        let file = fs::metadata(path)?;
        match file.is_file() && file.len() <= CREDENTIALS {
            true => fs::read_to_string(path),
            false => Err(io::Error::other("this is not a file of at most 1 MiB")),
        }
    };
    read().map_err(|error| {
        let (path, reason) = (path.to_owned(), error.to_string());
        Error::Credentials { path, reason }
    })
}

/// Explains why a connection failed.
fn reason(error: &async_nats::ConnectError) -> String {
    let source = std::error::Error::source(error).map(|source| format!(" ({source})"));
    let source = source.unwrap_or_default();
    let is_encrypted = error.kind() == ConnectErrorKind::Tls || source.contains("certificate");
    match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
            format!("the server refuses the credentials{source}")
        }
        _ if is_encrypted => {
            format!(
                "no encrypted connection{source}; --tls-ca FILE trusts an authority of your own"
            )
        }
        ConnectErrorKind::TimedOut => format!("no answer within {} s", CONNECT.as_secs()),
        ConnectErrorKind::Dns => format!("the name of the host is unknown{source}"),
        ConnectErrorKind::Io => format!("is a NATS server running there?{source}"),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(address: &str, access: &Access) -> bool {
        server(address, access).is_ok()
    }

    #[test]
    fn only_safe_connections_are_allowed() {
        let none = Access::default();
        let with = Access { credentials: Some("user.creds".into()), ..Access::default() };
        let insecure = Access { insecure: true, ..Access::default() };
        for local in
            ["nats://localhost:4222", "nats://127.0.0.1", "nats://[::1]:4222", "tls://127.3.2.1"]
        {
            assert!(is_allowed(local, &none), "{local}");
        }
        for other in
            ["nats://10.0.0.1", "nats://127.0.0.1.example.org", "nats://localhost.example.org"]
        {
            assert!(!is_allowed(other, &none) && !is_allowed(other, &with), "{other}");
            assert!(is_allowed(other, &insecure), "{other}");
        }
        assert!(!is_allowed("tls://example.org", &none));
        assert!(
            is_allowed("tls://example.org", &with) && is_allowed("tls://example.org", &insecure)
        );
        let addresses = "|localhost:4222|http://localhost|ws://localhost|nats://|nats://a:b@localhost|\
            nats://:secret@localhost|nats://token@localhost";
        for address in addresses.split('|') {
            assert!(!is_allowed(address, &none) && !is_allowed(address, &insecure), "{address}");
        }
    }
}
