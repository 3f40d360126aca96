//! Reads boards in records: JSON values, one per line or across lines, consecutive or in an array; and columns with a
//! header, separated by commas, semicolons or tabs. Defines the names of fields that hold a board, its goal and its name.

use std::borrow::Cow;
use std::io::{self, BufRead};

use csv::{ReaderBuilder, StringRecord};
use serde_json::{Deserializer, Map, Value};

use super::board;
use super::error::{Flaw, NotationError};
use super::input::{LONGEST, Line, Lines};
use super::reading::{BoardText, Case, Hints};
use super::strict_json::StrictJson;
use crate::size::Size;

/// Names of fields and columns that hold a board.
pub const BOARD_FIELDS: &[&str] =
    &["board", "state", "puzzle", "initial", "tiles", "start", "initial_state", "grid"];

/// Names of fields and columns that hold a goal. Those after the first count only where they hold a board of the same size
/// as the start: `target` may also be a label.
const GOAL_FIELDS: [&str; 7] =
    ["goal", "target", "final", "destination", "goal_state", "final_state", "end"];

/// Sets the goal of a case to that among the named texts of its record, with a note unless its name is the first of
/// [`GOAL_FIELDS`].
fn add_goal(case: &mut Case, field: impl Fn(&str) -> Option<String>, hints: Hints<'_>) {
    let [first, others @ ..] = GOAL_FIELDS;
    case.goal_text = field(first);
    let Some(size) = case.board.as_ref().ok().filter(|_| case.goal_text.is_none()) else { return };
    let size = size.size();
    let is_goal =
        |text: &String| board::read(text, 0, 1, hints).is_ok_and(|read| read.board.size() == size);
    let found = others.iter().find_map(|name| Some((name, field(name).filter(is_goal)?)));
    if let Some((name, text)) = found {
        case.goal_text = Some(text);
        case.notes.push(Cow::from(format!("read the goal in the field `{name}`")));
    }
}

/// Returns whether a field of this name holds a board; case is ignored.
pub(super) fn is_board_field(name: &str) -> bool {
    BOARD_FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name.trim()))
}

/// Reads the board in a JSON value: a string in any form, a list, a list of rows, or an object with one
/// of the [`BOARD_FIELDS`]. Returns `None` if the value has no board.
///
/// # Errors
/// Returns an error if the board is faulty or two fields have different boards.
///
/// # Examples
/// ```
/// use loyd_tiles::notation::{Hints, board_of_json};
/// let value = serde_json::json!({"state": [[1, 2], [3, null]]});
/// let read = board_of_json(&value, Hints::default()).unwrap()?;
/// assert_eq!(read.board.to_string(), "1 2 3 x");
/// # Ok::<(), loyd_tiles::notation::NotationError>(())
/// ```
pub fn board_of_json(value: &Value, hints: Hints<'_>) -> Option<Result<BoardText, NotationError>> {
    match value {
        Value::Null | Value::Bool(_) => None,
        Value::String(text) => Some(board::read(text, 0, 1, hints)),
        Value::Object(fields) => board_of_fields(fields, hints),
        Value::Number(_) | Value::Array(_) => Some(board::read(&value.to_string(), 0, 1, hints)),
    }
}

fn board_of_fields(
    fields: &Map<String, Value>,
    hints: Hints<'_>,
) -> Option<Result<BoardText, NotationError>> {
    let hints = Hints { size: hints.size.or_else(|| size_of_fields(fields)), ..hints };
    let mut failed = None;
    let mut found: Option<(&str, BoardText)> = None;
    let named = fields.iter().filter(|(name, _)| is_board_field(name));
    for (name, value) in named {
        match board_of_json(value, hints) {
            None => {}
            Some(Err(error)) => failed = failed.or(Some(error)),
            Some(Ok(read)) => match &found {
                Some((other, board)) if board.board != read.board => {
                    let message =
                        format!("the record has boards in `{other}` and `{name}`, which differ");
                    return Some(Err(Flaw::new(0..0, message).locate("", 1)));
                }
                Some(_) => {}
                None => found = Some((name, read)),
            },
        }
    }
    match (found, failed) {
        (Some((name, mut read)), _) => {
            if !name.eq_ignore_ascii_case(BOARD_FIELDS[0]) {
                read.notes.push(Cow::from(format!("read the board in the field `{name}`")));
            }
            Some(Ok(read))
        }
        (None, failed) => failed.map(Err),
    }
}

