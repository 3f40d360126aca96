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
pub mod optimize;
pub mod pdb;
pub mod perft;
pub mod plot;
pub mod rank;
pub mod realms;
pub mod review;
pub mod scramble;
pub mod simplify;
pub mod solve;
pub mod trace;
pub mod verify;

use std::fs;
use std::path::Path;

use anyhow::Context;

/// Writes a text into a file of its own.
fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
