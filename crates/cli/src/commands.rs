//! One module a command.

pub mod about;
mod answers;
pub mod apply;
pub mod census;
pub mod compare;
pub mod convert;
pub mod dataset;
mod each;
pub mod experiment;
pub mod explain;
pub mod filter_optimal;
pub mod hint;
pub mod invert;
pub mod judge;
pub mod list;
pub mod merge;
pub mod optimize;
#[cfg(feature = "serve")]
pub mod page;
pub mod pdb;
pub mod perft;
#[cfg(feature = "tui")]
pub mod play;
pub mod plot;
pub mod rank;
pub mod realms;
pub mod review;
pub mod scramble;
#[cfg(feature = "serve")]
pub mod serve;
pub mod simplify;
pub mod solve;
pub mod trace;
pub mod verify;

use std::env;
use std::fs;
use std::path::Path;

use anyhow::Context;

/// The command that is run, for those who want to run it again; not where the program lies.
fn command_line() -> Vec<String> {
    let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    ["loyd".to_owned()].into_iter().chain(words).collect()
}

/// Writes a text into a file of its own.
fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
