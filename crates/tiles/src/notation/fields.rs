//! Fields of records and columns: the board, and its goal.
//!
//! A record is understood or refused: its fields with a board agree, its goals agree, and no other field holds a list of
//! the same tiles.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::board;
use super::described::Description;
use super::error::{Flaw, NotationError};
use super::names::{BOARD_FIELDS, Field, Role, fields_of, is_goal_field, is_same_name};
use super::naming::names_goal;
use super::reading::{BoardText, Case, Hints};
use super::write::slashes;
use crate::board::Board;
use crate::goal::{GOALS, Goal};
use crate::size::Size;

/// Returns the value of the first field with this name.
pub(super) fn field<'a>(fields: &'a [Field<'_>], name: &str) -> Option<&'a Value> {
    fields.iter().find(|field| is_same_name(field.name, name)).map(|field| &*field.value)
}

/// Returns the text of a value: that of a string, or the JSON of a number or a list.
pub(super) fn text_of(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(_) | Value::Array(_) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}

fn fault(message: String) -> NotationError {
    Flaw::new(0..0, message).locate("", 1)
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
        Value::Object(object) => {
            let fields = fields_of(object);
            let read = board_of_fields(&fields, hints)?;
            Some(read.map(|(_, text)| text).map_err(|(_, error)| error))
        }
        value => Some(board::read(&text_of(value)?, 0, 1, hints)),
    }
}

/// The name of the field with the board, and the board.
type Found<'a> = (&'a str, BoardText);

/// The name of the faulty field, unless the fault is that of the record, and the fault.
type Faulty<'a> = (Option<&'a str>, NotationError);

/// Reads the board of a record. A number or a word next to a board is a label.
pub(super) fn board_of_fields<'a>(
    fields: &'a [Field<'_>],
    hints: Hints<'_>,
) -> Option<Result<Found<'a>, Faulty<'a>>> {
    let is_filled = |value: &Value| value.as_str().is_none_or(|text| !text.trim().is_empty());
    let is_candidate = |field: &&Field<'_>| match field.role {
        Role::Board => is_filled(&field.value),
        Role::Source => has_board(&field.value, hints),
        _ => false,
    };
    fields.iter().find(is_candidate)?;
    let description = match Description::of(fields) {
        Ok(description) => description,
        Err(error) => return Some(Err((None, error))),
    };
    let mut reads = Vec::new();
    for field in fields.iter().filter(is_candidate) {
        let read = description.read(hints, &|hints| board_of_json(&field.value, hints));
        reads.extend(read.map(|read| (field.name, &*field.value, read)));
    }
    // A list or a text of separate tiles is most certainly a board, a number least.
    let is_read = |rank: fn(&Value) -> bool| {
        reads.iter().position(|(_, value, read)| read.is_ok() && rank(value))
    };
    let first = is_read(|value| !is_number(value));
    let first = first.or_else(|| is_read(Value::is_string)).or_else(|| is_read(Value::is_number));
    let Some(first) = first else {
        let (name, _, read) = reads.into_iter().next()?;
        return read.err().map(|error| Err((Some(name), error)));
    };
    let (name, value, read) = reads.swap_remove(first);
    let mut text = read.ok()?;
    let cells = text.board.size().cells();
    for (other, label, read) in reads {
        let is_label = is_label(label, cells);
        match read {
            Ok(read) if read.board == text.board => {}
            Ok(read)
                if is_label
                    && read.board.size().cells() < cells
                    && (label.is_number() || !is_number(value)) => {}
            Ok(_) => {
                let message =
                    format!("the record has boards in `{name}` and `{other}`, which differ");
                return Some(Err((None, fault(message))));
            }
            Err(_) if is_label => {}
            Err(error) => return Some(Err((Some(other), error))),
        }
    }
    if !name.eq_ignore_ascii_case(BOARD_FIELDS[0]) {
        text.notes.push(Cow::from(format!("read the board in the field `{name}`")));
    }
    // A number of four digits may be the name of a record, and any list its board.
    if is_number(value)
        && cells == FEWEST
        && let Some(other) = other_board(fields, None, &|_| true)
    {
        let message = format!("the board of the record may be the number in `{name}` or `{other}`");
        return Some(Err((None, fault(message))));
    }
    Some(Ok((name, text)))
}

