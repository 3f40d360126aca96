//! The size and the blank that a record gives next to its tiles. All of it counts: a field that is not understood, or
//! that contradicts the board, is an error of the record.

use std::borrow::Cow;

use serde_json::Value;

use super::error::{Flaw, NotationError};
use super::names::{Field, Role};
use super::reading::{BoardText, Hints};
use crate::board::Board;
use crate::size::Size;

/// Reads a board in the field of a record with these hints.
pub(super) type Read<'a> = dyn Fn(Hints<'_>) -> Option<Result<BoardText, NotationError>> + 'a;

/// The description of the board in the fields of a record.
#[derive(Debug, Default)]
pub(super) struct Description<'a> {
    sizes: Vec<(&'a str, Sides)>,
    blanks: Vec<(&'a str, Blank)>,
    /// The sign of the blank.
    sign: Option<Cow<'a, str>>,
}

/// The content of a field with a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sides {
    Width(u32),
    Height(u32),
    /// The side of a square board, or its number of cells.
    Number(u32),
    Size(Size),
    /// Two sides in any order.
    Either(Size),
    /// Sides in any order, unless they do not fit the number of cells.
    Perhaps(Size),
}

/// The content of a field with the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blank {
    /// The number of the blank, or of its cell.
    Number(u32),
    /// The number of its cell.
    Cell(u32),
    /// A list may have the row or the column first.
    Place {
        row: u32,
        column: u32,
        is_list: bool,
    },
    Row(u32),
    Column(u32),
}

fn fault(message: String) -> NotationError {
    Flaw::new(0..0, message).locate("", 1)
}

impl<'a> Description<'a> {
    /// Returns the description in these fields.
    ///
    /// # Errors
    /// Returns an error if a field is not understood.
    pub(super) fn of(fields: &'a [Field<'_>]) -> Result<Self, NotationError> {
        let mut all = Self::default();
        // In a record of a search, `h` is the value of a heuristic.
        let has_width = fields.iter().any(|field| field.role == Role::Width);
        let is_value = |field: &&Field<'_>| {
            !has_width && field.role == Role::Height && field.name.trim().len() == 1
        };
        for field in fields.iter().filter(|field| !is_value(field)) {
            all.add(field.name, field.role, &field.value)?;
        }
        if let Some((n, m)) = side(fields, "n").zip(side(fields, "m")) {
            all.sizes.extend(Size::new(n, m).ok().map(|size| ("n", Sides::Perhaps(size))));
        }
        Ok(all)
    }

    fn add(&mut self, name: &'a str, role: Role, value: &'a Value) -> Result<(), NotationError> {
        if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
            return Ok(());
        }
        let wrong = |what: &str| fault(format!("the field `{name}` is not {what}"));
        if value.as_str().is_some_and(is_by_column) {
            return Err(wrong("the order in which boards are read: row by row"));
        }
        let number = || number_of(value).ok_or_else(|| wrong("a number"));
        match (role, value) {
            (Role::Settings | Role::Board, Value::Object(inner)) => {
                for (name, value) in inner {
                    self.add(name, Role::of(name), value)?;
                }
            }
            // A list of rows is no number of rows.
            (Role::Width | Role::Height, Value::Array(_)) => {}
            (Role::Width, _) => self.sizes.push((name, Sides::Width(number()?))),
            (Role::Height, _) => self.sizes.push((name, Sides::Height(number()?))),
            (Role::Sides { .. }, Value::Object(inner)) => {
                let before = self.sizes.len();
                for (name, value) in inner {
                    match Role::of(name) {
                        role @ (Role::Width | Role::Height) => self.add(name, role, value)?,
                        _ => return Err(wrong("a size")),
                    }
                }
                if self.sizes.len() == before {
                    return Err(wrong("a size"));
                }
            }
            (Role::Sides { rows_first, width_first }, _) => {
                let sides = sides_of(value, rows_first, width_first);
                self.sizes.push((name, sides.ok_or_else(|| wrong("a size"))?));
            }
            (Role::PartOfGoal, _) => {
                return Err(wrong("understood: write the goal as a board or a name"));
            }
            (Role::BlankRow, _) => self.blanks.push((name, Blank::Row(number()?))),
            (Role::BlankColumn, _) => self.blanks.push((name, Blank::Column(number()?))),
            (Role::Blank | Role::BlankCell, _) => match (blank_of(value, role), value) {
                (Some(blank), _) => self.blanks.push((name, blank)),
                (None, Value::String(_) | Value::Number(_)) if role == Role::Blank => {
                    let sign = match value {
                        Value::String(sign) => Cow::Borrowed(sign.trim()),
                        number => Cow::Owned(number.to_string()),
                    };
                    if self.sign.as_ref().is_some_and(|other| *other != sign) {
                        return Err(wrong("the same sign as that of another field"));
                    }
                    self.sign = Some(sign);
                }
                _ => return Err(wrong("a sign, a number or a cell")),
            },
            _ => {}
        }
        Ok(())
    }

    /// Reads a board that fits the description.
    ///
    /// # Errors
    /// Returns the error of the board, or the error that it contradicts the description or is not decided by it.
    pub(super) fn read(
        &self,
        hints: Hints<'_>,
        read: &Read<'_>,
    ) -> Option<Result<BoardText, NotationError>> {
        let hints = Hints { blank: hints.blank.or(self.sign.as_deref()), ..hints };
        let sizes = if hints.size.is_none() { self.candidates() } else { Vec::new() };
        let mut boards: Vec<BoardText> = Vec::new();
        let mut failed = None;
        for size in sizes {
            match read(Hints { size: Some(size), ..hints })? {
                Err(error) => failed = failed.or(Some(error)),
                Ok(text) if boards.iter().any(|other| other.board == text.board) => {}
                Ok(text) => boards.push(text),
            }
        }
        let text = match boards.as_slice() {
            [one, other, ..] => {
                let sizes = [one, other].map(|read| read.board.size());
                let message = format!("the size of the record may be {} or {}", sizes[0], sizes[1]);
                return Some(Err(fault(message)));
            }
            [_] => boards.remove(0),
            [] => match read(hints)? {
                Ok(text) => text,
                Err(error) => return Some(Err(failed.unwrap_or(error))),
            },
        };
        let size = text.board.size();
        if let Some((name, _)) = self.sizes.iter().find(|(_, sides)| !sides.fits(size)) {
            let message = format!("the board is {size}, where `{name}` gives another size");
            return Some(Err(fault(message)));
        }
        let wrong = self.blanks.iter().find_map(|(name, blank)| {
            let again = |sign: &str| read(Hints { blank: Some(sign), size: Some(size) });
            blank.contradiction(&text.board, &again).map(|what| format!("`{name}` {what}"))
        });
        Some(wrong.map_or(Ok(text), |message| Err(fault(message))))
    }

    /// Returns the sizes that all fields allow, as far as the fields give both sides.
    fn candidates(&self) -> Vec<Size> {
        let sizes = || self.sizes.iter().map(|(_, sides)| *sides);
        let mut all = Vec::new();
        for sides in sizes() {
            match sides {
                Sides::Width(width) => all.extend(sizes().filter_map(|other| match other {
                    Sides::Height(height) => Size::new(width, height).ok(),
                    _ => None,
                })),
                Sides::Height(_) => {}
                Sides::Number(side) => all.extend(Size::new(side, side)),
                Sides::Size(size) => all.push(size),
                Sides::Either(size) | Sides::Perhaps(size) => {
                    all.extend([size, size.transposed()]);
                }
            }
        }
        all.retain(|size| sizes().all(|sides| sides.fits(*size)));
        let mut unique = Vec::new();
        for size in all {
            if !unique.contains(&size) {
                unique.push(size);
            }
        }
        unique
    }
}

