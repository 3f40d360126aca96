//! The commands: one module per command, or per group of related commands.

pub mod about;
pub mod advice;
pub mod answers;
pub mod census;
mod certificate;
pub mod compare;
pub mod convert;
pub mod dataset;
mod dataset_boards;
mod dataset_files;
mod dataset_layout;
#[cfg(feature = "queue")]
mod dataset_remote;
mod dataset_shards;
pub mod experiment;
pub mod explain;
pub mod judge;
pub mod merge;
pub mod pdb;
mod pdb_describe;
mod pdb_tables;
pub mod perft;
#[cfg(feature = "tui")]
pub mod play;
pub mod plot;
#[cfg(feature = "queue")]
mod queue;
pub mod realms;
mod record_fields;
mod replay_record;
pub mod scramble;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solve;
mod supervisor;
pub mod trace;
pub mod verify;
mod verify_certificate;
#[cfg(feature = "queue")]
pub mod work;

use std::path::Path;
use std::{env, fs};

use anyhow::Context;

use crate::args::OnArgs;
use crate::failure::missing_feature;

/// Returns the command line as a user would repeat it: the program is called `loyd`, wherever it is installed.
fn command_line() -> Vec<String> {
    let arguments = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    ["loyd".to_owned()].into_iter().chain(arguments).collect()
}

/// Refuses `--on` in a program without queues.
fn check_on(on: &OnArgs) -> anyhow::Result<()> {
    match on.on.is_some() && !cfg!(feature = "queue") {
        true => Err(missing_feature("--on", "queue")),
        false => Ok(()),
    }
}

/// Writes `text` to the file `path`, replacing its contents.
fn save(path: &Path, text: &str) -> anyhow::Result<()> {
    let exists = path.exists();
    let written = fs::write(path, text);
    if written.is_err() && !exists {
        _ = fs::remove_file(path);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}
