//! The names and formats of the files in the folder of a dataset.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::args::Form;
use crate::files;
use crate::saved_files::checksum;

/// The name of the file with the options that determine the rows.
pub const ABOUT: &str = "dataset.json";

/// The name of the file with the checksums.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// The name of the file about a shard.
pub const SHARD: &str = "shard.json";

/// Maximum length of `dataset.json` in bytes: it contains the command line.
pub const MAX_ABOUT: u64 = 1 << 24;

/// Maximum length of `SHA256SUMS` in bytes: about 13 million lines.
const MAX_CHECKSUMS: u64 = 1 << 30;

/// Reads a file of the folder.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    files::open_regular(path).and_then(|file| files::read_text(file, limit))
}

/// Returns the seed of the dataset in a folder, if there is one.
pub fn seed_in(path: &Path) -> Option<u64> {
    read_about(path).ok()?["seed"].as_u64()
}

/// Returns the content of `dataset.json` in a folder.
///
/// # Errors
/// Fails if it cannot be read or is not JSON.
pub fn read_about(folder: &Path) -> anyhow::Result<Value> {
    let path = folder.join(ABOUT);
    let name = || path.display().to_string();
    serde_json::from_str(&read_text(&path, MAX_ABOUT).with_context(name)?).with_context(name)
}

/// Returns the checksums in a folder by the names of files, or an empty map without a file of checksums.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn read_checksums(folder: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let path = folder.join(CHECKSUMS);
    let text = match read_text(&path, MAX_CHECKSUMS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| path.display().to_string())?,
    };
    let pairs = text.lines().filter_map(|line| line.split_once("  "));
    Ok(pairs.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect())
}

/// Returns the names of the files of a part in the folder.
pub fn part_names(form: Form, is_split: bool, part: u64) -> Vec<String> {
    let ending = match form {
        Form::Csv => "csv",
        Form::Json => "jsonl",
        Form::Parquet => "parquet",
        Form::Npz => "npz",
    };
    let name = format!("{part:05}.{ending}");
    match is_split {
        false => vec![name],
        true => ["train", "test"].map(|set| format!("{set}/{name}")).into(),
    }
}

/// Returns a file in a folder without `dataset.json` that a dataset there could replace, or `None` if there is none: a
/// part of any format, an unfinished one, checksums, or notes of a shard.
///
/// `dataset.unfinished` is none of them: it is left if a process is killed before it has written anything else.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn file_in_the_way(folder: &Path) -> io::Result<Option<PathBuf>> {
    let in_the_way = [CHECKSUMS, SHARD, "SHA256SUMS.unfinished", "shard.unfinished"];
    for inner in [folder.to_owned(), folder.join("test"), folder.join("train")] {
        let entries = match fs::read_dir(&inner) {
            Err(error) if inner != folder && error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        let mut found: Vec<PathBuf> = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if is_part(&name) || inner == folder && in_the_way.contains(&&*name) {
                found.push(entry.path());
            }
        }
        if let Some(first) = found.into_iter().min() {
            return Ok(Some(first));
        }
    }
    Ok(None)
}

/// Returns whether a file is a part, or one that is being written, by its name.
fn is_part(name: &str) -> bool {
    let Some((number, ending)) = name.split_once('.') else { return false };
    let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && ["csv", "jsonl", "parquet", "npz", "unfinished"].contains(&ending)
}

/// Returns a line of the file of checksums.
pub fn checksum_line(sum: &str, name: &str) -> String {
    format!("{sum}  {name}\n")
}

/// Compares a file with its checksum.
pub fn check_checksum(file: &Path, sum: &str) -> anyhow::Result<()> {
    let name = file.display();
    if checksum(file).with_context(|| name.to_string())? != sum {
        bail!(
            "{name} has another checksum than in {CHECKSUMS}: it was changed or damaged; remove it to write this file \
             and those after it again"
        );
    }
    Ok(())
}
