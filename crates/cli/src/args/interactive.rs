//! The arguments of the commands that run until the user ends them, `play` and `serve`, and of `page`.

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, Args, ValueEnum};
use ipnet::IpNet;
use loyd::Size;

use super::pdb::CacheArgs;
use super::search::SHORT_TIME;
use super::{LimitArgs, Output, ProblemArgs};
use crate::units::{self, Limit};

/// Play in the terminal: slide tiles against the clock, get hints, watch solutions, see where moves were lost.
///
/// Arrow keys, W A S D and h j k l slide tiles; `?` shows all keys. Without a BOARD, one is drawn from the seed, and
/// `n` draws the next. The display uses true colours if COLORTERM announces them, otherwise 16, and none if NO_COLOR
/// is set.
#[derive(Debug, Args)]
#[command(
    mut_arg("size", with_default_size),
    mut_arg("max_time", with_study_time),
    after_help = "Examples:\n  \
    loyd play\n  \
    loyd play --size 5x3 --seed 7\n  \
    loyd play --size 4x4 --length 30 --goal spiral\n  \
    loyd play --session solves.json\n  \
    loyd play \"1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 x\""
)]
pub struct PlayArgs {
    /// Board to start with, or its tiles as separate arguments [default: a random board]
    #[arg(value_name = "BOARD")]
    pub board: Vec<String>,
    #[command(flatten)]
    pub problem: ProblemArgs,
    /// Draw boards with this seed, as `loyd scramble` does [default: a different one each time]
    #[arg(long, value_name = "SEED", value_parser = units::natural::<u64>, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Draw boards whose shortest solution has exactly MOVES moves
    #[arg(long, value_name = "MOVES", value_parser = units::natural::<u32>, allow_negative_numbers = true)]
    pub length: Option<u32>,
    /// Record solves of drawn boards in this file, which the page can read; it is created if it does not exist
    #[arg(long, value_name = "FILE")]
    pub session: Option<PathBuf>,
    /// Whether keys move the tile next to the blank, or the blank itself
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Arrows::Tile)]
    pub arrows: Arrows,
    /// Colours for a dark or a light screen (with true colours)
    #[arg(long, value_enum, value_name = "THEME", default_value_t = ThemeName::Auto)]
    pub theme: ThemeName,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The piece that an arrow key moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arrows {
    /// The tile next to the blank
    Tile,
    /// The blank
    Blank,
}

/// The colours of the display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ThemeName {
    /// According to COLORFGBG, otherwise dark
    Auto,
    /// Light on dark
    Dark,
    /// Dark on light
    Light,
}

fn with_default_size(arg: Arg) -> Arg {
    arg.help("Width and height [default: 4x4, or that of the goal or the board]")
}

/// Sets the help of `--max-time`, which limits hints and reviews.
fn with_study_time(arg: Arg) -> Arg {
    let default = SHORT_TIME.as_secs();
    arg.help(format!(
        "Stop a hint or a review after TIME seconds (or 500ms, 2m, none) [default: {default}s]"
    ))
}

/// The default port.
const PORT: u16 = 8015;

/// Serve the web page and an HTTP API.
///
/// The server listens on this machine only, unless --host is given. /api/v1/openapi.json describes the API, /metrics
/// reports request counts, /healthz confirms that the server is up. Ctrl-C or SIGTERM shuts it down: searches stop,
/// and their clients receive what was found.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    loyd serve --open\n  \
    loyd serve --port 8100 --warm 4x4 --max-time 10s\n  \
    loyd serve --host 0.0.0.0 --allow-host puzzle.example\n  \
    curl --json '{\"board\": \"2 3 4 1 5 x 7 6 8\"}' http://127.0.0.1:8015/api/v1/solve")]
