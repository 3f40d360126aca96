//! The log of the server, on standard error.

use std::io;

use tracing::Level;
use tracing_subscriber::fmt;

use crate::args::{LogLevel, Output};
use crate::failure::shows_colours;

/// Reports what happens from now on: a line each, for people or as JSON.
pub fn start(level: LogLevel, output: Output) {
    let level = match level {
        LogLevel::Off => return,
        LogLevel::Error => Level::ERROR,
        LogLevel::Warn => Level::WARN,
        LogLevel::Info => Level::INFO,
        LogLevel::Debug => Level::DEBUG,
    };
    let log = fmt().with_max_level(level).with_writer(io::stderr).with_target(false);
    match output {
        Output::Text => log.with_ansi(shows_colours()).init(),
        Output::Json => log.json().flatten_event(true).init(),
    }
}
