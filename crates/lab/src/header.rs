//! How results begin: the first line of a file of JSON Lines.

use loyd::judge::Cpu;
use serde::Serialize;

/// What the file is, which program wrote it, and by which command: enough to write it again.
#[derive(Clone, Debug, Serialize)]
pub struct Header<'a> {
    loyd: &'a str,
    version: &'static str,
    commit: Option<&'static str>,
    command: &'a [String],
    seed: Option<u64>,
    machine: String,
    cpu: &'static str,
}

impl<'a> Header<'a> {
    /// For a file of `what`.
    pub fn new(what: &'a str, command: &'a [String], seed: Option<u64>) -> Self {
        Self {
            loyd: what,
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("LOYD_COMMIT"),
            command,
            seed,
            // Where WebAssembly runs without a system, the first is empty.
            machine: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
                .trim()
                .to_owned(),
            cpu: Cpu::in_use().name(),
        }
    }
}
