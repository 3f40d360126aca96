//! Files of comparisons: a header line, then one record per line.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};

use loyd::search::Shard;
use serde_json::{Map, Value};

use super::record::Record;
use super::run::{Comparison, boards_crc32, own_boards};
use crate::header;

/// Key of the command, up to which [`Header::matches_prefix`] compares headers.
const COMMAND: &str = "\"command\":";

/// Key of the shard.
const SHARD: &str = "shard";

/// Key of whether some boards are invalid.
const INVALID: &str = "has_invalid_boards";

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 64 << 20;

/// Maximum length of a file in bytes; all records are kept in memory.
const MAX_BYTES: u64 = 4 << 30;

/// First line of a file: settings of the comparison, program and command.
#[derive(Clone, Debug, PartialEq)]
pub struct Header(Map<String, Value>);

/// Reason why a file of a comparison cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first line is not a header of a comparison.
    #[error("not a comparison: the first line is not the header that `loyd compare --save` writes")]
    NoHeader,
    /// The file ends within its first line, which is attached.
    #[error("not a comparison: the first line is not the header that `loyd compare --save` writes")]
    Torn(String),
    /// A line or the file is longer than a comparison can be.
    #[error("not a comparison: it has a line of more than 64 MiB, or more than 4 GiB in all")]
    TooLong,
    /// A line is not a record.
    #[error("line {line}: {error}")]
    Record {
        /// Line number, from 1.
        line: u64,
        /// Reason.
        error: serde_json::Error,
    },
}

impl Header {
    /// Creates the header of `comparison`, as run by `command`.
    pub fn new(comparison: &Comparison, command: &[String], seed: Option<u64>) -> Self {
        let general = serde_json::to_value(header::Header::new("compare", command, seed));
        let Ok(Value::Object(mut fields)) = general else { unreachable!("a header is an object") };
        fields.extend(comparison.settings());
        Self(fields)
    }

    /// Adds the shard of the comparison whose results the file has, and whether some boards of the whole input are
    /// invalid.
    #[must_use]
    pub fn of_shard(mut self, shard: Shard, has_invalid_boards: bool) -> Self {
        self.0.insert(SHARD.to_owned(), shard.to_string().into());
        self.0.insert(INVALID.to_owned(), has_invalid_boards.into());
        self
    }

    /// Returns the shard of the comparison, if the file has only the results of one.
    pub fn shard(&self) -> Option<Shard> {
        self.0.get(SHARD)?.as_str()?.parse().ok()
    }

    /// Returns whether some boards of the input of a divided comparison are invalid.
    pub fn has_invalid_boards(&self) -> bool {
        self.0.get(INVALID).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Returns the header of the whole comparison, of which the file has a shard.
    #[must_use]
    pub fn without_shard(mut self) -> Self {
        self.0.remove(SHARD);
        self.0.remove(INVALID);
        if let Some(command) = self.0.get_mut("command").and_then(Value::as_array_mut) {
            header::remove_shard(command);
        }
        self
    }

    /// Checks that the records are one for each row and each board of the comparison, or of the shard, as far as this is
    /// known without the boards.
    ///
    /// # Errors
    /// Returns what is missing or wrong.
    pub fn check_complete(&self, records: &[Record]) -> Result<(), String> {
        let rows: Vec<&str> = self.list("rows").filter_map(Value::as_str).collect();
        let boards = self.0.get("boards").and_then(Value::as_u64).unwrap_or(0);
        let own = |board: u64| self.shard().is_none_or(|shard| shard.contains(board));
        let mut known = HashSet::new();
        for Record { row, board_id, .. } in records {
            let board = board_id.checked_sub(1).filter(|&board| board < boards);
            if !rows.contains(&row.as_str()) || !board.is_some_and(own) {
                return Err(format!("it has no run of `{row}` on board {board_id}"));
            }
            if !known.insert((row.as_str(), board_id)) {
                return Err(format!("there are two results of `{row}` on board {board_id}"));
            }
        }
        let boards = own_boards(self.shard(), usize::try_from(boards).unwrap_or(usize::MAX));
        match rows.len().saturating_mul(boards.len()) {
            all if all == known.len() => Ok(()),
            all => Err(format!("it has {} of {all} runs", known.len())),
        }
    }

    /// Checks that the sorted records of a whole comparison are about its boards.
    ///
    /// # Errors
    /// Returns the first board that differs between rows, or else that some board is another one.
    pub fn check_boards(&self, records: &[Record]) -> Result<(), String> {
        let of_board: Vec<&[Record]> = records.chunk_by(|a, b| a.board_id == b.board_id).collect();
        for same in &of_board {
            let first = &same[0];
            let differs =
                |other: &&Record| (&other.board, &other.goal) != (&first.board, &first.goal);
            if same.iter().any(|other| differs(&other)) {
                return Err(format!("board {} differs between rows", first.board_id));
            }
        }
        let texts = of_board.iter().map(|same| (same[0].board.clone(), same[0].goal.clone()));
        match self.0.get("boards_crc32").and_then(Value::as_u64) == Some(boards_crc32(texts).into())
        {
            true => Ok(()),
            false => Err("some boards are not those of the comparison".to_owned()),
        }
    }

    fn list(&self, name: &str) -> impl Iterator<Item = &Value> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten()
    }

