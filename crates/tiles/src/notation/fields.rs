//! Fields of records and columns: which hold a board, its goal, its size and its blank.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::board;
use super::error::{Flaw, NotationError};
use super::reading::{BoardText, Case, Hints};
use super::write::slashes;
use crate::board::Board;
use crate::size::Size;

/// Names of fields and columns that hold a board; case and the signs between words are ignored.
pub const BOARD_FIELDS: &[&str] =
    &["board", "state", "puzzle", "initial", "tiles", "start", "initial_state", "grid"];

/// Further names of fields and columns that hold a board.
const MORE_BOARD_FIELDS: [&str; 3] = ["start_state", "initial_board", "start_board"];

/// Name of the field that always holds the goal: a board, a board with `*`, or the name of a goal.
const GOAL: &str = "goal";

/// Names of other fields and columns that hold a goal if they have a board of the same size as the start: `target` may
/// also be a label.
const GOAL_FIELDS: [&str; 12] = [
    "target",
    "final",
    "destination",
    "goal_state",
    "final_state",
    "target_state",
    "end_state",
    "goal_board",
    "final_board",
    "target_board",
    "end",
    "finish",
];

const WIDTH_FIELDS: [&str; 5] = ["width", "w", "cols", "columns", "ncols"];
const HEIGHT_FIELDS: [&str; 4] = ["height", "h", "rows", "nrows"];
const SIZE_FIELDS: [&str; 2] = ["size", "shape"];
const BLANK_FIELD: &str = "blank";

/// Returns whether two names of fields are the same but for case and the signs between words.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    letters_of(one).eq(letters_of(other))
}

fn letters_of(name: &str) -> impl Iterator<Item = char> {
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase)
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| is_same_name(name, other))
}

/// Returns whether a field of this name holds a board.
pub(super) fn is_board_field(name: &str) -> bool {
    is_one_of(name, BOARD_FIELDS) || is_one_of(name, &MORE_BOARD_FIELDS)
}

/// The named fields of a record; columns are strings.
pub(super) type Fields<'a> = [(&'a str, Cow<'a, Value>)];

pub(super) fn fields_of(object: &Map<String, Value>) -> Vec<(&str, Cow<'_, Value>)> {
    object.iter().map(|(name, value)| (name.as_str(), Cow::Borrowed(value))).collect()
}

/// Returns the value of the first field with one of these names.
pub(super) fn field<'a>(fields: &'a Fields<'_>, names: &[&str]) -> Option<&'a Value> {
    fields.iter().find(|(name, _)| is_one_of(name, names)).map(|(_, value)| &**value)
}

/// Returns the text of a value: that of a string, or what JSON writes for a number or a list.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Array(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The goal of a record: the name of its field, and its text.
type NamedGoal = (String, String);

/// Returns the goal of a record whose board has this size: that of the record itself, or of the record in the field of
/// the board.
///
/// # Errors
/// Returns the message for a goal that is neither a text nor a list, or for two goals that differ.
fn goal_of(fields: &Fields<'_>, size: Size, hints: Hints<'_>) -> Result<Option<NamedGoal>, String> {
    let mut found: Option<NamedGoal> = None;
    let read = |text: &str| board::read(text, 0, 1, hints).ok().map(|read| read.board);
    for (name, value) in fields {
        let inner = match &**value {
            Value::Object(object) if is_board_field(name) => {
                goal_of(&fields_of(object), size, hints)?
                    .map(|(inner, text)| (format!("{name}.{inner}"), text))
            }
            Value::Object(object) if is_same_name(name, GOAL) || is_one_of(name, &GOAL_FIELDS) => {
                let board = board_of_fields(&fields_of(object), hints).and_then(Result::ok);
                board.map(|read| ((*name).to_owned(), slashes(&read.board).to_string()))
            }
            value => text_of(value).map(|text| ((*name).to_owned(), text)),
        };
        let is_goal = is_same_name(name, GOAL);
        let inner = inner.filter(|(_, text)| !text.trim().is_empty());
        let Some((name, text)) = inner else {
            if is_goal && !matches!(**value, Value::Null | Value::String(_)) {
                return Err(format!("the field `{name}` has no goal: write a text or a list"));
            }
            continue;
        };
        let is_other = || {
            is_one_of(&name, &GOAL_FIELDS) && read(&text).is_some_and(|goal| goal.size() == size)
        };
        if !(is_goal || name.contains('.') || is_other()) {
            continue;
        }
        match &found {
            Some((other, before))
                if *before != text && (read(before).is_none() || read(before) != read(&text)) =>
            {
                return Err(format!(
                    "the record has goals in `{other}` and `{name}`, which differ"
                ));
            }
            Some(_) => {}
            None => found = Some((name, text)),
        }
    }
    Ok(found)
}

/// Sets the goal of a case to that of its record, with a note unless it is in the field `goal`. A fault of the goal is
/// one of the case.
pub(super) fn add_goal(case: &mut Case, fields: &Fields<'_>, hints: Hints<'_>, text: &str) {
    let Ok(board) = &case.board else { return };
    match goal_of(fields, board.size(), hints) {
        Ok(None) => {}
        Ok(Some((name, goal))) => {
            if !is_same_name(&name, GOAL) {
                case.notes.push(Cow::from(format!("read the goal in the field `{name}`")));
            }
            case.goal_text = Some(goal);
        }
        Err(message) => case.board = Err(Flaw::new(0..0, message).locate(text, case.line)),
    }
}

