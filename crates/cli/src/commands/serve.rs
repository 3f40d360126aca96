//! `loyd serve`: the web page and the API; `loyd page`: writes the web page to files.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write as _, stdout};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Error, anyhow};
use loyd::Config;
use loyd::search::Limits;
use loyd_api::Service;
use loyd_server::{Options, Server, Stopper};
use serde_json::json;
use tracing::{Level, warn};

use crate::args::{LogLevel, Output, PageArgs, ServeArgs, or_cores};
use crate::failure::{Failure, Status, shows_colours};
use crate::{interrupt, memory, units};

/// Expected number of boards, large enough that building good tables pays off.
const BOARDS: u64 = 1000;

/// Default time limit of a request.
const REQUEST_TIME: Duration = Duration::from_secs(60);

/// Number of threads of the server for short work.
const SHORT_THREADS: usize = 2;

/// Maximum size of the table files in the folder, in bytes: clients choose the tables.
const MOST_STORED: u64 = 16 << 30;

/// Serves requests until a signal ends it.
pub fn run(args: &ServeArgs) -> Result<Status, Failure> {
    start_log(args.log, args.output);
    let service = Service::new(config(args))?;
    let address = SocketAddr::new(args.host, args.port);
    let server =
        Server::bind(service, options(args, address)).map_err(|error| explain(error, address))?;
    end_on_signals(server.stopper())?;
    let address = server.address();
    print_address(args.output, address)?;
    if args.open {
        open(address);
    }
    server.run().context("the server cannot start")?;
    Ok(Status::Yes)
}

fn config(args: &ServeArgs) -> Config {
    let defaults = Config::default();
    let max_bytes =
        memory::allowed(args.max_memory, defaults.limits.max_bytes).map(memory::for_searches);
    let max_bytes =
        memory::shared(max_bytes, (or_cores(args.threads).get() + SHORT_THREADS) as u64);
    let max_time = args.max_time.map_or(Some(REQUEST_TIME), |limit| limit.0);
    Config {
        store: args.cache.store().with_most_bytes(MOST_STORED),
        boards: Some(BOARDS),
        limits: Limits { max_time, max_bytes, ..defaults.limits },
        ..defaults
    }
}

fn options(args: &ServeArgs, address: SocketAddr) -> Options {
    Options {
        address,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        embedders: args.allow_embed.clone(),
        proxies: args.trusted_proxy.clone(),
        threads: or_cores(args.threads).get(),
        queue_length: args.queue.get(),
        warm: args.warm.clone(),
        ..Options::default()
    }
}

/// Explains why the server cannot use its address, and what helps.
fn explain(error: io::Error, address: SocketAddr) -> Error {
    let port = address.port();
    match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {port} is in use, perhaps by another `loyd serve`; \
             choose another one with --port, or 0 for any free port"
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("this user may not use port {port}; try a --port above 1023")
        }
        ErrorKind::AddrNotAvailable => {
            anyhow!(
                "this machine has no address {}; try --host 0.0.0.0 for all its addresses",
                address.ip()
            )
        }
        _ => Error::new(error).context(format!("cannot listen on {address}")),
    }
}

/// Installs the signal handler: the first signal stops the server, the second one exits the program.
fn end_on_signals(stopper: Stopper) -> Result<(), Failure> {
    let stopping = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if stopping.swap(true, Ordering::Relaxed) {
            interrupt::exit();
        }
        stopper.stop();
    })?;
    Ok(())
}

/// Prints the address of the page.
fn print_address(output: Output, address: SocketAddr) -> io::Result<()> {
    let page = page_address(address);
    output.print(
        || match stdout().is_terminal() {
            true => format!("Loyd is running at {page} (press Ctrl-C to stop)\n"),
            false => format!("Loyd is running at {page}\n"),
        },
        || json!({"address": page}),
    )?;
    stdout().flush()
}

/// Returns the address of the page as seen from this machine.
fn page_address(address: SocketAddr) -> String {
    let host = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        host => host,
    };
    format!("http://{}/", SocketAddr::new(host, address.port()))
}

/// Opens the page in the browser.
fn open(address: SocketAddr) {
    if let Err(error) = open::that_detached(page_address(address)) {
        warn!("no browser could be started: {error}");
    }
}

/// Starts logging to standard error, as text or JSON lines.
fn start_log(level: LogLevel, output: Output) {
    let level = match level {
        LogLevel::Off => return,
        LogLevel::Error => Level::ERROR,
        LogLevel::Warn => Level::WARN,
        LogLevel::Info => Level::INFO,
        LogLevel::Debug => Level::DEBUG,
    };
    let log =
        tracing_subscriber::fmt().with_max_level(level).with_writer(io::stderr).with_target(false);
    match output {
        Output::Text => log.with_ansi(shows_colours()).init(),
        Output::Json => log.json().flatten_event(true).init(),
    }
}

/// File extension of the engine.
const ENGINE: &str = ".wasm";

/// Writes the page to a folder.
pub fn write_page(args: &PageArgs) -> Result<Status, Failure> {
    let (mut files, mut bytes, mut has_engine) = (0, 0, false);
    for (path, content) in loyd_server::files() {
        write_file(&args.save.join(&*path), &content)?;
        files += 1;
        bytes += content.len() as u64;
        has_engine |= path.ends_with(ENGINE);
    }
    let folder = args.save.display().to_string();
    let text = || {
        let mut text = format!("{files} files, {} in {folder}\n", units::size(bytes));
        if !has_engine {
            text += "The page has no built-in solver, because this program was built without one: it can play, but needs \
                     `loyd serve` to solve.\n`cargo xtask wasm` builds the engine; the next build of loyd embeds it.\n";
        }
        text
    };
    let record = || json!({"folder": folder, "files": files, "bytes": bytes, "engine": has_engine});
    args.output.print(text, record)?;
    Ok(Status::Yes)
}

fn write_file(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written = written.and_then(|()| fs::write(path, content));
    written.with_context(|| format!("cannot write {}", path.display()))
}
