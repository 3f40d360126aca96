//! Reads boards in records: JSON values, one per line or across lines, consecutive or in an array.

use std::io::{self, BufRead};

use serde_json::{Deserializer, Value};

use super::board;
use super::error::{Flaw, NotationError};
use super::fields::{board_of_fields, board_of_json, complete};
use super::input::{LONGEST, Lines};
use super::names::{BOARD_FIELDS, fields_of};
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
    let fields = value.as_object().map(fields_of);
    let read = match &fields {
        Some(fields) => board_of_fields(fields, hints).map(|read| match read {
            Ok((_, read)) => Ok(read),
            Err((_, error)) => Err(error),
        }),
        None => board_of_json(value, hints),
    };
    let read = read.unwrap_or_else(|| Err(no_board(value, text)));
    let read = read.map_err(|mut error| {
        error.line = line;
        error
    });
    let mut case = Case::new(line, read);
    complete(&mut case, &fields.unwrap_or_default(), hints, text);
    case
}

/// Message for a record without a board.
pub(super) const NO_BOARD: &str = "the record has no board";

/// Maximum length of the part of a line that messages show, in characters: a line may have many records.
const LONGEST_SHOWN: usize = 200;

/// Returns the fault of a record without a board, which may have a list of them.
fn no_board(record: &Value, text: &str) -> NotationError {
    let is_list = |value: &Value| match value {
        Value::Array(items) => {
            items.first().is_some_and(|item| item.is_object() || item.is_array())
        }
        _ => false,
    };
    let list = record.as_object().and_then(|all| all.iter().find(|(_, value)| is_list(value)));
    let help = match list {
        Some((name, _)) => format!("if the list `{name}` has them: jq -c '.{name}[]'"),
        None => format!("fields with a board are {}", BOARD_FIELDS.join(", ")),
    };
    Flaw::new(0..0, NO_BOARD).with_help(help).locate(text, 1)
}

/// Returns whether a value is a number or a constant, which no list and no field names as a board.
fn is_bare(value: &Value) -> bool {
    value.is_number() || value.is_boolean() || value.is_null()
}

/// Text that was read but not parsed yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    text: String,
    /// The first byte of the text that was not parsed yet.
    from: usize,
    /// Number of the line with that byte.
    line: usize,
    /// Whether a value was read.
    has_begun: bool,
    in_array: bool,
    /// Whether the last value was on one line, so that a faulty value is assumed to end with its line.
    on_one_line: bool,
    /// The fault of a line that was read but is not text.
    fault: Option<NotationError>,
    /// Whether the next lines may be parts of a faulty value.
    is_lost: bool,
}

/// Maximum length of a value, in bytes.
const MOST_BYTES: usize = 4 * LONGEST;

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

