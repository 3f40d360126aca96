//! Headers of result files: the first line of a JSON Lines file.

use loyd::judge::Cpu;
use serde::Serialize;
use serde_json::Value;

/// Kind of the file, and the program version and command that wrote it, sufficient to reproduce it.
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
    /// Creates the header of a file of kind `what`.
    pub fn new(what: &'a str, command: &'a [String], seed: Option<u64>) -> Self {
        Self {
            loyd: what,
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("LOYD_COMMIT"),
            command,
            seed,
            // OS is empty for WebAssembly without a system interface.
            machine: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
                .trim()
                .to_owned(),
            cpu: Cpu::from_env_or_detect().name(),
        }
    }
}

/// Removes the option `--shard` from the words of a command.
pub fn remove_shard(command: &mut Vec<Value>) {
    let text = |word: &Value| word.as_str().unwrap_or_default().to_owned();
    if let Some(at) = command.iter().position(|word| text(word) == "--shard") {
        command.drain(at..command.len().min(at + 2));
    }
    command.retain(|word| !text(word).starts_with("--shard="));
}