/// Returns the size in a record: `"size": "4x3"`, or width and height.
fn size_of_fields(fields: &Map<String, Value>) -> Option<Size> {
    let side = |name: &str| fields.get(name)?.as_u64().and_then(|side| u32::try_from(side).ok());
    match fields.get("size") {
        Some(Value::String(text)) => text.parse().ok(),
        Some(Value::Number(_)) => side("size").and_then(|side| Size::new(side, side).ok()),
        _ => side("width").zip(side("height")).and_then(|(w, h)| Size::new(w, h).ok()),
    }
}

/// Returns the case of a JSON value whose first line is `line`.
pub(super) fn case_of_json(value: &Value, line: usize, text: &str, hints: Hints<'_>) -> Case {
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
    let text_of = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        other @ Value::Array(_) => Some(other.to_string()),
        _ => None,
    };
    let text = |name: &str| text_of(value.get(name)?);
    case.id = text("id").or_else(|| text("name"));
    let any_case = |name: &str| {
        let mut fields = value.as_object()?.iter();
        text_of(fields.find(|(field, _)| field.eq_ignore_ascii_case(name))?.1)
    };
    add_goal(&mut case, any_case, hints);
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

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    separator: u8,
    board: usize,
    /// Other columns that may hold boards.
    others: Vec<usize>,
    name: String,
    id: Option<usize>,
    /// Columns that may hold the goal, with their names.
    goals: Vec<(&'static str, usize)>,
}

impl Header {
    /// Returns the columns named on a line, if one of them holds boards.
    pub(super) fn of(line: &Line) -> Option<Self> {
        let (text, _) = line.checked().ok()?;
        let separators = [b',', b'\t', b';'].into_iter();
        separators.filter(|&separator| text.as_bytes().contains(&separator)).find_map(|separator| {
            let names = fields(text, separator).ok()?;
            let place =
                |wanted: &dyn Fn(&str) -> bool| names.iter().position(|name| wanted(name.trim()));
            let is = |word: &'static str| move |name: &str| name.eq_ignore_ascii_case(word);
            let board = place(&is_board_field)?;
            let others = names.iter().enumerate().skip(board + 1);
            let others =
                others.filter(|(_, name)| is_board_field(name)).map(|(at, _)| at).collect();
            let id = place(&is("id")).or_else(|| place(&is("name")));
            let name = names[board].trim().to_owned();
            let goals = GOAL_FIELDS.into_iter().filter_map(|name| Some((name, place(&is(name))?)));
            Some(Self { separator, board, others, name, id, goals: goals.collect() })
        })
    }

    pub(super) fn next<R: BufRead>(
        &self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        let Some(line) = lines.next_filled()? else { return Ok(None) };
        Ok(Some(self.read(&line, hints).unwrap_or_else(Case::fault)))
    }

    fn read(&self, line: &Line, hints: Hints<'_>) -> Result<Case, NotationError> {
        let (text, _) = line.checked()?;
        let fault = |message: String| line.locate(Flaw::new(0..text.len(), message));
        let fields = fields(text, self.separator).map_err(|error| fault(error.to_string()))?;
        let Some(board) = fields.get(self.board) else {
            let message =
                format!("the line ends before column {}, `{}`", self.board + 1, self.name);
            return Err(fault(message));
        };
        let read = board::read(board, 0, line.number, hints).map_err(|error| {
            let mut fault = fault(format!("column `{}`: {}", self.name, error.message));
            fault.help = error.help;
            fault
        });
        if let Ok(first) = &read {
            let mut boards = self.others.iter().filter_map(|&other| fields.get(other));
            let differs = |text| {
                board::read(text, 0, line.number, hints)
                    .is_ok_and(|other| other.board != first.board)
            };
            if boards.any(differs) {
                let message = format!(
                    "the line has boards that differ from the one in column `{}`",
                    self.name
                );
                return Err(fault(message));
            }
        }
        let field =
            |place: Option<usize>| place.and_then(|place| fields.get(place)).map(str::to_owned);
        let filled = |field: &String| !field.trim().is_empty();
        let goal = |name: &str| {
            let (_, place) = self.goals.iter().find(|(goal, _)| *goal == name)?;
            field(Some(*place)).filter(filled)
        };
        let mut case = Case { id: field(self.id).filter(filled), ..Case::new(line.number, read) };
        add_goal(&mut case, goal, hints);
        Ok(case)
    }

    /// Returns a note for the user that names the column read.
    pub(super) fn note(&self) -> String {
        format!("read the boards in the column `{}`", self.name)
    }
}

/// Splits a line into fields.
fn fields(line: &str, separator: u8) -> csv::Result<StringRecord> {
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(separator);
    let mut records = reader.from_reader(line.as_bytes()).into_records();
    records.next().unwrap_or_else(|| Ok(StringRecord::new()))
}
