//! `loyd serve`: the page and the API.

mod log;

use std::io::{self, ErrorKind, IsTerminal, Write as _, stdout};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Error, anyhow};
use loyd::Config;
use loyd::search::Limits;
use loyd_api::Service;
use loyd_server::{Options, Server, Stopper};
use serde_json::json;
use tracing::warn;

use crate::Status;
use crate::args::{Output, ServeArgs, for_searches, or_cores};
use crate::failure::Failure;
use crate::interrupt;

/// As many boards as make it worth while to wait for good tables.
const BOARDS: u64 = 1000;

/// The time that one request may take unless another limit is set.
const REQUEST_TIME: Duration = Duration::from_secs(60);

/// Answers until a signal ends it.
pub fn run(args: &ServeArgs) -> Result<Status, Failure> {
    log::start(args.log, args.output);
    let service = Service::new(config(args))?;
    let address = SocketAddr::new(args.host, args.port);
    let server =
        Server::bind(service, options(args, address)).map_err(|error| explained(error, address))?;
    end_on_signals(server.stopper())?;
    let address = server.address();
    say(args.output, address)?;
    if args.open {
        open(address);
    }
    server.run().context("the server cannot begin")?;
    Ok(Status::Yes)
}

fn config(args: &ServeArgs) -> Config {
    let defaults = Config::default();
    let max_bytes = args.max_memory.map_or(defaults.limits.max_bytes, |limit| limit.0);
    let max_time = args.max_time.map_or(Some(REQUEST_TIME), |limit| limit.0);
    Config {
        store: args.cache.store(),
        boards: Some(BOARDS),
        limits: Limits { max_time, max_bytes: max_bytes.map(for_searches), ..defaults.limits },
        ..defaults
    }
}

fn options(args: &ServeArgs, address: SocketAddr) -> Options {
    Options {
        address,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        threads: or_cores(args.threads).get(),
        places: args.queue.get(),
        warm: args.warm.clone(),
        ..Options::default()
    }
}

/// Why the server cannot have its port, and what helps.
fn explained(error: io::Error, address: SocketAddr) -> Error {
    let port = address.port();
    match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {port} is taken, perhaps by another `loyd serve`; \
             --port takes another one, or 0 for one that is free"
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("the system does not give port {port} to this user; try a --port above 1023")
        }
        ErrorKind::AddrNotAvailable => {
            anyhow!(
                "this machine has no address {}; try --host 0.0.0.0 for all it has",
                address.ip()
            )
        }
        _ => Error::new(error).context(format!("no answers can be given at {address}")),
    }
}

/// The first signal ends the server, and the second one the program.
fn end_on_signals(stopper: Stopper) -> Result<(), Failure> {
    let asked = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            interrupt::exit();
        }
        stopper.stop();
    })?;
    Ok(())
}

/// Prints where the page is.
fn say(output: Output, address: SocketAddr) -> io::Result<()> {
    let page = page(address);
    output.print(
        || match stdout().is_terminal() {
            true => format!("Loyd answers at {page} (Ctrl-C ends it)\n"),
            false => format!("Loyd answers at {page}\n"),
        },
        || json!({"address": page}),
    )?;
    stdout().flush()
}

/// The address of the page for someone on this machine.
fn page(address: SocketAddr) -> String {
    let host = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        host => host,
    };
    format!("http://{}/", SocketAddr::new(host, address.port()))
}

/// Shows the page in the browser.
fn open(address: SocketAddr) {
    if let Err(error) = open::that_detached(page(address)) {
        warn!("no browser could be started: {error}");
    }
}
