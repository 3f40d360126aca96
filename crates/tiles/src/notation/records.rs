//! Reads boards in records: JSON values, one per line or across lines, consecutive or in an array.

use std::io::{self, BufRead};

use serde_json::{Deserializer, Value};

use super::board;
use super::error::{Flaw, NotationError};
use super::fields::{BOARD_FIELDS, add_goal, board_of_json, field, fields_of, text_of};
use super::input::{LONGEST, Lines};
use super::reading::{Case, Hints};
use super::strict_json::StrictJson;

/// Returns the case of a record: a JSON value with a board in one of the [`BOARD_FIELDS`], and perhaps with a goal and a
/// name. The board is an error if there is none.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Hints, case_of_json};
/// let record = serde_json::json!({"state": [[1, 2], [3, 0]], "goal_state": "1 2/0 3", "id": 7});
/// let case = case_of_json(&record, 1, "", Hints::default());
/// assert_eq!((case.goal_text.as_deref(), case.id.as_deref()), (Some("1 2/0 3"), Some("7")));
/// ```
pub fn case_of_json(value: &Value, line: usize, text: &str, hints: Hints<'_>) -> Case {
    let fault = |message: &str| {
        let flaw = Flaw::new(0..0, message)
            .with_help(format!("fields with a board are {}", BOARD_FIELDS.join(", ")));
        Err(flaw.locate(text, line))
    };
    let read = board_of_json(value, hints).unwrap_or_else(|| fault("the record has no board"));
    let read = read.map_err(|mut error| {
        error.line = line;
        error
    });
    let mut case = Case::new(line, read);
    let fields = value.as_object().map(fields_of).unwrap_or_default();
    case.id = field(&fields, &["id"]).or_else(|| field(&fields, &["name"])).and_then(text_of);
    add_goal(&mut case, &fields, hints, text);
    case
}

/// Text that was read but not parsed yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    text: String,
    /// Number of the first line of the text.
    line: usize,
    /// Whether a value was read.
    has_begun: bool,
    in_array: bool,
    /// Whether the last value was on one line, so that a faulty value is assumed to end with its line.
    on_one_line: bool,
    /// The fault of a line that was read but is not text.
    fault: Option<NotationError>,
}

/// Returns whether the first value of a text is a record, or an array of records or of boards.
pub(super) fn begins_json(text: &str, hints: Hints<'_>) -> bool {
    let text = text.trim_start();
    let record = |text: &str| {
        let rest = text.strip_prefix('{').map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with(['"', '}']))
    };
    let Some(rest) = text.strip_prefix('[').map(str::trim_start) else { return record(text) };
    record(rest) || begins_with_board(rest, hints) && board::read(text, 0, 1, hints).is_err()
}

/// Returns whether the first element of an array is a board.
fn begins_with_board(elements: &str, hints: Hints<'_>) -> bool {
    const FEWEST: usize = 4;
    let value = Deserializer::from_str(elements).into_iter::<Value>().next();
    let Some(Ok(value @ (Value::String(_) | Value::Array(_)))) = value else { return false };
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    board::read(&text, 0, 1, hints).is_ok_and(|read| read.board.size().cells() >= FEWEST)
}

impl Pending {
    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        loop {
            self.skip_separators();
            if self.text.is_empty() {
                if let Some(fault) = self.fault.take() {
                    return Ok(Some(Case::fault(fault)));
                }
                match lines.next()? {
                    None => return Ok(None),
                    Some(line) => match line.checked() {
                        Ok((text, _)) => {
                            (self.text, self.line) = (format!("{text}\n"), line.number);
                        }
                        Err(error) => return Ok(Some(Case::fault(error))),
                    },
                }
                continue;
            }
            let mut values = Deserializer::from_str(&self.text).into_iter::<StrictJson>();
            match values.next() {
                None => self.text.clear(),
                Some(Ok(StrictJson(value))) => {
                    let end = values.byte_offset();
                    self.has_begun = true;
                    self.on_one_line = !self.text[..end].trim().contains('\n');
                    let first = self.text.lines().next().unwrap_or_default().to_owned();
                    let case = case_of_json(&value, self.line, &first, hints);
                    self.take(end);
                    return Ok(Some(case));
                }
                Some(Err(error))
                    if error.is_eof() && self.fault.is_none() && self.text.len() <= 4 * LONGEST =>
                {
                    match lines.next()?.map(|line| line.checked().map(|(text, _)| text.to_owned()))
                    {
                        Some(Ok(text)) => self.text += &format!("{text}\n"),
                        Some(Err(fault)) => self.fault = Some(fault),
                        None => return Ok(Some(self.give_up(&error))),
                    }
                }
                Some(Err(error)) => return Ok(Some(self.give_up(&error))),
            }
        }
    }

    /// Skips white space, commas and brackets between values.
    fn skip_separators(&mut self) {
        loop {
            let rest = self.text.trim_start();
            let blank = self.text.len() - rest.len();
            let sign = match rest.as_bytes().first() {
                Some(b'[') if !self.has_begun && !self.in_array || self.opens_array(rest) => {
                    self.in_array = true;
                    1
                }
                Some(b',') if self.in_array => 1,
                Some(b']') if self.in_array => {
                    self.in_array = false;
                    1
                }
                _ => 0,
            };
            self.take(blank + sign);
            if sign == 0 {
                return;
            }
        }
    }

    /// Returns whether `rest` starts an array of records.
    fn opens_array(&self, rest: &str) -> bool {
        !self.in_array
            && rest.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'))
    }

    /// Removes the first bytes of the text.
    fn take(&mut self, bytes: usize) {
        self.line += self.text[..bytes].matches('\n').count();
        self.text.drain(..bytes);
    }

    /// Returns the fault of a value that is not JSON, or has a key twice. Reading continues at the next line if each value is on one line,
    /// otherwise at the last line if a record starts there, and after it if not.
    fn give_up(&mut self, error: &serde_json::Error) -> Case {
        let first = self.text.lines().next().unwrap_or_default();
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        let column = if error.line() == 1 { error.column().saturating_sub(1) } else { 0 };
        let what = if error.is_data() { "is ambiguous" } else { "is not JSON" };
        let flaw = Flaw::new(column..first.len(), format!("the record {what}: {words}"));
        let fault: NotationError = flaw.locate(first, self.line);
        let next = self.text.find('\n').map(|at| at + 1).filter(|_| self.on_one_line);
        let last = self.text.trim_end().rfind('\n').map(|at| at + 1);
        let last = last.filter(|&at| self.text[at..].starts_with('{'));
        match next.or(last) {
            Some(at) => self.take(at),
            None => self.text.clear(),
        }
        Case::fault(fault)
    }
}
