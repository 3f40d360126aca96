//! The arguments of `loyd serve` and `loyd page`.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use loyd::Size;

use super::Output;
use super::pdb::CacheArgs;
use crate::units::{self, Limit};

/// The port unless another is asked for.
const PORT: u16 = 8015;

/// Answer over HTTP: the page for people, an API for programs.
///
/// It answers on this machine alone unless --host says otherwise. /api/v1/openapi.json describes the API, /metrics
/// counts what was answered, /healthz says that the server answers. Ctrl-C or SIGTERM ends it: searches stop, and their
/// clients get what was found.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd serve --open\n  \
    loyd serve --port 8100 --warm 4x4 --max-time 10s\n  \
    loyd serve --host 0.0.0.0 --allow-host puzzle.example\n  \
    curl --json '{\"board\": \"2 3 4 1 5 x 7 6 8\"}' http://127.0.0.1:8015/api/v1/solve")]
pub struct ServeArgs {
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    pub port: u16,
    /// The address of this machine to answer at; 0.0.0.0 or :: for all of them
    #[arg(long, value_name = "ADDRESS", value_parser = address, default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Show the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Another name that this machine is called by; can be repeated. Requests by other names are refused
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub allow_host: Vec<String>,
    /// A site whose pages may use the API, as in https://example.org, or * for all; can be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_origin: Vec<String>,
    /// Answer so many requests at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = units::positive::<NonZeroUsize>, allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,
    /// Let so many requests wait; those beyond are refused with status 429
    #[arg(long, value_name = "N", value_parser = units::positive::<NonZeroUsize>, default_value = "256", allow_negative_numbers = true)]
    pub queue: NonZeroUsize,
    /// The most time for one request (or 500ms, 2m, none) [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = units::time, allow_negative_numbers = true)]
    pub max_time: Option<Limit<Duration>>,
    /// The most memory for one request (64M, 2G, none) [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, allow_negative_numbers = true)]
    pub max_memory: Option<Limit<u64>>,
    /// Load or build the tables for boards of this size before anybody asks; can be repeated
    #[arg(long, value_name = "WxH")]
    pub warm: Vec<Size>,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// What to report on standard error: debug reports each request
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = LogLevel::Info)]
    pub log: LogLevel,
    /// How to print the address and the log
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// What is reported: this and what is graver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Nothing
    Off,
    /// What failed
    Error,
    /// What may need care
    Warn,
    /// Beginnings, ends and refusals
    Info,
    /// Each request
    Debug,
}

/// Write the page to a folder, for any web server that can send files.
///
/// There, the engine is the program that was built as WebAssembly. Files of the same names are written over; others stay.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd page --out site")]
pub struct PageArgs {
    /// The folder; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// How to print what was written
    #[arg(long, value_enum, default_value_t = Output::Text)]
    pub output: Output,
}

/// Reads an address of this machine.
fn address(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(IpAddr::from([127, 0, 0, 1])),
        _ => text.trim_matches(['[', ']']).parse().map_err(|_| {
            "write an address of this machine, as in 127.0.0.1, ::1 or 0.0.0.0; \
             --allow-host takes names"
                .to_owned()
        }),
    }
}

/// Reads the name of a host, without a port.
fn name(text: &str) -> Result<String, String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || ['.', '-', '_'].contains(&c);
    if text.is_empty() || !text.chars().all(is_name) {
        return Err("write a name without a port, as in puzzle.example".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads what browsers send as `Origin`.
fn origin(text: &str) -> Result<String, String> {
    let site = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_site = |site: &str| {
        !site.is_empty() && site.bytes().all(|c| c.is_ascii_graphic() && !b"/?#@*,".contains(&c))
    };
    if text != "*" && !site.is_some_and(is_site) {
        return Err("write a site without a path, as in https://example.org, or *".to_owned());
    }
    Ok(text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_names_and_origins_are_read() {
        assert_eq!(address("localhost"), address("127.0.0.1"));
        assert_eq!(address("[::1]"), Ok("::1".parse().unwrap()));
        assert!(address("puzzle.example").is_err());
        assert_eq!(name("puzzle.example"), Ok("puzzle.example".to_owned()));
        for text in ["", "puzzle.example:80", "http://puzzle.example", "a b"] {
            assert!(name(text).is_err(), "{text}");
        }
        assert_eq!(origin("https://Example.org:8443"), Ok("https://example.org:8443".to_owned()));
        assert_eq!(origin("*"), Ok("*".to_owned()));
        for text in ["", "example.org", "https://", "https://example.org/", "https://*.org"] {
            assert!(origin(text).is_err(), "{text}");
        }
    }

    #[cfg(feature = "serve")]
    #[test]
    fn the_default_port_is_the_servers() {
        assert_eq!(PORT, loyd_server::PORT);
    }
}