/// Reads the board in a JSON value: a string in any form, a list, a list of rows, or an object with one
/// of the [`BOARD_FIELDS`]. Returns `None` if the value has no board.
///
/// # Errors
/// Returns an error if the board is faulty, two fields have different boards, or a field with the size or the blank
/// contradicts the board.
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
        Value::Object(object) => board_of_fields(&fields_of(object), hints),
        Value::Number(_) | Value::Array(_) => Some(board::read(&value.to_string(), 0, 1, hints)),
    }
}

fn board_of_fields(
    fields: &Fields<'_>,
    hints: Hints<'_>,
) -> Option<Result<BoardText, NotationError>> {
    let mut failed = None;
    let mut found: Option<(&str, BoardText)> = None;
    for (name, value) in fields.iter().filter(|(name, _)| is_board_field(name)) {
        match described(fields, hints, &|hints| board_of_json(value, hints)) {
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

/// Reads a board as the other fields of its record describe it: its size, and its blank.
pub(super) fn described(
    fields: &Fields<'_>,
    hints: Hints<'_>,
    read: &dyn Fn(Hints<'_>) -> Option<Result<BoardText, NotationError>>,
) -> Option<Result<BoardText, NotationError>> {
    let fault = |message: String| Some(Err(Flaw::new(0..0, message).locate("", 1)));
    let blank = match field(fields, &[BLANK_FIELD]) {
        Some(Value::String(sign)) if !sign.trim().is_empty() && sign.parse::<i64>().is_err() => {
            Some(sign.trim())
        }
        _ => None,
    };
    let hints = Hints { blank: hints.blank.or(blank), ..hints };
    let sizes = sizes_of(fields);
    let mut boards: Vec<BoardText> = Vec::new();
    let mut failed = None;
    for size in sizes.iter().copied().filter(|_| hints.size.is_none()) {
        match read(Hints { size: Some(size), ..hints })? {
            Err(error) => failed = failed.or(Some(error)),
            Ok(text) if boards.iter().any(|other| other.board == text.board) => {}
            Ok(text) => boards.push(text),
        }
    }
    let board = match (boards.as_slice(), failed) {
        ([one, other, ..], _) => {
            let sizes = [one, other].map(|read| read.board.size());
            return fault(format!("the size of the record may be {} or {}", sizes[0], sizes[1]));
        }
        ([_], _) => boards.remove(0),
        // A number may also be that of the cells.
        ([], failed) => match (read(hints)?, failed) {
            (Ok(text), Some(_)) if !is_number_of_cells(fields, &text.board) => {
                return fault(format!(
                    "the board is {}, where its record gives another size",
                    text.board.size()
                ));
            }
            (Ok(text), _) => text,
            (Err(error), failed) => return Some(Err(failed.unwrap_or(error))),
        },
    };
    let size = board.board.size();
    for (names, side) in [(&WIDTH_FIELDS[..], size.width()), (&HEIGHT_FIELDS, size.height())] {
        if let Some(given) = field(fields, names).and_then(number_of)
            && given as usize != side
        {
            return fault(format!("the board is {size}, where its record gives another size"));
        }
    }
    match field(fields, &[BLANK_FIELD]).and_then(number_of) {
        Some(blank) if !is_blank(blank, &board.board, read) => fault(format!(
            "the record gives {blank} as the blank, and the board has it in cell {}",
            board.board.blank().index() + 1
        )),
        _ => Some(Ok(board)),
    }
}

/// Returns whether a number in the field `blank` agrees with a board: as the number of the blank, or as the number of its
/// cell, from 0 or from 1.
fn is_blank(
    blank: u32,
    board: &Board,
    read: &dyn Fn(Hints<'_>) -> Option<Result<BoardText, NotationError>>,
) -> bool {
    let cell = board.blank().index() as u32;
    let size = Some(board.size());
    let sign = blank.to_string();
    let named = || read(Hints { blank: Some(&sign), size });
    blank == 0
        || blank == cell
        || blank == cell + 1
        || named().is_some_and(|read| read.is_ok_and(|read| read.board == *board))
}

fn number_of(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_u64().and_then(|number| number.try_into().ok()),
    }
}

/// Returns the sizes that a record may give its board: `"size": "4x3"`, `4` or `[3, 4]`, which is both rows and columns
/// and the reverse, `"shape": [3, 4]`, which is rows and columns, or width and height.
fn sizes_of(fields: &Fields<'_>) -> Vec<Size> {
    let side = |names: &[&str]| field(fields, names).and_then(number_of);
    let both = side(&WIDTH_FIELDS).zip(side(&HEIGHT_FIELDS));
    let sizes = match (both, field(fields, &SIZE_FIELDS)) {
        (Some((width, height)), _) => vec![Size::new(width, height)],
        (None, Some(Value::Array(sides))) => match sides.as_slice() {
            [rows, columns] => match (number_of(rows), number_of(columns)) {
                (Some(rows), Some(columns)) if field(fields, &SIZE_FIELDS[..1]).is_some() => {
                    vec![Size::new(columns, rows), Size::new(rows, columns)]
                }
                (Some(rows), Some(columns)) => vec![Size::new(columns, rows)],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        },
        (None, Some(value)) => match (number_of(value), value) {
            (Some(side), _) => vec![Size::new(side, side)],
            (None, Value::String(text)) => vec![text.trim().parse()],
            _ => Vec::new(),
        },
        (None, None) => Vec::new(),
    };
    sizes.into_iter().filter_map(Result::ok).collect()
}

/// Returns whether the size of a record is only the number of cells of its board.
fn is_number_of_cells(fields: &Fields<'_>, board: &Board) -> bool {
    let number = field(fields, &SIZE_FIELDS).and_then(number_of);
    number.is_some_and(|cells| cells as usize == board.size().cells())
}
