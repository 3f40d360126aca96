//! Tables in files: built once, rebuilt if damaged, and never required for an answer.

mod commands;
mod damage;
mod folders;
mod locks;
mod memory;
mod remove;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Creates an empty folder for a test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pdb").join(test);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn loyd(cache: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loyd"));
    command.env("LOYD_CACHE", cache).arg("pdb").args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(cache: &Path, arguments: &[&str]) -> Output {
    loyd(cache, arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

/// Returns the names of the files in `folder`.
fn files(folder: &Path) -> Vec<String> {
    let name = |file: fs::DirEntry| file.file_name().into_string().unwrap();
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| name(file.unwrap())).collect();
    names.sort();
    names
}

/// Small tables that build quickly.
const SMALL: [&str; 3] = ["1,2,3,4/5,6,7,8", "--size", "3x3"];

const SMALL_FILE: &str = "3x3-blank0-1,2,3,4_5,6,7,8.pdb";

fn small(command: &str) -> Vec<&str> {
    [&[command], &SMALL[..]].concat()
}

fn build_small(cache: &Path) -> Output {
    run(cache, &[&small("build")[..], &["--output", "json"]].concat())
}