impl Sides {
    fn fits(self, size: Size) -> bool {
        let [width, height] = [size.width(), size.height()].map(|side| side as u32);
        match self {
            Self::Width(given) => given == width,
            Self::Height(given) => given == height,
            Self::Number(given) => {
                given == width && given == height || given as usize == size.cells()
            }
            Self::Size(given) => given == size,
            Self::Either(given) => given == size || given.transposed() == size,
            Self::Perhaps(given) => {
                given.cells() != size.cells() || given == size || given.transposed() == size
            }
        }
    }
}

impl Blank {
    /// Returns the content of the field if it contradicts the board, or may mean another blank. Rows, columns and cells may
    /// count from 0 or from 1. `again` reads the board with another sign for the blank.
    fn contradiction(
        self,
        board: &Board,
        again: &dyn Fn(&str) -> Option<Result<BoardText, NotationError>>,
    ) -> Option<String> {
        let (size, blank) = (board.size(), board.blank().index());
        let (row, column) = ((blank / size.width()) as u32, (blank % size.width()) as u32);
        let counts = |given: u32, from_0: u32| given == from_0 || given == from_0 + 1;
        let (given, fits) = match self {
            Self::Number(number) => {
                let named = again(&number.to_string()).and_then(Result::ok);
                let is_other = named.as_ref().is_some_and(|read| read.board != *board);
                let fits = !is_other && (named.is_some() || counts(number, blank as u32));
                let tile =
                    if is_other { format!(", which may be tile {number}") } else { String::new() };
                (format!("{number} as the blank{tile}"), fits)
            }
            Self::Cell(cell) => (format!("cell {cell} as the blank"), counts(cell, blank as u32)),
            Self::Place { row: given, column: other, is_list } => {
                let fits = [0, 1].into_iter().any(|first| {
                    let place = (row + first, column + first);
                    place == (given, other) || is_list && place == (other, given)
                });
                (format!("{given}, {other} as the blank"), fits)
            }
            Self::Row(given) => (format!("row {given} as the blank"), counts(given, row)),
            Self::Column(given) => (format!("column {given} as the blank"), counts(given, column)),
        };
        let largest = || {
            self.cells(size).into_iter().find(|&cell| {
                let number = board.numbers().nth(cell).map(usize::from);
                cell != blank && number == Some(size.tiles())
            })
        };
        if fits && largest().is_none() {
            return None;
        }
        Some(format!("gives {given}, and the board has it in cell {}", blank + 1))
    }

