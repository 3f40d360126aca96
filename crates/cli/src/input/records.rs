//! Records: lines of JSON, as `--output json` prints them.

use anyhow::{Context, anyhow, bail};
use loyd::notation::{NotationError, parse_board};
use loyd::{Board, Size};
use serde_json::{Map, Value};

/// What commands print where there are no moves to print.
const WORDS: [&str; 5] = ["unsolvable", "exhausted", "stopped", "refused", INVALID];

/// What they print of a board or of moves with which something is wrong.
pub const INVALID: &str = "invalid";

/// The failure of a line that was invalid to the command that has written it, and why it was if that is known.
pub fn invalid_before(why: Option<&str>) -> anyhow::Error {
    let why = why.map_or(String::new(), |why| format!(" ({why})"));
    anyhow!("what stood here before was invalid{why}")
}

/// The word that stands in place of moves, if `text` is one.
pub fn word(text: &str) -> Option<&'static str> {
    WORDS.into_iter().find(|&word| word == text.trim())
}

/// Whether what is read of an input begins with a record, if that can be told. Boards may have braces too, but no
/// quotes.
pub fn begins(bytes: &[u8]) -> Option<bool> {
    let mark = "\u{feff}".as_bytes();
    if bytes.len() < mark.len() && mark.starts_with(bytes) {
        return None;
    }
    let mut rest = bytes.strip_prefix(mark).unwrap_or(bytes).trim_ascii_start();
    while rest.first() == Some(&b'#') {
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        rest = rest[end..].trim_ascii_start();
    }
    match rest.split_first()? {
        (b'{', rest) => rest.trim_ascii_start().first().map(|byte| b"\"}".contains(byte)),
        _ => Some(false),
    }
}

/// A record.
pub struct Record(Map<String, Value>);

impl Record {
    /// Reads a line.
    pub fn read(line: &str) -> anyhow::Result<Self> {
        let value: Value =
            serde_json::from_str(line).context("the line is not a record of JSON")?;
        match value {
            Value::Object(fields) => Ok(Self(fields)),
            _ => bail!("the line is not a record of JSON: `{{\"board\": …}}` is one"),
        }
    }

    fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// The name of the board.
    pub fn id(&self) -> Option<String> {
        match self.0.get("id") {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => self.text("id").map(str::to_owned),
        }
    }

    /// The goal.
    pub fn goal(&self) -> Option<&str> {
        self.text("goal")
    }

    /// The board, where there is one: a text in any form, or lists.
    pub fn board(&self, size: Option<Size>) -> Option<Result<Board, NotationError>> {
        let text = match self.0.get("board")? {
            Value::Null => return None,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Some(parse_board(&text, size))
    }

    /// Solutions, or the word in place of one.
    pub fn solutions(&self) -> anyhow::Result<Vec<String>> {
        if let Some(Value::Array(all)) = self.0.get("answers")
            && !all.is_empty()
        {
            let text = |one: &Value| one.as_str().map(str::to_owned);
            let all: Option<Vec<String>> = all.iter().map(text).collect();
            return all.context("`answers` of the record are not all texts");
        }
        let word = self.text("status").and_then(word);
        if word == Some(INVALID) {
            return Err(invalid_before(self.text("error")));
        }
        match self.text("moves").or(word) {
            Some(moves) => Ok(vec![moves.to_owned()]),
            None => bail!("the record has no `moves`"),
        }
    }
}

/// What is said of a board in numbers alone.
pub struct Length {
    /// The board.
    pub board: Result<Board, NotationError>,
    /// The goal, if the record has one.
    pub goal: Option<String>,
    /// The length.
    pub length: usize,
    /// What the length counts, if the record tells.
    pub metric: Option<String>,
}

/// The length that a record gives for a board without moves to go with it.
pub fn length_in_record(line: &str, size: Option<Size>) -> Option<Length> {
    let record = Record::read(line).ok()?;
    if record.solutions().is_ok() {
        return None;
    }
    let number = |field| record.0.get(field).and_then(Value::as_u64);
    let length = number("length").or_else(|| number("expected"))?;
    Some(Length {
        board: record.board(size)?,
        goal: record.goal().map(str::to_owned),
        length: usize::try_from(length).ok()?,
        metric: record.text("metric").map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_from_boards() {
        let told = |text: &str| begins(text.as_bytes());
        assert_eq!(told("\u{feff}# boards\n\n { \"board\": 1}"), Some(true));
        assert_eq!(told("{{2,3,4},{1,5,0},{7,6,8}}"), Some(false));
        assert_eq!([told(" \n# {"), told("{ "), told("")], [None; 3]);
        assert_eq!(begins(&"\u{feff}".as_bytes()[..2]), None);
        assert_eq!(told("2 3 4"), Some(false));
    }

    #[test]
    fn names_may_be_numbers() {
        let id = |line: &str| Record::read(line).unwrap().id();
        assert_eq!(id(r#"{"board":"1 0","id":"a"}"#).as_deref(), Some("a"));
        assert_eq!(id(r#"{"board":"1 0","id":7}"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{"board":"1 0","id":null}"#), None);
    }
}