/// Returns whether the first element of an array is a board. A list that is the only element may also be a row.
fn begins_with_board(elements: &str, hints: Hints<'_>) -> bool {
    const FEWEST: usize = 4;
    let mut values = Deserializer::from_str(elements).into_iter::<Value>();
    let value = values.next();
    let Some(Ok(value @ (Value::String(_) | Value::Array(_)))) = value else { return false };
    let is_flat = value.as_array().is_some_and(|items| !items.iter().any(Value::is_array));
    if is_flat && elements[values.byte_offset()..].trim_start().starts_with(']') {
        return false;
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    board::read(&text, 0, 1, hints).is_ok_and(|read| read.board.size().cells() >= FEWEST)
}

/// The brackets of a text that are open, outside of strings.
#[derive(Default)]
struct Brackets {
    depth: usize,
    is_string: bool,
    is_escaped: bool,
}

impl Brackets {
    /// Continues with the next part of the text; returns whether all brackets are closed.
    fn are_closed(&mut self, part: &str) -> bool {
        for byte in part.bytes() {
            match byte {
                _ if std::mem::take(&mut self.is_escaped) => {}
                b'\\' => self.is_escaped = self.is_string,
                b'"' => self.is_string = !self.is_string,
                b'[' | b'{' if !self.is_string => self.depth += 1,
                b']' | b'}' if !self.is_string => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.depth == 0 && !self.is_string
    }
}

impl Pending {
    pub(super) fn next<R: BufRead>(
        &mut self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        loop {
            self.skip_separators();
            if self.rest().is_empty() {
                if let Some(fault) = self.fault.take() {
                    return Ok(Some(Case::fault(fault)));
                }
                let Some(line) = lines.next()? else { return Ok(None) };
                match line.checked() {
                    Ok((text, _)) if self.is_lost && !text.starts_with('{') => {}
                    Ok((text, _)) => {
                        (self.text, self.from) = (format!("{text}\n"), 0);
                        (self.line, self.is_lost) = (line.number, false);
                    }
                    Err(error) => return Ok(Some(Case::fault(error))),
                }
                continue;
            }
            let mut values = Deserializer::from_str(self.rest()).into_iter::<StrictJson>();
            match values.next() {
                None => self.from = self.text.len(),
                Some(Ok(StrictJson(value))) => {
                    let end = values.byte_offset();
                    self.has_begun = true;
                    self.on_one_line = !self.rest()[..end].trim().contains('\n');
                    let first = self.shown().to_owned();
                    if is_bare(&value) {
                        let flaw = Flaw::new(0..first.trim_end().len(), "this is no record");
                        let flaw = flaw.with_help("write a list, a text in quotes or a record");
                        let line = self.line;
                        // Other bare values on the line have the same fault.
                        self.take(if self.in_array { end } else { self.line_end() });
                        return Ok(Some(Case::fault(flaw.locate(&first, line))));
                    }
                    let case = case_of_json(&value, self.line, &first, hints);
                    self.take(end);
                    return Ok(Some(case));
                }
                Some(Err(error)) => {
                    if !(error.is_eof() && self.grow(lines)?) {
                        return Ok(Some(self.give_up(&error)));
                    }
                }
            }
        }
    }

    /// Returns the first line that was not parsed yet, as messages show it.
    fn shown(&self) -> &str {
        let first = &self.rest()[..self.line_end()];
        let end = first.char_indices().nth(LONGEST_SHOWN).map_or(first.len(), |(at, _)| at);
        &first[..end]
    }

    /// Returns the length of the rest of the line.
    fn line_end(&self) -> usize {
        self.rest().find('\n').unwrap_or(self.rest().len())
    }

    /// Returns the text that was not parsed yet.
    fn rest(&self) -> &str {
        &self.text[self.from..]
    }

    /// Reads further lines of a value until its brackets are closed or its text is twice as long, so that the time to
    /// parse it is linear in its length. Returns whether there are any.
    fn grow<R: BufRead>(&mut self, lines: &mut Lines<R>) -> io::Result<bool> {
        let (mut brackets, before) = (Brackets::default(), self.text.len());
        let most = (2 * self.rest().len()).min(MOST_BYTES);
        let mut is_closed = brackets.are_closed(self.rest());
        while self.fault.is_none()
            && self.rest().len() < most
            && (!is_closed || before == self.text.len())
        {
            let Some(line) = lines.next()? else { break };
            match line.checked() {
                Ok((text, _)) => {
                    is_closed = brackets.are_closed(text);
                    self.text += text;
                    self.text.push('\n');
                }
                Err(fault) => self.fault = Some(fault),
            }
        }
        Ok(self.text.len() > before)
    }

    /// Skips white space, commas and brackets between values.
    fn skip_separators(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            let blank = self.rest().len() - rest.len();
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

    /// Skips the next bytes of the text.
    fn take(&mut self, bytes: usize) {
        self.line += self.rest()[..bytes].matches('\n').count();
        self.from += bytes;
    }

    /// Returns the fault of a value that is not JSON, has a key twice, or is too long. Reading continues at the next line
    /// if each value is on one line, otherwise at the next line that starts a record: the lines before it may be parts of
    /// the faulty value.
    fn give_up(&mut self, error: &serde_json::Error) -> Case {
        let first = self.rest().lines().next().unwrap_or_default();
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        let column = if error.line() == 1 { error.column().saturating_sub(1) } else { 0 };
        let what = match () {
            () if error.is_data() => format!("is ambiguous: {words}"),
            () if error.is_eof() && self.rest().len() >= MOST_BYTES => {
                "is longer than 1 MiB".to_owned()
            }
            () => format!("is not JSON: {words}"),
        };
        let flaw = Flaw::new(column..first.len(), format!("the record {what}"));
        let fault: NotationError = flaw.locate(first, self.line);
        let mut ends = self.rest().match_indices('\n').map(|(at, _)| at + 1);
        let next = match self.on_one_line {
            true => ends.next(),
            false => ends
                .skip(error.line().saturating_sub(2))
                .find(|&at| self.rest()[at..].starts_with('{')),
        };
        self.is_lost = next.is_none();
        self.take(next.unwrap_or(self.rest().len()));
        Case::fault(fault)
    }
}