    /// Returns the cells, by index, that the field may mean. Where one of them has the largest number, that may be the
    /// blank.
    fn cells(self, size: Size) -> Vec<usize> {
        let index = |row: u32, column: u32| {
            let (row, column) = (row as usize, column as usize);
            (row < size.height() && column < size.width()).then(|| row * size.width() + column)
        };
        match self {
            Self::Place { row, column, .. } => {
                let less = |row: u32, column: u32| row.checked_sub(1).zip(column.checked_sub(1));
                let places = [Some((row, column)), less(row, column)];
                places
                    .into_iter()
                    .flatten()
                    .filter_map(|(row, column)| index(row, column))
                    .collect()
            }
            Self::Cell(cell) => [Some(cell), cell.checked_sub(1)]
                .into_iter()
                .flatten()
                .map(|cell| cell as usize)
                .filter(|&cell| cell < size.cells())
                .collect(),
            Self::Number(_) | Self::Row(_) | Self::Column(_) => Vec::new(),
        }
    }
}

/// Returns whether a text says that tiles are listed column by column.
fn is_by_column(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let letters: String = letters.map(|letter| letter.to_ascii_lowercase()).take(40).collect();
    [
        "columnmajor",
        "colmajor",
        "columnwise",
        "bycolumn",
        "bycolumns",
        "columnbycolumn",
        "columnsfirst",
        "fortran",
    ]
    .contains(&letters.as_str())
}

/// Returns the number in the field that has exactly this name.
fn side(fields: &[Field<'_>], name: &str) -> Option<u32> {
    let field = fields
        .iter()
        .find(|field| field.role == Role::Side && field.name.trim().eq_ignore_ascii_case(name));
    field.and_then(|field| number_of(&field.value))
}

/// Returns the whole number of a value: `8`, `8.0`, `"8"`.
fn number_of(value: &Value) -> Option<u32> {
    let whole = |number: f64| {
        (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number))
            .then_some(number as u32)
    };
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_f64().and_then(whole),
        _ => None,
    }
}

/// Returns the two numbers of a list: `[2, 8]`, `"(2, 8)"`, `"2,8"`.
fn pair_of(value: &Value) -> Option<(u32, u32)> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [one, other] => number_of(one).zip(number_of(other)),
            _ => None,
        },
        Value::String(text) => {
            let list = text.trim().trim_matches(['(', ')', '[', ']', '{', '}']);
            let (one, other) = list.split_once([',', ';'])?;
            one.trim().parse().ok().zip(other.trim().parse().ok())
        }
        _ => None,
    }
}

/// Returns the sides in a value: a number, a list of two numbers, or a text such as `8x2`.
fn sides_of(value: &Value, rows_first: bool, width_first: bool) -> Option<Sides> {
    if let Some(number) = number_of(value) {
        return Some(Sides::Number(number));
    }
    if let Some((rows, columns)) = pair_of(value) {
        let size = Size::new(columns, rows).ok()?;
        return Some(if rows_first { Sides::Size(size) } else { Sides::Either(size) });
    }
    let size: Size = value.as_str()?.trim().replace('*', "x").parse().ok()?;
    Some(if width_first { Sides::Size(size) } else { Sides::Either(size) })
}

/// Returns the blank in a value that is not a sign: a number, a list of a row and a column, or an object with them.
fn blank_of(value: &Value, role: Role) -> Option<Blank> {
    if let Some(number) = number_of(value) {
        return Some(match role {
            Role::BlankCell => Blank::Cell(number),
            _ => Blank::Number(number),
        });
    }
    if let Some((row, column)) = pair_of(value) {
        return Some(Blank::Place { row, column, is_list: true });
    }
    let inner = value.as_object()?;
    let number = |names: &[&str]| {
        let mut found = inner.iter().filter(|(name, _)| names.contains(&name.as_str()));
        found.next().and_then(|(_, value)| number_of(value))
    };
    let row = number(&["row", "r", "y"])?;
    let column = number(&["col", "column", "c", "x"])?;
    (inner.len() == 2).then_some(Blank::Place { row, column, is_list: false })
}
