//! Reads boards in columns with a header, separated by commas, semicolons or tabs.

use std::borrow::Cow;
use std::io::{self, BufRead};

use csv::{ReaderBuilder, StringRecord};
use serde_json::Value;

use super::error::{Flaw, NotationError};
use super::fields::{board_of_fields, complete};
use super::input::{LONGEST, Line, Lines};
use super::names::{Field, Role};
use super::reading::{Case, Hints};
use crate::quote::quote;

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    separator: u8,
    /// The names of all columns, and what they hold.
    columns: Vec<(String, Role)>,
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
            let column = |name: &str| (name.trim().to_owned(), Role::of(name));
            let columns: Vec<(String, Role)> = names.iter().map(column).collect();
            let has = |wanted: fn(Role) -> bool| columns.iter().any(|(_, role)| wanted(*role));
            // `source` alone may be any remark.
            let has_source =
                has(|role| role == Role::Source) && has(|role| matches!(role, Role::Goal { .. }));
            (has(|role| role == Role::Board) || has_source).then_some(Self { separator, columns })
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
                // Further lines may be parts of the field.
                while lines.next()?.is_some() {}
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
        if let Some(more) = fields.iter().nth(self.columns.len()).filter(|text| !text.is_empty()) {
            let (fields, columns) = (fields.len(), self.columns.len());
            let message =
                format!("{fields} fields, and {columns} columns: {} has no name", quote(more));
            return Err(fault(message));
        }
        let named: Vec<Field<'_>> = self
            .columns
            .iter()
            .zip(fields.iter())
            .map(|((name, role), text)| Field {
                name,
                role: *role,
                value: Cow::Owned(Value::String(text.to_owned())),
            })
            .collect();
        let read = match board_of_fields(&named, hints) {
            None => Err(fault(self.no_board(&fields))),
            Some(Ok((_, read))) => Ok(read),
            Some(Err((name, error))) => {
                let column = name.map_or(String::new(), |name| format!("column `{name}`: "));
                let mut fault = fault(format!("{column}{}", error.message));
                fault.help = error.help;
                Err(fault)
            }
        };
        let mut case = Case::new(line.number, read);
        // The note on the file names the column.
        case.notes.retain(|note| !note.starts_with("read the board in the field"));
        complete(&mut case, &named, hints, text);
        Ok(case)
    }

    /// Returns the message for a line whose columns for boards are empty or missing.
    fn no_board(&self, fields: &StringRecord) -> String {
        let mut boards = self.columns.iter().enumerate().filter(|(_, column)| column.1.is_board());
        match boards.next() {
            Some((at, (name, _))) if at >= fields.len() => {
                format!("the line ends before column {}, `{name}`", at + 1)
            }
            _ => "the line has no board".to_owned(),
        }
    }

    /// Returns a note for the user that names the column read.
    pub(super) fn note(&self) -> String {
        let boards = self.columns.iter().filter(|(_, role)| role.is_board());
        let names: Vec<String> = boards.map(|(name, _)| format!("`{name}`")).collect();
        format!("read the boards in the column {}", names.join(" or "))
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