pub struct ServeArgs {
    /// Port; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    pub port: u16,
    /// Local address to listen on; 0.0.0.0 or :: for all
    #[arg(long, value_name = "ADDRESS", value_parser = address, default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Accept requests for this host name too; can be repeated. Requests for other names are refused
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub allow_host: Vec<String>,
    /// Site whose pages may use the API, as in https://example.org, or * for all; can be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_origin: Vec<String>,
    /// Site that may show a game or a solution in a frame, from /embed, or * for all; can be repeated
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub allow_embed: Vec<String>,
    /// Address of a proxy, or a network, as in 10.0.0.0/8, whose proxies name their clients; can be repeated
    #[arg(long, value_name = "NETWORK", value_parser = network)]
    pub trusted_proxy: Vec<IpNet>,
    /// Number of requests answered at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = units::positive::<NonZeroUsize>, allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,
    /// Number of requests that may wait; further ones are refused with status 429
    #[arg(long, value_name = "N", value_parser = units::positive::<NonZeroUsize>, default_value = "256", allow_negative_numbers = true)]
    pub queue: NonZeroUsize,
    /// Time limit per request, in seconds (or 500ms, 2m, none) [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = units::time, allow_negative_numbers = true)]
    pub max_time: Option<Limit<Duration>>,
    /// Memory limit per request (64M, 2G, none) [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, allow_negative_numbers = true)]
    pub max_memory: Option<Limit<u64>>,
    /// Load or build the tables for boards of this size at startup; can be repeated
    #[arg(long, value_name = "WxH")]
    pub warm: Vec<Size>,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Log level on standard error
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = LogLevel::Info)]
    pub log: LogLevel,
    /// Format of the address and the log
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// The least severe level to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Nothing
    Off,
    /// Failures
    Error,
    /// Warnings
    Warn,
    /// Startup, shutdown and refused requests
    Info,
    /// Each request
    Debug,
}

/// Write the web page to a folder, for any static web server.
///
/// The page runs the engine as WebAssembly. Files with the same names are overwritten; others are kept.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  loyd page --save site")]
pub struct PageArgs {
    /// Folder to write to; it is created if necessary
    #[arg(long, value_name = "DIR")]
    pub save: PathBuf,
    /// Output format
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
}

/// Parses a local IP address; `localhost` is 127.0.0.1.
fn address(text: &str) -> Result<IpAddr, String> {
    match text {
        "localhost" => Ok(IpAddr::from([127, 0, 0, 1])),
        _ => text.trim_matches(['[', ']']).parse().map_err(|_| {
            "expected a local address, as in 127.0.0.1, ::1 or 0.0.0.0; \
             --allow-host takes names"
                .to_owned()
        }),
    }
}

/// Parses a network, or an address as a network of one.
fn network(text: &str) -> Result<IpNet, String> {
    text.parse()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        .map_err(|_| "expected an address or a network, as in 127.0.0.1 or 10.0.0.0/8".to_owned())
}

/// Parses the name of a host, without a port.
fn name(text: &str) -> Result<String, String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || ['.', '-', '_'].contains(&c);
    if text.is_empty() || !text.chars().all(is_name) {
        return Err("expected a host name without a port, as in puzzle.example".to_owned());
    }
    Ok(text.to_owned())
}

/// Parses an origin as browsers send it, or `*`.
fn origin(text: &str) -> Result<String, String> {
    let site = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_site = |site: &str| {
        !site.is_empty() && site.bytes().all(|c| c.is_ascii_graphic() && !b"/?#@*,;".contains(&c))
    };
    if text != "*" && !site.is_some_and(is_site) {
        return Err("expected a site without a path, as in https://example.org, or *".to_owned());
    }
    Ok(text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_names_and_origins_are_parsed() {
        assert_eq!(address("localhost"), address("127.0.0.1"));
        assert_eq!(address("[::1]"), Ok("::1".parse().unwrap()));
        assert!(address("puzzle.example").is_err());
        assert_eq!(name("puzzle.example"), Ok("puzzle.example".to_owned()));
        for text in ["", "puzzle.example:80", "http://puzzle.example", "a b"] {
            assert!(name(text).is_err(), "{text}");
        }
        assert_eq!(origin("https://Example.org:8443"), Ok("https://example.org:8443".to_owned()));
        assert_eq!(origin("*"), Ok("*".to_owned()));
        for text in
            ["", "example.org", "https://", "https://example.org/", "https://*.org", "https://a;b"]
        {
            assert!(origin(text).is_err(), "{text}");
        }
    }

    #[cfg(feature = "serve")]
    #[test]
    fn default_port_is_that_of_the_server() {
        assert_eq!(PORT, loyd_server::PORT);
    }
}