    /// Returns the fields.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Returns the command that wrote the file, quoted for a shell.
    pub fn command(&self) -> String {
        let words = self.0["command"].as_array().into_iter().flatten();
        words.filter_map(Value::as_str).map(quoted).collect::<Vec<_>>().join(" ")
    }

    /// Returns whether `text` is a prefix of the header of the same comparison, possibly run by another command.
    pub fn matches_prefix(&self, text: &str) -> bool {
        let line = self.to_line();
        let same = line.split_once(COMMAND).map_or(line.as_str(), |(before, _)| before);
        text.starts_with(same) || same.starts_with(text)
    }

    /// Returns the first field in which the comparisons differ, ignoring where and by which command they were run.
    pub fn difference<'a>(&'a self, other: &'a Self) -> Option<&'a str> {
        const ELSEWHERE: [&str; 4] = ["command", "commit", "machine", "cpu"];
        let names = self.0.keys().chain(other.0.keys()).map(String::as_str);
        names
            .filter(|name| !ELSEWHERE.contains(name))
            .find(|&name| self.0.get(name) != other.0.get(name))
    }

    /// Sorts records by board, then by row.
    pub fn sort(&self, records: &mut [Record]) {
        let rows = self.0.get("rows").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let place = |record: &Record| rows.iter().position(|row| row == record.row.as_str());
        records.sort_by_cached_key(|record| (record.board_id, place(record)));
    }

    /// Returns the header as a line of JSON, without the line break.
    pub fn to_line(&self) -> String {
        serde_json::to_string(&self.0).expect("a header is valid JSON")
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

/// Reads a file and returns the header, the records, and the number of bytes in complete lines. An incomplete last
/// line, left behind by a killed process, is skipped.
///
/// # Errors
/// Returns an error if the file cannot be read, has no header, or contains a line that is not a record.
pub fn read(mut file: impl BufRead) -> Result<(Header, Vec<Record>, u64), ReadError> {
    let mut line = String::new();
    let mut bytes = read_line(&mut file, &mut line, MAX_BYTES)?;
    if !line.ends_with('\n') {
        return Err(ReadError::Torn(line));
    }
    let header = Header::read(&line)?;
    let mut records = Vec::new();
    loop {
        let read = read_line(&mut file, &mut line, MAX_BYTES - bytes)?;
        if !line.ends_with('\n') {
            return Ok((header, records, bytes));
        }
        let record = serde_json::from_str(&line);
        let number = records.len() as u64 + 2;
        records.push(record.map_err(|error| ReadError::Record { line: number, error })?);
        bytes += read;
    }
}

/// Replaces `line` by the next line, with its end. Returns its length in bytes.
fn read_line(file: &mut impl BufRead, line: &mut String, left: u64) -> Result<u64, ReadError> {
    line.clear();
    let limit = MAX_LINE.min(left);
    // Reading one extra byte shows that the line is longer.
    let read = file.by_ref().take(limit + 1).read_line(line)? as u64;
    if read <= limit { Ok(read) } else { Err(ReadError::TooLong) }
}

/// Returns the word, quoted if a POSIX shell would not read it as one literal word.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=,:+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    // Single quotes protect everything except a single quote, which is written outside them.
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_line_is_refused() {
        let endless = io::BufReader::new(io::repeat(b' '));
        assert!(matches!(read(endless), Err(ReadError::TooLong)));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("--length=10,20-30"), "--length=10,20-30");
        for word in ["", "*", "a b", "1;2", "$HOME", "~", "#", "it's", "\"", "\\", "`ls`", "a\nb"] {
            let quoted = quoted(word);
            let inner = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap();
            assert_eq!(inner.replace(r"'\''", "'"), word);
        }
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