/// Returns whether a value is a list or a text with the tiles of a board.
fn has_board(value: &Value, hints: Hints<'_>) -> bool {
    let text = text_of(value).filter(|text| value.is_array() || may_be_board(text));
    text.is_some_and(|text| board::read(&text, 0, 1, hints).is_ok())
}

/// Returns whether a value is a number, perhaps as a text.
fn is_number(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => text.trim().bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// Returns whether a value of a field with a board is a label next to a board with this number of cells: the name or
/// number of a puzzle, or its state, such as `solved`. What has about as many signs as the board has cells is no label.
fn is_label(value: &Value, cells: usize) -> bool {
    const MOST_WORDS: usize = 3;
    let Some(text) = text_of(value).filter(|_| !value.is_array()) else { return false };
    let signs = text.chars().filter(|sign| sign.is_alphanumeric()).count();
    // No cell has such a letter, unless all cells have letters.
    let has_word = text.chars().any(|letter| {
        letter.is_alphabetic() && !letter.is_ascii_hexdigit() && !matches!(letter, 'x' | 'X')
    });
    let is_short = text.split_whitespace().count() <= MOST_WORDS
        && !text.contains([',', '/', '[', ';', '|', '{', '\n', '*']);
    let is_size = || text.trim().parse::<Size>().is_ok_and(|size| size.cells() == cells);
    is_time(&text)
        || ![cells, cells - 1].contains(&signs) && (is_number(value) || is_short && has_word)
        || is_size()
}

/// Returns whether a text begins with a date or a time: `2026-11-30T17:50:59`, `17:50`.
fn is_time(text: &str) -> bool {
    let letters = text.trim().chars().take(10);
    let shape: String =
        letters.map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    shape.replace('/', "-") == "0000-00-00" || shape.starts_with("00:00")
}

/// Reads a text as the board of a record, of this size if it is known.
fn read_board_of(text: &str, size: Option<Size>) -> Option<Board> {
    board::read(text, 0, 1, Hints { size, blank: None }).ok().map(|read| read.board)
}

/// The goal of a record: the name of its field, and its text.
type NamedGoal = (String, String);

/// Returns the goal of a record whose board has this size: that of the record itself, or of a record in one of its
/// fields.
///
/// # Errors
/// Returns the message for a goal that is neither a text nor a list, or for two goals that differ.
fn goal_of(
    fields: &[Field<'_>],
    size: Size,
    hints: Hints<'_>,
) -> Result<Option<NamedGoal>, String> {
    let mut found: Option<NamedGoal> = None;
    for Field { name, role, value } in fields {
        let goal = match (&**value, role) {
            (Value::Null, _) => None,
            (Value::Object(object), Role::Goal { .. }) => {
                let inner = fields_of(object);
                match board_of_fields(&inner, Hints { size: hints.size.or(Some(size)), ..hints }) {
                    Some(Ok((_, read))) => {
                        Some(((*name).to_owned(), slashes(&read.board).to_string()))
                    }
                    _ => return Err(no_goal(name)),
                }
            }
            (Value::Object(object), _) => goal_of(&fields_of(object), size, hints)?
                .map(|(inner, text)| (format!("{name}.{inner}"), text)),
            (value, Role::Goal { or_label }) => match text_of(value) {
                Some(text) if is_missing(&text) => None,
                Some(text) if *or_label && is_label_of_goal(value, &text, size) => None,
                Some(text) => Some(((*name).to_owned(), text.into_owned())),
                None if *or_label => None,
                None => return Err(no_goal(name)),
            },
            _ => None,
        };
        match (&found, goal) {
            (Some((other, before)), Some((name, text))) if !is_same_goal(before, &text, size) => {
                return Err(format!(
                    "the record has goals in `{other}` and `{name}`, which differ"
                ));
            }
            (None, Some(goal)) => found = Some(goal),
            _ => {}
        }
    }
    Ok(found)
}

/// Returns whether a text stands for a missing value.
fn is_missing(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || ["n/a", "na", "nan", "none", "null", "-"]
            .iter()
            .any(|none| text.eq_ignore_ascii_case(none))
}

fn no_goal(name: &str) -> String {
    format!("the field `{name}` has no goal: write a text or a list")
}

/// Returns whether the text of a field such as `target`, which may have a goal or a label, is a label: a number with
/// other digits than a board has, or words without numbers that are neither a board nor the name of a goal.
fn is_label_of_goal(value: &Value, text: &str, size: Size) -> bool {
    if value.is_number() || text.trim().parse::<f64>().is_ok() {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        return ![size.cells(), size.cells() - 1].contains(&digits);
    }
    if is_time(text) {
        return true;
    }
    let is_word = |part: &str| part.chars().count() > 1;
    !value.is_array()
        && text.chars().all(|letter| letter.is_alphabetic() || " -_'.!?".contains(letter))
        && text.split(|letter: char| !letter.is_alphabetic()).any(is_word)
        && !GOALS.iter().any(|row| is_same_name(row.name, text))
        && read_board_of(text, Some(size)).is_none()
}

/// Returns whether two texts of goals are the same goal.
fn is_same_goal(one: &str, other: &str, size: Size) -> bool {
    one == other || goal_board(one, size).is_some_and(|goal| Some(goal) == goal_board(other, size))
}

fn goal_board(text: &str, size: Size) -> Option<Board> {
    Goal::parse(text, size).ok()?.board(size).ok()
}

/// Returns the name of the first field without a known meaning that holds a board which `is_other` accepts, of this size
/// if it is given.
fn other_board(
    fields: &[Field<'_>],
    size: Option<Size>,
    is_other: &dyn Fn(&Board) -> bool,
) -> Option<String> {
    let is_known =
        |field: &&Field<'_>| field.role.is_board() || matches!(field.role, Role::Goal { .. });
    let mut others = fields.iter().filter(|field| !is_known(field));
    others.find_map(|field| board_within(field.name, &field.value, size, is_other))
}

/// Returns the name of the field, or of one within it but for goals, that holds a board which `is_other` accepts.
fn board_within(
    name: &str,
    value: &Value,
    size: Option<Size>,
    is_other: &dyn Fn(&Board) -> bool,
) -> Option<String> {
    let is_board = |text: &str| read_board_of(text, size).is_some_and(|board| is_other(&board));
    let found = || Some(name.to_owned());
    let within = |object: &Map<String, Value>| {
        let mut fields = object.iter().filter(|(name, _)| !is_goal_field(name));
        fields.find_map(|(inner, value)| {
            board_within(inner, value, size, is_other).map(|inner| format!("{name}.{inner}"))
        })
    };
    match value {
        Value::Object(object) => within(object),
        // The name of a record may be a long number.
        Value::String(_) if is_number(value) && is_same_name(name, "id") => None,
        Value::String(text) if may_have_board(text, size) && is_board(text) => found(),
        Value::String(text) if size.is_some_and(|size| has_goal(text, size)) => found(),
        Value::Array(items) if may_fill(items, size) && is_board(&value.to_string()) => found(),
        Value::Array(items) => items.iter().filter_map(Value::as_object).find_map(within),
        _ => None,
    }
}

/// Returns whether a text has a word for a goal, and as many digits as a board of this size at least.
fn has_goal(text: &str, size: Size) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() >= size.tiles() && names_goal(text)
}

/// Returns whether a text may have all tiles of a board of this size, or the tiles of any board if there is no size.
fn may_have_board(text: &str, size: Option<Size>) -> bool {
    let Some(size) = size else { return may_be_board(text) };
    let is_move = |letter: char| "udlrUDLR ".contains(letter);
    let fills = |count: usize| [size.cells(), size.cells() - 1].contains(&count);
    // A game id has its size first: `3x3:1,2,…`.
    let tiles = text.rsplit(':').next().unwrap_or_default();
    let words =
        tiles.split(|letter: char| letter.is_whitespace() || ",;/|[](){}-".contains(letter));
    let words = words.filter(|word| !word.is_empty()).count();
    let signs = || text.chars().filter(|letter| letter.is_alphanumeric()).count();
    !text.chars().all(is_move) && (fills(words) || fills(signs()))
}

/// Returns whether a text has only signs that occur in boards with numbers.
fn may_be_board(text: &str) -> bool {
    let is_sign = |sign: u8| sign.is_ascii_digit() || b" ,/;|[](){}\t\r\nxX_.*#-".contains(&sign);
    text.len() >= FEWEST && text.bytes().all(is_sign)
}

/// Returns whether a list may have the tiles or the rows of a board.
fn may_fill(items: &[Value], size: Option<Size>) -> bool {
    let cells: usize = items.iter().map(|item| item.as_array().map_or(1, Vec::len)).sum();
    let is_row = |item: &Value| item.is_string();
    cells >= FEWEST && size.is_none_or(|size| size.cells() == cells)
        || size.is_none_or(|size| size.height() == items.len()) && items.iter().all(is_row)
}

/// A list of fewer cells may be anything.
const FEWEST: usize = 4;

/// Returns the name of a field whose value is the name of a goal, and no other word, or which is called after a goal, such
/// as `goal_type`.
fn named_goal(fields: &[Field<'_>]) -> Option<String> {
    let is_goal = |field: &&Field<'_>| {
        let text = field.value.as_str().unwrap_or_default().trim();
        let is_called = || {
            let name = field.name.to_ascii_lowercase();
            name.contains("goal") || name.contains("target")
        };
        // Few values are names of goals, so that few names are compared.
        let is_set = *field.value == Value::Bool(true) || text == "true";
        is_set
            && GOALS.iter().any(|row| row.name.contains('-') && is_same_name(row.name, field.name))
            || field.role == Role::Other
                && GOALS.iter().any(|row| row.name.eq_ignore_ascii_case(text))
                && (text.contains('-') || is_called())
    };
    fields.iter().find(is_goal).map(|field| field.name.to_owned())
}

/// Completes a case with the name and the goal of its record. A fault of the goal is one of the case, and so is
/// a further board.
pub(super) fn complete(case: &mut Case, fields: &[Field<'_>], hints: Hints<'_>, text: &str) {
    let id = field(fields, "id").or_else(|| field(fields, "name")).and_then(text_of);
    case.id = id.map(Cow::into_owned).filter(|id| !id.trim().is_empty());
    let Ok(board) = &case.board else { return };
    let size = board.size();
    let result = goal_of(fields, size, hints).and_then(|goal| {
        let wanted = goal.as_ref().and_then(|(_, goal)| goal_board(goal, size));
        let is_other = |other: &Board| other != board && Some(other) != wanted.as_ref();
        match other_board(fields, Some(size), &is_other).or_else(|| named_goal(fields)) {
            Some(name) => Err(format!(
                "the field `{name}` has a board too, or a goal, and is neither the start nor the goal by its name"
            )),
            None => Ok(goal),
        }
    });
    match result {
        Ok(None) => {}
        Ok(Some((name, goal))) => {
            if !is_same_name(&name, "goal") {
                case.notes.push(Cow::from(format!("read the goal in the field `{name}`")));
            }
            case.goal_text = Some(goal);
        }
        Err(message) => {
            let flaw = Flaw::new(0..0, message);
            let flaw = flaw.with_help("name the goal `goal`, and leave out what is not meant");
            case.board = Err(flaw.locate(text, case.line));
        }
    }
}
