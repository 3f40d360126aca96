//! Reads records: lines of JSON, as printed by `--output json`.

use anyhow::{Context, anyhow, bail, ensure};
use loyd::notation::{
    Hints, Notation, NotationError, StrictJson, board_of_json, case_of_json, is_goal_field,
};
use loyd::{Board, Move, Size};
use serde_json::Value;

/// The status words that commands print in place of moves.
const WORDS: [&str; 5] = ["unsolvable", "exhausted", "stopped", "refused", INVALID];

/// The status word for an invalid board or invalid moves.
pub const INVALID: &str = "invalid";

/// Returns the failure of a line that was invalid input to the command that wrote it, with the reason if it is known.
pub fn invalid_before(why: Option<&str>) -> anyhow::Error {
    let why = why.map_or(String::new(), |why| format!(" ({why})"));
    anyhow!("what stood here before was invalid{why}")
}

/// Returns the status word if `text` is one.
pub fn status_word(text: &str) -> Option<&'static str> {
    WORDS.into_iter().find(|&word| word == text.trim())
}

/// Returns whether an input starts with a record, or `None` if these first bytes do not decide that. Boards may have
/// braces too, but no quotes.
pub fn starts_record(bytes: &[u8]) -> Option<bool> {
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

/// A record of JSON, an object.
pub struct Record(Value);

/// The board of a record, and its goal.
struct BoardAndGoal {
    board: Result<Board, NotationError>,
    goal: Option<String>,
}

impl Record {
    /// Parses a line.
    pub fn read(line: &str) -> anyhow::Result<Self> {
        let StrictJson(value) =
            serde_json::from_str(line).context("the line is not a JSON record")?;
        match value {
            Value::Object(_) => Ok(Self(value)),
            _ => bail!("the line is not a JSON record: `{{\"board\": …}}` is one"),
        }
    }

    fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// Returns the name of the board.
    pub fn id(&self) -> Option<String> {
        match self.0.get("id") {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => self.text("id").map(str::to_owned),
        }
    }

    /// Returns the goal, if there is one.
    pub fn goal(&self, size: Option<Size>) -> Option<String> {
        match self.case(size) {
            Some(case) => case.goal,
            None => self.goal_without_board(),
        }
    }

    /// Returns the goal of a record whose board is given elsewhere. A field such as `target` may have a label instead.
    fn goal_without_board(&self) -> Option<String> {
        let fields = self.0.as_object()?.iter().filter(|(name, _)| is_goal_field(name));
        let text = |(name, value): (&String, &Value)| match value {
            Value::Array(_) => Some(value.to_string()),
            Value::String(text) => {
                let is_goal = name.to_ascii_lowercase().contains("goal")
                    || text.contains(|letter: char| letter.is_ascii_digit());
                is_goal.then(|| text.clone())
            }
            _ => None,
        };
        fields.filter_map(text).next()
    }

    /// Returns the notation of the moves, if the record names one. The records of this program name a
    /// notation too, and have their moves in small letters for the blank all the same.
    pub fn notation(&self, moves: &str) -> Option<Notation> {
        let is_own = moves.bytes().all(|byte| b"udlr".contains(&byte));
        self.text("notation").filter(|_| !is_own)?.parse().ok()
    }

    /// Checks that nothing in the record contradicts its moves: a length in any metric, and another solution.
    pub fn check(&self, text: &str, moves: &[Move]) -> anyhow::Result<()> {
        if let Some(length) = self.0.get("length").and_then(Value::as_u64) {
            let slides = moves.chunk_by(|one, other| one == other).count();
            ensure!(
                [moves.len(), slides].iter().any(|&count| count as u64 == length),
                "the record gives the length {length}, but that of its moves is {}",
                moves.len()
            );
        }
        let other = match self.0.get("solution") {
            Some(Value::String(other)) => other.clone(),
            Some(list @ Value::Array(_)) => list.to_string(),
            _ => return Ok(()),
        };
        ensure!(other == text, "the record has moves in `moves` and in `solution`, which differ");
        Ok(())
    }

    /// Returns the board, if there is one, as files of boards have it.
    pub fn board(&self, size: Option<Size>) -> Option<Result<Board, NotationError>> {
        Some(self.case(size)?.board)
    }

    fn case(&self, size: Option<Size>) -> Option<BoardAndGoal> {
        let hints = Hints { size, blank: None };
        let has_board = board_of_json(&self.0, hints).is_some();
        if !has_board {
            return None;
        }
        let case = case_of_json(&self.0, 1, "", hints);
        Some(BoardAndGoal { board: case.board, goal: case.goal_text })
    }

    /// Returns the solutions, or the status word in place of one.
    pub fn solutions(&self) -> anyhow::Result<Vec<String>> {
        if let Some(Value::Array(all)) = self.0.get("answers")
            && !all.is_empty()
        {
            let text = |one: &Value| one.as_str().map(str::to_owned);
            let all: Option<Vec<String>> = all.iter().map(text).collect();
            return all.context("the `answers` of the record are not all strings");
        }
        let word = self.text("status").and_then(status_word);
        if word == Some(INVALID) {
            return Err(invalid_before(self.text("error")));
        }
        match (self.0.get("moves"), word) {
            (Some(Value::String(moves)), _) => Ok(vec![moves.clone()]),
            (Some(moves @ Value::Array(_)), _) => Ok(vec![moves.to_string()]),
            (_, Some(word)) => Ok(vec![word.to_owned()]),
            (_, None) => bail!("the record has no `moves`"),
        }
    }
}

/// The solution length that a record gives for a board.
pub struct Length {
    /// The board.
    pub board: Result<Board, NotationError>,
    /// The goal, if the record has one.
    pub goal: Option<String>,
    /// The length.
    pub length: usize,
    /// The metric of the length, if the record gives it.
    pub metric: Option<String>,
}

/// Returns the solution length in a record that has no moves, or `None` if it has moves or no length.
pub fn length_in_record(line: &str, size: Option<Size>) -> Option<Length> {
    let record = Record::read(line).ok()?;
    if record.solutions().is_ok() {
        return None;
    }
    let number = |field| record.0.get(field).and_then(Value::as_u64);
    let length = number("length").or_else(|| number("expected"))?;
    Some(Length {
        board: record.board(size)?,
        goal: record.goal(size),
        length: usize::try_from(length).ok()?,
        metric: record.text("metric").map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_distinguished_from_boards() {
        let starts = |text: &str| starts_record(text.as_bytes());
        assert_eq!(starts("\u{feff}# boards\n\n { \"board\": 1}"), Some(true));
        assert_eq!(starts("{{2,3,4},{1,5,0},{7,6,8}}"), Some(false));
        assert_eq!([starts(" \n# {"), starts("{ "), starts("")], [None; 3]);
        assert_eq!(starts_record(&"\u{feff}".as_bytes()[..2]), None);
        assert_eq!(starts("2 3 4"), Some(false));
    }

    #[test]
    fn repeated_keys_are_refused() {
        let error = Record::read(r#"{"board":"1 2/0 3","board":"1 2/3 0"}"#).err().unwrap();
        assert!(format!("{error:#}").contains("the key `board` is repeated"), "{error:#}");
    }

    #[test]
    fn names_may_be_numbers() {
        let id = |line: &str| Record::read(line).unwrap().id();
        assert_eq!(id(r#"{"board":"1 0","id":"a"}"#).as_deref(), Some("a"));
        assert_eq!(id(r#"{"board":"1 0","id":7}"#).as_deref(), Some("7"));
        assert_eq!(id(r#"{"board":"1 0","id":null}"#), None);
    }
}
