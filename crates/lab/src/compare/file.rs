//! Comparisons in files: a header, then a record a line.

use std::io::{self, BufRead};

use serde_json::{Map, Value};

use super::record::Record;
use super::run::Comparison;
use crate::{header, shell};

/// What the command stands behind.
const COMMAND: &str = "\"command\":";

/// The first line of a file: what was compared, by which program and command.
#[derive(Clone, Debug, PartialEq)]
pub struct Header(Map<String, Value>);

/// What is wrong with a file of a comparison.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as the file of a comparison.
    #[error(
        "it is no comparison: its first line is not the header that `loyd compare --save` writes"
    )]
    NoHeader,
    /// It ends within its first line.
    #[error(
        "it is no comparison: its first line is not the header that `loyd compare --save` writes"
    )]
    Torn(String),
    /// A line is no record.
    #[error("line {line}: {error}")]
    Record {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        error: serde_json::Error,
    },
}

impl Header {
    /// The header of a comparison that `command` does.
    pub fn new(comparison: &Comparison, command: &[String], seed: Option<u64>) -> Self {
        let general = serde_json::to_value(header::Header::new("compare", command, seed));
        let Ok(Value::Object(mut fields)) = general else { unreachable!("a header is an object") };
        fields.extend(comparison.settings());
        Self(fields)
    }

    /// The fields.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The command that made the file, as a shell takes it.
    pub fn command(&self) -> String {
        let words = self.0["command"].as_array().into_iter().flatten();
        words.filter_map(Value::as_str).map(shell::quoted).collect::<Vec<_>>().join(" ")
    }

    /// Whether `text` is the beginning of the header of the same comparison, perhaps with another command.
    pub fn begins_as(&self, text: &str) -> bool {
        let line = self.to_line();
        let same = line.split_once(COMMAND).map_or(line.as_str(), |(before, _)| before);
        text.starts_with(same) || same.starts_with(text)
    }

    /// The first thing in which another comparison differs, apart from where and how it is run.
    pub fn difference<'a>(&'a self, other: &'a Self) -> Option<&'a str> {
        const ELSEWHERE: [&str; 4] = ["command", "commit", "machine", "cpu"];
        let names = self.0.keys().chain(other.0.keys()).map(String::as_str);
        names
            .filter(|name| !ELSEWHERE.contains(name))
            .find(|&name| self.0.get(name) != other.0.get(name))
    }

    /// Puts records into the order of the boards, and on each board into that of the rows.
    pub fn sort(&self, records: &mut [Record]) {
        let rows = self.0.get("rows").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let place = |record: &Record| rows.iter().position(|row| row == record.row.as_str());
        records.sort_by_cached_key(|record| (record.board_id, place(record)));
    }

    /// The header as a line of JSON, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(&self.0).expect("nothing in a header is foreign to JSON")
    }

    fn read(line: &str) -> Result<Self, ReadError> {
        let fields: Map<String, Value> =
            serde_json::from_str(line).map_err(|_| ReadError::NoHeader)?;
        match fields.get("loyd").and_then(Value::as_str) {
            Some("compare") if fields.contains_key("command") => Ok(Self(fields)),
            _ => Err(ReadError::NoHeader),
        }
    }
}

/// Reads a file: the header, the records, and the bytes of all whole lines. A line that was not written to its end, as
/// a process leaves it that is killed, is passed over.
///
/// # Errors
/// When the file cannot be read, has no header, or has a line that is no record.
pub fn read(mut file: impl BufRead) -> Result<(Header, Vec<Record>, u64), ReadError> {
    let mut line = String::new();
    let mut bytes = file.read_line(&mut line)? as u64;
    if !line.ends_with('\n') {
        return Err(ReadError::Torn(line));
    }
    let header = Header::read(&line)?;
    let mut records = Vec::new();
    loop {
        line.clear();
        let read = file.read_line(&mut line)? as u64;
        if !line.ends_with('\n') {
            return Ok((header, records, bytes));
        }
        let record = serde_json::from_str(&line);
        let number = records.len() as u64 + 2;
        records.push(record.map_err(|error| ReadError::Record { line: number, error })?);
        bytes += read;
    }
}
