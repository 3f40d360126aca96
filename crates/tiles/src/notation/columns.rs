//! Reads boards in columns with a header, separated by commas, semicolons or tabs.

use std::borrow::Cow;
use std::io::{self, BufRead};

use csv::{ReaderBuilder, StringRecord};
use serde_json::Value;

use super::board;
use super::error::{Flaw, NotationError};
use super::fields::{add_goal, described, is_board_field, is_same_name};
use super::input::{LONGEST, Line, Lines};
use super::reading::{Case, Hints};

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    separator: u8,
    board: usize,
    /// Other columns that may hold boards.
    others: Vec<usize>,
    name: String,
    id: Option<usize>,
    /// The names of all columns.
    names: Vec<String>,
}

impl Header {
    /// Returns the columns named on a line, if one of them holds boards.
    pub(super) fn of(line: &Line) -> Option<Self> {
        let (text, _) = line.checked().ok()?;
        let separators = [b',', b'\t', b';'].into_iter();
        separators.filter(|&separator| text.as_bytes().contains(&separator)).find_map(|separator| {
            let names = fields(text, separator).ok()?;
            if text.contains(['\r', '=']) {
                return None;
            }
            let place =
                |wanted: &dyn Fn(&str) -> bool| names.iter().position(|name| wanted(name.trim()));
            let is = |word: &'static str| move |name: &str| is_same_name(name, word);
            let board = place(&is_board_field)?;
            let others = names.iter().enumerate().skip(board + 1);
            let others =
                others.filter(|(_, name)| is_board_field(name)).map(|(at, _)| at).collect();
            let id = place(&is("id")).or_else(|| place(&is("name")));
            let name = names[board].trim().to_owned();
            let names = names.iter().map(|name| name.trim().to_owned()).collect();
            Some(Self { separator, board, others, name, id, names })
        })
    }

    pub(super) fn next<R: BufRead>(
        &self,
        lines: &mut Lines<R>,
        hints: Hints<'_>,
    ) -> io::Result<Option<Case>> {
        let Some(mut line) = lines.next_filled()? else { return Ok(None) };
        let mut quotes = Quotes { separator: self.separator, is_open: false, may_open: true };
        let mut is_open = quotes.read(&line.text);
        while is_open {
            let next = lines.next()?.filter(|next| next.checked().is_ok());
            let Some(next) = next.filter(|next| line.text.len() + next.text.len() < LONGEST) else {
                let flaw = Flaw::new(
                    0..line.text.len(),
                    "a quotation mark of this record is never closed",
                );
                let fault = line.locate(
                    flaw.with_help("write a second one, or none; the lines behind it are not read"),
                );
                return Ok(Some(Case::fault(fault)));
            };
            is_open = quotes.read(&next.text);
            line.text.push('\n');
            line.text.push_str(&next.text);
        }
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
        let value = |text: &str| Cow::Owned(Value::String(text.to_owned()));
        let named: Vec<(&str, Cow<'_, Value>)> =
            self.names.iter().map(String::as_str).zip(fields.iter().map(value)).collect();
        let read =
            described(&named, hints, &|hints| Some(board::read(board, 0, line.number, hints)));
        let read = read.expect("a text is read").map_err(|error| {
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
        let mut case = Case { id: field(self.id).filter(filled), ..Case::new(line.number, read) };
        add_goal(&mut case, &named, hints, text);
        Ok(case)
    }

    /// Returns a note for the user that names the column read.
    pub(super) fn note(&self) -> String {
        format!("read the boards in the column `{}`", self.name)
    }
}

/// Finds the fields in quotation marks of a record, which may have several lines, as cells of a spreadsheet may.
#[derive(Clone, Copy, Debug)]
struct Quotes {
    separator: u8,
    /// Whether a field is open.
    is_open: bool,
    /// Whether the last byte may be followed by an opening mark: a separator, or a mark that may be one of a pair, `""`.
    may_open: bool,
}

impl Quotes {
    /// Reads on; returns whether a field is open at the end.
    fn read(&mut self, text: &str) -> bool {
        for byte in text.bytes() {
            let (was_open, may_open) = (self.is_open, self.may_open);
            self.is_open = if byte == b'"' { !was_open && may_open } else { was_open };
            self.may_open = byte == if was_open { b'"' } else { self.separator };
        }
        self.is_open
    }
}

/// Splits a line into fields.
fn fields(line: &str, separator: u8) -> csv::Result<StringRecord> {
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(separator);
    let mut records = reader.from_reader(line.as_bytes()).into_records();
    records.next().unwrap_or_else(|| Ok(StringRecord::new()))
}
